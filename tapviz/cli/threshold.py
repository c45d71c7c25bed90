"""The command that finds thresholds."""

from __future__ import annotations

import argparse
from typing import Any

from tapviz.cli.arguments import FLAGS, add_files, add_settings, inputs_of, whole
from tapviz.cli.command import Command
from tapviz.cli.terminal import gc_disabled
from tapviz.readers.inputs import open_files
from tapviz.scores import (
    USUAL_CONFIDENCE,
    USUAL_QUANTILE,
    advice_csv,
    advice_json,
    advice_of,
    advice_table,
)

OPTIONS = (
    "groups",
    "weights",
    "errors",
    "statistic",
    "quantile",
    "confidence",
    "n_folds",
    "n_repeats",
    "n_resamples",
    "seed",
)
ADVICE = {"table": advice_table, "json": advice_json, "csv": advice_csv}


@gc_disabled()
def _threshold(given: dict[str, Any]) -> None:
    output = given.pop("output")
    options = {name: given.pop(name) for name in OPTIONS}
    files, reading = inputs_of(given)
    if not files:
        msg = "give at least one file of results"
        raise ValueError(msg)
    opened = open_files(files, reading, called=FLAGS)
    advice = advice_of(opened.results, **options)
    print(ADVICE[output](advice, opened.doubts), end="")


def _add_accepted(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--errors",
        type=float,
        default=0.1,
        help="errors per query that are accepted (default: %(default)s)",
    )
    parser.add_argument(
        "--statistic",
        choices=("mean", "median", "quantile"),
        default="mean",
        help="whether that is the mean over queries, the median or a quantile "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--quantile",
        type=float,
        default=USUAL_QUANTILE,
        help="with --statistic quantile: share of the queries that has no more errors "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--confidence",
        type=float,
        default=USUAL_CONFIDENCE,
        help="share of samples in which the threshold with at most as many errors is to hold "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--folds",
        dest="n_folds",
        type=whole,
        default=10,
        metavar="FOLDS",
        help="parts, each judged at the threshold found on the others (default: %(default)s)",
    )
    parser.add_argument(
        "--repeats",
        dest="n_repeats",
        type=whole,
        default=20,
        metavar="REPEATS",
        help="divisions into parts, over which figures are means (default: %(default)s)",
    )
    parser.add_argument(
        "--resamples",
        dest="n_resamples",
        type=whole,
        default=1000,
        metavar="RESAMPLES",
        help="resamples of the queries for intervals (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=whole, default=0, help="of parts and resamples (default: %(default)s)"
    )
    add_settings(parser, ("groups", "weights"), {"weights": "none"})
    parser.add_argument("--output", choices=tuple(ADVICE), default="table", help="how to write")


COMMAND = Command(
    _threshold,
    "find where to put the threshold for the errors you accept",
    "Print for each file two thresholds for the errors per query that you accept: one with as "
    "many on average, and the recall, precision, TAP and errors to expect there of new queries; "
    "and one with at most as many, with confidence.",
    (add_files, _add_accepted),
)
