"""Choices of the explorer that have a flag, for figures and reports."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from tapviz.cli.arguments import add_groups, add_weights, inputs_of, open_once, whole
from tapviz.datasets import dataset_info
from tapviz.inputs import Opened, bundled
from tapviz.scores import COMPARABLE, COSTS, MORE_SCORES

if TYPE_CHECKING:
    from tapviz.explorer import Explorer


CHOSEN = (
    "k",
    "e0",
    "n",
    "quantile",
    "focus_algorithm",
    "baseline",
    "groups",
    "weights",
    "coverage_of",
    "precision_of",
    "compared_score",
    "cost",
)
"""Choices of a figure or report."""


def explorer_of(given: dict[str, Any]) -> tuple[Explorer, Opened]:
    """The explorer with the choices of the command line, and what it shows."""
    from tapviz.choices import BY_E_VALUE, BY_ERRORS  # noqa: PLC0415
    from tapviz.explorer import Explorer  # noqa: PLC0415

    choices = {name: given.pop(name) for name in CHOSEN}
    shown = given.pop("algorithm")
    files, options = inputs_of(given)
    if len(options.standard) > 1:
        msg = "--standard: give one here; tapviz score takes several"
        raise ValueError(msg)
    own = open_once(files, options)
    opened = own or bundled()
    results = opened.results
    if unknown := [name for name in shown or () if name not in results]:
        msg = f"--algorithm {unknown[0]}: expected one of {', '.join(results)}"
        raise ValueError(msg)
    if not shown:
        shown = list(results if own else dataset_info().shown)
    chosen = {name: value for name, value in choices.items() if value is not None}
    mode = BY_E_VALUE if "e0" in chosen else BY_ERRORS
    return Explorer(results, shown, judging=opened.judging, mode=mode, **chosen), opened


def add_choices(parser: argparse.ArgumentParser) -> None:
    """The choices."""
    parser.add_argument("-k", type=whole, help="errors per query at the threshold (default: 20)")
    parser.add_argument("--e0", type=float, help="E-value or score as the threshold instead")
    parser.add_argument("-n", type=whole, help="n of ROC_n (default: 50)")
    parser.add_argument("--quantile", type=float, help="share of queries with k errors at E_k")
    parser.add_argument(
        "--algorithm", action="append", metavar="NAME", help="show this; may be given again"
    )
    parser.add_argument(
        "--focus-algorithm", metavar="NAME", help="algorithm that is shown in detail"
    )
    parser.add_argument("--baseline", metavar="NAME", help="algorithm compared with")
    parser.add_argument(
        "--compare-by",
        dest="compared_score",
        choices=(*COMPARABLE, *(one.name for one in MORE_SCORES)),
        metavar="SCORE",
        help="score of comparisons, and of plots of cost and versions: "
        f"{', '.join(COMPARABLE)}, or another such as sepq@1 (default: tap)",
    )
    parser.add_argument(
        "--cost",
        choices=tuple(one.name for one in COSTS),
        help="what the plot of costs draws it against (default: seconds)",
    )
    parser.add_argument(
        "--coverage-of",
        choices=("pooled", "mean_recall", "mean_family_recall"),
        help="what counts alike in coverage: each relevant pair, query or family (default: pooled)",
    )
    parser.add_argument(
        "--precision-of",
        choices=("mean", "pooled"),
        help="precision at a recall: the mean over queries, or of all records, each counted as "
        "1 / T(q) (default: mean)",
    )
    add_groups(parser)
    add_weights(parser)
