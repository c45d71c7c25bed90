"""The command that prints scores."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from threading import Thread

from tapviz import scores as scoring
from tapviz.cli.arguments import FLAGS, NO_FILES, add_files, add_settings, inputs_of
from tapviz.cli.flags import Command, Given, declared, flag, names, take, whole
from tapviz.cli.terminal import WORSE, gc_disabled
from tapviz.files.small import number, text_of
from tapviz.lists import RetrievalLists
from tapviz.lists.columns import write_columns
from tapviz.lists.reported import as_called
from tapviz.lists.writing import write_atomically
from tapviz.readers import ReadOptions
from tapviz.readers.inputs import ResultFile, first_errors, judged_by, open_files
from tapviz.scores import Baseline, Limit, Policies
from tapviz.state.queries import kept
from tapviz.state.settings import SETTINGS


def _as_foldseek(files: Sequence[ResultFile], options: ReadOptions, _: Policies) -> None:
    """Print what Foldseek's script prints, and say why it differs."""
    if len(files) > 1:
        msg = "--compat foldseek: give one file"
        raise ValueError(msg)
    found = first_errors(files[0].file, options)
    for line in scoring.foldseek_lines(*found):
        print(line)
    report = found.lists[0].join_report
    for line in scoring.why_foldseek_differs(found.rocx, found.lists, report.collapsed):
        print(line, file=sys.stderr)


def _as_ncbi(files: Sequence[ResultFile], options: ReadOptions, policies: Policies) -> None:
    """Print what TAP-k of PyPI prints."""
    results = open_files(files, options, called=FLAGS).results
    if len(results) > 1:
        msg = "--compat ncbi: give one file"
        raise ValueError(msg)
    (lists,) = results.values()
    for line in scoring.ncbi_lines(lists, policies):
        print(line)


USUAL = Policies()
SAME = {name for name in SETTINGS if name in Policies._fields} - {"k", "e0"}
"""Policies that are settings, too; of k and E_0 there may be several here."""
FILTERS = {name for name, one in SETTINGS.items() if one.filters and one.flag}
"""Settings by which queries are selected."""
COMPAT = {"ncbi": _as_ncbi, "foldseek": _as_foldseek}


@dataclass(frozen=True, kw_only=True)
class _At:
    """Thresholds, of which there may be several here."""

    k: Sequence[int] = flag(
        "errors per query at the threshold of TAP-k; may be given again (default: "
        f"{scoring.USUAL_K})",
        "-k",
        read=whole,
        several=True,
        default=(),
    )
    e0: Sequence[float] = flag(
        "also, or instead, TAP at this threshold", read=number, several=True, default=()
    )


@dataclass(frozen=True, kw_only=True)
class _Policies:
    """Policies that are no settings."""

    short_lists: str = flag(
        "where too few lists have k errors: take the worst score of all lists as the threshold, "
        "leave TAP-k undefined, or continue the lists with irrelevant records",
        choices=("worst_score", "error", "pad"),
        default=USUAL.short_lists,
    )
    no_relevant: str = flag(
        "TAP of a query without relevant records: 1 / (retrieved + 1), 0, or left out",
        choices=("reference", "zero", "exclude"),
        default=USUAL.no_relevant,
    )
    n_resamples: int = flag(
        "resamples of the queries for intervals and p-values, 0 for none",
        "--resamples",
        metavar="RESAMPLES",
        default=USUAL.n_resamples,
    )
    all_intervals: bool = flag(
        "show intervals of all scores, with E_k and the peak, not of TAP alone", default=False
    )
    seed: int = flag("of the resamples", default=USUAL.seed)
    scores: tuple[str, ...] = flag(
        "scores to print, separated by commas, such as sensitivity@1,sepq@0.1,tap; or a preset: "
        f"{', '.join(scoring.PRESETS)} (default: tap-k, the usual ones)",
        read=names,
        metavar="NAMES",
        default=(),
    )


@dataclass(frozen=True, kw_only=True)
class _Printed:
    compare: str = flag(
        "compare the other files with this one, or every two files",
        metavar="BASELINE|all",
        default="",
    )
    compare_by: Sequence[str] = flag(
        f"score by which they are compared: {', '.join(scoring.COMPARABLE)}, or one such as "
        "sepq@1; may be given again (default: tap)",
        metavar="SCORE",
        several=True,
        default=(),
    )
    per_query: str | None = flag(
        "also write every score of every query to this file, which ends in .csv or .parquet; it "
        "can be opened as results again",
        metavar="PATH",
    )
    output: str = flag("how to write", choices=(*scoring.OUTPUTS, *scoring.WHOLE), default="table")
    compat: str | None = flag(
        "print what another program prints: TAP-k of PyPI for one file of retrieval lists, or "
        "Foldseek's bench.noselfhit.awk for one file of hits, beside the same as computed here",
        choices=COMPAT,
    )


def _limit(text: str) -> Limit:
    """What is to fail, for an argument."""
    try:
        return scoring.read_limit(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


@dataclass(frozen=True, kw_only=True)
class Gate:
    """Options of a comparison with a baseline, and of what is to fail."""

    baseline: str = flag(
        "compare with this: a file that --save-baseline wrote (.json), or results",
        metavar="FILE",
        default="",
    )
    fail_if: Sequence[Limit] | None = flag(
        "end with exit code 1 if a score changed by so much from the baseline, such as "
        "'tap < -0.01', and the whole interval of the change lies beyond; may be given again",
        read=_limit,
        metavar="CHANGE",
        several=True,
    )
    strict: bool = flag(
        "with --fail-if: the change alone decides, whatever its interval", default=False
    )
    save_baseline: str = flag(
        "keep the scores of each query, and of each resample, for --baseline (.json)",
        metavar="FILE",
        default="",
    )

    @property
    def limits(self) -> Sequence[Limit]:
        """What is to fail."""
        return self.fail_if or ()

    @property
    def scores(self) -> list[str]:
        """Names of the scores that decide."""
        return [one.score.name for one in self.limits]

    @property
    def files(self) -> list[str]:
        """The baseline, if it is a file of results."""
        return [self.baseline] if self.baseline and not self.is_json else []

    @property
    def is_json(self) -> bool:
        """Whether the baseline is a file of scores."""
        return self.baseline.endswith(".json")

    def name_of(self, saved: Baseline | None, results: Mapping[str, RetrievalLists]) -> str:
        """What the baseline is called; the last of the results, if it is a file of such."""
        if saved is not None:
            return self.baseline if saved.algorithm in results else saved.algorithm
        return [*results][-1] if self.files else ""

    def kept(self, results: Mapping[str, RetrievalLists], policies: Policies) -> list[str]:
        """Names of the scores that are saved."""
        if not self.save_baseline:
            return []
        lists = next(iter(results.values()))
        asked = (one.name for one in scoring.asked_for(lists, policies.scores) if one.in_tables)
        return list(dict.fromkeys([*scoring.comparable_scores(lists), *asked]))

    def check(self, output: str, compare: str, standards: int) -> None:
        """Raise ValueError if options do not go together."""
        wrong = {
            "--fail-if: give --baseline, a file of results or of --save-baseline": (
                self.limits and not self.baseline
            ),
            "--baseline and --compare: give one of them": self.baseline and compare,
            "--output junit: give --fail-if, of which the result is written": (
                output == "junit" and not self.limits
            ),
            "--baseline and --save-baseline: give one of them": (
                self.baseline and self.save_baseline
            ),
            "--save-baseline: give one standard": self.save_baseline and standards > 1,
        }
        for message, is_wrong in wrong.items():
            if is_wrong:
                raise ValueError(message)

    def read_scores(self) -> Baseline | None:
        """The baseline, if it is a file of scores."""
        if not self.is_json:
            return None
        return Baseline.read(text_of(self.baseline, most=None), self.baseline)


@gc_disabled()
def _score(given: Given) -> int:
    own, at, gate = take(given, _Printed), take(given, _At), take(given, Gate)
    groups, shared = given.pop("groups"), {name: given.pop(name) for name in SAME - {"groups"}}
    chosen = {name: value for name in FILTERS if (value := given.pop(name)) is not None}
    policies = Policies(
        k=tuple(at.k or (() if at.e0 else (scoring.USUAL_K,))),
        e0=tuple(at.e0),
        groups=USUAL.groups if groups is None else groups or None,
        queries=chosen,
        **shared,
        **vars(take(given, _Policies)),
    )
    files, options = inputs_of(given, NO_FILES)
    gate.check(own.output, own.compare, len(options.standard))
    if own.compat:
        COMPAT[own.compat](files, options, policies)
        return 0
    compared = tuple(dict.fromkeys([*own.compare_by, *gate.scores]))
    saved = gate.read_scores()
    if policies.n_resamples:  # which need scipy: it is loaded while files are read
        for name in ("scipy.sparse", "scipy.special"):
            Thread(target=import_module, args=(name,)).start()
    opened = open_files([*files, *gate.files], options, called=FLAGS)
    if own.per_query:
        if len(options.standard) > 1:
            msg = "--per-query: give one standard"
            raise ValueError(msg)
        write_columns(scoring.per_query(kept(opened.results, chosen), policies), own.per_query)
    tables: list[scoring.ScoreTable] = []
    for judged in opened.by_standard(options.standard):
        results, known = kept(judged.results, chosen), None
        labels = judged_by(judged.labels)[0] if saved or gate.save_baseline else ""
        if saved is not None:
            results, known = saved.aligned(results, labels), saved.at(policies, compared)
        table = scoring.score(
            results,
            policies,
            baseline=own.compare or gate.name_of(saved, results),
            compared=compared,
            kept=gate.kept(results, policies),
            saved=known,
        )
        if gate.save_baseline:
            write_atomically(gate.save_baseline, Baseline.of(table, results, labels).as_json())
        standard = judged.standard if options.standard else ""
        checks = scoring.check(table, gate.limits, gate.name_of(saved, results), strict=gate.strict)
        tables.append(table._replace(doubts=judged.doubts, standard=standard, checks=checks))
        for lists in results.values():
            if lists.join_report is not None:
                print(lists.join_report, file=sys.stderr)
    text = as_called(scoring.written(tables, own.output), FLAGS["reported_to"].split()[0])
    print(text, end="", flush=True)
    checked = [one for table in tables for one in table.checks]
    for one in checked:
        print("failed:" if one.failed else "passed:", one.words, file=sys.stderr)
    return WORSE if any(one.failed for one in checked) else 0


COMMAND = Command(
    _score,
    "print the scores of results",
    "Print TAP-k, its interval and E_k, the peak of TAP, ROC_n and average precision of each file.",
    (
        add_files,
        declared(_At),
        partial(add_settings, wanted=SAME | FILTERS, usual=USUAL._asdict() | {"groups": None}),
        declared(_Policies),
        declared(_Printed),
        declared(Gate),
    ),
    is_brief=True,
)
