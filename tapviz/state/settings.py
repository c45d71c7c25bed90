"""SETTINGS: every choice of a person, declared once; whatever lists, keeps or sets them iterates.

Python, undo, address, session, flags, widgets and what is computed anew follow from a record.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from math import isfinite
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar, get_args

import numpy as np
import param
from numpy.typing import NDArray

from tapviz.files import Option, number, whole
from tapviz.measures import USUAL_QUANTILE, QueryWeights, Statistic
from tapviz.scores import COMPARABLE, COSTS, MORE_SCORES, OFFERED, USUAL_K, ThresholdRule, canonical
from tapviz.scores.conclusion import e_values
from tapviz.state.query_filter import MAX_BOXES, Area, Box, Range, in_query_class, matches

if TYPE_CHECKING:
    from tapviz.state.choices import Choices, Pinned

__all__ = [
    "ACCEPTED", "BY_ERRORS", "BY_E_VALUE", "FILTER", "LINKS", "MAX_K", "MAX_N", "RESAMPLING",
    "SETTINGS", "THRESHOLD",
]  # fmt: skip

T = TypeVar("T")
Value = bool | int | float | str | list[str] | dict[str, float] | tuple[Area, ...] | None
"""What a setting may be."""
Fields = dict[str, Any]
"""Values of several fields or settings, by their names."""
Mode = Literal["k", "e0"]
Stage = Literal["shown", "opened", "queries", "threshold", "n", "intervals", "accepted", "rows"]
"""What a setting computes anew, with all that follows from it: the lists opened; which queries are
selected, and how much each counts; the threshold; what is at n errors; intervals; the threshold
that is advised. Or nothing: it says which numbers are shown, or which rows of the queries."""

BY_ERRORS: Literal["k"] = "k"
BY_E_VALUE: Literal["e0"] = "e0"
MAX_K, MAX_N = 100, 1000
MAX_COUNT = 1_000_000_000
"""Records, or errors, that a choice may ask for; no list has as many."""
DEFAULT_E0 = 0.01
DEFAULT_QUANTILE = 0.5

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


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What is declared of a setting besides its parameter, which has default, bounds and help.

    Examples
    --------
    >>> from tapviz.state import SETTINGS
    >>> SETTINGS["k"].affects, SETTINGS["k"].flag, SETTINGS["k"].default
    ('threshold', '-k', 20)
    """

    parameter: param.Parameter[Any]
    kind: str
    """What its values are: a name of `KINDS`."""
    reads: Callable[[Sequence[str]], Value]
    affects: Stage = "shown"
    drag: bool = False
    """Whether it is dragged or typed: the steps of one drag or one word are one choice."""
    rail: Literal["", "comparison", "queries", "more"] = ""
    """Group of the controls in the rail that has one for it, in the order of the settings."""
    label: str = ""
    """What its control is called."""
    help: str = ""
    """What the command line says of it; empty if it has no flag."""
    called: str = ""
    """Its flag, where that is not its name, and what its value is called; as of an `Option`."""
    from_flag: Callable[[str], Value] | None = None
    """Reads what is given there, or raises ArgumentTypeError, if an address has it otherwise."""
    keeps: Callable[..., NDArray[np.bool_]] | None = None
    """Which queries of some lists a value keeps, shape (Q,), if it is a part of the filter."""
    words: str = ""
    """That part in words, with a place for the value."""
    area: Callable[[str], Area] | None = None
    """Reads one of several areas, which say themselves which queries they keep."""
    fits: Callable[..., bool] | None = None
    """Whether a value of an address makes sense for the `Choices` that are to take it."""

    @property
    def default(self) -> Value:
        """What it is at first."""
        default: Value = self.parameter.default
        return default

    @property
    def flag(self) -> str:
        """Flag of the command line, where it has one."""
        option = Option(help=self.help, name=str(self.parameter.name), called=self.called)
        return option.flag if self.help else ""

    @property
    def filters(self) -> bool:
        """Whether it is a part of the filter of queries."""
        return self.keeps is not None or self.area is not None

    @property
    def values(self) -> list[str]:
        """The only values that there are for any results; none if that hangs on these."""
        objects = getattr(self.parameter, "objects", ())
        known = [*(objects.values() if isinstance(objects, Mapping) else objects)]
        return known if len(known) > 1 else []

    def read(self, texts: Sequence[str]) -> Value:
        """Value that an address writes as such texts.

        Raises
        ------
        ValueError
            If it is none.
        """
        if self.area is not None:
            return tuple(self.area(text) for text in texts if text)
        return self.reads(texts)


def _limits(texts: Sequence[str]) -> dict[str, float]:
    """Limits of algorithms, written as BLASTP=10."""
    parts = [text.rpartition("=") for text in texts if text]
    return {name: number(limit) for name, _, limit in parts}


_DECLARED: list[Setting] = []


def _switch(texts: Sequence[str]) -> bool | str:
    return {"True": True, "False": False}.get(texts[-1], texts[-1])


def _whole(texts: Sequence[str]) -> int | None:
    return whole(texts[-1]) if texts[-1] else None


class Kind(NamedTuple):
    """What values of a type are called, what holds them, and what reads them in an address."""

    name: str
    parameter: Callable[..., param.Parameter[Any]]
    read: Callable[[Sequence[str]], Value]


KINDS: Mapping[type, Kind] = {
    bool: Kind("switch", param.Boolean, _switch),
    int: Kind("whole", param.Integer, _whole),
    NoneType: Kind("whole", partial(param.Integer, allow_None=True), _whole),
    float: Kind("number", param.Number, lambda texts: number(texts[-1])),
    list: Kind("several", param.ListSelector, lambda texts: [text for text in texts if text]),
    dict: Kind("limits", param.Dict, _limits),
    str: Kind("text", param.String, lambda texts: texts[-1]),
    tuple: Kind("text", partial(param.ClassSelector, class_=tuple), lambda texts: texts[-1]),
}
"""By the type of a default; that of objects to choose one from is text."""


class Chosen(Protocol[T]):
    """What a setting is to a type checker: an attribute of the type of its default.

    Parameters of `param` say so of what is read, and let any value be assigned.
    """

    def __get__(self, chosen: param.Parameterized | None, of: type | None = None, /) -> T: ...

    def __set__(self, chosen: param.Parameterized | None, value: T, /) -> None: ...


def _setting(default: T | None, doc: str, **options: Any) -> Chosen[T]:
    """Declare a setting: `options` has fields of `Setting`, and the rest is of the parameter."""
    fields = {name: options.pop(name) for name in Setting.__dataclass_fields__ if name in options}
    kind = KINDS[type(default)]
    if "objects" in options and kind.name != "several":
        kind = KINDS[str]._replace(parameter=param.Selector)
    parameter: Any = kind.parameter(default=default, doc=doc, **options)
    _DECLARED.append(Setting(parameter=parameter, kind=kind.name, reads=kind.read, **fields))
    setting: Chosen[T] = parameter
    return setting


def _plain(value: object) -> object:
    """A number or text of NumPy as one of Python."""
    return value.item() if isinstance(value, np.generic) else value


def _called(value: Any, offered: Sequence[str]) -> Any:
    """A score, or several, as they are called here: as offered, or as the field's names say."""
    if isinstance(value, list):
        return [_called(name, offered) for name in value]
    return canonical(value) if isinstance(value, str) and value not in offered else value


def _level(text: str) -> int:
    """A level of the classes; 0 for single queries."""
    if text == "none":
        return 0
    if not text.isascii() or not text.isdigit():
        raise ArgumentTypeError(f"{text!r}: expected a level of the classes, such as 3, or none")
    return whole(text)


def _fit(chosen: Choices, areas: Sequence[Area]) -> bool:
    """Whether areas are few, and of algorithms and standards that there are."""
    return (
        len(areas) <= MAX_BOXES
        and {name for area in areas for name in area.algorithms} <= set(chosen.results)
        and {area.standard for area in areas} <= {"", *chosen.judging}
    )


TYPED_FILTER: Fields = {"affects": "queries", "drag": True}
DRAGGED_THRESHOLD: Fields = {"affects": "threshold", "drag": True}
OF_INTERVALS: Fields = {"affects": "intervals", "rail": "more"}


class Settings(param.Parameterized):
    """Every choice, by the name that Python, links and sessions give it, in the order of a link."""

    if not TYPE_CHECKING:  # a type checker knows the names and what they take

        def __setattr__(self, name: str, value: object) -> None:
            """Set a choice, a number of NumPy as one of Python; refuse a name that there is not."""
            value = [*map(_plain, value)] if isinstance(value, list) else _plain(value)
            if name in SETTINGS:
                number = type(SETTINGS[name].default) in (int, float)
                if number and (value is True or (isinstance(value, float) and not isfinite(value))):
                    raise ValueError(f"{name} = {value}: expected a finite number")
                if name in ("compared_score", "table_scores"):
                    value = _called(value, self.param[name].objects)
            elif not name.startswith("_") and not hasattr(type(self), name):
                near = "".join(
                    f": did you mean {one}?" for one in get_close_matches(name, SETTINGS, 1)
                )
                raise AttributeError(f"there is no setting {name!r}{near}")
            super().__setattr__(name, value)

    mode: Chosen[Mode] = _setting(
        BY_ERRORS,
        "Threshold by errors per query (E_k) or by E-value (E_0).",
        objects={"errors per query": BY_ERRORS, "E-value": BY_E_VALUE},
        affects="threshold",
        label="Threshold by",
    )
    k = _setting(
        USUAL_K,
        "Errors of the median query at E_k.",
        bounds=(1, None),
        softbounds=(1, MAX_K),
        **DRAGGED_THRESHOLD,
        called="-k",
        help="errors per query at the threshold (default: 20)",
    )
    e0 = _setting(
        DEFAULT_E0,
        "Threshold E_0; records at it are retrieved.",
        **DRAGGED_THRESHOLD,
        label="E₀",
        help="use this E-value or score as the threshold instead",
        fits=lambda chosen, e0: e0 >= 0 or not e_values(chosen.results.values()),
    )
    quantile = _setting(
        DEFAULT_QUANTILE,
        "At least this share of the queries has reached k errors at E_k.",
        bounds=(0, 1),
        inclusive_bounds=(False, True),
        **DRAGGED_THRESHOLD,
        rail="more",
        label="share of queries that reach k errors",
        help="share of the queries that have k errors at E_k (default: 0.5, the median)",
    )
    n = _setting(
        50,
        "Irrelevant records that ROC_n considers.",
        bounds=(1, MAX_N),
        affects="n",
        drag=True,
        called="-n",
        help="n of ROC_n (default: 50)",
    )
    algorithms = _setting(
        list[str](),
        "Algorithms shown.",
        objects=[],
        called="--algorithm NAME",
        help="show this algorithm; repeatable",
    )
    focus_algorithm: Chosen[str] = _setting(
        None,
        "Algorithm in focus: boxes, histogram, A vs B.",
        objects=[],
        label="details for",
        called="NAME",
        help="algorithm shown in detail",
    )
    baseline = _setting(
        "",
        "Algorithm the others are compared with; none if empty.",
        objects=[""],
        rail="comparison",
        label="baseline",
        called="NAME",
        help="algorithm that the others are compared with",
    )
    compared_score = _setting(
        "tap",
        "Name of the score by which algorithms are compared.",
        from_flag=canonical,
        objects={
            score.titled(ThresholdRule(), 50): score.name
            for score in (*COMPARABLE.values(), *MORE_SCORES)
        },
        rail="more",
        label="score compared",
        called="--compare-by SCORE",
        help="score used in comparisons and in the plots of cost and versions: "
        f"{', '.join(COMPARABLE)}, or another such as sepq@1 (default: tap)",
    )
    cost = _setting(
        "seconds",
        "What of the runs' costs scores are drawn against.",
        objects={one.title: one.name for one in COSTS},
        label="cost",
        help="cost that the score is plotted against (default: seconds)",
    )
    opponent = _setting(
        "",
        "B of A vs B; if empty, the baseline or the first other algorithm.",
        objects=[""],
        label="B",
    )
    groups = _setting(
        0,
        "Level of the classes of queries that are resampled together; 0: single queries.",
        bounds=(0, None),
        **OF_INTERVALS,
        label="resample by",
        called="LEVEL|none",
        from_flag=_level,
        help="resample queries whose classes agree to this level together; none: one by one "
        "(default: the level at which relevance is judged, where classes are known)",
    )
    fixed_threshold = _setting(
        False,
        "Whether E_k of all queries is taken in each resample.",
        **OF_INTERVALS,
        label="keep Eₖ fixed in resamples",
        help="keep E_k of all queries in each resample; intervals are then narrower, as if the "
        "threshold were known",
    )
    peak_interval = _setting(
        False,
        "Whether the peak has an interval, too, which takes longer.",
        **OF_INTERVALS,
        label="interval of the peak",
    )
    table_scores = _setting(
        list[str](),
        "Scores of the table, by their names; the usual ones if there are none.",
        objects=[one.name for one in OFFERED],
        label="scores in the table",
    )
    accepted_errors = _setting(
        0.1,
        "Errors per query that are accepted: the threshold is found for them.",
        bounds=(0.001, 100),
        affects="accepted",
        drag=True,
        label="errors accepted",
    )
    accepted_statistic: Chosen[Statistic] = _setting(
        "mean",
        "Whether that is the mean over queries, the median or a quantile.",
        objects={
            "on average": "mean",
            "for the median query": "median",
            "for a quantile of the queries": "quantile",
        },
        affects="accepted",
        label="of the errors per query",
    )
    accepted_quantile = _setting(
        USUAL_QUANTILE,
        "For a quantile: the share of the queries that has no more errors.",
        bounds=(0, 1),
        inclusive_bounds=(False, False),
        affects="accepted",
        drag=True,
        label="share of the queries",
    )
    pinned: Chosen[Pinned | None] = param.Parameter(default=None, doc="Scores of another view.")
    view = _setting(
        "precision_recall",
        "Name of the plot in the tab; the page says which there are.",
        objects=["precision_recall"],
        check_on_set=False,
    )
    query_text = _setting(
        "",
        "Keep queries whose id contains this text or regular expression, as ^d1 or (d1|d2).",
        **TYPED_FILTER,
        rail="queries",
        label="id contains (or regular expression)",
        keeps=matches,
        words="id contains ‘{}’",
    )
    query_class = _setting(
        "",
        "Keep queries of this class and below, such as a.1.",
        **TYPED_FILTER,
        rail="queries",
        label="class",
        keeps=in_query_class,
        words="class {}",
    )
    min_relevant = _setting(
        0,
        "Keep queries with T(q) of at least this.",
        bounds=(0, MAX_COUNT),
        **TYPED_FILTER,
        label="T(q) at least",
        keeps=lambda lists, least: lists.n_relevant >= least,
        words="T(q) ≥ {:,}",
        help="only queries with at least so many relevant records, T(q)",
    )
    max_relevant: Chosen[int | None] = _setting(
        None,
        "Keep queries with T(q) of at most this.",
        bounds=(0, MAX_COUNT),
        **TYPED_FILTER,
        label="T(q) at most",
        keeps=lambda lists, most: lists.n_relevant <= most,
        words="T(q) ≤ {:,}",
    )
    boxes: Chosen[tuple[Box, ...]] = _setting(
        (),
        "Keep queries whose TAPs lie in all of these boxes.",
        affects="queries",
        area=Box.read,
        fits=_fit,
    )
    ranges: Chosen[tuple[Range, ...]] = _setting(
        (),
        "Keep queries of which quantities lie in all of these ranges.",
        affects="queries",
        area=Range.read,
        fits=_fit,
    )
    weights: Chosen[QueryWeights] = _setting(
        "none",
        "How much each query counts in means and in E_k: its own weight, 1 unless it has one; "
        "T(q); its square; or one over the number of queries of its family.",
        objects=list(get_args(QueryWeights)),
        affects="queries",
        rail="more",
        label="query weight",
        help="weight of a query in means and in E_k: none, which is 1 or the weight in the file; "
        "T(q), its number of relevant records; T(q) squared; or 1 over the number of queries in "
        "its family or superfamily, whichever relevance is judged by (default: none)",
    )
    reported_to = _setting(
        dict[str, float](),
        "Score up to which a program reported hits, as a person says, by algorithm; others as "
        "their lists have it.",
        affects="opened",
    )
    coverage_of = _setting(
        "pooled",
        "What counts alike in coverage: each relevant pair, each query, or each family.",
        objects=COVERAGES,
        rail="more",
        label="coverage weighting",
        help="what counts alike in coverage: each relevant pair, query or family (default: pooled)",
    )
    precision_of = _setting(
        "mean",
        "Precision at each recall: of each query, and then the mean; or of all records at a "
        "common threshold, each query's divided by its T(q).",
        objects={"mean over queries": "mean", "all records, each counts as 1 / T(q)": "pooled"},
        rail="more",
        label="precision at each recall",
        help="precision at a recall: the mean over queries, or of all records, each counted as "
        "1 / T(q) (default: mean)",
    )
    queries_by = _setting(
        "",
        "What the table below the plots has a row for: each query, or each class of a level, "
        "counted from 1; each query, with fewer columns, if empty.",
        objects={"queries, briefly": "", "queries": "query"},
        affects="rows",
    )
    queries_order = _setting(
        "",
        "Column by which that table is sorted, after a - from the largest down; if empty, those "
        "queries come first on which A and B differ most.",
        affects="rows",
    )
    queries_find = _setting(
        "", "Text that ids or classes in that table contain.", affects="rows", drag=True
    )
    queries_better = _setting(
        "",
        "Which queries that table has: those on which A does better, neither, or B.",
        objects={"all": "", "A better": "a", "equal": "equal", "B better": "b"},
        affects="rows",
    )
    links = _setting(
        "",
        "Where the ids in ranked lists lead: a name in `LINKS`, or an address with {id} in it; "
        "nowhere if empty.",
        regex=f"^(|{'|'.join(LINKS)}|{OWN_LINK})$",
    )
    focus = _setting("", "Query whose ranked lists are shown; none if empty.", objects=[""])


SETTINGS: Mapping[str, Setting] = {str(setting.parameter.name): setting for setting in _DECLARED}
"""What a link and a session hold, by name, in the order of a link."""


def settings(chosen: Settings) -> Fields:
    """Every choice, defaults included, by its name."""
    return {name: getattr(chosen, name) for name in SETTINGS}


def affecting(*stages: Stage) -> tuple[str, ...]:
    """Names of the settings that compute one of some stages anew.

    Examples
    --------
    >>> from tapviz.state.settings import affecting
    >>> affecting("threshold")
    ('mode', 'k', 'e0', 'quantile')
    """
    return tuple(name for name, setting in SETTINGS.items() if setting.affects in stages)


FILTER = affecting("opened", "queries")
"""Settings that make other lists of those that were opened."""
THRESHOLD = affecting("threshold")
RESAMPLING = affecting("intervals")
ACCEPTED = affecting("accepted")
