"""What other programs print: TAP-k of PyPI, and Foldseek's script beside the rules of tapviz."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.lists.words import count
from tapviz.measures import Tap, sensitivity_to_error, tap, tap_k, weigh
from tapviz.scores.pipeline import Policies

__all__ = ["foldseek_lines", "ncbi_lines", "why_foldseek_differs"]

COLUMNS = ("FAM", "SFAM", "FOLD")


def foldseek_lines(
    queries: Sequence[str],
    classes: Sequence[str],
    rocx: Mapping[str, NDArray[np.float64]],
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
    ours = [sensitivity_to_error(one, n=1).per_query for one in lists]
    yield "\t".join(["NAME", "SCOP", *rocx, *(f"{name}_tapviz" for name in COLUMNS)])
    numbers = np.column_stack([*rocx.values(), *ours]).tolist()
    for query, name, row in zip(queries, classes, numbers, strict=True):
        yield "\t".join([query, name, *(f"{value:.6g}" for value in row)])


def why_foldseek_differs(
    rocx: Mapping[str, NDArray[np.float64]], lists: Sequence[RetrievalLists], collapsed: int
) -> list[str]:
    """Means of both, and why they differ, a sentence each.

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
        (name, float(rocx[name].mean()), sensitivity_to_error(one, n=1).value)
        for name, one in zip(COLUMNS, lists, strict=True)
    ]
    (name, script, here), *others = [(name, f"{a:.4g}", f"{b:.4g}") for name, a, b in means]
    queries = count(lists[0].n_queries, "query")
    rest = "; ".join(f"{other} {a}, {b}" for other, a, b in others)
    lines = [
        f"Means of {queries}: {name} {script} by the script, {here} here; {rest}.",
        (
            "The script divides SFAM and FOLD by one record more than there are; "
            "here T(q) is what the database holds."
        ),
        (
            f"The script counts {count(collapsed, 'further hit')} on records that it has counted "
            "(HSPs); here the best one of each pair counts."
        ),
        (
            "The script takes the order of the lines; here the score orders them, "
            "and the lines where scores are equal."
        ),
    ]
    return lines if collapsed else [*lines[:2], lines[3]]


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
    lists = weigh(lists, policies.weights)
    kind = "unweighted" if (lists.weight == 1).all() else "weighted"
    for k in policies.k:
        at = tap_k(
            lists,
            k=k,
            quantile=policies.quantile,
            short_lists=policies.short_lists,
            no_relevant=policies.no_relevant,
        )
        if at.reason:
            msg = f"Fewer than {policies.quantile} of the retrieval lists have {k} errors."
            raise ValueError(msg)
        yield f"EPQ (threshold at {policies.quantile} quantile)\t{kind} mean TAP"
        yield f"{k} ({at.e0})\t{_plain_mean(at, lists):.4f}"
    lists = lists.with_reported_to(lists.sign * math.inf)  # the reference takes them as they are
    for e0 in policies.e0:
        yield f"Threshold\t{kind} mean TAP"
        at = tap(lists, e0, no_relevant=policies.no_relevant)
        yield f"{e0}\t{_plain_mean(at, lists):.4f}"


def _plain_mean(at: Tap, lists: RetrievalLists) -> float:
    """Mean in the order and with the rounding of a plain sum, so that the last digit agrees."""
    some = ~np.isnan(at.per_query)
    weight = lists.weight[some].tolist()
    pairs = zip(at.per_query[some].tolist(), weight, strict=True)
    return float(sum(value * w for value, w in pairs) / sum(weight)) if sum(weight) else math.nan
