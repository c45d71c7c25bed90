"""The command that finds thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tapviz import scores
from tapviz.cli.arguments import FLAGS, NO_FILES, add_files, add_settings, inputs_of
from tapviz.cli.flags import Command, Given, declared, flag, take
from tapviz.cli.terminal import gc_disabled
from tapviz.readers.inputs import open_files

ADVICE = {"table": scores.advice_table, "json": scores.advice_json, "csv": scores.advice_csv}
SAME = ("groups", "weights")
"""Settings that are options here, too."""


@dataclass(frozen=True, kw_only=True)
class _Accepted:
    """Options of `tapviz.measures.advise`."""

    errors: float = flag("errors per query that are accepted", default=0.1)
    statistic: str = flag(
        "whether that is the mean over queries, the median or a quantile",
        choices=("mean", "median", "quantile"),
        default="mean",
    )
    quantile: float = flag(
        "with --statistic quantile: share of the queries that has no more errors",
        default=scores.USUAL_QUANTILE,
    )
    confidence: float = flag(
        "share of samples in which the threshold with at most as many errors is to hold",
        default=scores.USUAL_CONFIDENCE,
    )
    n_folds: int = flag(
        "parts, each judged at the threshold found on the others",
        "--folds",
        metavar="FOLDS",
        default=10,
    )
    n_repeats: int = flag(
        "divisions into parts, over which figures are means",
        "--repeats",
        metavar="REPEATS",
        default=20,
    )
    n_resamples: int = flag(
        "resamples of the queries for intervals", "--resamples", metavar="RESAMPLES", default=1000
    )
    seed: int = flag("of parts and resamples", default=0)


@dataclass(frozen=True, kw_only=True)
class _Written:
    output: str = flag("how to write (default: table)", choices=ADVICE, default="table")


@gc_disabled()
def _threshold(given: Given) -> None:
    output, options = take(given, _Written).output, vars(take(given, _Accepted))
    options |= {name: given.pop(name) for name in SAME}
    files, reading = inputs_of(given, NO_FILES)
    opened = open_files(files, reading, called=FLAGS)
    print(ADVICE[output](scores.advice_of(opened.results, **options), opened.doubts), end="")


COMMAND = Command(
    _threshold,
    "find where to put the threshold for the errors you accept",
    "Print for each file two thresholds for the errors per query that you accept: one with as "
    "many on average, and the recall, precision, TAP and errors to expect there of new queries; "
    "and one with at most as many, with confidence.",
    (
        add_files,
        declared(_Accepted, "statistics"),
        partial(add_settings, wanted=SAME, usual={"weights": "none"}, title="scores"),
        declared(_Written),
    ),
)
