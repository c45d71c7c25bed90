"""Scores beyond the usual ones, asked for by name; and presets, which name several at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from tapviz import measures
from tapviz.lists import RetrievalLists
from tapviz.scores.costs import COSTS
from tapviz.scores.table import SCORES, Score, mean_over_queries

__all__ = ["MORE_SCORES", "PRESETS", "named", "selected"]

NAME = re.compile(r"([a-z][a-z0-9_]*)(?:@([0-9]{1,4}(?:\.[0-9]{1,3})?))?")
SUM3 = ((0.1, 2.0), (1.0, 1.5), (10.0, 1.0))
"""Errors per query, and the weight of the coverage there."""
RESEEK = "Edgar (2024), reseek, scop40.py"


def _sensitivity(name: str, number: str) -> Score:
    n = _whole(name, number)
    return mean_over_queries(
        name,
        f"sensitivity to error {n}",
        partial(measures.sensitivity_to_error, n=n),
        description=f"Relevant records before the {_ordinal(n)} error of each query, as a fraction "
        "of T(q); the mean over the queries. Records of equal score stand as the file has them.",
        source="Foldseek: van Kempen et al. (2024), Nat. Biotechnol. 42:243, Figure 2",
        also_called=("AUC1, ROC1, sensitivity up to the first FP",) if n == 1 else (),
    )


def _sepq(name: str, number: str) -> Score:
    epq = _positive(name, number)
    return Score(
        name=name,
        title=f"SEPQ{epq:g}",
        compact=False,
        measure=lambda lists: _coverage(lists, epq),
        resampled=lambda lists: measures.coverage_replicates(lists, epq=epq),
        description=f"Sensitivity at {epq:g} errors per query: the share of all relevant records "
        f"found at the last threshold with at most {epq:g} errors per query on average.",
        source=f"{RESEEK}; Brenner, Chothia & Hubbard (1998), PNAS 95:6073",
        also_called=("coverage at a number of errors per query",),
    )


def _sum3(name: str, number: str) -> Score:
    _none(name, number)
    return Score(
        name=name,
        title="Sum3",
        compact=False,
        measure=lambda lists: sum(w * _coverage(lists, epq) for epq, w in SUM3),
        resampled=_sum3_replicates,
        range=(0.0, sum(weight for _, weight in SUM3)),
        description="2 SEPQ0.1 + 3/2 SEPQ1 + SEPQ10.",
        source="Edgar, reseek, src/fastbench.cpp (December 2025)",
    )


def _sum3_replicates(lists: RetrievalLists) -> measures.Replicate:
    parts = [(measures.coverage_replicates(lists, epq=epq), weight) for epq, weight in SUM3]

    def sums(drawn: measures.Drawn, code: NDArray[np.int64]) -> NDArray[np.float64]:
        total: NDArray[np.float64] = np.sum(
            [weight * at(drawn, code) for at, weight in parts], axis=0
        )
        return total

    return sums


def _coverage(lists: RetrievalLists, epq: float) -> float:
    return float(measures.coverage_vs_epq(lists, max_epq=epq).at(epq))


TREC = "trec_eval"
TEXTS: dict[str, tuple[str, Callable[..., measures.PerQuery], str, str, str]] = {
    "ndcg": (
        "nDCG@{k}",
        measures.ndcg,
        (
            "Gains of the first {k} records, each the record's grade, divided by the logarithm of "
            "its rank, as a share of the best order's; without grades a relevant record has 1."
        ),
        "Järvelin & Kekäläinen (2002), ACM Trans. Inf. Syst. 20:422",
        "ndcg_cut_{k} (trec_eval)",
    ),
    "ndcg_exp": (
        "nDCG@{k} (2^g - 1)",
        partial(measures.ndcg, gain="exponential"),
        "nDCG with a gain of 2^g - 1 for grade g.",
        "Burges et al. (2005), ICML",
        "NDCG of learning to rank",
    ),
    "recall": (
        "recall@{k}",
        measures.recall_at,
        "Relevant records among the first {k}, divided by T(q).",
        TREC,
        "R@{k}; recall_{k} (trec_eval)",
    ),
    "precision": (
        "precision@{k}",
        measures.precision_at,
        "Relevant records among the first {k}, divided by {k}, also where a list is shorter.",
        TREC,
        "P@{k}; P_{k} (trec_eval)",
    ),
    "success": (
        "success@{k}",
        measures.success_at,
        "Share of the queries with a relevant record among the first {k}.",
        TREC,
        "hit@{k}; success_{k} (trec_eval)",
    ),
    "hit": (
        "hit@{k}",
        measures.success_at,
        "Another name for success@{k}.",
        TREC,
        "success@{k}; top-{k} accuracy",
    ),
    "map": (
        "MAP@{k}",
        measures.average_precision_at,
        "Mean average precision of the first {k} records, divided by T(q) all the same.",
        TREC,
        "map_cut_{k} (trec_eval)",
    ),
}
"""Scores of the first k records: title, measure, description, source, what else it is called."""
WHOLE: dict[str, tuple[str, Callable[[RetrievalLists], measures.PerQuery], str, str, str]] = {
    "mrr": (
        "MRR",
        measures.reciprocal_rank,
        "One divided by the rank of the first relevant record, 0 if there is none; the mean.",
        TREC,
        "recip_rank (trec_eval)",
    ),
    "r_precision": (
        "R-precision",
        measures.r_precision,
        "Relevant records among the first T(q), divided by T(q).",
        TREC,
        "Rprec (trec_eval)",
    ),
    "bpref": (
        "bpref",
        measures.bpref,
        (
            "How seldom a record judged irrelevant comes before a relevant one; records that "
            "nobody judged are of no consequence."
        ),
        "Buckley & Voorhees (2004), SIGIR",
        "bpref (trec_eval)",
    ),
}
"""Scores of whole lists, likewise."""


def _at_k(name: str, number: str) -> Score:
    title, measure, description, source, other = TEXTS[name.partition("@")[0]]
    k = _whole(name, number)
    return mean_over_queries(
        name,
        title.format(k=k),
        partial(measure, k=k),
        description=f"{description.format(k=k)} The mean over the queries.",
        source=source,
        also_called=(other.format(k=k),),
    )


def _of_whole(name: str, number: str) -> Score:
    _none(name, number)
    title, measure, description, source, other = WHOLE[name]
    return mean_over_queries(
        name, title, measure, description=description, source=source, also_called=(other,)
    )


def _rbp(name: str, number: str) -> Score:
    p = _positive(name, number)
    if p >= 1:
        msg = f"score {name!r}: expected a probability after @, such as rbp@0.8"
        raise ValueError(msg)
    return mean_over_queries(
        name,
        f"RBP {p:g}",
        partial(measures.rank_biased_precision, persistence=p),
        description="Rank-biased precision: relevant records that a reader meets who goes on from "
        f"one record to the next with probability {p:g}, times {1 - p:g}.",
        source="Moffat & Zobel (2008), ACM Trans. Inf. Syst. 27:2",
        also_called=("RBP(p)",),
    )


def _bedroc(name: str, number: str) -> Score:
    alpha = _positive(name, number)
    return mean_over_queries(
        name,
        f"BEDROC {alpha:g}",
        partial(measures.bedroc, alpha=alpha),
        description="Early recognition: relevant records weighted by exp(-alpha rank / N), alpha = "
        f"{alpha:g}, scaled to 0 where all come last and 1 where all come first; N is T(q) + F(q).",
        source="Truchon & Bayly (2007), J. Chem. Inf. Model. 47:488",
        also_called=("BEDROC(alpha)",),
    )


def _enrichment(name: str, number: str) -> Score:
    percent = _positive(name, number)
    if percent > 100:  # noqa: PLR2004
        msg = f"score {name!r}: expected a percentage after @, such as ef@1"
        raise ValueError(msg)
    return mean_over_queries(
        name,
        f"EF {percent:g} %",
        partial(measures.enrichment_factor, percent=percent),
        range=(0.0, 100 / percent),
        description="Enrichment factor: how many times more relevant records the first "
        f"{percent:g} % of all T(q) + F(q) ranks hold than chance would put there.",
        source="Pearlman & Charifson (2001), J. Med. Chem. 44:502",
        also_called=(f"EF{percent:g}%",),
    )


FAMILIES: dict[str, Callable[[str, str], Score]] = {
    "sensitivity": _sensitivity,
    "sepq": _sepq,
    "sum3": _sum3,
    **dict.fromkeys(TEXTS, _at_k),
    **dict.fromkeys(WHOLE, _of_whole),
    "rbp": _rbp,
    "bedroc": _bedroc,
    "ef": _enrichment,
}
"""What makes a score of a name, and of the number after its ``@``."""
PRESETS: dict[str, tuple[str, ...]] = {
    "tap-k": (),
    "homology": ("sensitivity@1", "sensitivity@5", "sepq@0.1", "sepq@1", "sepq@10", "sum3"),
    "text": ("ndcg@10", "recall@100", "precision@10", "mrr", "mean_average_precision"),
}
"""Scores that a field publishes together; none: the usual ones."""


@cache
def named(name: str) -> Score:
    """Score of a name: a usual one, or one such as ``sepq@0.1``.

    Raises
    ------
    ValueError
        If there is none, with the most similar name.

    Examples
    --------
    >>> from tapviz.scores import named
    >>> named("sepq@0.1").title, named("tap").title
    ('SEPQ0.1', 'TAP-{k}')
    """
    for one in (*SCORES, *COSTS):
        if one.name == name:
            return one
    found = NAME.fullmatch(name)
    if found is None or found[1] not in FAMILIES:
        others = (one.name for one in (*MORE_SCORES, *COSTS))
        known = [*(one.name for one in SCORES if one.in_tables), *others]
        near = get_close_matches(name, known, 1)
        msg = f"no score {name[:40]!r}: expected some of {', '.join(known)}"
        if near:
            msg = f"no score {name[:40]!r}; did you mean {near[0]}?"
        raise ValueError(msg)
    return FAMILIES[found[1]](name, found[2] or "")


def selected(names: Sequence[str]) -> tuple[Score, ...]:
    """Scores of some names and presets; of none, the usual ones.

    Those that tables do not show, such as counts, are always among them.

    Raises
    ------
    ValueError
        If there is no such score.

    Examples
    --------
    >>> from tapviz.scores import selected
    >>> [one.name for one in selected(["sepq@1", "tap"]) if one.in_tables]
    ['sepq@1', 'tap']
    """
    wanted = [one for name in names for one in PRESETS.get(name, (name,))]
    if not wanted:
        return SCORES
    chosen = dict.fromkeys([named(name) for name in wanted])
    return (*chosen, *(one for one in SCORES if not one.in_tables and one not in chosen))


def _ordinal(n: int) -> str:
    last = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{'th' if n % 100 in (11, 12, 13) else last}"


def _whole(name: str, number: str) -> int:
    if not number.isdigit() or not int(number):
        msg = f"score {name!r}: expected a whole number after @, such as sensitivity@1"
        raise ValueError(msg)
    return int(number)


def _positive(name: str, number: str) -> float:
    if not number or not float(number) > 0:
        msg = f"score {name!r}: expected a positive number after @, such as sepq@0.1"
        raise ValueError(msg)
    return float(number)


def _none(name: str, number: str) -> None:
    if number:
        msg = f"score {name!r}: expected no number after @"
        raise ValueError(msg)


OTHERS = (
    *("ndcg_exp@10", "success@10", "hit@1", "map@10", "r_precision", "bpref", "rbp@0.8"),
    *("bedroc@20", "ef@1"),
)
MORE_SCORES: tuple[Score, ...] = tuple(
    one
    for name in (*PRESETS["homology"], *PRESETS["text"], *OTHERS)
    if (one := named(name)) not in SCORES
)
"""Those that presets name, and some more; others differ in the number after ``@`` only."""
