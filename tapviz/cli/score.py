"""The command that prints scores."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

import numpy as np

from tapviz import scores as scoring
from tapviz.cli import flags
from tapviz.cli.arguments import NO_FILES, add_files, add_settings, inputs_of, settings_of
from tapviz.cli.flags import FLAGS, Given, command, declared, flag, several, switch, take
from tapviz.cli.terminal import GREEN, RED, WORSE, coloured, say
from tapviz.files import install, options_of, text_of
from tapviz.lists import RetrievalLists, check_ranked, count, write_atomically
from tapviz.lists.reported import as_called
from tapviz.lists.writing import write_columns
from tapviz.readers import ReadOptions
from tapviz.readers.inputs import Opened, ResultFile, first_errors, open_files
from tapviz.readers.provenance import inputs, relevance_of
from tapviz.scores import Baseline, Limit, Policies
from tapviz.state.queries import kept
from tapviz.state.settings import SETTINGS

Files = Sequence[ResultFile]


def _as_foldseek(files: Files, options: ReadOptions, policies: Policies) -> Iterator[str]:
    """What Foldseek's script prints, of several files the means; and say why it differs."""
    if policies.queries:
        selecting = ", ".join(SETTINGS[name].flag for name in policies.queries)
        raise ValueError(f"--compat foldseek judges every query: give no {selecting}")
    named, collapsed = {}, 0
    for one in files:
        found = first_errors(one.file, options)
        report = found.lists[0].join_report
        name = one.algorithm or Path(report.file).name
        if one.algorithm in named:
            raise ValueError(f"--compat foldseek: give one file for {name}")
        named[str(one.file) if name in named else name] = found
        collapsed += report.collapsed
    if len(files) == 1:
        yield from scoring.foldseek_lines(*found)
    else:
        yield from scoring.foldseek_means(named)
    say(*scoring.why_foldseek_differs(found.rocx, found.lists, collapsed, len(files)))


def _as_ncbi(files: Files, options: ReadOptions, policies: Policies) -> Iterator[str]:
    """What TAP-k of PyPI prints."""
    results = kept(open_files(files, options, called=FLAGS).results, policies.queries)
    if len(results) > 1:
        raise ValueError("--compat ncbi: give one file")
    (lists,) = results.values()
    return scoring.ncbi_lines(lists, policies)


def _as_trec(files: Files, options: ReadOptions, policies: Policies) -> Iterator[str]:
    """What trec_eval prints of each run; and say which queries it leaves out."""
    if options.labels or options.qrels or options.gold or options.totals:  # or else files judge
        options = replace(options, self_hits="keep")
    runs = kept(open_files(files, options, called=FLAGS).results, policies.queries)
    for name, lists in runs.items():
        yield from scoring.trec_lines(name, lists, policies.scores, several=len(runs) > 1)
        if silent := np.count_nonzero(np.diff(lists.offset) == 0):
            say(
                f"{name}: {silent:,} of {count(lists.n_queries, 'query')} without hits left out, "
                "as by trec_eval without -c; tapviz score --ties docid counts them as 0"
            )


USUAL = Policies()
FILTERS = {name for name, one in SETTINGS.items() if one.filters and one.flag}
"""Settings by which queries are selected."""
OF_LISTS: tuple[str, ...] = ("-k", "--e0", "-n", "--quantile", "--ties", "--fixed-threshold")
OF_LISTS += ("--short-lists", "--no-relevant")
"""Flags of policies that ranked lists alone have."""
COMPAT = {"ncbi": _as_ncbi, "foldseek": _as_foldseek, "trec": _as_trec}


@dataclass(frozen=True, kw_only=True)
class _At:
    """Thresholds, of which there may be several here."""

    k: Sequence[int] = several(
        "errors per query at the threshold of TAP-k; may be given again (default: "
        f"{scoring.USUAL_K})",
        "-k",
        read=flags.whole,
    )
    e0: Sequence[float] = several("also, or instead, TAP at this threshold", read=flags.real)


@dataclass(frozen=True, kw_only=True)
class _Policies:
    """Policies whose flags are of this command alone."""

    short_lists: str = flag(
        "if too few lists have k errors: take the worst score of all lists as the threshold, "
        "leave TAP-k undefined, or continue the lists with irrelevant records",
        choices=("worst_score", "error", "pad"),
        default=USUAL.short_lists,
    )
    no_relevant: str = flag(
        "TAP of a query without relevant records: 1 / (retrieved + 1), 0, or left out",
        choices=("reference", "zero", "exclude"),
        default=USUAL.no_relevant,
    )
    ties: str = flag(
        "order of records of equal score: as in the file; by id, descending, as in trec_eval; or "
        "relevant ones first or last",
        choices=("listed", "docid", "optimistic", "pessimistic"),
        default=USUAL.ties,
    )
    scores: tuple[str, ...] = several(
        "scores to print, separated by commas, such as sensitivity@1,sepq@0.1,tap, or by their "
        "names in trec_eval and ir_measures, such as map,P_10,nDCG@10,RR@10; or a preset: "
        f"{', '.join(scoring.PRESETS)} (default: tap-k, the usual ones)",
        "NAMES",
        read=flags.names,
    )


@dataclass(frozen=True, kw_only=True)
class _Statistics:
    """Policies of intervals."""

    n_resamples: int = flag(
        "resamples of the queries, for intervals of scores and for differences of scores that are "
        "not means over queries, such as pooled_roc_n; 0 for none",
        "--resamples RESAMPLES",
        default=USUAL.n_resamples,
    )
    all_intervals: bool = switch(
        "show intervals of all scores, E_k and the peak included, not only of TAP"
    )
    seed: int = flag("seed of resamples and of random signs of differences", default=USUAL.seed)


@dataclass(frozen=True, kw_only=True)
class _Compared:
    compare: str = flag("compare the other files with this one, or all pairs", "BASELINE|all")
    compare_by: Sequence[str] = several(
        f"score by which files are compared: {', '.join(scoring.COMPARABLE)}, or one such as "
        "sepq@1; repeatable (default: tap)",
        "SCORE",
    )


@dataclass(frozen=True, kw_only=True)
class _Printed:
    per_query: str = flag(
        "also write every score of every query to this .csv or .parquet file, which can be opened "
        "as results again",
        "PATH",
    )
    form: str = flag(
        "output format (default: table, or by the extension of -o)",
        "--output",
        choices=(*scoring.OUTPUTS, *scoring.WHOLE),
    )
    into: Sequence[str] = several(
        f"write to a file ending in {', '.join(scoring.ENDINGS)}; repeatable",
        "-o --into FILE",
    )
    digits: int | None = flag(
        "decimals of scores in tables (default: 3); CSV and JSON have all",
        read=flags.between(1, 15),
        default=None,
    )
    compat: str = flag(
        "print what another program prints: TAP-k of PyPI for one file of retrieval lists; "
        "Foldseek's bench.noselfhit.awk for a file of hits, beside the values computed here, and "
        "means for several; or trec_eval 9 for runs, everything it prints or --scores",
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
        "compare with this: a file written by --save-baseline (.json), where each program is "
        "compared with itself; or results",
        "FILE",
    )
    fail_if: Sequence[Limit] = several(
        "end with exit code 1 if a score changed from the baseline by so much, such as "
        "'tap < -0.01', and the whole interval of the change lies beyond that; repeatable",
        "CHANGE",
        read=_limit,
    )
    strict: bool = switch("with --fail-if: judge the change alone, whatever its interval")
    save_baseline: str = flag(
        "save the scores of each query and each resample for --baseline (.json)", "FILE"
    )

    @property
    def files(self) -> list[str]:
        """The baseline, if it is a file of results, and not one of scores."""
        return [self.baseline] if self.baseline and not self.baseline.endswith(".json") else []

    def name_of(self, saved: Baseline | None, results: Mapping[str, RetrievalLists]) -> str:
        """What the baseline is called; the last of the results, if it is a file of such."""
        if saved is None:
            return [*results][-1] if self.files else ""
        (first, *others) = saved.algorithms
        return self.baseline if others or first in results else first

    def kept(self, results: Mapping[str, RetrievalLists], policies: Policies) -> list[str]:
        """Names of the scores that are saved."""
        if not self.save_baseline:
            return []
        lists = next(iter(results.values()))
        asked = (one.name for one in scoring.asked_for(lists, policies.scores) if one.in_tables)
        return list(dict.fromkeys([*scoring.comparable_scores(lists), *asked]))

    def check(self, forms: Collection[str], compare: str, standards: int, own: _Printed) -> None:
        """Raise ValueError if options do not go together."""
        wanted, saves = self.fail_if, self.save_baseline
        compares = own.compat and (compare or self.baseline or wanted or saves)
        to_nothing, no_result = wanted and not self.baseline, "junit" in forms and not wanted
        wrong = {
            "--compat: give no --compare, --baseline, --fail-if or --save-baseline": compares,
            "--compat: give no --per-query or --output": own.compat and (own.per_query or own.form),
            "--fail-if: give --baseline, a file of results or of --save-baseline": to_nothing,
            "--baseline and --compare: give one of them": self.baseline and compare,
            "--output junit: give --fail-if, of which the result is written": no_result,
            "--baseline and --save-baseline: give one of them": self.baseline and saves,
            "--save-baseline: give one standard": saves and standards > 1,
            f"{saves}: expected a name that ends in .json": saves and not saves.endswith(".json"),
            "--strict: give --fail-if": self.strict and not wanted,
        }
        for message, is_wrong in wrong.items():
            if is_wrong:
                raise ValueError(message)

    def read_scores(self) -> Baseline | None:
        """The baseline, if it is a file of scores."""
        if not self.baseline or self.files:
            return None
        return Baseline.read(text_of(self.baseline, most=None), self.baseline)


OWN = {name for one in (_At, _Policies, _Statistics) for name in options_of(one)}
SAME = {name for name in SETTINGS if name in Policies._fields} - OWN
"""Policies that are settings, too, and have no flag of their own here."""


def _read_policies(given: Given) -> Policies:
    """Policies that are flags, and by what the queries are selected."""
    at, same = take(given, _At), settings_of(given, SAME)
    return Policies(
        k=tuple(dict.fromkeys(at.k or (() if at.e0 else (scoring.USUAL_K,)))),
        e0=tuple(dict.fromkeys(at.e0)),
        groups=same.pop("groups", USUAL.groups) or None,
        queries=settings_of(given, FILTERS),
        **same,
        **vars(take(given, _Policies)),
        **vars(take(given, _Statistics)),
    )


def _forms(own: _Printed) -> list[tuple[str, str]]:
    """How to write, and to which file; to none for standard output."""
    return [
        (own.form or "table", "") if file == "-" else (scoring.form_of(file, own.form), file)
        for file in own.into or ["-"]
    ]


def _table(
    judged: Opened, policies: Policies, own: _Compared, gate: Gate, saved: Baseline | None
) -> scoring.ScoreTable:
    """The scores by one standard, checked against the baseline."""
    results = kept(judged.results, policies.queries)
    labels = judged.judged_by[0] if saved or gate.save_baseline else ""
    compared = tuple(dict.fromkeys([*own.compare_by, *(one.score.name for one in gate.fail_if)]))
    name = gate.name_of(saved, results)
    if saved is None:
        keep, baseline = gate.kept(results, policies), own.compare or name
        table = scoring.score(results, policies, baseline=baseline, compared=compared, kept=keep)
    else:
        table = saved.compared(saved.aligned(results, labels), policies, compared, name)
    if gate.save_baseline:
        write_atomically(gate.save_baseline, Baseline.of(table, results, labels).as_json())
    for lists in results.values():
        if lists.join_report is not None:
            say(lists.join_report)
    checks = scoring.check(table, gate.fail_if, name, strict=gate.strict)
    return table._replace(doubts=judged.doubts + table.doubts, checks=checks)


def _tell(checks: Iterable[scoring.Check]) -> int:
    """Say what was checked, and return the exit code."""
    code = 0
    for one in checks:
        if one.failed:
            print(coloured("failed:", RED), one.words, file=sys.stderr)
            code = WORSE
        else:
            say(f"{coloured('passed:', GREEN)} {one.words}")
    return code


def _put(lines: Iterable[str], files: Sequence[str]) -> None:
    """Write lines to files; to standard output, one by one, if there is none."""
    if not any(files):
        for line in lines:
            print(line, flush=True)
        return
    text = "".join(f"{line}\n" for line in lines)
    for file in files:
        if file in ("", "-"):
            print(text, end="", flush=True)
        else:
            write_atomically(file, text)


@command(
    "print the scores of results",
    "Print TAP-k, its interval and E_k, the peak of TAP, ROC_n and average precision of each file.",
    (
        add_files,
        declared(_At, "scores"),
        partial(add_settings, wanted=SAME | FILTERS, title="scores"),
        declared(_Policies, "scores"),
        declared(_Statistics, "statistics"),
        declared(_Compared, "statistics"),
        declared(_Printed),
        declared(Gate, "gate"),
    ),
    is_brief=True,
)
def _score(given: Given) -> int:
    own, compared, gate = take(given, _Printed), take(given, _Compared), take(given, Gate)
    of_lists = [flag for flag in OF_LISTS if flag.strip("-").replace("-", "_") in given]
    command, policies = given.pop("line"), _read_policies(given)
    files, options = inputs_of(given, NO_FILES)
    forms = [] if own.compat else _forms(own)
    gate.check([form for form, _ in forms], compared.compare, len(options.standard), own)
    if own.compat:
        _put(COMPAT[own.compat](files, options, policies), own.into)
        return 0
    saved = gate.read_scores()
    if policies.n_resamples:  # which need scipy: it is loaded while files are read
        if find_spec("scipy") is None:
            raise ValueError(f"intervals need scipy: {install('scipy')}, or give --resamples 0")
        for name in ("scipy.sparse", "scipy.special"):
            Thread(target=import_module, args=(name,)).start()
    opened = open_files([*files, *gate.files], options, called=FLAGS)
    if saved and (policies.queries or options.queries is not None):
        some = next(iter(kept(opened.results, policies.queries).values()))
        saved.check_queries(some.query.tolist())
    if of_lists:
        check_ranked(opened.results, ", ".join(of_lists))
    if own.per_query:
        if len(options.standard) > 1:
            raise ValueError("--per-query: give one standard")
        results = kept(opened.results, policies.queries)
        write_columns(scoring.per_query(results, policies), own.per_query)
    asked = "json" in {form for form, _ in forms}
    made = {"command": command, "inputs": inputs(files, options, gate.baseline)} if asked else {}
    tables: list[scoring.ScoreTable] = []
    for judged in opened.by_standard(options.standard):
        table = _table(judged, policies, compared, gate, saved).with_digits(own.digits)
        relevance = {"relevance": relevance_of(options, judged)} if asked else {}
        standard = judged.standard if options.standard else ""
        tables.append(table._replace(standard=standard, made=made | relevance))
    for form, file in forms:
        option = FLAGS["reported_to"].split()[0]
        if form == "latex":  # of which two hyphens are a dash
            option = option.replace("--", "-{}-")
        text = as_called(scoring.written(tables, form), option)
        _put([text.removesuffix("\n")], [file])
    return _tell(one for table in tables for one in table.checks)


ADVICE = {"table": scoring.advice_table, "json": scoring.advice_json, "csv": scoring.advice_csv}
CHOSEN = ("groups", "weights")
"""Settings that are options of `tapviz threshold`, too."""


@dataclass(frozen=True, kw_only=True)
class _Accepted:
    """Options of `tapviz.measures.advise`."""

    errors: float = flag("errors per query that you accept", default=0.1)
    statistic: str = flag(
        "whether that is the mean over queries, the median or a quantile",
        choices=("mean", "median", "quantile"),
        default="mean",
    )
    quantile: float = flag(
        "with --statistic quantile: share of the queries that have no more errors",
        default=scoring.USUAL_QUANTILE,
    )
    confidence: float = flag(
        "share of samples in which the threshold with at most as many errors has to hold",
        default=scoring.USUAL_CONFIDENCE,
    )
    n_folds: int = flag(
        "number of parts, each judged at the threshold found on the others",
        "--folds FOLDS",
        read=flags.between(2, 10**6),
        default=10,
    )
    n_repeats: int = flag(
        "number of divisions into parts, over which figures are averaged",
        "--repeats REPEATS",
        read=flags.between(1, 10**6),
        default=20,
    )
    n_resamples: int = flag(
        "number of resamples of the queries for intervals",
        "--resamples RESAMPLES",
        read=flags.between(1, 10**6),
        default=1000,
    )
    seed: int = flag("seed of parts and resamples", default=0)


@dataclass(frozen=True, kw_only=True)
class _Output:
    form: str = flag("output format (default: table)", "--output", choices=ADVICE, default="table")


@command(
    "find where to put the threshold for the errors you accept",
    "Print for each file two thresholds for the errors per query that you accept: one with as "
    "many on average, and the recall, precision, TAP and errors to expect there of new "
    "queries; and one with at most as many, with confidence.",
    (
        add_files,
        declared(_Accepted, "statistics"),
        partial(add_settings, wanted=CHOSEN, title="scores"),
        declared(_Output),
    ),
    is_brief=True,
)
def _threshold(given: Given) -> None:
    if "quantile" in given and given.get("statistic") != "quantile":
        raise ValueError("--quantile: give --statistic quantile")
    form, options = take(given, _Output).form, vars(take(given, _Accepted))
    options |= {"weights": "none"} | settings_of(given, CHOSEN)
    files, reading = inputs_of(given, NO_FILES)
    opened = open_files(files, reading, called=FLAGS)
    check_ranked(opened.results, "tapviz threshold")
    print(ADVICE[form](scoring.advice_of(opened.results, **options), opened.doubts), end="")
