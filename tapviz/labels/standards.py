"""Standards of relevance by classes: which levels agree, and which records are left out."""

from __future__ import annotations

import re
from typing import NamedTuple

CLASSES = re.compile(r"([^\s+-]+?)(?:-([^\s+-]+)|(?:\+[^\s+-]+)*)")
NUMBER = re.compile(r"(.*?)([0-9]{1,18})")
MOST = 1000
"""Classes of a range."""


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
    used_by: str = ""
    """The script that judges so."""

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


FOLDSEEK = "Foldseek's bench.noselfhit.awk"
RESEEK = "scop40.py of reseek"
STANDARDS: dict[str, Standard] = {
    "family": Standard(4, 2, 0, "family", f"{FOLDSEEK}, column FAM"),
    "superfamily": Standard(3, 2, 4, "superfamily, not family", f"{FOLDSEEK}, column SFAM"),
    "fold": Standard(2, 0, 3, "fold, not superfamily", f"{FOLDSEEK}, column FOLD"),
    "fam1": Standard(4, 2, 0, "family", RESEEK),
    "sf2": Standard(3, 0, 0, "superfamily, other folds or not an error", RESEEK),
    "sf3": Standard(3, 2, 0, "superfamily", RESEEK),
    "sf4": Standard(3, 2, 4, "superfamily, not family", RESEEK),
    "fold5": Standard(2, 0, 3, "fold, not superfamily", RESEEK),
    "fold6": Standard(2, 0, 0, "fold", RESEEK),
}
"""Standards by their names, for classes of four levels as those of SCOP: class, fold, superfamily,
family."""
LEVELS = ("family", "superfamily", "fold")
"""Standards at each of which a query of Foldseek's benchmark has other records."""


class Unrelated(NamedTuple):
    """Classes between which a classification is not trusted: hits between them are no errors."""

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
        >>> from tapviz.labels.standards import Unrelated
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
