"""Scores kept in a file, with which later ones are compared query by query."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from tapviz.files.small import json_of, wrong
from tapviz.lists import RetrievalLists, align
from tapviz.measures import Scored
from tapviz.scores._layout import jsonable
from tapviz.scores.pipeline import Policies, ScoreTable
from tapviz.scores.table import ThresholdRule

__all__ = ["Baseline"]

FORMAT = "tapviz baseline 2"
SAME = ("n", "n_resamples", "seed", "groups", "fixed_threshold", "weights", "ties")
"""Policies that the scores of two runs must share to be compared."""
USUAL = Policies()
OF_QUERIES = ("n_relevant", "n_irrelevant", "weight", "query_class")
ARRAYS = ("per_query", "linear", "replicates", "influence")
"""Fields of `Scored` that are arrays of numbers."""


class Baseline(NamedTuple):
    """An algorithm's scores as they once were: of each query, and in each resample.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Baseline, Policies, score
    >>> results, policies = load_results("profiles"), Policies(k=(5,), n_resamples=100)
    >>> old = {"old": results["RPS-BLAST"]}
    >>> kept = Baseline.of(score(old, policies, kept=["tap"]), old)
    >>> kept = Baseline.read(kept.as_json())
    >>> new = kept.aligned({"new": results["HMMER3 hmmscan"]})
    >>> table = score(new, policies, baseline=kept.algorithm, saved=kept.at(policies))
    >>> round(table.comparisons[0][1].difference.estimate, 3)
    0.103
    """

    algorithm: str
    queries: RetrievalLists
    """Its queries, with empty lists."""
    policies: Mapping[str, object]
    scored: Mapping[ThresholdRule, Mapping[str, Scored]]
    """By threshold and score."""
    judged: str = ""
    """Fingerprint of the labels; empty where the results said themselves what is relevant."""

    @classmethod
    def of(
        cls, table: ScoreTable, results: Mapping[str, RetrievalLists], judged: str = ""
    ) -> Baseline:
        """Baseline of a table of one algorithm.

        Raises
        ------
        ValueError
            If there are several.
        """
        if len(results) != 1:
            raise ValueError(f"a baseline is of one algorithm, found {', '.join(results)}")
        ((name, lists),) = results.items()
        scored = {
            rule: {score: of[name] for score, of in at.items()} for rule, at in table.scored.items()
        }
        policies = {one: getattr(table.policies, one) for one in SAME}
        return cls(name, lists, policies, scored, judged)

    def as_json(self) -> str:
        """The baseline as text, with all digits."""
        lists = self.queries
        content = {
            "format": FORMAT,
            "algorithm": self.algorithm,
            "policies": dict(self.policies),
            "judged": self.judged,
            "direction": lists.direction,
            "queries": {
                name: getattr(lists, name) for name in ("query", *OF_QUERIES, "class_level")
            },
            "thresholds": [
                {
                    "rule": rule._asdict(),
                    "scores": {name: one._asdict() for name, one in at.items()},
                }
                for rule, at in self.scored.items()
            ],
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
            if content["format"] != FORMAT:
                raise KeyError(FORMAT)  # noqa: TRY301  # told below
            return cls._from(content)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            message = "expected a file that tapviz score --save-baseline wrote"
            raise wrong(file, None, message) from error

    @classmethod
    def _from(cls, content: Mapping[str, Any]) -> Baseline:
        queries = content["queries"]
        lists = RetrievalLists(
            score=[],
            relevant=[],
            offset=np.zeros(len(queries["query"]) + 1, np.int64),
            direction=content["direction"],
            **queries,
        )
        scored = {
            ThresholdRule(**at["rule"]): {name: _scored(one) for name, one in at["scores"].items()}
            for at in content["thresholds"]
        }
        policies, judged = content["policies"], content["judged"]
        return cls(content["algorithm"], lists, policies, scored, judged)

    def aligned(
        self, results: Mapping[str, RetrievalLists], judged: str = ""
    ) -> dict[str, RetrievalLists]:
        """Results with the queries of the baseline, in its order.

        Raises
        ------
        ValueError
            If they have other queries, T(q) of a query differs, or the labels did.
        """
        stub = f"the baseline {self.algorithm!r}"
        if self.judged and judged and self.judged != judged:
            msg = f"{stub} was judged by other labels: use the same ones, or save it again"
            raise ValueError(msg)
        found = align({stub: self.queries} | dict(results))
        n_queries = found.pop(stub).n_queries
        if n_queries != self.queries.n_queries:
            extra = set().union(*(one.query.tolist() for one in found.values()))
            first = min(extra - set(self.queries.query.tolist()))
            raise ValueError(
                f"{stub} has no query {first!r}: give both runs the same list of all queries "
                "(--queries), and save the baseline again"
            )
        return found

    def at(
        self, policies: Policies, scores: Collection[str] = ()
    ) -> dict[ThresholdRule, Mapping[str, Scored]]:
        """Its scores at the thresholds of some policies.

        Parameters
        ----------
        policies : Policies
        scores : collection of str
            Names of those that are wanted.

        Raises
        ------
        ValueError
            If it was scored by other policies, or does not have these scores.
        """
        stub, rules = f"the baseline {self.algorithm!r}", policies.rules
        titles = ", ".join(rule.title for rule in self.scored)
        wrong = [
            f"was scored with {name} {was}, this run with "
            f"{getattr(policies, name)}: use the same options, or save it again"
            for name in SAME
            # Earlier files do not have all policies.
            if (was := self.policies.get(name, getattr(USUAL, name))) != getattr(policies, name)
        ]
        wrong += [
            f"has {titles}, not {rule.title} by these rules"
            for rule in rules
            if rule not in self.scored
        ]
        wrong += [
            f"has no {name}: save it again with --scores {name}"
            for name in scores
            if name not in self.scored.get(rules[0], ())
        ]
        if wrong:
            raise ValueError(f"{stub} {wrong[0]}")
        return {rule: self.scored[rule] for rule in rules}


def _scored(one: Mapping[str, Any]) -> Scored:
    """What `as_json` wrote of a score; undefined numbers are NaN again."""
    values = dict(one)
    for name in ARRAYS:
        if values[name] is not None:
            values[name] = np.array(values[name], np.float64)
    if values["ends"] is not None:
        values["ends"] = tuple(np.array(end, np.float64) for end in values["ends"])
    if values["value"] is None:
        values["value"] = np.nan
    return Scored(**values)
