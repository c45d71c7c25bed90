"""Search the Cranfield collection with rankers of kept libraries.

    pip install rank-bm25 scikit-learn
    python scripts/search_cranfield.py COLLECTION_DIR RESULTS_DIR/cranfield

COLLECTION_DIR has the collection's own files ``cran.all.1400``, ``cran.qry`` and ``cranqrel``. To
the other folder go a TREC run per ranker (``bm25.run`` and so on, the best 200 abstracts of each
query), ``qrels`` and ``seconds.tsv``, the processor time of each ranker for indexing and all
queries; `scripts/build_datasets.py` makes the bundled data set of them.

Three things about the collection to know:

- The numbers after ``.I`` in ``cran.qry`` are not those of ``cranqrel``, which counts the queries
  from 1 in the order of the file.
- Its codes run backwards: 1 is a complete answer, 4 of minimum interest, 5 of no interest. Here a
  grade is 5 minus the code, so that more is better. The code -1, not in its description, is of no
  interest, too: grade 0.
- Of a pair that is judged twice the first judgement counts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

DEPTH = 200
TOPICS = 200
"""Dimensions of latent semantic indexing."""
MU = 1000.0
"""Pseudo-counts of Dirichlet smoothing."""
NO_INTEREST = 5
WORD = re.compile(r"[a-z0-9]+")

Scores = NDArray[np.float64]
"""Of each query and abstract, shape (225, 1400)."""


def texts(file: Path) -> list[str]:
    """Title and text of each entry of a file in SMART's format, in its order."""
    entries = re.split(r"^\.I +[0-9]+ *\n", file.read_text("latin-1"), flags=re.MULTILINE)[1:]
    parts = [re.split(r"^\.([TABW]) *\n", entry, flags=re.MULTILINE) for entry in entries]
    fields = [dict(zip(part[1::2], part[2::2], strict=True)) for part in parts]
    return [f"{one.get('T', '')} {one['W']}".lower() for one in fields]


def words(text: str) -> list[str]:
    """Words of a text, in lower case already."""
    return WORD.findall(text)


def bm25(records: list[str], queries: list[str]) -> Scores:
    """Okapi BM25 with k1 = 1.5 and b = 0.75."""
    from rank_bm25 import BM25Okapi  # noqa: PLC0415

    index = BM25Okapi([words(one) for one in records])
    return np.array([index.get_scores(words(one)) for one in queries])


def _vectors(records: list[str], queries: list[str], **options: Any) -> tuple[Any, Any]:
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415

    index = TfidfVectorizer(sublinear_tf=True, **options)
    return index.fit_transform(records), index.transform(queries)


def tf_idf(records: list[str], queries: list[str]) -> Scores:
    """Cosine of TF-IDF vectors without English stop words."""
    there, wanted = _vectors(records, queries, stop_words="english")
    return np.asarray((wanted @ there.T).toarray())


def ngrams(records: list[str], queries: list[str]) -> Scores:
    """Cosine of TF-IDF vectors of character n-grams, 3 to 5 inside words."""
    there, wanted = _vectors(records, queries, analyzer="char_wb", ngram_range=(3, 5))
    return np.asarray((wanted @ there.T).toarray())


def lsi(records: list[str], queries: list[str]) -> Scores:
    """Cosine after latent semantic indexing of the TF-IDF vectors."""
    from sklearn.decomposition import TruncatedSVD  # noqa: PLC0415
    from sklearn.preprocessing import normalize  # noqa: PLC0415

    there, wanted = _vectors(records, queries, stop_words="english")
    space = TruncatedSVD(TOPICS, algorithm="arpack", random_state=0).fit(there)
    return np.asarray(normalize(space.transform(wanted)) @ normalize(space.transform(there)).T)


def dirichlet(records: list[str], queries: list[str]) -> Scores:
    """Log-likelihood ratio of the query under each abstract, smoothed by the collection."""
    from sklearn.feature_extraction.text import CountVectorizer  # noqa: PLC0415

    index = CountVectorizer(stop_words="english")
    counts = index.fit_transform(records).toarray()
    wanted = index.transform(queries).toarray()
    expected = MU * counts.sum(axis=0) / counts.sum()
    length = counts.sum(axis=1)
    seen = np.log1p(counts / expected)
    shrunk = wanted.sum(axis=1)[:, None] * np.log(MU / (length + MU))
    return np.asarray(wanted @ seen.T + shrunk)


RANKERS: dict[str, Callable[[list[str], list[str]], Scores]] = {
    "bm25": bm25,
    "tf_idf": tf_idf,
    "lsi": lsi,
    "dirichlet": dirichlet,
    "ngrams": ngrams,
}


def main(collection: Path, folder: Path) -> None:
    """Write a run of each ranker, the grades and the run times."""
    folder.mkdir(parents=True, exist_ok=True)
    records, queries = texts(collection / "cran.all.1400"), texts(collection / "cran.qry")
    grades: dict[tuple[str, str], int] = {}
    for line in (collection / "cranqrel").read_text().splitlines():
        query, record, code = line.split()
        grade = 0 if int(code) < 0 else NO_INTEREST - int(code)
        grades.setdefault((query, record), grade)
    lines = (f"{query} 0 {record} {grade}\n" for (query, record), grade in grades.items())
    (folder / "qrels").write_text("".join(lines))
    seconds = []
    for name, rank in RANKERS.items():
        start = process_time()
        scores = rank(records, queries)
        best = np.argsort(-scores, axis=1, kind="stable")[:, :DEPTH]
        seconds.append(f"{name}\t{process_time() - start:.2f}\n")
        with (folder / f"{name}.run").open("w") as file:
            for row, places in enumerate(best):
                for place, at in enumerate(places, 1):
                    score = f"{scores[row, at]:.6g}"
                    file.write(f"{row + 1} Q0 {at + 1} {place} {score} {name}\n")
    (folder / "seconds.tsv").write_text("".join(seconds))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python scripts/search_cranfield.py COLLECTION_DIR RESULTS_DIR/cranfield")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
