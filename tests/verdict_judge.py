"""Whether what sentences claim is so: each claim against the numbers, by loops over pairs and k.

Nothing here is shared with the code that words verdicts; claims are what
`tests.verdict_reader` reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from tapviz.scores.verdict import Verdict
from tests import verdict_claims as says
from tests.verdict_claims import Claim, Ks, Span


class By(NamedTuple):
    """How much the first of two is better, by the numbers."""

    by: float
    low: float
    high: float


class Table:
    """Numbers of a verdict, either of a pair first."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self.names = list(verdict.values)
        self.values = {name: value.estimate for name, value in verdict.values.items()}
        self.order = [(one.first, one.second) for one in verdict.pairs]
        self.chosen: dict[tuple[str, str], By] = {}
        self.listed: dict[tuple[str, str], By] = {}
        self.there: dict[tuple[str, str], By] = {}
        self.k: dict[int, dict[tuple[str, str], By]] = {}
        for one in verdict.pairs:
            _both(self.chosen, one.first, one.second, By(*one.difference))
            _both(self.listed, one.first, one.second, By(*one.listed))
        for one in verdict.common.pairs if verdict.common else ():
            _both(self.there, one.first, one.second, By(*one.difference))
        for row in range(verdict.by_k.last if verdict.by_k else 0):
            self.k[row + 1] = {}
            for column, (a, b) in enumerate(self.order):
                shown = (verdict.by_k.difference, verdict.by_k.low, verdict.by_k.high)
                found = By(*(float(numbers[row, column]) for numbers in shown))
                _both(self.k[row + 1], a, b, found)

    @property
    def clear(self) -> list[tuple[str, str]]:
        """Pairs of which the first is clearly better."""
        return [pair for pair in self.order if self.chosen[pair].low > 0]

    def differ(self, a: str, b: str) -> bool:
        """Whether two differ clearly at the chosen place."""
        return self.chosen[a, b].low > 0 or self.chosen[a, b].high < 0

    def changed_k(self) -> dict[tuple[str, str], bool]:
        """Pairs that change places at some k, and whether clearly at one of them."""
        return {
            pair: any(at[pair].high < 0 for at in self.k.values())
            for pair in self.order
            if any(at[pair].by < 0 for at in self.k.values())
        }

    def changed_there(self) -> dict[tuple[str, str], bool]:
        """Pairs that change places at the common threshold, and whether clearly."""
        return {
            pair: self.there[pair].high < 0
            for pair in self.order
            if pair in self.there and self.there[pair].by < 0
        }

    def remain_k(self) -> list[tuple[str, str]]:
        """Clear pairs that are clear, the same way round, at every k."""
        return [pair for pair in self.clear if all(at[pair].low > 0 for at in self.k.values())]

    def whole(self) -> bool:
        """Whether all pairs were measured at the common threshold."""
        return all(pair in self.there for pair in self.order)

    def measured(self) -> list[tuple[str, str]]:
        return [pair for pair in self.order if pair in self.there]

    def two(self) -> tuple[str, str]:
        """The better one of only two, and the other."""
        (pair,) = self.order
        return pair

    def versus(self, b: str, a: str) -> tuple[str, str]:
        """The pair of the first, and the one that was named or is the only other."""
        first, second = (b, a) if a else self.two()
        return (b, a) if a else (b, second if b == first else first)


def _both(table: dict[tuple[str, str], By], a: str, b: str, by: By) -> None:
    table[a, b] = by
    table[b, a] = By(-by.by, -by.high, -by.low)


JUDGES: dict[type, Callable[..., Iterator[bool]]] = {}


def judges(kind: type) -> Callable:
    def register(judge: Callable[..., Iterator[bool]]) -> Callable[..., Iterator[bool]]:
        JUDGES[kind] = judge
        return judge

    return register


def untrue(claims: Iterable[Claim], verdict: Verdict) -> list[Claim]:
    """Claims that the numbers do not bear out."""
    table = Table(verdict)
    return [claim for claim in claims if not _true(claim, table)]


def _true(claim: Claim, table: Table) -> bool:
    """Whether a claim holds; one of a pair that nobody compared does not."""
    try:
        return all(JUDGES[type(claim)](claim, table))
    except LookupError:
        return False


def is_number(text: str, value: float) -> bool:
    """Whether a number is printed as it should be: three decimals, or one digit of a tiny one."""
    text = text.replace(",", "")
    printed = float(text.replace("−", "-"))
    digits = text.removeprefix("−")
    if float(digits) == 0:
        return text == digits and value == 0
    last_digit = 10.0 ** -len(digits.partition(".")[2])
    return printed * value > 0 and abs(printed - value) <= last_digit * (0.5 + 1e-6)


def _is_span(shown: Span, found: By, *, level: float | None = None) -> bool:
    return all(
        is_number(text, value) for text, value in zip(shown, found, strict=False)
    ) and shown.level == ("" if level is None else f"{100 * level:g}")


def _level(table: Table) -> float:
    return table.verdict.basis.level


# At the chosen place.
@judges(says.NoVerdict)
def _(claim: says.NoVerdict, table: Table) -> Iterator[bool]:
    yield claim.reason == table.verdict.reason


@judges(says.Alone)
def _(claim: says.Alone, table: Table) -> Iterator[bool]:
    yield table.names == [claim.a]
    yield claim.title == table.verdict.place.title
    yield _is_span(claim.span, By(*table.verdict.values[claim.a]), level=_level(table))


@judges(says.OnlyOne)
def _(_claim: says.OnlyOne, table: Table) -> Iterator[bool]:
    yield len(table.names) == 1


@judges(says.Better)
def _(claim: says.Better, table: Table) -> Iterator[bool]:
    yield table.chosen[claim.a, claim.b].low > 0


@judges(says.Apart)
def _(claim: says.Apart, table: Table) -> Iterator[bool]:
    found = table.chosen[claim.a, claim.b]
    yield claim.title in {"", table.verdict.place.title}
    if claim.word == "equal":
        yield found.by == 0
    elif claim.word:
        yield found.by > 0
        yield (claim.word == "larger") == table.verdict.place.higher_is_better
        a, b = table.values[claim.a], table.values[claim.b]
        yield a > b if claim.word == "larger" else a < b
    yield _is_span(claim.span, found, level=_level(table))


@judges(says.Worth)
def _(claim: says.Worth, table: Table) -> Iterator[bool]:
    yield claim.title == table.verdict.place.title
    yield is_number(claim.value, table.values[claim.a])


@judges(says.NotClear)
def _(claim: says.NotClear, table: Table) -> Iterator[bool]:
    for a, b in combinations(claim.names, 2):
        yield not table.differ(a, b)


@judges(says.OnlySome)
def _(claim: says.OnlySome, table: Table) -> Iterator[bool]:
    clear = [table.differ(a, b) for a, b in combinations(claim.names, 2)]
    yield any(clear)
    yield not all(clear)


@judges(says.Beyond)
def _(claim: says.Beyond, table: Table) -> Iterator[bool]:
    ends = [
        max(abs(table.chosen[a, b].low), abs(table.chosen[a, b].high))
        for a, b in combinations(claim.names, 2)
    ]
    yield is_number(claim.limit, max(ends))


@judges(says.Largest)
def _(claim: says.Largest, table: Table) -> Iterator[bool]:
    largest = abs(table.chosen[claim.a, claim.b].by)
    yield {claim.a, claim.b} <= {*claim.names}
    for a, b in combinations(claim.names, 2):
        yield abs(table.chosen[a, b].by) <= largest


@judges(says.First)
def _(claim: says.First, table: Table) -> Iterator[bool]:
    others = [name for name in table.names if name not in claim.names]
    yield claim.least in claim.names
    yield claim.next in others
    for a in claim.names:
        for b in others:
            yield table.chosen[a, b].low > 0
        yield a == claim.least or table.chosen[a, claim.least].by >= 0
    for b in others:
        yield b == claim.next or table.chosen[claim.next, b].by >= 0
    yield _whole(claim.names, table)


@judges(says.Then)
def _(claim: says.Then, table: Table) -> Iterator[bool]:
    named = [name for tier in claim.tiers for name in tier]
    first = [name for name in table.names if name not in named]
    yield len(first) > 0
    yield len({*named}) == len(named)
    tiers = [tuple(first), *claim.tiers]
    for before, after in combinations(tiers, 2):
        for a in before:
            for b in after:
                yield table.chosen[a, b].low > 0
    for tier in tiers:
        yield _whole(tier, table)


def _whole(tier: tuple[str, ...], table: Table) -> bool:
    """Whether nobody could say more of these programs: that some do better than the rest."""
    for size in range(1, len(tier)):
        for above in combinations(tier, size):
            below = [name for name in tier if name not in above]
            if all(table.chosen[a, b].low > 0 for a in above for b in below):
                return False
    return True


@judges(says.Differ)
def _(claim: says.Differ, table: Table) -> Iterator[bool]:
    yield claim.n == len(table.clear)
    yield claim.of == len(table.order)
    p = {frozenset((one.first, one.second)): one.p for one in table.verdict.pairs}
    for pair in table.clear:
        yield p[frozenset(pair)] >= p[frozenset((claim.a, claim.b))]


@judges(says.NoBest)
def _(_claim: says.NoBest, table: Table) -> Iterator[bool]:
    for a in table.names:
        yield not all(table.chosen[a, b].low > 0 for b in table.names if b != a)


@judges(says.Beats)
def _(claim: says.Beats, table: Table) -> Iterator[bool]:
    named = [a for a, _ in claim.whom]
    yield len({*named}) == len(named)
    for a, worse in claim.whom:
        yield {b for b in table.names if b != a and table.chosen[a, b].low > 0} == {*worse}
    better = {a for a, _ in table.clear}
    yield claim.others == len(better.difference(named))


@judges(says.Identical)
def _(claim: says.Identical, table: Table) -> Iterator[bool]:
    same = {frozenset((one.first, one.second)) for one in table.verdict.pairs if one.identical}
    yield claim.title in {"", table.verdict.place.title}
    for a, b in combinations(claim.names, 2):
        yield frozenset((a, b)) in same
    for a in table.names:
        yield a in claim.names or frozenset((a, claim.names[0])) not in same


@judges(says.Ties)
def _(claim: says.Ties, table: Table) -> Iterator[bool]:
    pairs = [frozenset(pair) for pair in claim.pairs]
    decided = _decided_by_ties(table)
    yield len({*pairs}) == len(pairs)
    yield {*pairs} <= decided
    yield claim.others == len(decided.difference(pairs))


def _decided_by_ties(table: Table) -> set[frozenset[str]]:
    return {
        frozenset(pair)
        for pair in table.order
        if not table.differ(*pair) and (table.listed[pair].low > 0 or table.listed[pair].high < 0)
    }


@judges(says.AsListed)
def _(claim: says.AsListed, table: Table) -> Iterator[bool]:
    found = table.listed[claim.a, claim.b]
    yield claim.title == table.verdict.place.title
    yield (claim.word == "larger") == table.verdict.place.higher_is_better
    yield found.low > 0
    yield not table.differ(claim.a, claim.b)
    yield _is_span(claim.span, found, level=_level(table))


# At every k.
def _is_ks(shown: Ks, found: set[int]) -> bool:
    if not found:
        return False
    if shown.listed:
        return shown.listed == found
    return (shown.count, shown.first, shown.last) == (len(found), min(found), max(found))


def _ks(table: Table, pair: tuple[str, str]) -> set[int]:
    """Where the first is ahead."""
    return {k for k, at in table.k.items() if at[pair].by > 0}


@judges(says.AheadAt)
def _(claim: says.AheadAt, table: Table) -> Iterator[bool]:
    pair = table.versus(claim.b, claim.a)
    yield _is_ks(claim.ks, _ks(table, pair))
    clear = {k for k, at in table.k.items() if at[pair].low > 0}
    if claim.clear is None:
        yield not clear
    else:
        yield _is_ks(claim.clear, clear)
        yield claim.at in clear
        yield _is_span(claim.span, table.k[claim.at][pair])


@judges(says.EveryK)
def _(claim: says.EveryK, table: Table) -> Iterator[bool]:
    pair = table.versus(claim.names[0], "" if claim.word != "equal" else claim.names[1])
    yield len(table.order) == 1
    yield claim.last == len(table.k)
    for at in table.k.values():
        yield {"ahead": at[pair].by > 0, "equal": at[pair].by == 0, "no": at[pair].by <= 0}[
            claim.word
        ]


@judges(says.NoChangeK)
def _(claim: says.NoChangeK, table: Table) -> Iterator[bool]:
    yield claim.last == len(table.k)
    yield not table.changed_k()


@judges(says.ChangesK)
def _(claim: says.ChangesK, table: Table) -> Iterator[bool]:
    changed = table.changed_k()
    yield claim.last == len(table.k)
    yield from _changes(claim, changed, len(table.order))
    for one in claim.named:
        yield _true(one, table)


def _changes(
    claim: says.ChangesK | says.ChangesThere, changed: dict[tuple[str, str], bool], of: int
) -> Iterator[bool]:
    """Whether every change is named or counted, the clear ones first."""
    named = [(one.a, one.b) for one in claim.named]
    others = [clear for pair, clear in changed.items() if pair not in named]
    yield claim.n == len(changed)
    yield claim.of == of
    yield len({*named}) == len(named) > 0
    yield all(pair in changed for pair in named)
    yield claim.others == len(others)
    yield claim.others_clear == sum(others)
    yield not any(others) or all(changed[pair] for pair in named)


@judges(says.RemainK)
def _(claim: says.RemainK, table: Table) -> Iterator[bool]:
    yield claim.total == len(table.clear) > 1
    yield claim.last == len(table.k)
    yield claim.held == len(table.remain_k())


@judges(says.RemainsAt)
def _(claim: says.RemainsAt, table: Table) -> Iterator[bool]:
    (pair,) = table.clear or [("", "")]
    yield claim.of == len(table.k)
    yield claim.held == sum(at[pair].low > 0 for at in table.k.values())


# At the common threshold.
def _is_where(where: str, table: Table) -> bool:
    return table.verdict.common is not None and where == table.verdict.common.where


@judges(says.AheadThere)
def _(claim: says.AheadThere, table: Table) -> Iterator[bool]:
    pair = table.versus(claim.b, claim.a)
    found = table.there[pair]
    yield _is_where(claim.where, table)
    yield found.by > 0
    yield not claim.too or table.chosen[pair].by > 0
    if claim.span is None:
        yield not found.low > 0
    else:
        yield found.low > 0
        yield _is_span(claim.span, found)


@judges(says.NeitherThere)
def _(claim: says.NeitherThere, table: Table) -> Iterator[bool]:
    yield _is_where(claim.where, table)
    yield table.there[table.two()].by == 0


@judges(says.NoChangeThere)
def _(claim: says.NoChangeThere, table: Table) -> Iterator[bool]:
    yield _is_where(claim.where, table)
    yield claim.measured != table.whole()
    yield len(table.there) > 0
    yield not table.changed_there()


@judges(says.ChangesThere)
def _(claim: says.ChangesThere, table: Table) -> Iterator[bool]:
    yield _is_where(claim.where, table)
    yield claim.measured != table.whole()
    yield from _changes(claim, table.changed_there(), len(table.measured()))
    for one in claim.named:
        yield _true(one, table)


@judges(says.RemainThere)
def _(claim: says.RemainThere, table: Table) -> Iterator[bool]:
    clear = [pair for pair in table.clear if pair in table.there]
    yield claim.measured != table.whole()
    yield claim.total == len(clear)
    yield claim.held == sum(table.there[pair].low > 0 for pair in clear)


@judges(says.TurnedThere)
def _(claim: says.TurnedThere, table: Table) -> Iterator[bool]:
    (pair,) = [pair for pair in table.clear if pair in table.there] or [("", "")]
    yield claim.measured != table.whole()
    yield not table.there[pair].low > 0
    yield claim.turned == (table.there[pair].high < 0)


@judges(says.ClearThere)
def _(claim: says.ClearThere, table: Table) -> Iterator[bool]:
    yield claim.n == _clear_only_there(table)
    yield claim.other == any(pair in table.there for pair in table.clear)


def _clear_only_there(table: Table) -> int:
    return sum(
        table.there[pair].low > 0 or table.there[pair].high < 0
        for pair in table.measured()
        if pair not in table.clear
    )


@judges(says.JudgedAt)
def _(claim: says.JudgedAt, table: Table) -> Iterator[bool]:
    yield claim.title == table.verdict.place.title
    for name, text in ((claim.a, claim.at_a), (claim.b, claim.at_b)):
        mantissa, _, power = text.partition("e")
        unit = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))
        found = table.verdict.thresholds[name]
        yield abs(float(text) - found) <= unit * (0.5 + 1e-6)


def unsaid(claims: Iterable[Claim], verdict: Verdict) -> list[str]:
    """What a reader of the whole would have to be told, and is not."""
    claims = list(claims)
    kinds = [type(claim) for claim in claims]
    if verdict.reason:
        return [] if kinds == [says.NoVerdict] else ["no verdict"]
    table = Table(verdict)
    if len(table.names) == 1:
        return [] if kinds == [says.Alone, says.OnlyOne] else ["the score of the only one"]
    return [
        missing
        for part in (_conclusion(claims, table), _over_k(kinds, table), _there(kinds, table))
        for missing, said in part
        if not said
    ]


def _conclusion(claims: list[Claim], table: Table) -> Iterator[tuple[str, bool]]:
    placed = {name for claim in claims for name in _placed(claim)}
    kinds = [type(claim) for claim in claims]
    # Where those that differ clearly are counted and named, the rest is known.
    counted = says.Differ in kinds and says.Beats in kinds
    yield "every program", counted or placed == {*table.names}
    same = [(one.first, one.second) for one in table.verdict.pairs if one.identical]
    told = [claim.names for claim in claims if isinstance(claim, says.Identical)]
    for pair in same:
        yield f"identical: {pair}", any({*pair} <= {*names} for names in told)
    yield "the order of ties decides", says.Ties in kinds or not _decided_by_ties(table)
    if table.clear and says.First not in kinds:
        two = len(table.names) == 2 and says.Better(*table.clear[0]) in claims
        yield "the pairs that differ clearly", two or counted


def _placed(claim: Claim) -> tuple[str, ...]:
    """Programs of which a claim says where they stand among the others."""
    match claim:
        case says.First() | says.NotClear() | says.Identical():
            return claim.names
        case says.Then():
            return tuple(name for tier in claim.tiers for name in tier)
        case says.Better():
            return (claim.a, claim.b)
        case says.Ties():
            return tuple(name for pair in claim.pairs for name in pair)
        case says.Beats():
            return tuple(name for a, worse in claim.whom for name in (a, *worse))
    return ()


def _over_k(kinds: list[type], table: Table) -> Iterator[tuple[str, bool]]:
    if len(table.k) < 2:
        yield "nothing of more than one k", not {*kinds} & {*OVER_K}
        return
    changes = [kind for kind in kinds if kind in OVER_K]
    yield "changes of places over k, once", len(changes) == 1
    remain = [kind for kind in kinds if kind in {says.RemainK, says.RemainsAt}]
    yield "the clear differences over k, once", len(remain) == (1 if table.clear else 0)


OVER_K = (says.EveryK, says.AheadAt, says.NoChangeK, says.ChangesK)
CHANGES_THERE = (says.AheadThere, says.NeitherThere, says.NoChangeThere, says.ChangesThere)


def _there(kinds: list[type], table: Table) -> Iterator[tuple[str, bool]]:
    changes = [kind for kind in kinds if kind in CHANGES_THERE]
    yield "changes of places there, once", len(changes) == (1 if table.there else 0)
    if len(table.order) < 2:
        return
    remain = [kind for kind in kinds if kind in {says.RemainThere, says.TurnedThere}]
    clear = any(pair in table.there for pair in table.clear)
    yield "the clear differences there, once", len(remain) == (1 if clear else 0)
    only = _clear_only_there(table)
    yield "what is clear only there", kinds.count(says.ClearThere) == (1 if only else 0)
