"""What a person can choose, and what each choice starts with."""

from __future__ import annotations

import param

from tapviz.measures import USUAL_QUANTILE
from tapviz.scores import (
    COMPARABLE,
    COSTS,
    MORE_SCORES,
    SCORES,
    USUAL_K,
    ThresholdRule,
)

BY_ERRORS, BY_E_VALUE = "k", "e0"
MAX_K, MAX_N = 100, 1000
MAX_COUNT = 1_000_000_000
"""Records, or errors, that a choice may ask for; no list has as many."""
LEAST_AND_MOST_ERRORS = (0.001, 100)
"""Errors per query that one can accept."""
DEFAULT_E0 = 0.01
DEFAULT_QUANTILE = 0.5

FILTER = (
    *("query_text", "query_class", "min_relevant", "max_relevant", "boxes", "ranges"),
    *("weights", "reported_to"),
)
"""Choices that make other lists of those that were opened."""
ACCEPTED = ("accepted_errors", "accepted_statistic", "accepted_quantile")
COVERAGES = {
    "each relevant pair": "pooled",
    "each query (linear)": "mean_recall",
    "each family (quadratic)": "mean_family_recall",
}
"""What counts alike in coverage; the normalisations of Green & Brenner (2002) in brackets."""
LINKS: dict[str, tuple[str, str]] = {
    "SCOPe": ("https://scop.berkeley.edu/sid={id}", r"^([dge]\w{6,})$"),
    "UniProt": (
        "https://www.uniprot.org/uniprotkb/{id}",
        r"^(?:(?:sp|tr)\|)?([A-Z][A-Z0-9]{5}(?:[A-Z0-9]{4})?)(?:\||$)",
    ),
    "PDB": ("https://www.rcsb.org/structure/{id}", r"^[dg]?([0-9][0-9A-Za-z]{3})(?:[\w.]*)$"),
}
"""Where records are described: an address with a place for an id, and which part of an id it takes,
as a regular expression; other ids have no link."""
OWN_LINK = r"https?://[^\s<>\"']*\{id\}[^\s<>\"']*"
QUERIES = ("queries_by", "queries_order", "queries_find", "queries_better")
"""Choices of the table of queries."""
GRADUAL = {
    "queries_find",
    "k",
    "e0",
    "quantile",
    "n",
    "accepted_errors",
    "accepted_quantile",
    *FILTER,
}
GRADUAL -= {"boxes", "ranges", "weights", "reported_to"}
"""Choices that are dragged or typed."""

RESAMPLING = ("groups", "fixed_threshold", "peak_interval")
"""Choices that make other intervals."""

# What a link holds, in this order.
SETTINGS = (
    "mode",
    "k",
    "e0",
    "quantile",
    "n",
    "algorithms",
    "focus_algorithm",
    "baseline",
    "compared_score",
    "cost",
    "opponent",
    *RESAMPLING,
    "table_scores",
    *ACCEPTED,
    "coverage_of",
    "precision_of",
    "view",
    *FILTER,
    *QUERIES,
    "links",
    "focus",
)


class Settings(param.Parameterized):
    """Every choice, by the name that Python, links and settings give it."""

    mode = param.Selector(
        default=BY_ERRORS,
        objects={"errors per query": BY_ERRORS, "E-value": BY_E_VALUE},
        doc="Threshold by errors per query (E_k) or by E-value (E_0).",
    )
    k = param.Integer(
        default=USUAL_K,
        bounds=(1, None),
        softbounds=(1, MAX_K),
        doc="Errors of the median query at E_k.",
    )
    e0 = param.Number(default=DEFAULT_E0, doc="Threshold E_0; records at it are retrieved.")
    quantile = param.Number(
        default=DEFAULT_QUANTILE,
        bounds=(0, 1),
        inclusive_bounds=(False, True),
        doc="At least this share of the queries has reached k errors at E_k.",
    )
    n = param.Integer(default=50, bounds=(1, MAX_N), doc="Irrelevant records that ROC_n considers.")
    algorithms = param.ListSelector(default=[], objects=[], doc="Algorithms shown.")
    focus_algorithm = param.Selector(
        objects=[], doc="Algorithm in focus: boxes, histogram, influence, A vs B."
    )
    baseline = param.Selector(
        objects=[""], default="", doc="Algorithm the others are compared with; none if empty."
    )
    opponent = param.Selector(
        objects=[""],
        default="",
        doc="B of A vs B; if empty, the baseline or the first other algorithm.",
    )
    compared_score = param.Selector(
        objects={
            score.titled(ThresholdRule(), 50): score.name
            for score in (*COMPARABLE.values(), *MORE_SCORES)
        },
        default="tap",
        doc="Name of the score by which algorithms are compared.",
    )
    cost = param.Selector(
        objects={one.title: one.name for one in COSTS},
        default="seconds",
        doc="What of the runs' costs scores are drawn against.",
    )
    groups = param.Integer(
        default=0,
        bounds=(0, None),
        doc="Level of the classes of queries that are resampled together; 0: single queries.",
    )
    fixed_threshold = param.Boolean(
        default=False, doc="Whether E_k of all queries is taken in each resample."
    )
    peak_interval = param.Boolean(
        default=False, doc="Whether the peak has an interval, too, which takes longer."
    )
    table_scores = param.ListSelector(
        default=[],
        objects=[one.name for one in (*SCORES, *MORE_SCORES) if one.in_tables],
        doc="Scores of the table, by their names; the usual ones if there are none.",
    )
    accepted_errors = param.Number(
        default=0.1,
        bounds=LEAST_AND_MOST_ERRORS,
        doc="Errors per query that are accepted: the threshold is found for them.",
    )
    accepted_statistic = param.Selector(
        default="mean",
        objects={
            "on average": "mean",
            "for the median query": "median",
            "for a quantile of the queries": "quantile",
        },
        doc="Whether that is the mean over queries, the median or a quantile.",
    )
    accepted_quantile = param.Number(
        default=USUAL_QUANTILE,
        bounds=(0, 1),
        inclusive_bounds=(False, False),
        doc="For a quantile: the share of the queries that has no more errors.",
    )
    pinned = param.Parameter(default=None, doc="Scores of another view, as a `Pinned`, or None.")
    view = param.Selector(
        default="roc",
        objects=["roc"],
        check_on_set=False,
        doc="Name of the plot in the tab; the page says which there are.",
    )
    query_text = param.String(
        default="", doc="Keep queries whose id contains this text or regular expression."
    )
    query_class = param.String(default="", doc="Keep queries of this class and below, such as a.1.")
    min_relevant = param.Integer(
        default=0, bounds=(0, MAX_COUNT), doc="Keep queries with T(q) of at least this."
    )
    max_relevant = param.Integer(
        default=None,
        bounds=(0, MAX_COUNT),
        allow_None=True,
        doc="Keep queries with T(q) of at most this.",
    )
    boxes = param.ClassSelector(
        class_=tuple, default=(), doc="Keep queries whose TAPs lie in all of these boxes."
    )
    ranges = param.ClassSelector(
        class_=tuple, default=(), doc="Keep queries of which quantities lie in all of these ranges."
    )
    reported_to = param.Dict(
        default={},
        doc="Score up to which a program reported hits, as a person says, by algorithm; others as "
        "their lists have it.",
    )
    weights = param.Selector(
        objects=["none"],
        default="none",
        doc="How much each query counts in means and in E_k: its own weight, 1 unless it has one; "
        "T(q); its square; or one over the number of queries of its family.",
    )
    coverage_of = param.Selector(
        default="pooled",
        objects=dict(list(COVERAGES.items())[:2]),
        doc="What counts alike in coverage: each relevant pair, each query, or each family.",
    )
    precision_of = param.Selector(
        default="mean",
        objects={
            "mean over queries": "mean",
            "all records, each counts as 1 / T(q)": "pooled",
        },
        doc="Precision at each recall: of each query, and then the mean; or of all records at a "
        "common threshold, each query's divided by its T(q).",
    )
    queries_by = param.Selector(
        objects={"closed": "", "queries": "query"},
        default="",
        doc="What the table below the plots has a row for: each query, or each class of a level, "
        "counted from 1; closed if empty.",
    )
    queries_order = param.String(
        default="", doc="Column by which that table is sorted, after a - from the largest down."
    )
    queries_find = param.String(default="", doc="Text that ids or classes in that table contain.")
    queries_better = param.Selector(
        objects={"all": "", "A better": "a", "equal": "equal", "B better": "b"},
        default="",
        doc="Which queries that table has: those on which A does better, neither, or B.",
    )
    links = param.String(
        default="",
        regex=f"^(|{'|'.join(LINKS)}|{OWN_LINK})$",
        doc="Where the ids in ranked lists lead: a name in `LINKS`, or an address with {id} in it; "
        "nowhere if empty.",
    )
    focus = param.Selector(
        objects=[""], default="", doc="Query whose ranked lists are shown; none if empty."
    )
