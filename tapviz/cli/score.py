"""The command that prints scores."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from threading import Thread
from typing import Any

from tapviz.cli.arguments import FLAGS, add_files, add_settings, inputs_of, whole
from tapviz.cli.command import Command
from tapviz.cli.gate import Gate, add_gate
from tapviz.cli.terminal import WORSE, gc_disabled
from tapviz.lists.columns import write_columns
from tapviz.lists.reported import as_called
from tapviz.lists.writing import write_atomically
from tapviz.readers import ReadOptions
from tapviz.readers.inputs import ResultFile, first_errors, judged_by, open_files
from tapviz.scores import (
    COMPARABLE,
    OUTPUTS,
    PRESETS,
    USUAL_K,
    WHOLE,
    Baseline,
    Policies,
    check,
    foldseek_lines,
    ncbi_lines,
    per_query,
    score,
    why_foldseek_differs,
    written,
)
from tapviz.state.parts import kept
from tapviz.state.settings import SETTINGS


def _as_foldseek(files: Sequence[ResultFile], options: ReadOptions, _: Policies) -> None:
    """Print what Foldseek's script prints, and say why it differs."""
    if len(files) > 1:
        msg = "--compat foldseek: give one file"
        raise ValueError(msg)
    found = first_errors(files[0].file, options)
    for line in foldseek_lines(*found):
        print(line)
    report = found.lists[0].join_report
    for line in why_foldseek_differs(found.rocx, found.lists, report.collapsed):
        print(line, file=sys.stderr)


def _as_ncbi(files: Sequence[ResultFile], options: ReadOptions, policies: Policies) -> None:
    """Print what TAP-k of PyPI prints."""
    results = open_files(files, options, called=FLAGS).results
    if len(results) > 1:
        msg = "--compat ncbi: give one file"
        raise ValueError(msg)
    (lists,) = results.values()
    for line in ncbi_lines(lists, policies):
        print(line)


SAME = {name for name in SETTINGS if name in Policies._fields} - {"k", "e0"}
"""Policies that are settings, too; of k and E_0 there may be several here."""
FILTERS = {name for name, one in SETTINGS.items() if one.filters and one.flag}
"""Settings by which queries are selected."""
COMPAT = {"ncbi": _as_ncbi, "foldseek": _as_foldseek}


@gc_disabled()
def _score(given: dict[str, Any]) -> int:
    output, compat, baseline = given.pop("output"), given.pop("compat"), given.pop("compare")
    groups, compared = given.pop("groups"), given.pop("compare_by") or ()
    gate = Gate(**{name: given.pop(name) for name in Gate._fields})
    table = given.pop("per_query")
    policies = Policies(
        k=tuple(given.pop("k") or (() if given["e0"] else (USUAL_K,))),
        e0=tuple(given.pop("e0") or ()),
        n_resamples=given.pop("resamples"),
        groups=Policies().groups if groups is None else groups or None,
        scores=tuple(filter(None, re.split(r"[\s,]+", given.pop("scores")))),
        **{name: given.pop(name) for name in Policies._fields if name in given},
    )
    chosen = {name: value for name in FILTERS if (value := given.pop(name)) is not None}
    policies = policies._replace(queries=chosen)
    files, options = inputs_of(given)
    if not files:
        msg = "give at least one file of results"
        raise ValueError(msg)
    gate.check(output, baseline, len(options.standard))
    if compat:
        COMPAT[compat](files, options, policies)
        return 0
    compared = tuple(dict.fromkeys([*compared, *gate.scores]))
    saved = gate.read_scores()
    if policies.n_resamples:  # which need scipy: it is loaded while files are read
        for name in ("scipy.sparse", "scipy.special"):
            Thread(target=import_module, args=(name,)).start()
    opened = open_files([*files, *gate.files], options, called=FLAGS)
    if table:
        if len(options.standard) > 1:
            msg = "--per-query: give one standard"
            raise ValueError(msg)
        write_columns(per_query(kept(opened.results, chosen), policies), table)
    tables = []
    for judged in opened.by_standard(options.standard):
        results, known = kept(judged.results, chosen), None
        labels = judged_by(judged.labels)[0] if saved or gate.save_baseline else ""
        if saved is not None:
            results, known = saved.aligned(results, labels), saved.at(policies, compared)
        scores = score(
            results,
            policies,
            baseline=baseline or gate.name_of(saved, results),
            compared=compared,
            kept=gate.kept(results, policies),
            saved=known,
        )
        if gate.save_baseline:
            write_atomically(gate.save_baseline, Baseline.of(scores, results, labels).as_json())
        standard = judged.standard if options.standard else ""
        checks = check(scores, gate.limits, gate.name_of(saved, results), strict=gate.strict)
        tables.append(scores._replace(doubts=judged.doubts, standard=standard, checks=checks))
        for lists in results.values():
            if lists.join_report is not None:
                print(lists.join_report, file=sys.stderr)
    text = as_called(written(tables, output), FLAGS["reported_to"].split()[0])
    print(text, end="", flush=True)
    checked = [one for table in tables for one in table.checks]
    for one in checked:
        print("failed:" if one.failed else "passed:", one.words, file=sys.stderr)
    return WORSE if any(one.failed for one in checked) else 0


def _add_policies(parser: argparse.ArgumentParser) -> None:
    usual = Policies()
    parser.add_argument(
        "-k",
        type=whole,
        action="append",
        help=f"errors per query at the threshold of TAP-k; may be given again (default: {USUAL_K})",
    )
    parser.add_argument(
        "--e0", type=float, action="append", help="also, or instead, TAP at this threshold"
    )
    add_settings(parser, SAME | FILTERS, usual._asdict() | {"groups": None})
    parser.add_argument(
        "--short-lists",
        choices=("worst_score", "error", "pad"),
        default=usual.short_lists,
        help="where too few lists have k errors: take the worst score of all lists as the "
        "threshold, leave TAP-k undefined, or continue the lists with irrelevant records "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--no-relevant",
        choices=("reference", "zero", "exclude"),
        default=usual.no_relevant,
        help="TAP of a query without relevant records: 1 / (retrieved + 1), 0, or left out "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--compare",
        metavar="BASELINE|all",
        default="",
        help="compare the other files with this one, or every two files",
    )
    parser.add_argument(
        "--compare-by",
        action="append",
        metavar="SCORE",
        help=f"score by which they are compared: {', '.join(COMPARABLE)}, or one such as sepq@1; "
        "may be given again (default: tap)",
    )
    parser.add_argument(
        "--resamples",
        type=whole,
        default=usual.n_resamples,
        help="resamples of the queries for intervals and p-values, 0 for none "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--all-intervals",
        action="store_true",
        help="show intervals of all scores, with E_k and the peak, not of TAP alone",
    )
    parser.add_argument("--seed", type=whole, default=usual.seed, help="of the resamples")
    parser.add_argument(
        "--scores",
        metavar="NAMES",
        default="",
        help="scores to print, separated by commas, such as sensitivity@1,sepq@0.1,tap; or a "
        f"preset: {', '.join(PRESETS)} (default: tap-k, the usual ones)",
    )
    parser.add_argument(
        "--per-query",
        metavar="PATH",
        help="also write every score of every query to this file, which ends in .csv or .parquet; "
        "it can be opened as results again",
    )
    parser.add_argument(
        "--output", choices=(*OUTPUTS, *WHOLE), default="table", help="how to write"
    )
    add_gate(parser)
    parser.add_argument(
        "--compat",
        choices=tuple(COMPAT),
        help="print what another program prints: TAP-k of PyPI for one file of retrieval lists, or "
        "Foldseek's bench.noselfhit.awk for one file of hits, beside the same as computed here",
    )


COMMAND = Command(
    _score,
    "print the scores of results",
    "Print TAP-k, its interval and E_k, the peak of TAP, ROC_n and average precision of each file.",
    (add_files, _add_policies),
    is_brief=True,
)
