"""Whether what sentences claim is so: each claim against the numbers, by loops over pairs and k.

Nothing here is shared with the code that words verdicts; claims are what
`tests.verdict_reader` reads.
"""

from itertools import combinations
from typing import NamedTuple


class By(NamedTuple):
    """How much the first of two is better, by the numbers."""

    by: float
    low: float
    high: float


def either_way(differences):
    """Differences by pair, with either of a pair first."""
    turned = {(b, a): By(-by.by, -by.high, -by.low) for (a, b), by in differences.items()}
    return differences | turned


def is_number(text, value):
    """Whether a number is printed as it should be: three decimals, or one digit of a tiny one."""
    text = text.replace(",", "")
    printed = float(text.replace("−", "-"))
    digits = text.removeprefix("−")
    if float(digits) == 0:
        return text == digits and value == 0
    last_digit = 10.0 ** -len(digits.partition(".")[2])
    return printed * value > 0 and abs(printed - value) <= last_digit * (0.5 + 1e-6)


def is_ks(shown, found):
    if shown.listed:
        return shown.listed == found
    return bool(found) and shown[1:] == (len(found), min(found), max(found))


class Judge:
    """Numbers of a verdict; for each kind of claim a method that yields whether its parts hold."""

    def __init__(self, verdict):
        self.verdict = verdict
        self.names = list(verdict.values)
        self.order = [(one.first, one.second) for one in verdict.pairs]
        of_pairs = dict(zip(self.order, verdict.pairs, strict=True))
        self.chosen = either_way({pair: By(*one.difference) for pair, one in of_pairs.items()})
        self.listed = either_way({pair: By(*one.listed) for pair, one in of_pairs.items()})
        self.identical = {frozenset(pair) for pair, one in of_pairs.items() if one.identical}
        self.p = {frozenset(pair): one.p for pair, one in of_pairs.items()}
        common = verdict.common.pairs if verdict.common else ()
        self.there = either_way({(one.first, one.second): By(*one.difference) for one in common})
        self.k = {}
        # Where nothing is concluded there are differences by k, but no pairs.
        for row in range(verdict.by_k.last if verdict.by_k and self.order else 0):
            shown = (verdict.by_k.difference, verdict.by_k.low, verdict.by_k.high)
            rows = zip(*(numbers[row].tolist() for numbers in shown), strict=True)
            self.k[row + 1] = either_way(dict(zip(self.order, map(By._make, rows), strict=True)))
        # Pairs of which the first is clearly better, and those measured at the common threshold.
        self.clear = [pair for pair in self.order if self.chosen[pair].low > 0]
        self.measured = [pair for pair in self.order if pair in self.there]
        # What several kinds of claims are told, and is judged alike.
        self.shared = {
            "title": verdict.place.title.__eq__,
            "last": len(self.k).__eq__,
            "where": lambda where: verdict.common is not None and where == verdict.common.where,
            "measured": lambda measured: measured != (self.measured == self.order),
        }

    def holds(self, claim):
        """Whether a claim holds; one of a pair that nobody compared does not."""
        judge, told = getattr(self, claim.kind), dict(claim.told)
        shared = [holds(told.pop(field)) for field, holds in self.shared.items() if field in told]
        try:
            return all(shared) and all(judge(**told))
        except LookupError:
            return False

    def differ(self, a, b):
        """Whether two differ clearly at the chosen place."""
        return self.chosen[a, b].low > 0 or self.chosen[a, b].high < 0

    def better_than_all(self, above, below):
        return all(self.chosen[a, b].low > 0 for a in above for b in below)

    def changed_k(self):
        """Pairs that change places at some k, and whether clearly at one of them."""
        return {
            pair: any(at[pair].high < 0 for at in self.k.values())
            for pair in self.order
            if any(at[pair].by < 0 for at in self.k.values())
        }

    def changed_there(self):
        """Pairs that change places at the common threshold, and whether clearly."""
        return {
            pair: self.there[pair].high < 0 for pair in self.measured if self.there[pair].by < 0
        }

    def versus(self, b, a=""):
        """The pair of the first, and the one that was named or is the only other."""
        if a:
            return b, a
        ((first, second),) = self.order
        return b, second if b == first else first

    def is_span(self, shown, found):
        """Whether a difference is printed with its interval, and at the level of the verdict."""
        return self.are_numbers(shown, found, f"{100 * self.verdict.basis.level:g}")

    def are_numbers(self, shown, found, level=""):
        printed = zip(shown, found, strict=False)
        return all(is_number(text, value) for text, value in printed) and shown.level == level

    def decided_by_ties(self):
        return {
            frozenset(pair)
            for pair in self.order
            if not self.differ(*pair) and (self.listed[pair].low > 0 or self.listed[pair].high < 0)
        }

    def clear_only_there(self):
        """How many differ clearly there only, without those that change places."""
        return sum(self.there[pair].low > 0 for pair in self.measured if pair not in self.clear)

    # At the chosen place.

    def no_verdict(self, reason):
        yield reason == self.verdict.reason

    def alone(self, a, span):
        yield self.names == [a]
        yield self.is_span(span, By(*self.verdict.values[a]))

    def only_one(self):
        yield len(self.names) == 1

    def by(self):
        """The title alone, which is judged for all."""
        return ()

    def better(self, a, b):
        yield self.chosen[a, b].low > 0

    def apart(self, a, b, span, word=""):
        """By how much: larger or smaller, or the first is just ahead."""
        found = self.chosen[a, b]
        if word:
            yield found.by > 0
            yield (word == "larger") == self.verdict.place.higher_is_better
            of_a, of_b = (self.verdict.values[name].estimate for name in (a, b))
            yield of_a > of_b if word == "larger" else of_a < of_b
        yield self.is_span(span, found)

    def equal(self, names, span):
        yield self.chosen[names].by == 0
        yield self.is_span(span, self.chosen[names])

    def worth(self, a, value):
        yield is_number(value, self.verdict.values[a].estimate)

    def not_clear(self, names):
        """No two of them differ clearly."""
        for a, b in combinations(names, 2):
            yield not self.differ(a, b)

    def only_some(self, names):
        """Some of the differences between them are clear, others are not."""
        clear = [self.differ(a, b) for a, b in combinations(names, 2)]
        yield any(clear)
        yield not all(clear)

    def beyond(self, names, limit):
        """Larger differences than this are excluded between any two of them; it is not less."""
        ends = [abs(end) for pair in combinations(names, 2) for end in self.chosen[pair][1:]]
        yield is_number(limit, max(ends))

    def largest(self, a, b, names):
        yield {a, b} <= {*names}
        for pair in combinations(names, 2):
            yield abs(self.chosen[pair].by) <= abs(self.chosen[a, b].by)

    def first(self, following, least, names=()):
        """They do best: clearly better than all others."""
        names = names or (least,)
        others = [name for name in self.names if name not in names]
        yield least in names
        yield following in others
        yield self.better_than_all(names, others)
        for a in names:
            yield a == least or self.chosen[a, least].by >= 0
        for b in others:
            yield b == following or self.chosen[following, b].by >= 0
        yield self.is_whole(names)

    def then(self, tiers):
        """All the other tiers in their order."""
        named = [name for tier in tiers for name in tier]
        first = tuple(name for name in self.names if name not in named)
        yield len(first) > 0
        yield len({*named}) == len(named)
        for before, after in combinations([first, *tiers], 2):
            yield self.better_than_all(before, after)
        for tier in (first, *tiers):
            yield self.is_whole(tier)

    def is_whole(self, tier):
        """Whether nobody could say more of these programs: that some do better than the rest."""
        return not any(
            self.better_than_all(above, [name for name in tier if name not in above])
            for size in range(1, len(tier))
            for above in combinations(tier, size)
        )

    def differ_clearly(self, n, of, a, b):
        """How many pairs differ clearly, and between which two it is clearest."""
        yield n == len(self.clear)
        yield of == len(self.order)
        for pair in self.clear:
            yield self.p[frozenset(pair)] >= self.p[frozenset((a, b))]

    def no_best(self):
        for a in self.names:
            yield not self.better_than_all([a], [b for b in self.names if b != a])

    def beats(self, whom, others):
        """Whom these are clearly better than, and how many others are better than some."""
        named = [a for a, _ in whom]
        yield len({*named}) == len(named)
        for a, worse in whom:
            yield {b for b in self.names if b != a and self.chosen[a, b].low > 0} == {*worse}
        yield others == len({a for a, _ in self.clear}.difference(named))

    def identical_are(self, names):
        for pair in combinations(names, 2):
            yield frozenset(pair) in self.identical
        for a in self.names:
            yield a in names or frozenset((a, names[0])) not in self.identical

    def ties(self, pairs, others=0):
        """Pairs between which the order of ties decides, and how many others there are."""
        pairs = [frozenset(pair) for pair in pairs]
        decided = self.decided_by_ties()
        yield len({*pairs}) == len(pairs)
        yield {*pairs} <= decided
        yield others == len(decided.difference(pairs))

    def as_listed(self, a, b, word, span):
        yield (word == "larger") == self.verdict.place.higher_is_better
        yield self.listed[a, b].low > 0
        yield not self.differ(a, b)
        yield self.is_span(span, self.listed[a, b])

    # At every k.

    def ahead_at(self, b, ks, a="", clear=None, at=0, span=None):
        """Ahead at these k and no others; clearly at those of `clear`, of which `at` shows one."""
        pair = self.versus(b, a)
        yield is_ks(ks, {k for k, by in self.k.items() if by[pair].by > 0})
        found = {k for k, by in self.k.items() if by[pair].low > 0}
        if clear is None:
            yield not found
        else:
            yield is_ks(clear, found)
            yield at in found
            yield self.are_numbers(span, self.k[at][pair])

    def at_every_k(self, pair, holds):
        yield len(self.order) == 1
        for at in self.k.values():
            yield holds(at[pair].by)

    def ahead_at_every_k(self, a):
        return self.at_every_k(self.versus(a), lambda by: by > 0)

    def equal_at_every_k(self, names):
        return self.at_every_k(names, lambda by: by == 0)

    def ahead_at_no_k(self, a):
        return self.at_every_k(self.versus(a), lambda by: by <= 0)

    def no_change_k(self):
        yield not self.changed_k()

    def changes_k(self, **told):
        return self.changes(self.changed_k(), len(self.order), **told)

    def changes(self, changed, compared, n, of, named, others, others_clear):
        """Whether every change is named or counted, the clear ones first."""
        pairs = [(one.told["a"], one.told["b"]) for one in named]
        rest = [clear for pair, clear in changed.items() if pair not in pairs]
        yield n == len(changed)
        yield of == compared
        yield len({*pairs}) == len(pairs) > 0
        yield all(pair in changed for pair in pairs)
        yield others == len(rest)
        yield others_clear == sum(rest)
        yield not any(rest) or all(changed[pair] for pair in pairs)
        for one in named:
            yield self.holds(one)

    def remain_k(self, total, held):
        """So many of the clear differences are clear, the same way round, at each k."""
        yield total == len(self.clear) > 1
        yield held == sum(all(at[pair].low > 0 for at in self.k.values()) for pair in self.clear)

    def remains_at(self, held, of):
        """The one clear difference is clear at so many k."""
        (pair,) = self.clear or [("", "")]
        yield of == len(self.k)
        yield held == sum(at[pair].low > 0 for at in self.k.values())

    # At the common threshold.

    def ahead_there(self, b, a="", span=None, *, too=False):
        pair = self.versus(b, a)
        found = self.there[pair]
        yield found.by > 0
        yield not too or self.chosen[pair].by > 0
        yield (found.low > 0) == (span is not None)
        yield span is None or self.are_numbers(span, found)

    def neither_there(self):
        (pair,) = self.order
        yield self.there[pair].by == 0

    def no_change_there(self):
        yield len(self.there) > 0
        yield not self.changed_there()

    def changes_there(self, n=1, of=1, **told):
        return self.changes(self.changed_there(), len(self.measured), n, of, **told)

    def remain_there(self, total=1, held=1):
        clear = [pair for pair in self.clear if pair in self.there]
        yield total == len(clear)
        yield held == sum(self.there[pair].low > 0 for pair in clear)

    def turned_there(self, turned):
        """The one clear difference: clear there the other way round, or not clear any longer."""
        (pair,) = [pair for pair in self.clear if pair in self.there] or [("", "")]
        yield not self.there[pair].low > 0
        yield turned == (self.there[pair].high < 0)

    def clear_there(self, n, other):
        """How many others, or if there are no others how many, differ clearly there."""
        yield n == self.clear_only_there()
        spoken_of = any(pair in self.there for pair in self.clear) or self.changed_there()
        yield other == bool(spoken_of)

    def judged_at(self, a, b, at_a, at_b):
        for name, text in ((a, at_a), (b, at_b)):
            mantissa, _, power = text.partition("e")
            unit = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))
            yield abs(float(text) - self.verdict.thresholds[name]) <= unit * (0.5 + 1e-6)


def untrue(claims, verdict):
    """Claims that the numbers do not bear out."""
    judge = Judge(verdict)
    return [claim for claim in claims if not judge.holds(claim)]


CHANGES_K = {"ahead_at_every_k", "equal_at_every_k", "ahead_at_no_k", "ahead_at", "no_change_k"}
CHANGES_K |= {"changes_k"}
CHANGES_THERE = {"ahead_there", "neither_there", "no_change_there", "changes_there"}


def unsaid(claims, verdict):
    """What a reader of the whole would have to be told, and is not."""
    claims = list(claims)
    kinds = [claim.kind for claim in claims]
    if verdict.reason:
        return [] if kinds == ["no_verdict"] else ["no verdict"]
    judge = Judge(verdict)
    if len(judge.names) == 1:
        return [] if kinds == ["alone", "only_one"] else ["the score of the only one"]
    parts = (of_conclusion(claims, kinds, judge), of_k(kinds, judge), of_there(kinds, judge))
    return [missing for part in parts for missing, said in part if not said]


def of_conclusion(claims, kinds, judge):
    placed = {name for claim in claims for name in placed_by(**claim._asdict())}
    # Where those that differ clearly are counted and named, the rest is known.
    counted = "differ_clearly" in kinds and "beats" in kinds
    yield "every program", counted or placed == {*judge.names}
    told = [{*claim.told["names"]} for claim in claims if claim.kind == "identical_are"]
    for pair in judge.identical:
        yield f"identical: {pair}", any(pair <= names for names in told)
    yield "the order of ties decides", "ties" in kinds or not judge.decided_by_ties()
    if judge.clear and "first" not in kinds:
        better = [{**claim.told} for claim in claims if claim.kind == "better"]
        two = len(judge.names) == 2 and dict(zip("ab", judge.clear[0], strict=True)) in better
        yield "the pairs that differ clearly", two or counted


def placed_by(kind, told):
    """Programs of which a claim says where they stand among the others."""
    match kind:
        case "first" | "not_clear" | "identical_are":
            return told.get("names") or (told["least"],)
        case "then":
            return [name for tier in told["tiers"] for name in tier]
        case "better":
            return told.values()
        case "ties":
            return [name for pair in told["pairs"] for name in pair]
        case "beats":
            return [name for a, worse in told["whom"] for name in (a, *worse)]
    return ()


def count(kinds, of):
    return sum(kind in of for kind in kinds)


def of_k(kinds, judge):
    if len(judge.k) < 2:
        yield "nothing of more than one k", not CHANGES_K.intersection(kinds)
        return
    yield "changes of places over k, once", count(kinds, CHANGES_K) == 1
    remain = count(kinds, {"remain_k", "remains_at"})
    yield "the clear differences over k, once", remain == bool(judge.clear)


def of_there(kinds, judge):
    yield "changes of places there, once", count(kinds, CHANGES_THERE) == bool(judge.there)
    if len(judge.order) < 2:
        return
    clear = any(pair in judge.there for pair in judge.clear)
    remain = count(kinds, {"remain_there", "turned_there"})
    yield "the clear differences there, once", remain == clear
    only = judge.clear_only_there() > 0
    yield "what is clear only there", kinds.count("clear_there") == only
