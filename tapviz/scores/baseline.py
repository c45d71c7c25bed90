"""Scores kept in a file, with which later ones are compared query by query."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from tapviz.files.small import json_of, wrong
from tapviz.lists import RetrievalLists, align, count
from tapviz.lists.runs import RUN, as_systems
from tapviz.measures import Interval, PairDifference, Scored, against, weigh
from tapviz.measures._common import refuse
from tapviz.scores.column import Column, comparable, compared_by
from tapviz.scores.conclusion import Judge
from tapviz.scores.pipeline import Policies, Results, ScoreTable, score
from tapviz.scores.table import ThresholdRule
from tapviz.scores.verdict import Verdict, verdict
from tapviz.scores.written import jsonable

__all__ = ["Baseline"]

FORMAT, OF_ONE = "tapviz baseline 3", "tapviz baseline 2"
"""The present format, and that of files of one algorithm, whose scores do not name it."""
SAME = ("n", "n_resamples", "seed", "groups", "fixed_threshold", "weights", "ties")
"""Policies that the scores of two runs must share to be compared."""
USUAL = Policies()
OF_QUERIES = ("query", "n_relevant", "n_irrelevant", "weight", "query_class", "class_level")
ARRAYS = ("per_query", "linear", "replicates", "influence")
"""Fields of `Scored` that are arrays of numbers."""
READ_WRONG = (ValueError, KeyError, TypeError, AttributeError, OverflowError, StopIteration)
"""What is raised by a file that holds something else."""


class Baseline(NamedTuple):
    """Scores of algorithms as they once were: of each query, and in each resample.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Baseline, Policies, score
    >>> results, policies = load_results("profiles"), Policies(k=(5,), n_resamples=100)
    >>> old = {"old": results["RPS-BLAST"]}
    >>> kept = Baseline.of(score(old, policies, kept=["tap"]), old)
    >>> kept = Baseline.read(kept.as_json())
    >>> new = kept.aligned({"new": results["HMMER3 hmmscan"]})
    >>> table = kept.compared(new, policies, ["tap"], "old")
    >>> round(table.comparisons[0][1].difference.estimate, 3)
    0.103
    """

    queries: RetrievalLists
    """Its queries, with empty lists."""
    policies: Mapping[str, object]
    scored: Mapping[ThresholdRule, Mapping[str, Mapping[str, Scored]]]
    """By threshold, score and algorithm, as of a `ScoreTable`."""
    judged: str = ""
    """Fingerprint of the labels; empty where the results said themselves what is relevant."""

    @property
    def algorithms(self) -> list[str]:
        """Names of the algorithms."""
        return [*next(iter(next(iter(self.scored.values())).values()))]

    @classmethod
    def of(cls, table: ScoreTable, results: Results, judged: str = "") -> Baseline:
        """Baseline of a table."""
        policies = {one: getattr(table.policies, one) for one in SAME}
        return cls(next(iter(results.values())), policies, table.scored, judged)

    def as_json(self) -> str:
        """The baseline as text, with all digits."""
        lists, thresholds = self.queries, []
        for rule, at in self.scored.items():
            scores = {
                by: {name: one._asdict() for name, one in of.items()} for by, of in at.items()
            }
            thresholds.append({"rule": rule._asdict(), "scores": scores})
        content = {
            "format": FORMAT,
            "policies": dict(self.policies),
            "judged": self.judged,
            "direction": lists.direction,
            "queries": {name: getattr(lists, name) for name in OF_QUERIES},
            "thresholds": thresholds,
        }
        return json.dumps(jsonable(content), allow_nan=False) + "\n"

    @classmethod
    def read(cls, text: str, file: str = "baseline") -> Baseline:
        """Baseline of what `as_json` wrote.

        Raises
        ------
        ReadError
            If it is something else.
        """
        content = json_of(text, file, most=None)
        try:
            if content["format"] not in (FORMAT, OF_ONE):
                raise KeyError(FORMAT)  # told below
            return cls._from(content)
        except READ_WRONG as error:
            message = "expected a file that tapviz score --save-baseline wrote"
            raise wrong(file, None, message) from error

    @classmethod
    def _from(cls, content: Mapping[str, Any]) -> Baseline:
        queries = content["queries"]
        offset = np.zeros(len(queries["query"]) + 1, np.int64)
        lists = RetrievalLists([], [], offset, direction=content["direction"], **queries)

        def of(scores: Mapping[str, Any]) -> Mapping[str, Any]:
            """Scores by algorithm."""
            return {content["algorithm"]: scores} if content["format"] == OF_ONE else scores

        scored = {
            ThresholdRule(**at["rule"]): {
                by: {name: _scored(one) for name, one in of(scores).items()}
                for by, scores in at["scores"].items()
            }
            for at in content["thresholds"]
        }
        found = cls(lists, content["policies"], scored, content["judged"])
        names = found.algorithms
        if any([*of_each] != names for at in scored.values() for of_each in at.values()):
            raise KeyError(names)
        return found

    def aligned(self, results: Results, judged: str = "") -> dict[str, RetrievalLists]:
        """Results with the queries of the baseline, in its order.

        Raises
        ------
        ValueError
            If they have other queries, T(q) of a query differs, or the labels did.
        """
        stub = f"the baseline {', '.join(self.algorithms)!r}"
        message = f"{stub} was judged by other labels: use the same ones, or save it again"
        refuse(self.judged and judged and self.judged != judged, message)
        found = align({stub: self.queries} | dict(results))
        if found.pop(stub).n_queries != self.queries.n_queries:
            extra = set().union(*(one.query.tolist() for one in found.values()))
            first = min(extra - set(self.queries.query.tolist()))
            remedy = "give both runs the same list of all queries (--queries)"
            again = "and save the baseline again"
            raise ValueError(f"{stub} has no query {first!r}: {remedy}, {again}")
        return found

    def check_queries(self, chosen: Iterable[str]) -> None:
        """Raise ValueError unless queries that somebody chose are all of the baseline."""
        if left := {*self.queries.query.tolist()} - {*chosen}:
            several = f"{count(self.queries.n_queries, 'query')}, of which {min(left)!r}"
            stub = f"the baseline {', '.join(self.algorithms)!r}"
            raise ValueError(f"{stub} has {several} is left out here: choose the same queries")

    def check(self, policies: Policies, scores: Collection[str] = ()) -> None:
        """Raise ValueError unless it was scored by some policies, and has these scores."""
        stub, rules = f"the baseline {', '.join(self.algorithms)!r}", policies.rules
        titles = ", ".join(rule.title for rule in self.scored)
        for name in SAME:
            # Earlier files do not have all policies.
            was, now = self.policies.get(name, getattr(USUAL, name)), getattr(policies, name)
            apart = f"was scored with {name} {was}, this run with {now}"
            refuse(was != now, f"{stub} {apart}: use the same options, or save it again")
        for rule in rules:
            refuse(rule not in self.scored, f"{stub} has {titles}, not {rule.title} by these rules")
        for name in scores:
            if name not in self.scored.get(rules[0], ()):
                raise ValueError(f"{stub} has no {name}: save it again with --scores {name}")

    def compared(
        self, results: Results, policies: Policies, scores: Collection[str], called: str
    ) -> ScoreTable:
        """Score results, and compare them with what is kept here.

        Of a baseline of several algorithms each is compared with the result of its name, as if
        they were the only two; that of one with all results.

        Parameters
        ----------
        results : mapping of str to RetrievalLists
            As `aligned` returns them.
        policies : Policies
        scores : collection of str
            Names of the scores by which they are compared; none: the usual ones.
        called : str
            What the baseline is called, other than any of the results.

        Raises
        ------
        ValueError
            If it was scored otherwise, or none of the results has a name that it has.
        """
        lists = weigh(next(iter(results.values())), policies.weights)
        by = [comparable(one, lists) for one in scores or compared_by(lists, policies.scores)]
        self.check(policies, wanted := [one.name for one in by])
        own, names = self.algorithms, [*as_systems({name: name for name in results}, RUN.join)]
        pairs = {one: [one] for one in own if one in names} if len(own) > 1 else {own[0]: names}
        has = f"{called} has {', '.join(own)}, none of {', '.join(names)}"
        by_name = "each is compared with the result of its name, which NAME=FILE gives"
        refuse(not pairs, f"{has}: {by_name}")
        table = score(results, policies, compared=wanted, kept=wanted)
        new = [one for one in names if not any(one in now for now in pairs.values())]
        left = [f"{called} has no {one}: it is compared with nothing" for one in new]
        missing = tuple(one for one in own if len(own) > 1 and one not in names)
        left += [f"{called} has {one}, the results do not" for one in missing]

        judge = Judge(table.groups, policies.level, policies.seed)

        def differences(name: str, rule: ThresholdRule) -> Iterator[PairDifference]:
            scored = table.scored[rule][name]
            for before, now in pairs.items():
                of = {one: scored[one] for one in now}
                both = {name: of | {called: self.scored[rule][name][before]}}
                yield from against(judge.pairwise(both, lists), called, name)

        comparisons = tuple(
            (Column(of, rule, policies.n), one)
            for rule in policies.rules
            for of in by
            if rule == policies.rules[0] or of.at_threshold
            for one in differences(of.name, rule)
        )
        left += [
            f"{one.first} and {one.second} are compared by {column.title} without "
            f"{count(one.left_out, 'query')} of which only one of the two has it"
            for column, one in comparisons
            if one.left_out
        ]
        doubts = (*table.doubts, *left)
        table = table._replace(comparisons=comparisons, doubts=doubts, missing=missing)
        verdicts = table.verdicts
        if len(own) == len(names) == 1:
            about = table, judge, lists, called
            verdicts = tuple(self._of_both(*about, found) for found in verdicts)
        return table._replace(verdicts=verdicts)

    def _of_both(
        self, table: ScoreTable, judge: Judge, lists: RetrievalLists, called: str, found: Verdict
    ) -> Verdict:
        """A verdict of one result as that of the two that are compared, where both are defined."""
        for column, pair in table.comparisons:
            if column.title != found.place.title or not np.isfinite(pair.difference.estimate):
                continue
            was, now = (of[column.rule][column.score.name] for of in (self.scored, table.scored))
            before, basis = was[self.algorithms[0]], found.basis
            values = {**found.values, called: Interval(before.value, np.nan, np.nan)}
            if pair.left_out:
                own, values, n = judge.in_common({**now, called: before}, lists)
                how = pair.test.partition(", ")[2]
                basis = basis._replace(groups=own.groups, method=how, left_out=n)
            return verdict(found.place, values, [pair], basis)
        return found


def _scored(one: Mapping[str, Any]) -> Scored:
    """What `as_json` wrote of a score; undefined numbers are NaN again."""
    known = {name: np.array(one[name], np.float64) for name in ARRAYS if one[name] is not None}
    ends = one["ends"] and tuple(np.array(end, np.float64) for end in one["ends"])
    value = np.nan if one["value"] is None else one["value"]
    return Scored(**{**one, **known, "ends": ends, "value": value})
