"""Rules of a join, the same for all kinds of labels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tapviz.files.problems import option
from tapviz.labels.ids import check_normalisations

CHOICES = {"self_hits": ("drop", "keep"), "unlabelled": ("irrelevant", "ignore", "error")}


@dataclass(frozen=True)
class JoinRules:
    """Rules by which hits and labels are joined.

    Parameters
    ----------
    self_hits : {"drop", "keep"}
        Whether the hit of a query on itself counts, and with it the query as a record of the
        database in T(q).
    unlabelled : {"irrelevant", "ignore", "error"}
        What a record without a label is: irrelevant, left out, or an error.
    decoys : str, optional
        Regular expression, searched in ids: what it matches is irrelevant, whatever the labels
        are, and everything else that is not relevant is left out. Default: there are no decoys.
    normalise : tuple of {"accession", "version", "case"}
        How ids are written alike on both sides, see `normalise`.
    label_queries : bool, optional
        Whether queries that only the labels know become empty lists, where no queries are asked
        for. Default: yes where labels are given query by query (`Qrels`, a table of T), no where
        any record might be a query (`ClassTable`, `Patterns`).

    Raises
    ------
    ValueError
        If there is no such rule, or the expression is none.
    """

    self_hits: Literal["drop", "keep"] = "drop"
    unlabelled: Literal["irrelevant", "ignore", "error"] = "irrelevant"
    decoys: str | None = None
    normalise: tuple[str, ...] = ()
    label_queries: bool | None = None

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                msg = f"{name}={value!r}: expected one of {', '.join(map(repr, choices))}"
                raise ValueError(msg)
        check_normalisations(self.normalise)
        if self.decoys is not None:
            compiled("decoys", self.decoys)

    @property
    def normalisation(self) -> str:
        """How ids are normalised, for messages."""
        return option("normalise", "+".join(self.normalise))

    def is_decoy(self, record: str) -> bool:
        """Whether an id is that of a decoy."""
        return self.decoys is not None and re.search(self.decoys, record) is not None


def compiled(name: str, pattern: str) -> re.Pattern[str]:
    """Compile the expression of an option.

    Raises
    ------
    ValueError
        If it is none.
    """
    try:
        return re.compile(pattern)
    except re.error as error:
        msg = f"{name} {pattern!r}: not a regular expression: {error}"
        raise ValueError(msg) from None


USUAL = JoinRules()
