"""Everything that is shown of some results, side by side: which two statements differ.

Every surface is read for itself, as somebody reads it; what it says is held against the record of
the page's verdict, and that against `tests.verdict_judge`.
"""

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from html.parser import HTMLParser
from typing import NamedTuple

import numpy as np

from tapviz import Explorer, RetrievalLists, scores
from tapviz.explorer.report import report
from tapviz.explorer.score_table import best_first, score_table
from tapviz.explorer.verdict import verdict_words
from tapviz.measures import PairDifference, class_groups, level_names
from tapviz.plots import PLOTS
from tapviz.plots.save import complete
from tapviz.scores.holds import Condition, Holds
from tapviz.scores.verdict import Verdict
from tapviz.scores.words import describe
from tests.verdict_judge import unsaid, untrue
from tests.verdict_reader import Reader

SAME = 1e-9
NUMBER = r"[-+−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
BETWEEN = re.compile(rf"({NUMBER}) to ({NUMBER})")
PLOTTED = ("differences", "order")


Pair = tuple[float, float, float, float, bool]
"""Score of one minus that of another, its interval, p, and whether it is clear."""


class Side(NamedTuple):
    """What is shown of some results, at one place and by one score."""

    results: Mapping[str, RetrievalLists]
    explorer: Explorer
    compared: scores.Compared
    verdict: Verdict
    table: scores.ScoreTable

    @property
    def pairs(self) -> dict[tuple[str, str], Pair]:
        """Either of two first."""
        sign = 1 if self.verdict.place.higher_is_better else -1
        found = {}
        for one in self.verdict.pairs:
            by, low, high = (sign * number for number in one.difference)
            low, high = sorted((low, high))
            clear = one.difference.low > 0 or one.difference.high < 0
            found[one.first, one.second] = by, low, high, one.p, clear
            found[one.second, one.first] = -by, -high, -low, one.p, clear
        return found


def differing(results, k=20, by="tap", *, reported=False):
    """What is said in two ways, or is not so, by the score that leads.

    With the report, too, where that is `reported`: it draws all plots.
    """
    explorer = _comparing(results, k, by)
    explorer.peak_interval = by == "peak_tap"
    compared = explorer.compared()
    verdict = compared.verdict(by)
    others = sorted({1, 33} - {k}) if by == "tap" else []
    asked = {"e0": (0.01, 0.1, 1.0)} if by == "tap" else {"scores": (by, "tap")}
    policies = scores.Policies(k=(k, *others), n=explorer.n, all_intervals=True, **asked)
    table = scores.score(results, policies, baseline="all", compared=[by])
    side = Side(results, explorer, compared, verdict, table)
    surfaces = [_sentences, _holds, _json, _csv, _texts, _html, _pictures, _gates]
    if by == "tap":
        surfaces += [_every_k, _other_places]
    if reported:
        surfaces.append(_report)
    found = [*_same(verdict, table.verdicts[0], "table", "page")]
    return found + [one for surface in surfaces for one in surface(side)]


def _comparing(results, k, by):
    """Choices of all programs, compared by a score."""
    explorer = Explorer(results, [*results], k=k)
    if by not in explorer.param.compared_score.objects:
        explorer.table_scores = [by]
    explorer.compared_score = by
    return explorer


# --- what is said ---


def _sentences(side: Side) -> Iterator[str]:
    """Each sentence is true of the numbers, and none is missing."""
    words, found = describe(side.verdict), side.verdict
    read = Reader(side.results)
    claims = []
    for sentence in (*words.conclusion, *words.order):
        claimed = read(sentence.text)
        yield from (f"untrue: {one}" for one in untrue(claimed, found))
        claims += claimed
    yield from (f"not said: {one}" for one in unsaid(claims, found))
    left_out = {*side.results} - {*found.values}
    if {*found.left_out} != left_out:
        yield f"left out: {left_out} and {found.left_out}"


def _same(one: Verdict, other: Verdict, *where: str) -> Iterator[str]:
    for name in ("place", "pairs", "tiers", "left_out", "reason", "common", "thresholds"):
        if not _alike(getattr(one, name), getattr(other, name)):
            yield f"{name} in {where}: {getattr(one, name)} and {getattr(other, name)}"
    if (one.by_k is None) != (other.by_k is None):
        yield f"every k in {where}"
    elif one.by_k is not None and other.by_k is not None:
        for name in one.by_k._fields:
            if not _alike(getattr(one.by_k, name), getattr(other.by_k, name)):
                yield f"every k, {name}, in {where}"


def _alike(one: object, other: object) -> bool:
    """Whether two records are the same, but for the rounding of sums in another order."""
    if isinstance(one, np.ndarray):
        return np.allclose(one, other, rtol=0, atol=SAME, equal_nan=True)

    def rounded(found: re.Match) -> str:
        return f"{round(float(found[0]), 8) + 0.0}"

    number = r"-?\d+\.\d+(?:e[-+]?\d+)?"
    return re.sub(number, rounded, repr(one)) == re.sub(number, rounded, repr(other))


def _holds(side: Side) -> Iterator[str]:
    """How far it holds is what other places say of the pairs that it is about."""
    holds, found = side.compared.holding(side.explorer.compared_score), side.verdict
    if _plain(holds) != _plain(side.table.holds):
        yield f"how far it holds: {holds} and {side.table.holds}"
    records = _records(found)
    chosen = {(a, b): by for (at, a, b), by in records.items() if at == "chosen"}
    clear = [pair for pair, by in chosen.items() if by[1] > 0]
    judged = clear or [pair for pair, by in chosen.items() if by[0] > 0]
    if holds is None or not judged:
        return
    if holds.clear != bool(clear):
        yield f"whether clear differences are judged: {holds.clear}"
    for one in holds.conditions:
        ats = {"ties": ["chosen"], "threshold": [one.name.replace(" ", "")]}.get(one.kind, [])
        if one.kind == "ties" and not clear:
            continue
        if one.state == "—":
            continue
        if one.kind == "k":
            ats = [f"k={k}" for k in range(1, found.by_k.last + 1)]
        # What a sentence says of every two there is said of these.
        if ats and all((ats[0], *pair) in records for pair in judged):
            there = [[records[at, *pair] for at in ats] for pair in judged]
            turned = sum(any(by[2] < 0 for by in of) for of in there)
            held = sum(all(by[1] > 0 if clear else by[0] >= 0 for by in of) for of in there)
            if (one.held, one.turned) != (held, turned):
                yield f"{one.name}: {one}, but {held} held and {turned} turned"
        if one.kind == "groups" and clear and one.state != "—":
            there = _by_groups(side, one.name)
            yield from _judged(one, {*clear}, there)


def _judged(one: Condition, clear: set[tuple[str, str]], there: set[tuple[str, str]]):
    """Whether the clear pairs that are clear elsewhere, and turned, are counted as such."""
    if (one.held, one.turned) != (len(clear & there), len({p[::-1] for p in clear} & there)):
        yield f"{one.name}: {one}, but clear there: {there}"


def _by_groups(side: Side, name: str) -> set[tuple[str, str]]:
    """Pairs of which the first is clearly better, with the queries grouped by another level."""
    found = side.verdict
    level = level_names(side.explorer.first).index(name) + 1
    if class_groups(side.explorer.first, level).unit != found.basis.groups.unit:
        policies = scores.Policies(k=(side.explorer.k,), groups=level, n_resamples=0)
        by = side.explorer.compared_score
        (found,) = scores.score(side.results, policies, compared=[by]).verdicts
    return {(one.first, one.second) for one in found.clear}


Record = tuple[float, float, float, float]
"""How much better the first of two is, its interval, and p."""


def _records(found: Verdict) -> dict[tuple[str, str, str], Record]:
    """All that a verdict knows, by place and pair."""
    known = {("chosen", one.first, one.second): (*one.difference, one.p) for one in found.pairs}
    if found.common is not None and not found.reason:
        at = found.common.at
        known |= {(at, p.first, p.second): (*p.difference, p.p) for p in found.common.pairs}
    for k in range(1, found.by_k.last + 1) if found.by_k is not None else ():
        of = (found.by_k.difference, found.by_k.low, found.by_k.high, found.by_k.p)
        for column, p in enumerate(found.pairs):
            known[f"k={k}", p.first, p.second] = tuple(float(one[k - 1, column]) for one in of)
    return known


def _plain(holds: Holds | None) -> object:
    return None if holds is None else (holds.clear, holds.rows, holds.text)


def _oriented(pairs: Iterable[PairDifference], first: str, second: str) -> PairDifference | None:
    for one in pairs:
        if {one.first, one.second} == {first, second}:
            return one if one.first == first else one.turned
    return None


def _every_k(side: Side) -> Iterator[str]:
    """What is looked up at another k is what is found there, on the page and in a table."""
    explorer = side.explorer
    others = [one.place.k for one in side.table.verdicts[1:] if one.place.e0 is None]
    cases = {name: explorer.case(name) for name in explorer.rows}
    every = scores.EveryThreshold.of(cases, side.compared)
    for place, k in enumerate(others, 1):
        at = Explorer(side.results, [*side.results], k=k)
        found = every.at({name: at.case(name) for name in at.rows}).verdict("tap")
        direct = at.compared().verdict("tap")
        yield from _same(found, direct, f"page at k = {k}, looked up", "found there")
        yield from _same(side.table.verdicts[place], direct, f"table at k = {k}", "page")
        yield from _other_k(side.verdict, direct, k)


def _other_k(here: Verdict, there: Verdict, k: int) -> Iterator[str]:
    """The row of one k, and the verdict at that k."""
    if here.by_k is None or k > here.by_k.last or there.reason:
        return
    for column, pair in enumerate(here.pairs):
        one = _oriented(there.pairs, pair.first, pair.second)
        row = [of[k - 1, column] for of in (here.by_k.difference, here.by_k.low, here.by_k.high)]
        same = np.sign(row) == np.sign(one.difference)
        row.append(here.by_k.p[k - 1, column])
        if not (same.all() and np.allclose(row, [*one.difference, one.p], rtol=0, atol=1e-12)):
            yield f"k = {k} of {pair.first} and {pair.second}: {row} and {one.difference}, {one.p}"


def _other_places(side: Side) -> Iterator[str]:
    """The common threshold, and those at which it is looked at how far it holds."""
    places = {one.place.e0: one for one in side.table.verdicts if one.place.e0 is not None}
    common, holds = side.verdict.common, side.compared.holding("tap")
    if common is not None and not places[0.01].reason:
        for pair in common.pairs:
            one = _oriented(places[0.01].pairs, pair.first, pair.second)
            if (one.difference, one.p) != (pair.difference, pair.p):
                yield f"{common.where}: {pair} and {one}"
    sure = {(one.first, one.second) for one in side.verdict.pairs if one.difference.low > 0}
    for one in holds.conditions if holds is not None and sure else ():
        if one.kind == "threshold" and one.state != "—":
            there = places[float(one.name.removeprefix("E = "))]
            clear = {(pair.first, pair.second) for pair in there.pairs if pair.clear}
            yield from _judged(one, sure, clear)


# --- what programs read ---


def _json(side: Side) -> Iterator[str]:
    said, table = json.loads(scores.written([side.table], "json")), side.table
    for found, shown in zip(
        table.verdicts, [said["conclusion"], *said["other_conclusions"]], strict=True
    ):
        yield from _json_conclusion(found, shown)
    at = {(one.place.k, one.place.e0): one for one in table.verdicts}
    titles = {one.place.title: one for one in at.values()}
    for one in said["comparisons"]:
        found = titles[one["score"]]
        pair = _oriented(found.pairs, one["first"], one["second"])
        if pair is None:
            continue
        sign = 1 if found.place.higher_is_better else -1
        ends = sorted(sign * end for end in pair.difference[1:])
        clear = ends[0] > 0 or ends[1] < 0
        expected = (sign * pair.difference.estimate, *ends, pair.p, clear)
        shown = tuple(one[name] for name in ("difference", "low", "high", "p", "clear"))
        if not np.allclose(np.array(shown, float), np.array(expected, float), rtol=0, atol=1e-12):
            yield f"JSON, comparison of {one['first']} and {one['second']}: {shown}, {expected}"
    if said["holds"] is not None and table.holds is not None:
        names = ("name", "state", "held", "weakened", "turned")
        shown = [tuple(one[name] for name in names) for one in said["holds"]]
        if shown != [one[:1] + one[2:6] for one in table.holds.conditions]:
            yield f"JSON, how far it holds: {shown}"
    by = side.explorer.compared_score
    for one in said["algorithms"]:
        of = one["thresholds"][0] if by in one["thresholds"][0] else one
        value = side.verdict.values.get(one["algorithm"])
        if value is not None and not math.isclose(of[by], value.estimate, abs_tol=1e-12):
            yield f"JSON, {by} of {one['algorithm']}: {of[by]} and {value}"


def _json_conclusion(found: Verdict, shown: dict) -> Iterator[str]:
    where = f"JSON, {shown['score']}"
    if (shown["score"], shown["reason"]) != (found.place.title, found.reason):
        yield f"{where}: {shown['reason']}"
    if [tuple(tier) for tier in shown["tiers"]] != [*found.tiers]:
        yield f"{where}: {shown['tiers']}"
    words = describe(found)
    if [one["text"] for one in shown["sentences"]] != [s.text for part in words for s in part]:
        yield f"{where}: other sentences"
    shown_at = {(one["at"], one["a"], one["b"]): one for one in shown["pairs"]}
    known = _records(found)
    for key, one in shown_at.items():
        numbers = [one[name] for name in ("difference", "low", "high", "p")]
        if not np.array_equal(np.array(numbers, float), np.array(known[key]), equal_nan=True):
            yield f"{where}: {one} and {known[key]}"
        if one["clear"] != (known[key][1] > 0 or known[key][2] < 0):
            yield f"{where}: {one}"
    # What is not there of some k is as at the chosen one: a reader of the JSON alone is told.
    for (at, *pair), by in known.items():
        if at.startswith("k=") and (at, *pair) not in shown_at:
            here = known["chosen", *pair]
            if _stands(by) != _stands(here):
                yield f"{where}: {at} of {pair} is missing"


def _stands(by: Record) -> tuple[float, bool, bool]:
    return np.sign(by[0]), by[1] > 0, by[2] < 0


def _csv(side: Side) -> Iterator[str]:
    for row in csv.DictReader(io.StringIO(scores.written([side.table], "csv"))):
        pair = side.pairs.get((row["algorithm"], row["compared_with"]))
        if pair is None or row["score"] != side.verdict.place.title:
            continue
        shown = [float(row[name] or "nan") for name in ("value", "low", "high", "p")]
        if not np.allclose(shown, pair[:4], rtol=0, atol=1e-12):
            yield f"CSV, {row['algorithm']} and {row['compared_with']}: {shown}, {pair}"


# --- what people read ---


def _texts(side: Side) -> Iterator[str]:
    sentences = [s.text for one in side.table.verdicts for part in describe(one) for s in part]
    for output in ("table", "markdown", "latex"):
        text = _untyped(scores.written([side.table], output), output)
        for sentence in sentences:
            if sentence.replace("−", "-").replace("—", "-") not in text:
                yield f"{output}: {sentence}"
        cut = {"table": r"\s{2,}", "markdown": r"\s*\|\s*", "latex": r" & "}[output]
        lines = [line.strip().strip("|").strip() for line in text.splitlines()]
        rows = [[cell.removesuffix(scores.MARK) for cell in re.split(cut, line)] for line in lines]
        yield from _cells(side, rows, output)


def _untyped(text: str, output: str) -> str:
    """What is seen of it."""
    if output == "markdown":
        text = re.sub(r"\\([\\`*_<>|\[\]#~])", r"\1", text)
    if output == "latex":
        text = text.replace("$-$", "-").replace(" \\\\", "").replace("--", "-")
        text = re.sub(r"\$_\{(\w+)\}\$", r"_\1", text)
        text = re.sub(r"\\([&%$#_{}])", r"\1", text).replace("{}", "")
    return text.replace("−", "-").replace("—", "-")


def _cells(side: Side, rows: list[list[str]], where: str) -> Iterator[str]:
    """Rows of scores, and of comparisons."""
    names = {f"{a} - {b}": (a, b) for a, b in side.pairs}
    seen = set()
    title = side.verdict.place.title
    head = next((row for row in rows if row[0] == "algorithm"), [])
    for row in rows:
        if row[0] in names and len(row) > 4 and row[1] == title:
            seen.add(frozenset(names[row[0]]))
            yield from _shown(side.pairs[names[row[0]]], row[2], row[3], row[4], f"{where}, {row}")
        elif row[0] in side.verdict.values and title in head and len(row) == len(head):
            at = head.index(title)
            value = side.verdict.values[row[0]]
            if not _is(row[at].split(" [")[0], value.estimate):
                yield f"{where}, {row[0]}: {row[at]} and {value}"
            if at + 1 < len(head) and "interval" in head[at + 1] and np.isfinite(value.low):
                ends = BETWEEN.fullmatch(row[at + 1])
                if ends is None or not all(map(_is, ends.groups(), value[1:])):
                    yield f"{where}, {row[0]}: {row[at + 1]} and {value}"
    if len(seen) != len(side.verdict.pairs):
        yield f"{where}: {len(seen)} of {len(side.verdict.pairs)} pairs"


def _shown(pair: Pair, by: str, between: str, p: str, where: str) -> Iterator[str]:
    """A difference, its interval and p as printed; what is clear must be seen to be so."""
    difference, low, high, found_p, clear = pair
    if not _is(by, difference):
        yield f"{where}: {by} is {difference}"
    ends = BETWEEN.fullmatch(between)
    if ends is None:
        if np.isfinite(low):
            yield f"{where}: no interval: {between}"
        return
    if not all(map(_is, ends.groups(), (low, high))):
        yield f"{where}: {between} is {low} to {high}"
    shown_low, shown_high = map(_number, ends.groups())
    if clear != (shown_low > 0 or shown_high < 0):
        yield f"{where}: {between}, clear: {clear}"
    if p and not _is_p(p, found_p):
        yield f"{where}: p {p} is {found_p}"


def _number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


def _is(text: str, value: float) -> bool:
    """Whether a number is printed as itself: nothing but 0 as 0, nor with the wrong sign."""
    if not re.fullmatch(NUMBER, text):
        return not np.isfinite(value)
    digits = text.lower().replace(",", "")
    mantissa, _, power = digits.partition("e")
    unit = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))
    shown = _number(text)
    if shown == 0:
        return abs(value) <= SAME and not text.startswith(("-", "−", "+"))
    return shown * value > 0 and abs(shown - value) <= unit * (0.5 + 1e-6)


def _is_p(text: str, p: float) -> bool:
    return p < float(text[1:]) if text.startswith("<") else _is(text, p) or p == float(text)


class _Cells(HTMLParser):
    """Rows of a table, with the text of each cell."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list) -> None:  # noqa: ARG002  # of all tags
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] = f"{self.rows[-1][-1]} {data.strip()}".strip()


def _html(side: Side) -> Iterator[str]:
    """The page's verdict and score table, with each program as the baseline."""
    html = unescape(re.sub(r"<[^>]*>", "", verdict_words(side.verdict, side.table.holds)))
    for part in describe(side.verdict):
        for sentence in part:
            plain = re.sub(r"\b(E|ROC)_(\w+)", r"\1\2", sentence.text)
            if plain not in html:
                yield f"page: {sentence.text}"
    explorer = _comparing(side.results, side.explorer.k, side.explorer.compared_score)
    styles = complete(explorer, compared=side.compared).styles
    for baseline in side.results:
        explorer.baseline = baseline
        parser = _Cells()
        parser.feed(score_table(explorer, styles, side.compared))
        for row in parser.rows:
            pair, value = side.pairs.get((row[0], baseline)), side.verdict.values.get(row[0])
            ends = BETWEEN.fullmatch(row[2]) if len(row) > 2 else None
            if side.explorer.compared_score == "tap" and value is not None and ends is not None:
                if not _is(re.sub("^[^ ]+ ", "", row[1]), value.estimate):
                    yield f"page, {row[0]}: {row[1]}, {value}"
                if not all(map(_is, ends.groups(), value[1:])):
                    yield f"page, {row[0]}: {row[2]}, {value}"
            if pair is not None:
                by, between, p = row[-4:-1]
                yield from _shown(pair, by, between, p, f"page, {row[0]} less {baseline}")


def _pictures(side: Side) -> Iterator[str]:
    """Dots, bars, numbers and tooltips of the plots of differences, and the order by k."""
    data = complete(side.explorer, *(PLOTS[name] for name in PLOTTED), compared=side.compared)
    layers = PLOTS["differences"].picture(data).columns

    def shown(layer, *columns):
        """What a layer has of pairs that are judged, with their record."""
        for label, *own in zip(*(layers[layer][one] for one in ("pair", *columns)), strict=True):
            pair = side.pairs.get(tuple(label.split(" − ")))
            if pair is not None:
                yield label, pair, own

    for layer, clear in (("clear", True), ("open", False)):
        for label, pair, (x,) in shown(layer, "x"):
            if pair[4] != clear or not math.isclose(pair[0], x, abs_tol=1e-12):
                yield f"dots, {label}: {layer} at {x}, {pair}"
    for label, pair, ends in shown("bar", "x0", "x1"):
        if not np.allclose(ends, pair[1:3], rtol=0, atol=1e-12):
            yield f"bars, {label}: {ends}, {pair}"
    for label, pair, (text,) in shown("value", "text"):
        by, _, p = text.partition(", p ")
        if not _is(by, pair[0]) or (p and not _is_p(p, pair[3])):
            yield f"numbers, {label}: {text}, {pair}"
    tips = layers["row"]["text"]
    yield from _tips(side, [unescape(re.sub("</?b>", "", one)).split("<br>") for one in tips])
    words = PLOTS["differences"].text(data)
    n_clear = sum(one.clear for one in side.verdict.pairs)
    said = re.search(r" (\d+) of (\d+) pairs? ", words)
    if side.verdict.pairs and (said is None or int(said[1]) != n_clear):
        yield f"the plot in words: {words}, {n_clear} clear"
    yield from _order(side, data)


def _tips(side: Side, tips: list[list[str]]) -> Iterator[str]:
    for lines in tips:
        a, _, b = lines[0].partition(" − ")
        pair = side.pairs.get((a, b))
        if pair is None:
            continue
        by = lines[1].rpartition(" ")[2]
        found = re.search(rf"({NUMBER} to {NUMBER}), p (\S+)", lines[2])
        if found is None:
            yield f"tooltip: {lines}"
            continue
        yield from _shown(pair, by, found[1], found[2], f"tooltip, {lines[0]}")
        if (lines[3] == "a clear difference") != pair[4]:
            yield f"tooltip: {lines}, {pair}"


def _order(side: Side, data: object) -> Iterator[str]:
    """Ranks by TAP-k, and whom the sentences put ahead at each k."""
    if side.verdict.by_k is None or not side.verdict.pairs:
        return
    by_k = side.verdict.by_k
    text = PLOTS["order"].text(data)
    changes = bool((by_k.difference < -SAME).any())
    if len(side.results) == len(side.verdict.values) and changes != ("depends on k" in text):
        yield f"ranking by k: {text}, but changes: {changes}"


def _gates(side: Side) -> Iterator[str]:
    """A gate fails who is clearly worse, and nobody else."""
    if side.verdict.reason:
        return
    sign = "<" if side.verdict.place.higher_is_better else ">"
    limit = scores.read_limit(f"{side.explorer.compared_score} {sign} 0")
    for baseline in side.verdict.values:
        compared = [
            (column, one if one.second == baseline else one.turned)
            for column, one in side.table.comparisons
            if baseline in (one.first, one.second) and column.title == side.verdict.place.title
        ]
        some = [one for one in compared if one[1].first in side.verdict.values]
        for one in scores.check(side.table._replace(comparisons=tuple(some)), [limit], baseline):
            difference, low, high, _, clear = side.pairs[one.algorithm, baseline]
            worse = high < 0 if sign == "<" else low > 0
            if one.failed != worse or (worse and not clear):
                yield f"gate: {one}, {low} to {high}"
            verb = "fell" if difference < 0 else "rose" if difference > 0 else "did not change"
            if f" {verb}" not in one.words:
                yield f"gate: {one.words}, {difference}"
            ends = BETWEEN.search(one.words)
            if ends is None or not all(map(_is, ends.groups(), (low, high))):
                yield f"gate: {one.words}: {low} to {high}"
            by = re.search(rf" by ({NUMBER}) against", one.words)
            if by is not None and not _is(by[1], abs(difference)):
                yield f"gate: {one.words}: {difference}"


def _report(side: Side) -> Iterator[str]:
    html = report(side.explorer, plain=True)
    holds = side.compared.holding(side.explorer.compared_score)
    if verdict_words(side.verdict, holds) not in html:
        yield "report: another verdict"
    for name, state, detail in holds.rows if holds is not None else ():
        if f'<th scope="row">{name}</th><td>{state}</td><td>{detail}</td>' not in html:
            yield f"report: {name} {state} {detail}"
    styles = complete(side.explorer, compared=side.compared).styles
    order = best_first(side.explorer)
    if score_table(side.explorer, styles, side.compared, order) not in html:
        yield "report: another table"
