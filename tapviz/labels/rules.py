"""Rules of a join, the same for all kinds of labels; and standards of relevance by classes.

These say which levels agree, and which records are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import compress
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.files import problems
from tapviz.files.options import OptionError, check, option, refuse
from tapviz.files.regex import Regex, RegexError

RELEVANCE = ("labels", "qrels", "gold", "totals")
"""Options that name a file that says which records are relevant."""
CLASSES = re.compile(r"([^\s+-]+?)(?:-([^\s+-]+)|(?:\+[^\s+-]+)*)")
NUMBER = re.compile(r"(.*?)([0-9]{1,18})")
MOST = 1000
"""Classes of a range."""
_of_join = partial(option, roles=RELEVANCE)
_choice = partial(_of_join, kind="choice")


@dataclass(frozen=True)
class JoinRules:
    """Rules by which hits and labels are joined.

    Parameters
    ----------
    self_hits : {"drop", "keep"}
        Whether the hit of a query on itself counts, and with it the query as a record of the
        database in T(q).
    unlabelled : {"irrelevant", "anyway", "ignore", "error"}
        What a record without a label is: irrelevant, left out, or an error. Where under 5 % of the
        hits have a label, or ids of records without one differ from those of labels only by
        quotes, blanks, version or case, it must be said that they are irrelevant anyway.
    decoys : str, optional
        Regular expression, searched in ids: what it matches is irrelevant, whatever the labels
        are. Default: there are no decoys. Backreferences and what looks around are not supported.
    beside_decoys : {"ignore", "keep"}
        Where there are decoys, whether all else that is not relevant is left out, or is what it is
        without decoys. By the latter q-values of the decoys are compared with the labels.
    normalise : tuple of {"quotes", "accession", "version", "case"}
        How ids are written alike on both sides, see `normalise`.
    label_queries : bool, optional
        Whether queries that only the labels know become empty lists, where no queries are asked
        for. Default: yes where labels are given query by query (`Qrels`, a table of T), no where
        any record might be a query (`ClassTable`, `Patterns`).

    Raises
    ------
    ValueError
        If there is no such rule, or the expression is none, or cannot be used.

    Examples
    --------
    >>> from tapviz import ClassTable, JoinRules, read
    >>> rules = JoinRules(self_hits="keep", unlabelled="ignore")
    >>> labels = ClassTable.read("classes.tsv.gz", rules=rules)
    >>> lists = read("blastp.tsv.gz", labels=labels, queries="queries.txt")
    >>> lists.join_report.self_hits
    0
    """

    self_hits: Literal["drop", "keep"] = _choice(
        "drop",
        choices={"are dropped": "drop", "count like others": "keep"},
        help="whether the hit of a query to itself counts",
        label="hits of queries on themselves",
    )
    unlabelled: Literal["irrelevant", "anyway", "ignore", "error"] = _choice(
        "irrelevant",
        choices={
            "irrelevant": "irrelevant",
            "left out": "ignore",
            "an error": "error",
            "irrelevant, however many": "anyway",
        },
        help="what records without a label are: irrelevant, which is refused if under 5 % of the "
        "hits have a label or ids look mistyped; irrelevant anyway; left out; or an error",
        label="records without a label are",
    )
    decoys: str | None = _of_join(
        help="ids that match are decoys; only decoys count as irrelevant, others are left out",
        metavar="REGEX",
        label="decoys are ids that match",
        placeholder="regular expression, such as ^decoy",
        width=240,
    )
    beside_decoys: Literal["ignore", "keep"] = _choice(
        "ignore",
        choices={"only decoys": "ignore", "irrelevant records, too": "keep"},
        help="whether irrelevant records other than decoys are left out or still count",
        label="with decoys, errors are",
    )
    normalise: tuple[str, ...] = _of_join(
        (),
        kind="several",
        choices={
            "compare ids by UniProt accession": "accession",
            "ignore versions of ids": "version",
            "ignore case of ids": "case",
            "ignore quotes and blanks around ids": "quotes",
        },
        help="compare the ids of hits and labels without quotes, by accession, without version, "
        "regardless of case",
        label="ids",
        width=280,
    )
    label_queries: bool | None = None

    def __post_init__(self) -> None:
        check(self)
        if self.decoys is not None:
            with named("decoys", self.decoys):
                Regex(self.decoys)
            if not self.decoys:  # which would find all ids
                refuse(f"{problems.option('decoys')} is empty: expected a regular expression")

    @property
    def normalisation(self) -> str:
        """How ids are normalised, for messages."""
        return problems.option("normalise", "+".join(self.normalise))

    @property
    def only_decoys(self) -> bool:
        """Whether only decoys are irrelevant."""
        return self.decoys is not None and self.beside_decoys == "ignore"

    @property
    def takes_unlabelled(self) -> bool:
        """Whether records without a label are irrelevant."""
        return self.unlabelled in ("irrelevant", "anyway")

    def are_decoys(self, ids: Sequence[str]) -> NDArray[np.bool_]:
        """Whether each id is that of a decoy.

        Raises
        ------
        ValueError
            If the expression is too large for so many ids.
        """
        if self.decoys is None:
            return np.zeros(len(ids), np.bool_)
        with named("decoys", self.decoys):
            return Regex(self.decoys).found_in(ids)

    def decoys_among(self, ids: Iterable[str]) -> set[str]:
        """Those of the ids that are decoys.

        Raises
        ------
        ValueError
            If the expression is too large for so many ids.
        """
        known = list(ids)
        return set(compress(known, self.are_decoys(known).tolist()))


@contextmanager
def named(name: str, expression: str) -> Iterator[None]:
    """Name the option whose expression cannot be used.

    Raises
    ------
    ValueError
        If it cannot.
    """
    try:
        yield
    except RegexError as error:
        raise OptionError(f"{problems.option(name)} is {expression!r}: {error}") from None


USUAL = JoinRules()


# Classes


class Standard(NamedTuple):
    """What counts as relevant, and as an error, by how far two classes agree.

    Of a record whose class agrees with that of the query

    - to level `closer`, nothing is counted: it is left out, as too easy;
    - to level `relevant`, but not so far, it is relevant;
    - to level `ignored` only, it is undecided, and left out;
    - not even to that, it is an error.

    Examples
    --------
    >>> from tapviz.labels import STANDARDS
    >>> STANDARDS["superfamily"].relevant, STANDARDS["superfamily"].closer
    (3, 4)
    """

    relevant: int
    """Level to which classes of relevant records agree."""
    ignored: int = 0
    """Level to which classes agree of records that are left out; 0 to leave none out."""
    closer: int = 0
    """Level to which classes agree of records that are too close to count; 0 to leave none out."""
    title: str = ""
    """What is relevant, in a few words."""

    @property
    def depth(self) -> int:
        """Levels that classes must have."""
        return max(self.relevant, self.closer)

    @property
    def words(self) -> str:
        """The levels in words."""
        but = f", but not to {self.closer}," if self.closer else ""
        ignored = f", to level {self.ignored} ignored" if self.ignored else ""
        return f"same to level {self.relevant}{but} relevant{ignored}"


STANDARDS: dict[str, Standard] = {
    # Columns FAM, SFAM and FOLD of Foldseek's bench.noselfhit.awk.
    "family": Standard(4, 2, 0, "family"),
    "superfamily": Standard(3, 2, 4, "superfamily, not family"),
    "fold": Standard(2, 0, 3, "fold, not superfamily"),
    # Those of scop40.py of reseek.
    "fam1": Standard(4, 2, 0, "family"),
    "sf2": Standard(3, 0, 0, "superfamily, other folds or not an error"),
    "sf3": Standard(3, 2, 0, "superfamily"),
    "sf4": Standard(3, 2, 4, "superfamily, not family"),
    "fold5": Standard(2, 0, 3, "fold, not superfamily"),
    "fold6": Standard(2, 0, 0, "fold"),
}
"""Standards by their names, for classes of four levels as those of SCOP: class, fold, superfamily,
family."""
LEVELS = ("family", "superfamily", "fold")
"""Standards at each of which a query of Foldseek's benchmark has other records."""


class Unrelated(NamedTuple):
    """Classes between which a classification is not trusted: hits between them are not errors."""

    text: str
    """As it was written."""
    classes: tuple[str, ...]
    alone: bool
    """Whether it is one class, whose members are nobody's errors, and have none."""

    @classmethod
    def read(cls, text: str) -> Unrelated:
        """Read ``e``, ``b.67-b.70`` or ``c.2+c.3``.

        Parameters
        ----------
        text : str
            A class: no hit of or on its members is an error. Several, joined by ``+``, or the
            first and the last of a range: no hit between two of them is.

        Raises
        ------
        ValueError
            If it is anything else.

        Examples
        --------
        >>> from tapviz.labels.rules import Unrelated
        >>> Unrelated.read("b.67-b.70").classes
        ('b.67', 'b.68', 'b.69', 'b.70')
        """
        if (found := CLASSES.fullmatch(text)) is None:
            msg = f"{text!r}: expected a class such as e, a range b.67-b.70, or classes c.2+c.5"
            raise ValueError(msg)
        first, last = found.groups()
        if last is None:
            classes = tuple(text.split("+"))
            return cls(text, classes, len(classes) == 1)
        start, end = NUMBER.fullmatch(first), NUMBER.fullmatch(last)
        if start is not None and end is not None and start[1] == end[1]:
            numbers = range(int(start[2]), int(end[2]) + 1)
            if 0 < len(numbers) <= MOST:
                return cls(text, tuple(f"{start[1]}{number}" for number in numbers), alone=False)
        raise ValueError(f"{text!r}: expected a range of numbers, such as b.67-b.70")

    def holds(self, name: str, separator: str) -> bool:
        """Whether a class is one of these, or below one."""
        return any(name == one or name.startswith(one + separator) for one in self.classes)
