"""Rules of a join, the same for all kinds of labels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tapviz.files import problems
from tapviz.options import OptionError, check, option

RELEVANCE = ("labels", "qrels", "gold", "totals")
"""Options that name a file that says which records are relevant."""


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

    Examples
    --------
    >>> from tapviz import ClassTable, JoinRules, read
    >>> rules = JoinRules(self_hits="keep", unlabelled="ignore")
    >>> labels = ClassTable.read("classes.tsv.gz", rules=rules)
    >>> lists = read("blastp.tsv.gz", labels=labels, queries="queries.txt")
    >>> lists.join_report.self_hits
    0
    """

    self_hits: Literal["drop", "keep"] = option(
        "drop",
        kind="choice",
        choices={"are dropped": "drop", "count like others": "keep"},
        help="whether the hit of a query on itself counts",
        label="hits of queries on themselves",
        roles=RELEVANCE,
    )
    unlabelled: Literal["irrelevant", "ignore", "error"] = option(
        "irrelevant",
        kind="choice",
        choices={"irrelevant": "irrelevant", "left out": "ignore", "an error": "error"},
        help="what records without a label are",
        label="records without a label are",
        roles=RELEVANCE,
    )
    decoys: str | None = option(
        help="only ids that match are irrelevant, others left out",
        metavar="REGEX",
        label="only ids that match are irrelevant",
        placeholder="regular expression, such as ^decoy",
        width=240,
        roles=RELEVANCE,
    )
    normalise: tuple[str, ...] = option(
        (),
        kind="several",
        choices={
            "compare ids by UniProt accession": "accession",
            "ignore versions of ids": "version",
            "ignore case of ids": "case",
        },
        help="compare the ids of hits and labels by accession, without version, regardless of case",
        label="ids",
        width=420,
        roles=RELEVANCE,
    )
    label_queries: bool | None = None

    def __post_init__(self) -> None:
        check(self)
        if self.decoys is not None:
            compiled("decoys", self.decoys)

    @property
    def normalisation(self) -> str:
        """How ids are normalised, for messages."""
        return problems.option("normalise", "+".join(self.normalise))

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
        msg = f"{problems.option(name)} is {pattern!r}: not a regular expression: {error}"
        raise OptionError(msg) from None


USUAL = JoinRules()
