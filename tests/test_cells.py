"""What values are as the output of a cell."""

import re

import numpy as np
import pytest

from tapviz import Explorer, RetrievalLists, load_results, measures, roc_n, tap_k
from tapviz.lists.cells import MOST, in_words, record_html
from tapviz.scores import Policies, score

HOSTILE = '<script>alert("1")</script>'
IDS = {"query": ["one", HOSTILE], "query_class": ["a.1", "b.1"]}
LISTS = RetrievalLists([1e-9, 0.5, 2.0, 1e-3], [1, 0, 1, 1], [0, 3, 4], [4, 1], **IDS)


def cells(html):
    rows = re.findall("<tr>(.*?)</tr>", html)
    return [re.findall("<t[hd]>(.*?)</t[hd]>", row) for row in rows]


def test_lists_are_their_first_queries():
    html = LISTS._repr_html_()
    assert "<caption>RetrievalLists: 2 queries, 4 records, ascending</caption>" in html
    assert cells(html) == [
        ["query", "class", "T(q)", "retrieved", "relevant"],
        ["one", "a.1", "4", "3", "2"],
        ["&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;", "b.1", "1", "1", "1"],
    ]
    many = cells(load_results("scope40")["BLASTP"]._repr_html_())
    assert (len(many), many[-1]) == (7, ["...", "", "", "", ""])
    assert cells(LISTS.subset([False, True])._repr_html_())[1:] == cells(html)[2:]


def test_a_result_is_its_parts_in_few_words():
    html = tap_k(load_results("scope40")["BLASTP"], k=5)._repr_html_()
    said = {"value": "0.3665", "per_query": "862 numbers from 0 to 0.9964", "reason": ""}
    assert said.items() <= dict(cells(html)).items()
    assert len(html) < 2000


def test_every_result_of_a_measure_is_a_table():
    public = [getattr(measures, name) for name in measures.__all__]
    results = [one for one in public if hasattr(one, "_fields")]
    assert measures.Tap in results
    assert {one._repr_html_ for one in results} == {record_html}
    # of T(q) = 4 one was found before the first error, and of T(q) = 1 that one
    assert dict(cells(roc_n(LISTS, n=1)._repr_html_()))["value"] == "0.625"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1234567, "1,234,567"),
        (True, "True"),
        (np.array([np.nan]), "1 numbers, 1 of them undefined"),
        (np.zeros((2, 3), np.int64), "2 × 3 numbers from 0 to 0"),
        (np.array([], np.float64), "0 numbers"),
        (np.array(["a", "b"]), "a, b"),
        (["x"] * 1000, None),
        ("y" * 1000, None),
        ({"a": 0.5, "b": None}, "a 0.5, b "),
        (measures.Threshold(2.5, 1.0, 5, 0.5), "e_k 2.5, reached 1, k 5, quantile 0.5"),
    ],
)
def test_words(value, words):
    found = in_words(value)
    assert len(found) <= MOST
    assert found == words if words is not None else found.endswith(" ...")


def test_an_explorer_is_its_score_table():
    explorer = Explorer(load_results("scope40"), ["BLASTP", "phmmer"], k=5, query_class="c")
    html = explorer._repr_html_()
    assert "<caption>Explorer: 2 of 9 algorithms, 186 of 862 queries</caption>" in html
    head, blastp, _ = cells(html)
    assert dict(zip(head, blastp, strict=True))["TAP-5"] == "0.3968"
    assert "<script" not in Explorer({HOSTILE: LISTS}, k=1)._repr_html_()


def test_a_score_table_is_that_of_the_command_line():
    table = score({"A|B": LISTS}, Policies(k=(1,), n_resamples=0))
    assert repr(table).startswith("algorithm  TAP-1 ")
    assert table._repr_markdown_().startswith("|")
    assert "A\\|B" in table._repr_markdown_()
