"""How much each query counts in means over queries, and in E_k."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np

from tapviz.lists import RetrievalLists, derived
from tapviz.measures._arrays import Floats
from tapviz.measures._checks import check_choice, refuse
from tapviz.measures.groups import class_depth, class_groups, level_name, singular

__all__ = ["QueryWeights", "query_weights", "weigh", "weight_titles"]

QueryWeights = Literal["none", "relevant", "relevant_squared", "family"]
"""By T(q), by its square, or by one over the number of queries of a family."""


def query_weights(lists: RetrievalLists, weights: QueryWeights) -> Floats:
    """Weight of each query.

    Parameters
    ----------
    lists : RetrievalLists
    weights : {"none", "relevant", "relevant_squared", "family"}
        The queries' own weights, 1 unless they have others; T(q); T(q)^2; or one over the number
        of queries whose classes agree with the query's to the level at which relevance was
        judged, so that each family, or superfamily, weighs 1. Of a subset, queries that it leaves
        out are among that number.

    Returns
    -------
    ndarray of float, shape (Q,)
        0 for queries that are left out: those with T(q) = 0, by T(q) or its square.

    Raises
    ------
    ValueError
        If there are no such weights, or the classes that they go by are not known.

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, section 2.3.4; Green & Brenner (2002), Proc. IEEE
    90:1834.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import query_weights
    >>> lists = RetrievalLists(
    ...     [], [], [0] * 4, [2, 1, 0], query_class=["a.1.1", "a.1.1", "b.1.1"]
    ... )
    >>> query_weights(lists, "relevant_squared").tolist()
    [4.0, 1.0, 0.0]
    >>> query_weights(lists, "family").tolist()
    [0.5, 0.5, 1.0]
    """
    check_choice("weights", weights, *get_args(QueryWeights))
    if weights == "none":
        return lists.weight
    if weights != "family":
        return lists.n_relevant.astype(np.float64) ** (1 if weights == "relevant" else 2)
    refuse(not class_depth(lists), "weights by family: the classes of the queries are not known")
    return _family_share(lists)[lists.rows]


@derived()
def _family_share(lists: RetrievalLists) -> Floats:
    code = class_groups(lists).code
    share: Floats = 1 / np.bincount(code)[code]
    return share


def weigh(lists: RetrievalLists, weights: QueryWeights) -> RetrievalLists:
    """The same lists with other weights of the queries, without those that weigh nothing.

    Parameters
    ----------
    lists : RetrievalLists
    weights : {"none", "relevant", "relevant_squared", "family"}
        As in `query_weights`.

    Raises
    ------
    ValueError
        As `query_weights`.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import tap_k, weigh
    >>> lists = load_results()["BLASTP"]
    >>> [round(tap_k(weigh(lists, how), k=5).value, 3) for how in ("none", "relevant")]
    [0.367, 0.281]
    """
    if weights == "none":
        return lists
    weight = query_weights(lists, weights)
    use = weight > 0
    return lists.subset(use).with_weights(weight[use])


def weight_titles(lists: RetrievalLists) -> Mapping[QueryWeights, str]:
    """The weights that these queries can have, and what each query then counts as.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import weight_titles
    >>> list(weight_titles(load_results()["BLASTP"]).values())
    ['1', 'T(q)', 'T(q)²', '1 / queries of its superfamily']
    """
    own = "1" if (lists.weight == 1).all() else "the weight in its file"
    titles: dict[QueryWeights, str] = {"none": own}
    if lists.n_relevant.any():
        titles |= {"relevant": "T(q)", "relevant_squared": "T(q)²"}
    if depth := class_depth(lists):
        unit = singular(level_name(lists, lists.class_level or depth))
        titles["family"] = f"1 / queries of its {unit}"
    return titles
