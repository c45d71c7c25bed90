"""Random retrieval lists, for Hypothesis and from seeds, with what real ones are awkward for.

Ties, E-values of 0, empty lists, queries without relevant records, relevant records that were
not retrieved, weights, both directions; and subsets, which read the arrays of the lists they
were taken from.
"""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from tapviz.lists import RetrievalLists
from tapviz.measures import weigh
from tests.twins import Query, build

# Few enough for ties inside and between lists.
SCORES = (0.0, 1e-180, 1e-50, 2e-50, 3e-7, 0.001, 0.07, 1.0, 1.5, 10.0)
WEIGHTS = (1.0, 0.1, 0.3, 2.0, 7.0)

scores = st.sampled_from(SCORES) | st.floats(0, 20, allow_subnormal=False)
thresholds = st.sampled_from((*SCORES, float("inf"), -1.0)) | st.floats(0, 20)
directions = st.sampled_from(("ascending", "descending"))
quantiles = st.sampled_from((0.25, 0.5, 0.75, 1.0, 1 / 3, 0.1)) | st.floats(0.01, 1)


@st.composite
def queries(draw, *, weight=None):
    """One query, its records best first by an ascending score."""
    found = sorted(draw(st.lists(st.tuples(scores, st.booleans()), max_size=9)), key=lambda r: r[0])
    total = sum(relevant for _, relevant in found) + draw(st.integers(0, 4))
    return Query(total, draw(weight) if weight is not None else 1.0, found)


@st.composite
def whole_lists(draw, *, min_queries=0, weighted=None):
    """Lists of up to seven queries; weighted or not, or either."""
    if weighted is None:
        weighted = draw(st.booleans())
    weight = st.sampled_from(WEIGHTS) if weighted else None
    found = draw(st.lists(queries(weight=weight), min_size=min_queries, max_size=7))
    direction = draw(directions)
    if direction == "descending":
        found = [q._replace(records=[(-s, r) for s, r in q.records]) for q in found]
    return build(found, direction)


@st.composite
def views(draw):
    """Lists after one to three choices of queries and changes of weights, in any order."""
    lists = draw(whole_lists(min_queries=1))
    for _ in range(draw(st.integers(1, 3))):
        if draw(st.booleans()):
            mask = draw(st.lists(st.booleans(), min_size=lists.n_queries, max_size=lists.n_queries))
            lists = lists.subset(np.array(mask, bool))
        elif draw(st.booleans()):
            weight = st.sampled_from(WEIGHTS)
            lists = lists.with_weights(
                draw(st.lists(weight, min_size=lists.n_queries, max_size=lists.n_queries))
            )
        else:
            lists = weigh(lists, draw(st.sampled_from(("relevant", "relevant_squared"))))
    return lists


any_lists = whole_lists() | views()


def examples(number, **others):
    """Settings for so many examples in the profile "ci", and for fewer in "dev"."""
    full, now = settings.get_profile("ci"), settings()
    return settings(max_examples=max(number * now.max_examples // full.max_examples, 1), **others)


def even(score, relevant, total, **more):
    """Lists of equal length, from a row of each query; `total` is T(q), of all or of each."""
    n, length = np.shape(score)
    offset, total = length * np.arange(n + 1), np.broadcast_to(total, n)
    return RetrievalLists(np.ravel(score), np.ravel(relevant), offset, total, **more)


def rebuilt(lists, **changes):
    """Make the same lists anew, or with some changes: no array and nothing derived is shared."""
    names = ("score", "relevant", "offset", "n_relevant", "weight", "query", "direction")
    return RetrievalLists(**{name: getattr(lists, name) for name in names} | changes)


def mirrored(lists, **changes):
    """Make the same lists of negated scores in the other direction."""
    other = "descending" if lists.direction == "ascending" else "ascending"
    return rebuilt(lists, score=-lists.score, direction=other, **changes)


def signed(lists, threshold):
    """Turn a threshold for ascending scores into one for these lists."""
    return lists.sign * threshold


def seeded_lists(seed, *, n_queries=15, longest=60):
    """Longer lists than Hypothesis draws, from a seed: the odd ones descend, most have weights."""
    rng = np.random.default_rng(seed)
    length = rng.integers(0, longest + 1, n_queries) * (rng.random(n_queries) > 0.1)
    digits = rng.integers(1, 4)
    found = []
    for size in length:
        score = 10.0 ** rng.uniform(-12, 1, size)
        score = np.array([float(f"{s:.{digits}g}") for s in score])
        score[score < 1e-11] = 0
        score = np.sort(score)
        relevant = rng.random(size) < rng.choice((0.0, 0.1, 0.9)) * np.linspace(1, 0, size)
        if seed % 2:
            score = -score
        total = int(relevant.sum()) + int(rng.choice((0, 0, 3, 500)))
        weight = float(rng.choice(WEIGHTS)) if seed % 3 else 1.0
        found.append(
            Query(total, weight, list(zip(score.tolist(), relevant.tolist(), strict=True)))
        )
    return build(found, "descending" if seed % 2 else "ascending")
