"""What sentences of a verdict claim, one record for each kind of claim."""

from __future__ import annotations

from typing import NamedTuple

Claim = NamedTuple


class Span(NamedTuple):
    """A difference and its interval as printed; `level` in percent where it is said."""

    by: str
    low: str
    high: str
    level: str = ""


class Ks(NamedTuple):
    """Either all of some k, or how many of them there are between the first and the last."""

    listed: frozenset[int]
    count: int
    first: int
    last: int


# At the chosen place.
class NoVerdict(NamedTuple):
    reason: str


class Alone(NamedTuple):
    a: str
    title: str
    span: Span


class OnlyOne(NamedTuple):
    """There is no other program."""


class Better(NamedTuple):
    """The first is clearly better."""

    a: str
    b: str


class Apart(NamedTuple):
    """By how much: `word` is "larger", "smaller", "equal", or "" where the first is just ahead."""

    a: str
    b: str
    title: str
    word: str
    span: Span


class Worth(NamedTuple):
    a: str
    title: str
    value: str


class NotClear(NamedTuple):
    """No two of them differ clearly."""

    names: tuple[str, ...]


class OnlySome(NamedTuple):
    """Some of the differences between them are clear, others are not."""

    names: tuple[str, ...]


class Beyond(NamedTuple):
    """Larger differences than this are excluded between any two of them; it is not less."""

    names: tuple[str, ...]
    limit: str


class Largest(NamedTuple):
    a: str
    b: str
    names: tuple[str, ...]


class First(NamedTuple):
    """They do best: clearly better than all others."""

    names: tuple[str, ...]
    next: str
    least: str


class Then(NamedTuple):
    """All the other tiers in their order."""

    tiers: tuple[tuple[str, ...], ...]


class Differ(NamedTuple):
    """How many pairs differ clearly, and between which two it is clearest."""

    n: int
    of: int
    a: str
    b: str


class NoBest(NamedTuple):
    pass


class Beats(NamedTuple):
    """Whom these are clearly better than, and how many others are better than some."""

    whom: tuple[tuple[str, tuple[str, ...]], ...]
    others: int


class Identical(NamedTuple):
    names: tuple[str, ...]
    title: str = ""


class Ties(NamedTuple):
    """Pairs between which the order of ties decides, and how many others there are."""

    pairs: tuple[tuple[str, str], ...]
    others: int = 0


class AsListed(NamedTuple):
    a: str
    b: str
    title: str
    word: str
    span: Span


# At every k.
class AheadAt(NamedTuple):
    """Ahead at these k and no others; clearly at those of `clear`, of which `at` shows one.

    `a` is empty where there are only two.
    """

    b: str
    a: str
    ks: Ks
    clear: Ks | None = None
    span: Span | None = None
    at: int = 0


class EveryK(NamedTuple):
    """`word`: "ahead" at every k, "equal" at every k, ahead at "no" k."""

    names: tuple[str, ...]
    word: str
    last: int


class NoChangeK(NamedTuple):
    last: int


class ChangesK(NamedTuple):
    n: int
    of: int
    last: int
    named: tuple[AheadAt, ...]
    others: int
    others_clear: int


class RemainK(NamedTuple):
    """`held` of the clear differences are clear at each k."""

    total: int
    held: int
    last: int


class RemainsAt(NamedTuple):
    """The one clear difference is clear at so many k."""

    held: int
    of: int


# At the common threshold.
class AheadThere(NamedTuple):
    b: str
    a: str
    where: str
    span: Span | None = None
    too: bool = False


class NeitherThere(NamedTuple):
    where: str


class NoChangeThere(NamedTuple):
    where: str
    measured: bool


class ChangesThere(NamedTuple):
    n: int
    of: int
    where: str
    measured: bool
    named: tuple[AheadThere, ...]
    others: int
    others_clear: int


class RemainThere(NamedTuple):
    total: int
    held: int
    measured: bool


class TurnedThere(NamedTuple):
    """The one clear difference: clear there the other way round, or not clear any longer."""

    turned: bool
    measured: bool


class ClearThere(NamedTuple):
    """How many others, or if there are no others how many, differ clearly there."""

    n: int
    other: bool


class JudgedAt(NamedTuple):
    title: str
    a: str
    at_a: str
    b: str
    at_b: str
