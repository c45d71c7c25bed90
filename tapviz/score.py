"""The scores of several algorithms under one set of policies, and how they are written out."""

from __future__ import annotations

import csv
import io
import json
import math
import platform
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

from tapviz.lists import RetrievalLists
from tapviz.measures import (
    Bootstrap,
    Bracket,
    Comparison,
    Interval,
    NoRelevant,
    ShortLists,
    Tap,
    average_precision,
    bootstrap,
    compare_with,
    ipr_auc,
    mean_defined,
    pooled_roc_n,
    pooled_roc_n_bracket,
    roc_n,
    tap,
    tap_curve,
    tap_k,
)

USUAL_K = 20
VISIBLE = 0.0005
"""A bracket wider than this shows in three decimals."""


class Policies(NamedTuple):
    """How the scores are computed."""

    k: tuple[int, ...] = (USUAL_K,)
    e0: tuple[float, ...] = ()
    n: int = 50
    quantile: float = 0.5
    short_lists: ShortLists = "worst_score"
    no_relevant: NoRelevant = "reference"
    n_resamples: int = 1000
    """Resamples of the queries for intervals and p-values; 0 for none."""
    level: float = 0.95
    seed: int = 0


class ThresholdScore(NamedTuple):
    """TAP at one threshold."""

    name: str
    """TAP-20, or TAP at E_0 = 0.01."""
    k: int | None
    tap: float
    low: float
    high: float
    threshold: float
    """E_k or E_0; NaN if there is none."""
    threshold_low: float
    threshold_high: float
    reached: float
    """Share of the queries with at least k errors; NaN for E_0."""
    short_lists: bool
    reason: str


class AlgorithmScore(NamedTuple):
    """All scores of one algorithm."""

    algorithm: str
    thresholds: tuple[ThresholdScore, ...]
    peak_tap: float
    peak_threshold: float
    roc_n: float
    pooled_roc_n: float
    pooled_roc_n_ties: Bracket[float]
    mean_average_precision: float
    auc_ipr: float
    n_queries: int
    n_records: int
    n_empty: int
    n_no_relevant: int
    n_short: int
    """Queries with fewer than n irrelevant records, whose ROC_n curve stays flat."""


class Scores(NamedTuple):
    """Scores of several algorithms, their comparisons with one of them, and what to beware of."""

    policies: Policies
    algorithms: tuple[AlgorithmScore, ...]
    comparisons: tuple[tuple[str, Comparison], ...]
    """Name of the score and the comparison."""
    warnings: tuple[str, ...]


def score(
    results: Mapping[str, RetrievalLists],
    policies: Policies = Policies(),  # noqa: B008  # never changes
    *,
    baseline: str = "",
) -> Scores:
    """Score the results of several algorithms.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        Aligned lists: the same queries in the same order.
    policies : Policies
    baseline : str, optional
        Algorithm with which the others are compared.

    Raises
    ------
    ValueError
        If a policy makes no sense, or the baseline is not among the results.
    """
    if baseline and baseline not in results:
        msg = f"baseline {baseline!r}: expected one of {', '.join(map(repr, results))}"
        raise ValueError(msg)
    if policies.n_resamples < 0:
        msg = f"resamples = {policies.n_resamples}: expected a whole number of at least 0"
        raise ValueError(msg)
    rows: dict[str, list[ThresholdScore]] = {name: [] for name in results}
    comparisons: list[tuple[str, Comparison]] = []
    thresholds = [*((k, None) for k in policies.k), *((None, e0) for e0 in policies.e0)]
    # On another core, in such an order that no work is done twice.
    with ThreadPoolExecutor(1) as beside:
        each = [beside.submit(_of_each_list, lists, policies) for lists in results.values()]
        found = [
            {name: _tap(lists, k, e0, policies) for name, lists in results.items()}
            for k, e0 in thresholds
        ]
        merged = [beside.submit(_of_all_lists, lists, policies) for lists in results.values()]
        for (k, e0), taps in zip(thresholds, found, strict=True):
            title = f"TAP-{k}" if k is not None else f"TAP at {e0:g}"
            resampled = _resampled(results, k, e0, policies)
            for name, at in taps.items():
                rows[name].append(_threshold_score(title, at, resampled, name))
            if baseline:
                compared = compare_with(baseline, taps, resampled, seed=policies.seed)
                comparisons += [(title, comparison) for comparison in compared]
    scored = tuple(
        AlgorithmScore(name, tuple(rows[name]), **one.result(), **other.result())
        for name, one, other in zip(results, each, merged, strict=True)
    )
    return Scores(policies, scored, tuple(comparisons), tuple(_warnings(scored, policies)))


def _tap(lists: RetrievalLists, k: int | None, e0: float | None, policies: Policies) -> Tap:
    if k is None:
        return tap(lists, e0 or 0.0, no_relevant=policies.no_relevant)
    return tap_k(
        lists,
        k,
        quantile=policies.quantile,
        short_lists=policies.short_lists,
        no_relevant=policies.no_relevant,
    )


def _resampled(
    results: Mapping[str, RetrievalLists], k: int | None, e0: float | None, policies: Policies
) -> Bootstrap | None:
    if not _intervals(results, policies):
        return None
    return bootstrap(
        results,
        USUAL_K if k is None else k,
        e0=e0,
        quantile=policies.quantile,
        n_resamples=policies.n_resamples,
        seed=policies.seed,
        level=policies.level,
        peak=False,
    )


def _intervals(results: Mapping[str, RetrievalLists], policies: Policies) -> bool:
    """Whether there are intervals: replicates know the reference rule only."""
    barren = any((lists.n_relevant == 0).any() for lists in results.values())
    return policies.n_resamples > 0 and (policies.no_relevant == "reference" or not barren)


def _threshold_score(
    name: str, at: Tap, resampled: Bootstrap | None, algorithm: str
) -> ThresholdScore:
    nan = math.nan
    tap_interval = threshold = Interval(nan, nan, nan)
    if resampled is not None:
        tap_interval = resampled.algorithms[algorithm].tap
        threshold = resampled.algorithms[algorithm].e0
    return ThresholdScore(
        name=name,
        k=at.k,
        tap=at.tap,
        low=tap_interval.low,
        high=tap_interval.high,
        threshold=at.e0 if math.isfinite(at.e0) else nan,
        threshold_low=threshold.low,
        threshold_high=threshold.high,
        reached=at.reached,
        short_lists=at.short_lists,
        reason=at.reason,
    )


def _of_each_list(lists: RetrievalLists, policies: Policies) -> dict[str, Any]:
    """Scores for which no lists are merged, and the counts."""
    length = np.diff(lists.offset)
    found = np.concatenate([[0], np.cumsum(lists.relevant)])
    errors = length - np.diff(found[lists.offset])
    return {
        # First what TAP goes by, too: it is there when the thresholds are found.
        "mean_average_precision": mean_defined(average_precision(lists), lists.weight),
        "roc_n": mean_defined(roc_n(lists, policies.n), lists.weight),
        "auc_ipr": ipr_auc(lists).auc,
        "n_queries": lists.n_queries,
        "n_records": int(lists.score.size),
        "n_empty": int((length == 0).sum()),
        "n_no_relevant": int((lists.n_relevant == 0).sum()),
        "n_short": int((errors < policies.n).sum()),
    }


def _of_all_lists(lists: RetrievalLists, policies: Policies) -> dict[str, Any]:
    """Scores that go through the records of all lists in one order."""
    curve = tap_curve(lists, no_relevant=policies.no_relevant)
    return {
        "peak_tap": curve.peak_tap,
        "peak_threshold": curve.peak_threshold,
        "pooled_roc_n": pooled_roc_n(lists, policies.n),
        "pooled_roc_n_ties": pooled_roc_n_bracket(lists, policies.n),
    }


def _warnings(scored: Sequence[AlgorithmScore], policies: Policies) -> list[str]:
    """What a reader of the scores must know."""
    found = []
    first = scored[0]
    if first.n_no_relevant:
        rule = {
            "reference": "TAP counts 1 / (retrieved + 1) for each",
            "zero": "TAP counts 0 for each",
            "exclude": "TAP leaves them out",
        }[policies.no_relevant]
        found.append(
            f"{first.n_no_relevant} of {first.n_queries} queries have no relevant record (T = 0): "
            f"{rule}, the other scores leave them out"
        )
    for one in scored:
        for at in one.thresholds:
            if at.short_lists:
                share = f"only {100 * at.reached:.3g} % of the lists have {at.k} errors"
                done = {
                    "worst_score": "E_0 is the worst score of all lists; run the program with a "
                    "larger E-value limit, or take a smaller k",
                    "pad": "the lists are continued with irrelevant records",
                    "error": "there is no E_k",
                }[policies.short_lists]
                found.append(f"{one.algorithm}: {at.name}: {share}: {done}")
        if one.n_empty:
            found.append(f"{one.algorithm}: {one.n_empty} of {one.n_queries} lists are empty")
        if one.n_short:
            found.append(
                f"{one.algorithm}: {one.n_short} of {one.n_queries} lists have fewer than "
                f"{policies.n} irrelevant records: their ROC_n curves stay flat from there"
            )
    return found


def as_table(scores: Scores) -> str:
    """The scores as text for a terminal."""
    header, rows = _cells(scores)
    parts = [_aligned(header, rows)]
    if scores.comparisons:
        header, rows = _comparison_cells(scores)
        parts.append(_aligned(header, rows))
    parts.append("\n".join(_legend(scores)))
    if scores.warnings:
        parts.append("\n".join(f"warning: {text}" for text in scores.warnings))
    return "\n\n".join(parts) + "\n"


def as_latex(scores: Scores) -> str:
    """The scores as tables for LaTeX, with the rules of the package booktabs."""
    tables = [_cells(scores)]
    if scores.comparisons:
        tables.append(_comparison_cells(scores))
    parts = ["% \\usepackage{booktabs}"]
    for header, rows in tables:
        lines = [
            "\\begin{tabular}{l" + "r" * (len(header) - 1) + "}",
            "\\toprule",
            *(" & ".join(map(_tex, row)) + " \\\\" for row in [header]),
            "\\midrule",
            *(" & ".join(map(_tex, row)) + " \\\\" for row in rows),
            "\\bottomrule",
            "\\end{tabular}",
        ]
        parts.append("\n".join(lines))
    notes = [f"% {line}" for line in [*_legend(scores), *scores.warnings]]
    return "\n\n".join([*parts, "\n".join(notes)]) + "\n"


def as_csv(scores: Scores) -> str:
    """The scores as a long table: algorithm, score, value, interval; numbers in full."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ["algorithm", "score", "value", "low", "high", "threshold", "compared_with", "p"]
    )
    for one in scores.algorithms:
        for score_name, value, low, high, threshold in _values(one, scores.policies.n):
            writer.writerow(
                [one.algorithm, score_name, *map(_full, (value, low, high, threshold)), "", ""]
            )
    for name, found in scores.comparisons:
        numbers = map(_full, (found.difference, found.low, found.high))
        writer.writerow([found.algorithm, name, *numbers, "", found.baseline, _full(found.p)])
    return out.getvalue()


def as_json(scores: Scores) -> str:
    """The scores, policies, versions and warnings as JSON; undefined numbers are null."""
    plain = {
        "versions": versions(),
        "policies": scores.policies._asdict()
        | {"ties": "listed; pooled ROC_n trapezoid", "interval": "percentile, paired bootstrap"},
        "algorithms": [_plain(one) for one in scores.algorithms],
        "comparisons": [{"score": name} | _plain(found) for name, found in scores.comparisons],
        "warnings": list(scores.warnings),
    }
    return json.dumps(plain, indent=1, allow_nan=False) + "\n"


def versions() -> dict[str, str]:
    """Versions of what the numbers hang on."""
    packages = ("tapviz", "numpy", "scipy", "pyarrow")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


def _plain(value: Any) -> Any:
    """Records as dicts, undefined numbers as None."""
    if hasattr(value, "_asdict"):
        return {name: _plain(part) for name, part in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value


def _cells(scores: Scores) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the table of scores."""
    policies = scores.policies
    header = ["algorithm"]
    for at in scores.algorithms[0].thresholds:
        header += [at.name, *([_interval_title(policies)] if policies.n_resamples else [])]
        header += [f"E_{at.k}"] if at.k is not None else []
    header += ["peak TAP", "at E_0", f"ROC_{policies.n}", "pooled", "MAP", "AUC iP/R"]
    rows = []
    for one in scores.algorithms:
        row = [one.algorithm]
        for at in one.thresholds:
            row += [_three(at.tap), *([_interval(at.low, at.high)] if policies.n_resamples else [])]
            row += [_short(at.threshold)] if at.k is not None else []
        pooled, ties = _three(one.pooled_roc_n), one.pooled_roc_n_ties
        if ties.high - ties.low > VISIBLE:
            pooled += f" [{_three(ties.low)}, {_three(ties.high)}]"
        row += [_three(one.peak_tap), _short(one.peak_threshold), _three(one.roc_n), pooled]
        row += [_three(one.mean_average_precision), _three(one.auc_ipr)]
        rows.append(row)
    return header, rows


def _comparison_cells(scores: Scores) -> tuple[list[str], list[list[str]]]:
    policies = scores.policies
    header = ["algorithm", "score", "difference", _interval_title(policies), "p", "p (Holm)"]
    header += ["wins", "ties", "losses"]
    rows = [
        [
            f"{found.algorithm} - {found.baseline}",
            name,
            _signed(found.difference),
            _interval(found.low, found.high),
            _p(found.p),
            _p(found.p_holm),
            *(str(count) for count in (found.wins, found.ties, found.losses)),
        ]
        for name, found in scores.comparisons
    ]
    return header, rows


def _values(one: AlgorithmScore, n: int) -> list[tuple[str, float, float, float, float]]:
    nan = math.nan
    return [
        *((at.name, at.tap, at.low, at.high, at.threshold) for at in one.thresholds),
        ("peak TAP", one.peak_tap, nan, nan, one.peak_threshold),
        (f"ROC_{n}", one.roc_n, nan, nan, nan),
        (f"pooled ROC_{n}", one.pooled_roc_n, *one.pooled_roc_n_ties, nan),
        ("MAP", one.mean_average_precision, nan, nan, nan),
        ("AUC iP/R", one.auc_ipr, nan, nan, nan),
        ("queries", one.n_queries, nan, nan, nan),
        ("records", one.n_records, nan, nan, nan),
        ("queries without relevant records", one.n_no_relevant, nan, nan, nan),
        ("empty lists", one.n_empty, nan, nan, nan),
        (f"lists with fewer than {n} errors", one.n_short, nan, nan, nan),
    ]


def _legend(scores: Scores) -> list[str]:
    """How the numbers came about."""
    policies, first = scores.policies, scores.algorithms[0]
    lines = [f"{first.n_queries:,} queries."]
    if policies.k:
        lines.append(
            f"E_k: the threshold at which at least {policies.quantile:g} of the queries have k "
            "errors."
        )
    if policies.n_resamples:
        lines.append(
            f"Intervals: {100 * policies.level:g} %, {policies.n_resamples:,} resamples of the "
            f"queries, the same for all algorithms, E_k found anew in each; seed {policies.seed}."
        )
    if scores.comparisons:
        lines.append(
            f"p: {scores.comparisons[0][1].test}; seed {policies.seed}. Wins, ties and losses are "
            "queries."
        )
    brackets = [one.pooled_roc_n_ties for one in scores.algorithms]
    if any(ties.high - ties.low > VISIBLE for ties in brackets):
        lines.append("[worst, best]: pooled ROC_n over all orders of records with equal scores.")
    return lines


def _aligned(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns padded to their width, the first to the left."""
    width = [max(map(len, column)) for column in zip(header, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = [cells[0].ljust(width[0])]
        padded += [cell.rjust(w) for cell, w in zip(cells[1:], width[1:], strict=True)]
        return "  ".join(padded).rstrip()

    return "\n".join(map(line, [header, *rows]))


def _interval_title(policies: Policies) -> str:
    return f"{100 * policies.level:g} % interval"


def _interval(low: float, high: float) -> str:
    return f"{_three(low)} to {_three(high)}" if math.isfinite(low) else "-"


def _three(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else "-"


def _signed(value: float) -> str:
    return f"{value:+.3f}" if math.isfinite(value) else "-"


def _short(value: float) -> str:
    return f"{value:.3g}" if math.isfinite(value) else "-"


def _p(value: float) -> str:
    return f"{value:.2g}" if math.isfinite(value) else "-"


def _full(value: float) -> str:
    return repr(value) if math.isfinite(value) else ""


def _tex(text: str) -> str:
    special = {c: f"\\{c}" for c in "&%$#_{}"} | {
        "\\": "\\textbackslash{}",
        "~": "\\textasciitilde{}",
        "^": "\\textasciicircum{}",
    }
    return "".join(special.get(c, c) for c in text)


def ncbi_lines(lists: RetrievalLists, policies: Policies) -> Iterator[str]:
    """What the program TAP-k of PyPI prints with ``-s``: two lines for each k, or each E_0.

    Raises
    ------
    ValueError
        At a k that too few lists have errors for, with that program's words.
    """
    kind = "unweighted" if (lists.weight == 1).all() else "weighted"
    for k in policies.k:
        at = tap_k(lists, k, quantile=policies.quantile, short_lists="error")
        if at.reason:
            raise ValueError(at.reason)
        yield f"EPQ (threshold at {policies.quantile} quantile)\t{kind} mean TAP"
        yield f"{k} ({at.e0})\t{_plain_mean(at, lists):.4f}"
    for e0 in policies.e0:
        yield f"Threshold\t{kind} mean TAP"
        yield f"{e0}\t{_plain_mean(tap(lists, e0), lists):.4f}"


def _plain_mean(at: Tap, lists: RetrievalLists) -> float:
    """Mean in the order and with the rounding of a plain sum, so that the last digit agrees."""
    weight = lists.weight.tolist()
    pairs = zip(at.per_query.tolist(), weight, strict=True)
    return float(sum(value * w for value, w in pairs) / sum(weight))
