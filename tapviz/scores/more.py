"""Scores beyond the usual ones: asked for by name, said with a run, or read of each query."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cache, partial
from inspect import signature
from typing import NamedTuple

import numpy as np

from tapviz import measures
from tapviz.lists import RetrievalLists
from tapviz.lists.checks import Floats
from tapviz.lists.words import ordinal
from tapviz.measures.tap import tap_reordered
from tapviz.scores import table

__all__ = [
    "AT_COMMON", "COSTS", "MORE_SCORES", "OFFERED", "PRESETS", "canonical", "given_scores",
    "known_costs", "named", "selected", "trec_name",
]  # fmt: skip

NAME = re.compile(r"([a-z][a-z0-9_]*?)(?:[@_]?([0-9]{1,4}(?:\.[0-9]{1,3})?)%?)?")
"""A score as people write it, in small letters: ndcg@10, p_10, sepq0.1, ef1%."""
VALUE = re.compile(r"-?\d[\d,.]*(?:e[-+]?\d+)?")
"""A number in a title."""
SUM3 = ((0.1, 2.0), (1.0, 1.5), (10.0, 1.0))
"""Errors per query, and the weight of the coverage there."""
RESEEK = "Edgar (2024), reseek, scop40.py"
TREC = "trec_eval"


class Number(NamedTuple):
    """What may stand after the ``@`` of a score's name."""

    expected: str
    most: float = math.inf
    whole: bool = False
    optional: bool = False

    def read(self, name: str, text: str) -> float:
        """Number of a text, which is empty where there is none; NaN if there need be none."""
        value = float(text) if text else math.nan
        fits = 0 < value <= self.most and (text.isdigit() or not self.whole)
        if not (fits or (self.optional and not text)):
            raise ValueError(f"score {name!r}: expected {self.expected}")
        return value


NONE = Number("no number after @", 0, optional=True)
WHOLE = Number("a whole number after @, such as sensitivity@1", whole=True)
CUT = Number("a whole number after @, or none", whole=True, optional=True)
POSITIVE = Number("a positive number after @, such as sepq@0.1")
THRESHOLD = Number("a threshold after @, such as tap_at@0.01")
PROBABILITY = Number("a probability after @, such as rbp@0.8", 0.999)
PERCENT = Number("a percentage after @, such as ef@1", 100)


class Family(NamedTuple):
    """Scores of each query that differ in the number after the ``@``, `x` in their texts."""

    number: Number
    title: str
    measure: Callable[..., measures.PerQuery]
    """Its first option is the number."""
    description: str = ""
    source: str = ""
    other: str = ""
    """What it is also called."""
    trec: str = ""
    """What trec_eval calls it."""

    def known(self, description: str, source: str, other: str = "", trec: str = "") -> Family:
        """The same with what there is to know about it."""
        return Family(*self[:3], description, source, other, trec)

    def in_trec(self, text: str) -> str:
        """What trec_eval calls that of one number, or of none; empty if it has none."""
        if not text:
            return self.trec.partition("_cut_")[0]
        return self.trec.format(x=text) if "{" in self.trec else ""

    def score(self, name: str, text: str) -> table.Score:
        """The score of one number."""
        x = self.number.read(name, text)
        _, option, *_ = signature(self.measure).parameters
        options = {option: int(x) if self.number.whole else x} if text else {}
        own = self.title if text else self.title.partition("@")[0]
        trec = self.in_trec(text)
        texts = (own, self.description, self.other or (trec and f"{trec} (trec_eval)"))
        first = f"the first {text} records" if text else "all records"
        words = {"x": x, "nth": ordinal(x), "rest": 1 - x, "first": first}
        title, description, other = (one.format(**words) for one in texts)
        # Sensitivity has another name at the first error only.
        later = self.measure is measures.sensitivity_to_error and x > 1
        return table.mean_over_queries(
            name,
            title,
            partial(self.measure, **options),
            range=(0.0, 100 / x if self.number is PERCENT else 1.0),
            description=description,
            source=self.source,
            also_called=() if not other or later else (other,),
        )


FAMILIES: dict[str, Family] = {
    "sensitivity": Family(WHOLE, "sensitivity to error {x:g}", measures.sensitivity_to_error).known(
        "Relevant records before the {nth} error of each query, as a fraction of T(q); the mean "
        "over the queries. Records of equal score stand as the file has them.",
        "Foldseek: van Kempen et al. (2024), Nat. Biotechnol. 42:243, Figure 2",
        "AUC1, ROC1, sensitivity up to the first FP",
    ),
    "ndcg": Family(CUT, "nDCG@{x:g}", measures.ndcg).known(
        "Gains of {first}, each the record's grade, divided by the logarithm of its rank, as a "
        "share of the best order's; without grades a relevant record has 1. The mean over the "
        "queries.",
        "Järvelin & Kekäläinen (2002), ACM Trans. Inf. Syst. 20:422",
        trec="ndcg_cut_{x}",
    ),
    "ndcg_exp": Family(
        WHOLE, "nDCG@{x:g} (2^g - 1)", partial(measures.ndcg, gain="exponential")
    ).known(
        "nDCG with a gain of 2^g - 1 for grade g. The mean over the queries.",
        "Burges et al. (2005), ICML",
        "NDCG of learning to rank",
    ),
    "recall": Family(WHOLE, "recall@{x:g}", measures.recall_at).known(
        "Relevant records among the first {x:g}, divided by T(q). The mean over the queries.",
        TREC,
        "R@{x:g}; recall_{x:g} (trec_eval)",
        "recall_{x}",
    ),
    "precision": Family(WHOLE, "precision@{x:g}", measures.precision_at).known(
        "Relevant records among the first {x:g}, divided by {x:g}, also where a list is shorter. "
        "The mean over the queries.",
        TREC,
        "P@{x:g}; P_{x:g} (trec_eval)",
        "P_{x}",
    ),
    "success": Family(WHOLE, "success@{x:g}", measures.success_at).known(
        "Share of the queries with a relevant record among the first {x:g}. The mean over the "
        "queries.",
        TREC,
        "hit@{x:g}; success_{x:g} (trec_eval); top-{x:g} accuracy",
        "success_{x}",
    ),
    "map": Family(WHOLE, "MAP@{x:g}", measures.average_precision_at).known(
        "Mean average precision of the first {x:g} records, divided by T(q) all the same. The mean "
        "over the queries.",
        TREC,
        trec="map_cut_{x}",
    ),
    "mrr": Family(CUT, "MRR@{x:g}", measures.reciprocal_rank).known(
        "One divided by the rank of the first relevant record among {first}, 0 if there is none; "
        "the mean over the queries.",
        f"{TREC}; MS MARCO, for a number",
        trec="recip_rank",
    ),
    "r_precision": Family(NONE, "R-precision", measures.r_precision).known(
        "Relevant records among the first T(q), divided by T(q).", TREC, trec="Rprec"
    ),
    "bpref": Family(NONE, "bpref", measures.bpref).known(
        "How seldom a record judged irrelevant comes before a relevant one; records that nobody "
        "judged are of no consequence.",
        "Buckley & Voorhees (2004), SIGIR",
        trec="bpref",
    ),
    "rbp": Family(PROBABILITY, "RBP {x:g}", measures.rank_biased_precision).known(
        "Rank-biased precision: relevant records that a reader meets who goes on from one record "
        "to the next with probability {x:g}, times {rest:g}.",
        "Moffat & Zobel (2008), ACM Trans. Inf. Syst. 27:2",
        "RBP(p)",
    ),
    "bedroc": Family(POSITIVE, "BEDROC {x:g}", measures.bedroc).known(
        "Early recognition: relevant records weighted by exp(-alpha rank / N), alpha = {x:g}, "
        "scaled to 0 where all come last and 1 where all come first; N is T(q) + F(q).",
        "Truchon & Bayly (2007), J. Chem. Inf. Model. 47:488",
        "BEDROC(alpha)",
    ),
    "roc": Family(WHOLE, "ROC_{x:g}", measures.roc_n).known(
        "ROC_n of each query up to its {nth} error, whatever n is chosen: the mean, before each of "
        "these errors, of the share of T(q) found; and the mean over the queries.",
        "Gribskov & Robinson (1996); MMseqs2, EvaluateResults",
        "AUC{x:g}",
    ),
    "ef": Family(PERCENT, "EF {x:g} %", measures.enrichment_factor).known(
        "Enrichment factor: how many times more relevant records the first {x:g} % of all T(q) + "
        "F(q) ranks hold than chance would put there.",
        "Pearlman & Charifson (2001), J. Med. Chem. 44:502",
        "EF{x:g}%",
    ),
}
"""Means of what each query scores, by the name before the ``@``."""


def _tap_at(name: str, text: str) -> table.Score:
    e0 = THRESHOLD.read(name, text)
    return table.Score(
        name=name,
        title=f"TAP at {e0:g}",
        group=f"at E = {e0:g}",
        short="TAP",
        measure=lambda _, tap_at: tap_at(e0).value,
        takes=("tap_at",),
        per_query=lambda _, tap_at: tap_at(e0).per_query,
        reordered=lambda lists, rows, tap_at: tap_reordered(lists, rows, tap_at(e0)),
        description=f"Threshold Average Precision at the threshold {e0:g}, whatever is chosen.",
        source=f"{table.PAPER}, Equation (1)",
    )


def _errors_at(name: str, text: str) -> table.Score:
    e0 = THRESHOLD.read(name, text)
    return table.Score(
        name=name,
        title=f"errors per query at {e0:g}",
        group=f"at E = {e0:g}",
        short="errors",
        measure=lambda lists, tap_at: table.mean_errors(lists, tap=tap_at(e0)),
        takes=("tap_at",),
        digits=2,
        per_query=lambda lists, tap_at: table.errors_of_queries(lists, tap=tap_at(e0)),
        higher_is_better=False,
        range=table.FROM_0,
        description=f"Irrelevant records up to the threshold {e0:g}, whatever is chosen: the mean "
        "over the queries.",
        source=table.BRENNER,
    )


def _coverage(lists: RetrievalLists, epq: float) -> float:
    return float(measures.coverage_vs_epq(lists, max_epq=epq).at(epq))


def _sepq(name: str, text: str) -> table.Score:
    epq = POSITIVE.read(name, text)
    return table.Score(
        name=name,
        title=f"SEPQ{epq:g}",
        compact=False,
        measure=lambda lists: _coverage(lists, epq),
        resampled=lambda lists: measures.coverage_replicates(lists, epq=epq),
        description=f"Sensitivity at {epq:g} errors per query: the share of all relevant records "
        f"found at the last threshold with at most {epq:g} errors per query on average.",
        source=f"{RESEEK}; {table.BRENNER}",
        also_called=("coverage at a number of errors per query",),
    )


def _sum3(name: str, text: str) -> table.Score:
    NONE.read(name, text)
    return table.Score(
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
    return lambda drawn, code: np.sum([w * at(drawn, code) for at, w in parts], axis=0)


MAKERS: dict[str, Callable[[str, str], table.Score]] = {
    "tap_at": _tap_at,
    "errors_at": _errors_at,
    "sepq": _sepq,
    "sum3": _sum3,
    **{name: family.score for name, family in FAMILIES.items()},
}
"""What makes a score of its name, and of the number after the ``@``."""


def _cost(name: str, title: str, short: str, description: str) -> table.Score:
    return table.Score(
        name=name,
        title=title,
        group="run",
        short=short,
        measure=lambda lists: float(getattr(lists.run, name)),
        digits=None,
        higher_is_better=False,
        range=table.FROM_0,
        description=description,
        source="said with the results, as in runs.toml, or measured by /usr/bin/time -v",
    )


ELAPSED = "Seconds that the run took, from start to end, for all queries."
WORKED = "Seconds that all processors together worked on the run, for all queries."
MEMORY = "Most memory that the run had at a time, in 1e9 bytes."
COSTS = (
    _cost("seconds", "run time in s", "s", ELAPSED),
    _cost("cpu_seconds", "processor time in s", "CPU s", WORKED),
    _cost("memory", "memory in GB", "GB", MEMORY),
)
"""What runs cost; tables show it where it is known of any."""


def known_costs(results: Iterable[RetrievalLists]) -> tuple[table.Score, ...]:
    """Costs that are known of any of the runs.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.lists.runs import Run
    >>> from tapviz.scores import known_costs
    >>> lists = RetrievalLists([1e-9], [1], [0, 1], [2], run=Run(seconds=12.5))
    >>> [cost.title for cost in known_costs([lists])]
    ['run time in s']
    """
    each = [*results]
    return tuple(cost for cost in COSTS if any(math.isfinite(cost.measure(one)) for one in each))


def given_scores(lists: RetrievalLists) -> tuple[table.Score, ...]:
    """Scores that were given of each query; none if there are lists to compute them from.

    Large values are better where lists descend, as they do unless somebody said otherwise; but of
    columns that tapviz wrote, errors are better where they are few, and thresholds neither.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.scores import given_scores
    >>> lists = RetrievalLists([], [], [0, 0, 0], [0, 0], given={"FAM": [0.5, 1.0]})
    >>> [(one.name, one.measure(lists)) for one in given_scores(lists)]
    [('FAM', 0.75)]
    """
    descending, known = lists.direction == "descending", _by_title()
    better = {name: known.get(VALUE.sub("0", name), True) for name in lists.given or ()}
    return tuple(_given(name, higher_is_better=one and descending) for name, one in better.items())


@cache
def _by_title() -> Mapping[str, bool | None]:
    """Whether larger values of a score are better, by its titles with 0 for every number."""
    rules = table.ThresholdRule(), table.ThresholdRule(None, 0.0)
    titles = ((one, one.titled(rule, 0)) for one in (*OFFERED, *COSTS) for rule in rules)
    return {VALUE.sub("0", title): one.higher_is_better for one, title in titles}


@cache  # a score is the same one wherever it is asked for
def _given(name: str, *, higher_is_better: bool | None) -> table.Score:
    def per_query(lists: RetrievalLists) -> Floats:
        return (lists.given or {})[name]

    return table.Score(
        name=name,
        title=name.replace("{", "{{").replace("}", "}}"),
        measure=lambda lists: measures.mean_defined(per_query(lists), lists.weight),
        per_query=per_query,
        interval_shown=True,
        higher_is_better=higher_is_better,
        range=None,
        description=f"{name} of each query, as it was read; the mean over the queries.",
    )


PRESETS: dict[str, tuple[str, ...]] = {
    "tap-k": (),
    "homology": ("sensitivity@1", "sensitivity@5", "sepq@0.1", "sepq@1", "sepq@10", "sum3"),
    "text": ("ndcg@10", "recall@100", "precision@10", "mrr", "mean_average_precision"),
}
"""Scores that a field publishes together; none: the usual ones."""

KNOWN = table.BY_NAME | {cost.name: cost for cost in COSTS}
ALIASES: Mapping[str, str] = {
    **{one.trec.partition("_{")[0].lower(): name for name, one in FAMILIES.items() if one.trec},
    **dict.fromkeys(("ap", "average_precision"), "map"),
    **dict.fromkeys(("rr", "reciprocal_rank"), "mrr"),
    **dict.fromkeys(("hit", "hits", "hit_rate"), "success"),
} | {"prec": "precision", "r": "recall", "auc": "roc", "tap_k": "tap"}
"""What else the field calls scores, in small letters and without the number."""
SAME = {"map": "mean_average_precision", "roc@1": "sensitivity@1"}
"""Names of one score: ROC_1 is the sensitivity to the first error, as scripts count it."""


def canonical(name: str) -> str:
    """Name by which `named` has a score that is called as in the field; any other is unchanged.

    Case is of no consequence, nor are ``@`` and ``_`` before the number, as in trec_eval.

    Examples
    --------
    >>> from tapviz.scores import canonical
    >>> [canonical(name) for name in ("MAP", "P_10", "RR@10", "nDCG@10", "AUC1", "SEPQ0.1")]
    ['mean_average_precision', 'precision@10', 'mrr@10', 'ndcg@10', 'sensitivity@1', 'sepq@0.1']
    """
    if name in KNOWN:
        return name
    base, number = _parts(name)
    whole = f"{base}@{float(number):g}" if number else base
    return SAME.get(whole, whole) if base in MAKERS or whole in KNOWN else name


def trec_name(score: table.Score) -> str:
    """What trec_eval calls a score; empty if it has none.

    Examples
    --------
    >>> from tapviz.scores import named, trec_name
    >>> [trec_name(named(name)) for name in ("ndcg@10", "MAP", "mrr@10")]
    ['ndcg_cut_10', 'map', '']
    """
    if score.name == SAME["map"]:
        return "map"
    base, number = _parts(score.name)
    return FAMILIES[base].in_trec(number) if base in FAMILIES else ""


def _parts(name: str) -> tuple[str, str]:
    """What a score is called without its number, by aliases; and the number."""
    small = name.lower().replace("-", "_")
    if small in KNOWN or small in MAKERS or small in ALIASES:
        return ALIASES.get(small, small), ""
    found = NAME.fullmatch(small)
    base, number = (found[1], found[2] or "") if found else (small, "")
    return ALIASES.get(base, base), number


def named(name: str) -> table.Score:
    """Score of a name: a usual one, or one such as ``sepq@0.1``, also as the field calls it.

    Raises
    ------
    ValueError
        If there is none, with the three most similar names.

    Examples
    --------
    >>> from tapviz.scores import named
    >>> named("sepq@0.1").title, named("tap").title, named("MRR@10") is named("RR@10")
    ('SEPQ0.1', 'TAP-{k}', True)
    """
    return _named(canonical(name))


@cache  # a score is the same one wherever it is asked for
def _named(name: str) -> table.Score:
    if name in KNOWN:
        return KNOWN[name]
    base, number = _parts(name)
    if base in MAKERS:
        return MAKERS[base](name, number)
    if base in KNOWN:
        msg = f"no score {name[:40]!r}: {base} has no number; -k, -n and --e0 give k, n and E_0"
        raise ValueError(msg)
    *first, last = _nearest(base, number)
    raise ValueError(f"no score {name[:40]!r}: did you mean {', '.join(first)} or {last}?")


def _nearest(base: str, number: str) -> list[str]:
    """The three scores with the most similar names, with the number if it makes sense."""
    names = [one.name for one in (*OFFERED, *COSTS)]
    usual = {one.partition("@")[0]: one for one in reversed(names)}
    known = [*usual, *ALIASES]
    near = (ALIASES.get(one, one) for one in get_close_matches(base[:40], known, len(known), 0))
    return [*dict.fromkeys(_shown(one, number, usual[one]) for one in dict.fromkeys(near))][:3]


def _shown(base: str, number: str, usual: str) -> str:
    """Name with a number, or without, whichever there is; or the usual one."""
    for name in (f"{base}@{number}" if number and base in MAKERS else base, base):
        with suppress(ValueError):
            return named(name).name
    return usual


def selected(names: Sequence[str]) -> tuple[table.Score, ...]:
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
    usual = tuple(one.name for one in table.SCORES)
    wanted = [one for name in names for one in PRESETS.get(name.lower(), (name,)) or usual]
    chosen = dict.fromkeys([named(name) for name in wanted or usual])
    return (*chosen, *(one for one in table.SCORES if not one.in_tables and one not in chosen))


COMMON_E = 0.01
"""The E-value at which all algorithms are judged for comparison: one that people use."""
AT_COMMON = tuple(f"{name}@{COMMON_E:g}" for name in ("tap_at", "errors_at"))
"""What tells of errors there."""
OTHERS = (
    *("mrr@10", "ndcg_exp@10", "success@10", "success@1", "map@10", "r_precision", "bpref"),
    *("rbp@0.8", "bedroc@20", "ef@1", "roc@5", *AT_COMMON),
)
_MORE = [named(name) for name in (*PRESETS["homology"], *PRESETS["text"], *OTHERS)]
MORE_SCORES: tuple[table.Score, ...] = tuple(one for one in _MORE if one not in table.SCORES)
"""Those that presets name, and some more; others differ in the number after ``@`` only."""
_PEAK = table.SCORES.index(table.BY_NAME["peak_tap"])
_EVERY = *table.SCORES[:_PEAK], *map(named, AT_COMMON), *table.SCORES[_PEAK:], *MORE_SCORES
OFFERED: tuple[table.Score, ...] = tuple(one for one in dict.fromkeys(_EVERY) if one.in_tables)
"""Those that tables can show, in the order of their columns: what is at a threshold comes first."""
