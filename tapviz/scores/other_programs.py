"""What other programs print: TAP-k of PyPI, and Foldseek's script beside the rules of tapviz."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tapviz import measures
from tapviz.lists import RetrievalLists, count
from tapviz.lists.checks import Floats
from tapviz.scores.more import named, selected, trec_name
from tapviz.scores.pipeline import Policies
from tapviz.scores.table import Score

__all__ = ["foldseek_lines", "foldseek_means", "ncbi_lines", "trec_lines", "why_foldseek_differs"]

COLUMNS = ("FAM", "SFAM", "FOLD")
OURS = ("FAM_tapviz", "SFAM_tapviz", "FOLD_tapviz")
OFFICIAL = ("map", "Rprec", "bpref", "recip_rank")
CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
LEAST = 1e-5
"""What an average precision counts as in their geometric mean, at least."""
LARGEST = float(np.finfo(np.float32).max)


def foldseek_lines(
    queries: Sequence[str],
    classes: Sequence[str],
    rocx: Mapping[str, Floats],
    lists: Sequence[RetrievalLists],
) -> Iterator[str]:
    """Rows of a ``.rocx`` file, with three columns more: what each of the first would be here.

    Parameters
    ----------
    queries, classes : sequence of str, length Q
    rocx : mapping of str to ndarray of float64, shape (Q,)
        Columns as the script computes them.
    lists : sequence of RetrievalLists
        The same queries, judged by family, superfamily and fold.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.scores import foldseek_lines
    >>> columns = dict.fromkeys(("FAM", "SFAM", "FOLD", "FP", "FAMCNT"), np.array([0.5]))
    >>> one = RetrievalLists([1.0], [True], [0, 1], [1])
    >>> for line in foldseek_lines(["q"], ["a.1.1.1"], columns, [one] * 3):
    ...     print(*line.split())
    NAME SCOP FAM SFAM FOLD FP FAMCNT FAM_tapviz SFAM_tapviz FOLD_tapviz
    q a.1.1.1 0.5 0.5 0.5 0.5 0.5 1 1 1
    """
    ours = [measures.sensitivity_to_error(one, n=1).per_query for one in lists]
    yield "\t".join(["NAME", "SCOP", *rocx, *OURS])
    numbers = np.column_stack([*rocx.values(), *ours]).tolist()
    for query, name, row in zip(queries, classes, numbers, strict=True):
        yield "\t".join([query, name, *(f"{value:.6g}" for value in row)])


def foldseek_means(
    files: Mapping[str, tuple[object, object, Mapping[str, Any], Sequence[RetrievalLists]]],
) -> Iterator[str]:
    """Means over the queries of each of several files, as the script counts and as here.

    Parameters
    ----------
    files : mapping of str to tuple
        Arguments of `foldseek_lines`, by what the files are called.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.scores import foldseek_means
    >>> columns = dict.fromkeys(("FAM", "SFAM", "FOLD"), np.array([0.5]))
    >>> one = RetrievalLists([1.0], [True], [0, 1], [1])
    >>> for line in foldseek_means({"run": (["q"], ["a.1.1.1"], columns, [one] * 3)}):
    ...     print(*line.split())
    NAME queries FAM SFAM FOLD FAM_tapviz SFAM_tapviz FOLD_tapviz
    run 1 0.5 0.5 0.5 1 1 1
    """
    yield "\t".join(["NAME", "queries", *COLUMNS, *OURS])
    for name, (_, _, rocx, lists) in files.items():
        means = [float(rocx[column].mean()) for column in COLUMNS]
        means += [measures.sensitivity_to_error(one, n=1).value for one in lists]
        yield "\t".join([name, str(lists[0].n_queries), *(f"{mean:.6g}" for mean in means)])


def why_foldseek_differs(
    rocx: Mapping[str, Floats], lists: Sequence[RetrievalLists], collapsed: int, files: int = 1
) -> list[str]:
    """Means of both, if it is one file, and why they differ, a sentence each.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.scores import why_foldseek_differs
    >>> columns = dict.fromkeys(("FAM", "SFAM", "FOLD"), np.array([0.5]))
    >>> one = RetrievalLists([1.0], [True], [0, 1], [1])
    >>> why_foldseek_differs(columns, [one] * 3, 0)[0]
    'Means of 1 query: FAM 0.5 by the script, 1 here; SFAM 0.5, 1; FOLD 0.5, 1.'
    """
    means = [
        (name, float(rocx[name].mean()), measures.sensitivity_to_error(one, n=1).value)
        for name, one in zip(COLUMNS, lists, strict=True)
    ]
    (name, script, here), *others = [(name, f"{a:.4g}", f"{b:.4g}") for name, a, b in means]
    queries = count(lists[0].n_queries, "query")
    rest = "; ".join(f"{other} {a}, {b}" for other, a, b in others)
    further = f"{count(collapsed, 'further hit')} on records that it has counted (HSPs)"
    lines = [f"Means of {queries}: {name} {script} by the script, {here} here; {rest}."]
    own = "here T(q) is what the database holds"
    lines.append(f"The script divides SFAM and FOLD by one record more than there are; {own}.")
    if collapsed:
        lines.append(f"The script counts {further}; here the best one of each pair counts.")
    own = "here the score orders them, and the lines where scores are equal"
    lines.append(f"The script takes the order of the lines; {own}.")
    return lines if files == 1 else lines[1:]


def ncbi_lines(lists: RetrievalLists, policies: Policies) -> Iterator[str]:
    """What the program TAP-k of PyPI prints with ``-s``: two lines for each k, or each E_0.

    Raises
    ------
    ValueError
        At a k that too few lists have errors for, with that program's words.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Policies, ncbi_lines
    >>> _, line = ncbi_lines(load_results()["BLASTP"], Policies(k=(5,)))
    >>> line.split()[-1]
    '0.3665'
    """
    lists = measures.weigh(lists, policies.weights)
    kind = "unweighted" if (lists.weight == 1).all() else "weighted"
    quantile, how, none = policies.quantile, policies.short_lists, policies.no_relevant
    for k in policies.k:
        at = measures.tap_k(lists, k=k, quantile=quantile, short_lists=how, no_relevant=none)
        if at.reason:
            raise ValueError(f"Fewer than {quantile} of the retrieval lists have {k} errors.")
        yield f"EPQ (threshold at {quantile} quantile)\t{kind} mean TAP"
        yield f"{k} ({at.e0})\t{_plain_mean(at, lists):.4f}"
    lists = lists.with_reported_to(lists.sign * math.inf)  # the reference takes them as they are
    for e0 in policies.e0:
        yield f"Threshold\t{kind} mean TAP"
        at = measures.tap(lists, e0, no_relevant=none)
        yield f"{e0}\t{_plain_mean(at, lists):.4f}"


def _plain_mean(at: measures.Tap, lists: RetrievalLists) -> float:
    """Mean in the order and with the rounding of a plain sum, so that the last digit agrees."""
    some = ~np.isnan(at.per_query)
    weight = lists.weight[some].tolist()
    total = sum(value * w for value, w in zip(at.per_query[some].tolist(), weight, strict=True))
    return float(total / sum(weight)) if weight else math.nan


def trec_lines(
    name: str, lists: RetrievalLists, scores: Sequence[str] = (), *, several: bool = False
) -> Iterator[str]:
    """What trec_eval 9 prints of a run: a measure, the word all, and its mean, a line each.

    Scores count in single precision, equal ones by the ids of records, descending. Means are over
    the queries with a hit; a query without a relevant record counts as 0.

    Parameters
    ----------
    name : str
        Of the run.
    lists : RetrievalLists
        With ids of the records.
    scores : sequence of str
        Names of scores, or of presets; none: those that trec_eval prints by default.
    several : bool
        Whether there are other runs, so that the name of each is printed whatever the scores.

    Raises
    ------
    ValueError
        If trec_eval has no such measure, or the records have no ids.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import trec_lines
    >>> (line,) = trec_lines("BM25", load_results("cranfield")["BM25"], ["MAP"])
    >>> line.split()
    ['map', 'all', '0.2658']
    """
    single = np.clip(lists.score, -LARGEST, LARGEST).astype(np.float32).astype(np.float64)
    ends = {"reported_to": None, "reported_how": None}
    lists = measures.reorder(lists.replaced(score=single, weight=None, **ends), "docid")
    lists = lists.subset(np.diff(lists.offset) > 0)

    def line(measure: str, text: str) -> str:
        return f"{measure:<22}\t{'all'}\t{text}"

    def mean(score: Score) -> str:
        found = None if score.per_query is None else score.per_query(lists)
        return "" if found is None else f"{_trec_mean(found):.4f}"

    if scores:
        if several:
            yield line("runid", name)
        asked = {one: trec_name(one) for one in selected(scores) if one.in_tables}
        if unknown := [one.name for one, measure in asked.items() if not measure]:
            raise ValueError(f"--compat trec: trec_eval has no {', '.join(unknown)}")
        yield from (line(measure, mean(one)) for one, measure in asked.items())
        return
    numbers = {
        "num_q": lists.n_queries,
        "num_ret": lists.score.size,
        "num_rel": int(lists.n_relevant.sum()),
        "num_rel_ret": int(lists.relevant.sum()),
    }
    yield line("runid", name)
    yield from (line(measure, str(number)) for measure, number in numbers.items())
    for measure in OFFICIAL:
        yield line(measure, mean(named(measure)))
        if measure == "map":
            precision = np.nan_to_num(measures.average_precision(lists).per_query)
            geometric = np.exp(_trec_mean(np.log(np.maximum(precision, LEAST))))
            yield line("gm_map", f"{geometric:.4f}")
    points = measures.eleven_point(lists, levels="trec_eval 9")
    for recall, column in zip(points.recall.tolist(), points.per_query.T, strict=True):
        yield line(f"iprec_at_recall_{recall:.2f}", f"{_trec_mean(column):.4f}")
    yield from (line(f"P_{cut}", mean(named(f"P_{cut}"))) for cut in CUTS)


def _trec_mean(values: Floats) -> float:
    """Mean over all queries, of which undefined ones count as 0; that of none is 0."""
    return float(np.nan_to_num(values).mean()) if values.size else 0.0
