"""A gate: whether a score fell below what is accepted, as far as the queries can tell."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import product
from typing import NamedTuple

from tapviz.measures import PairDifference
from tapviz.measures._common import refuse
from tapviz.scores.column import Column, comparable
from tapviz.scores.pipeline import Check, ScoreTable
from tapviz.scores.table import Score

__all__ = ["Limit", "as_junit", "check", "read_limit"]

LIMIT = re.compile(r"([A-Za-z][A-Za-z0-9_@.]*)\s*([<>])\s*([-+−]?[0-9.]+(?:[eE][-+]?[0-9]+)?)")
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Limit(NamedTuple):
    """By how much a score may change: `tap < -0.01` fails if TAP fell by more than 0.01."""

    score: Score
    below: bool
    """Whether a change below `change` fails, rather than one above it."""
    change: float

    def __str__(self) -> str:
        return f"{self.score.name} {'<' if self.below else '>'} {self.change:g}"


def read_limit(text: str) -> Limit:
    """Read what is to fail: a score, < or >, and its change from the baseline.

    Raises
    ------
    ValueError
        If it is something else, there is no such score, or the change is for the better.

    Examples
    --------
    >>> from tapviz.scores import read_limit
    >>> str(read_limit("tap < -0.01")), str(read_limit("sepq1<0"))
    ('tap < -0.01', 'sepq@1 < 0')
    """
    found = LIMIT.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text[:60]!r}: expected a score and its change, such as 'tap < -0.01'")
    name, sign, change = found.groups()
    score, below, by = comparable(name), sign == "<", float(change.replace("−", "-"))
    falls = below if score.higher_is_better is None else score.higher_is_better
    limit, loss = Limit(score, below, by), Limit(score, falls, -abs(by) if falls else abs(by))
    refuse(limit != loss, f"{text[:60]!r} is not a loss: did you mean '{loss}'?")
    return limit


def check(
    table: ScoreTable, limits: Sequence[Limit], baseline: str, *, strict: bool = False
) -> tuple[Check, ...]:
    """Check each algorithm's changes since the baseline; one that is missing fails.

    A limit is passed if the whole interval of the paired difference lies beyond it, so that luck
    of the queries does not fail a check; if `strict`, if the estimate does.

    Parameters
    ----------
    table : ScoreTable
        Compared with the baseline by the scores of the limits.
    limits : sequence of Limit
    baseline : str
    strict : bool

    Raises
    ------
    ValueError
        If a score of the baseline is undefined, or there is no interval to judge by.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Policies, check, read_limit, score
    >>> results = load_results("profiles")
    >>> two = {name: results[name] for name in ("HMMER3 hmmscan", "RPS-BLAST")}
    >>> table = score(two, Policies(k=(5,), n_resamples=100), baseline="HMMER3 hmmscan")
    >>> [one.failed for one in check(table, [read_limit("tap < -0.01")], "HMMER3 hmmscan")]
    [True]
    """
    checks = []
    for limit in limits:
        by_score = [both for both in table.comparisons if both[0].score == limit.score]
        since = [both for both in by_score if both[1].second == baseline]
        refuse(not since, f"{limit}: nothing was compared with {baseline!r} by this score")
        checks += [_check(*both, limit, table, strict=strict) for both in since]
        titles = dict.fromkeys(column.title for column, _ in since)
        for name, title in product(table.missing, titles):
            words = f"{title} of {name} is missing: {baseline} has it, the results do not"
            checks.append(Check(str(limit), name, title, failed=True, words=words))
    return tuple(checks)


def _check(
    column: Column, one: PairDifference, limit: Limit, table: ScoreTable, *, strict: bool
) -> Check:
    score, (estimate, low, high) = column.score, column.score.less(one)
    title = f"{column.title} of {one.first}"
    known = table.scored[column.rule][score.name]
    if math.isnan(known[one.first].value):
        words = f"{title} is undefined: {known[one.first].reason or one.reason}"
        return Check(str(limit), one.first, column.title, failed=True, words=words)
    refuse(math.isnan(estimate), f"{column.title} cannot be compared: {one.reason}")
    message = f"{title}: {one.reason or 'no interval'}; with --strict the change alone decides"
    refuse(math.isnan(low) and not strict, message)
    most, least = (estimate, estimate) if strict else (high, low)
    failed = most < limit.change if limit.below else least > limit.change
    verb = "fell" if estimate < 0 else "rose" if estimate > 0 else "did not change"
    by = f" by {score.text(abs(estimate))}" if estimate else ""
    interval = ""
    if not math.isnan(low):
        of = f"{100 * table.policies.level:g} % interval of the change"
        ends, basis = score.between(low, high, minus="-"), f"{one.units:,} {one.unit}"
        interval = f" ({of} {ends}, {basis})"
    lies = f"{'the change' if strict else 'the interval'} is {'' if failed else 'not '}"
    side = "below" if limit.below else "above"
    words = f"{title} {verb}{by} against {one.second}{interval}: {lies}{side} {limit.change:g}"
    return Check(str(limit), one.first, column.title, failed=failed, words=words)


def as_junit(tables: Sequence[ScoreTable]) -> str:
    """Checks as test cases in JUnit's XML, a suite for each table.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Check, Policies, as_junit, score
    >>> table = score(load_results("profiles"), Policies(k=(5,), n_resamples=0))
    >>> one = Check("tap < -0.01", "new", "TAP-5", True, "TAP-5 of new fell by 0.1")
    >>> as_junit([table._replace(checks=(one,))]).splitlines()[1]
    '<testsuites tests="1" failures="1">'
    """
    counts = _counts([one for table in tables for one in table.checks])
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites {counts}>"]
    lines += [line for table in tables for line in _suite(table)]
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _suite(table: ScoreTable) -> Iterator[str]:
    name = f"tapviz {table.standard}".strip()
    yield f'  <testsuite name="{_xml(name)}" {_counts(table.checks)}>'
    for one in table.checks:
        case, words = _xml(f"{one.title}: {one.asked}"), _xml(one.words)
        yield f'    <testcase classname="{_xml(one.algorithm)}" name="{case}">'
        tag = f'<failure message="{words}"/>' if one.failed else f"<system-out>{words}</system-out>"
        yield f"      {tag}"
        yield "    </testcase>"
    yield "  </testsuite>"


def _counts(checks: Sequence[Check]) -> str:
    return f'tests="{len(checks)}" failures="{sum(one.failed for one in checks)}"'


def _xml(text: str) -> str:
    return escape(NOT_XML.sub("?", text))
