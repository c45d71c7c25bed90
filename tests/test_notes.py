"""The peak is a maximum over thresholds, chosen on the same queries: every table says so."""

import json
import re
from html import unescape

import pytest

from tapviz import Explorer, load_results
from tapviz.explorer.report import report
from tapviz.explorer.score_table import method, score_table
from tapviz.plots.save import complete
from tapviz.scores import SCORES, Policies, score, written

NOTE = "optimistic: the threshold was chosen on the same queries"


@pytest.fixture(scope="module")
def table():
    results = load_results("profiles")
    policies = Policies(k=(5,), n_resamples=50, all_intervals=True)
    return score(results, policies, baseline="RPS-BLAST", compared=["peak_tap"])


@pytest.fixture(scope="module")
def explorer():
    explorer = Explorer(load_results("profiles"), k=5)
    explorer.peak_interval = True
    return explorer


def test_the_peak_alone_has_a_note():
    assert {one.name: one.note for one in SCORES if one.note} == {"peak_tap": NOTE}


@pytest.mark.parametrize("output", ["table", "markdown", "latex"])
def test_tables_mark_the_peak_its_interval_and_its_differences(table, output):
    text = written([table], output)
    cut = {"table": r"\s{2,}", "markdown": r"\s*\|\s*", "latex": r" & "}[output]
    rows = [re.split(cut, line.strip("| \\").replace("\\", "")) for line in text.splitlines()]
    head = next(row for row in rows if row[0] == "algorithm")
    at = head.index("peak TAP*")
    assert head[at + 1] == "95 % interval*"
    assert [one for one in head if "*" in one] == head[at : at + 2]
    assert sum(row[1:2] == ["peak TAP*"] for row in rows) == 3
    seen = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert seen.replace("\\", "").count(f"* {NOTE}.") == 1


def test_a_table_without_the_peak_has_no_mark():
    table = score(load_results("profiles"), Policies(k=(5,), n_resamples=0, scores=("tap",)))
    for output in ("table", "markdown", "latex", "json"):
        assert "optimistic" not in written([table], output)


def test_json_has_the_note_beside_the_numbers(table):
    said = json.loads(written([table], "json"))
    assert said["notes"] == {"peak_tap": NOTE}
    assert said["algorithms"][0]["peak_tap_low"] < said["algorithms"][0]["peak_tap_high"]


def test_multiqc_has_it_in_the_help_of_the_column(table):
    headers = json.loads(written([table], "multiqc"))["headers"]
    noted = [name for name, one in headers.items() if NOTE in one["description"]]
    assert noted == ["peak_tap", "peak_tap interval"]


def test_the_page_marks_the_column_and_says_why(explorer):
    compared = explorer.compared()
    html = unescape(score_table(explorer, complete(explorer).styles, compared))
    head = r'<th scope="col" title="(peak TAP: [^"]*)">([^<]*)</th>'
    title, below = re.search(head, html).groups()
    assert title == f"peak TAP: The largest mean TAP over all thresholds; {NOTE}"
    assert below == "value*"
    cells = re.findall(r'title="([^"]*)"', html)
    assert sum(bool(re.search(rf"95 % interval: \S+ to \S+, {NOTE}$", one)) for one in cells) == 4
    assert f"* {NOTE}." in method(explorer, compared)
    without = Explorer(load_results("profiles"), k=5)
    assert NOTE not in method(without, without.compared())


def test_the_report_says_so(explorer):
    html = unescape(report(explorer, plain=True))
    assert "value*</th>" in html
    assert f"* {NOTE}." in html
