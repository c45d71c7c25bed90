"""What is handed on: sessions, a name for the data, Python, ranked lists, and the report."""

import csv
import html
import io
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import numpy as np
import panel as pn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import Explorer, load_results, open_session, save_session
from tapviz.explorer import report_tables, views
from tapviz.explorer.report import pieces, report, save_report
from tapviz.explorer.score_table import columns_shown
from tapviz.explorer.session import (
    FORMAT,
    fingerprint,
    is_session,
    other_data,
    ranked_csv,
    read_session,
    to_json,
    to_python,
    use_session,
)
from tapviz.lists import RetrievalLists
from tapviz.page.app import OWN, App
from tapviz.page.dashboard import Dashboard
from tapviz.page.export import Export
from tapviz.page.widgets import CLOSES_SHEET
from tapviz.plots import PlotData, plots_for
from tapviz.readers import read_all
from tapviz.readers.inputs import Opened
from tapviz.scores import as_csv
from tapviz.state import Range
from tapviz.state.query_filter import Box
from tapviz.state.settings import settings
from tests.refused import error_of, refuses
from tests.strategies import even

PROFILES = dict(load_results("profiles"))
A, B = list(PROFILES)[:2]


def again(explorer, results=None):
    """A new explorer with the choices of another, by way of a file."""
    other = Explorer(PROFILES if results is None else results)
    data = to_json(explorer).encode()
    assert is_session(data)
    return other, use_session(other, read_session(data, "mine.json"))


@given(
    k=st.integers(1, 100),
    e0=st.floats(1e-300, 1e6),
    quantile=st.floats(0.001, 1),
    text=st.text(max_size=40).filter(lambda text: text.isprintable()),
    shown=st.sets(st.sampled_from(list(PROFILES)), min_size=1),
)
def test_any_choices_come_back(k, e0, quantile, text, shown):
    explorer = Explorer(PROFILES, k=k, e0=e0, quantile=quantile, query_text=text)
    explorer.algorithms = [name for name in PROFILES if name in shown]
    other, problems = again(explorer)
    assert problems == []
    assert settings(other) == settings(explorer)


def test_the_file_is_json_that_every_program_reads():
    explorer = Explorer(PROFILES, k=3, ranges=(Range("error", A, 20, -math.inf, math.inf),))
    explorer.pin()

    def refuse(constant):
        raise AssertionError(constant)

    plain = json.loads(to_json(explorer), parse_constant=refuse)
    assert plain["format"] == FORMAT
    assert set(plain["algorithms"]) == set(PROFILES)
    assert (plain["settings"]["k"], plain["settings"]["quantile"]) == (3, 0.5)
    assert plain["data"] == fingerprint(PROFILES)
    assert set(plain["versions"]) == {"python", "tapviz", "numpy", "scipy", "pyarrow"}


def test_what_was_pinned_comes_back():
    explorer = Explorer(PROFILES, k=5)
    explorer.pin()
    explorer.k = 20
    other, problems = again(explorer)
    assert problems == []
    assert (other.k, other.pinned.rule.k) == (20, 5)
    for name, scores in explorer.pinned.scores.items():
        assert other.pinned.scores[name] == pytest.approx(scores, nan_ok=True)


def test_data_that_are_not_the_same_are_named():
    explorer = Explorer(PROFILES, k=9)
    explorer.pin()
    changed = {"mine": PROFILES[A], A: PROFILES[A], B: PROFILES[A]}
    other, problems = again(explorer, changed)
    assert other.k == 9
    assert other.pinned is None
    gone = ", ".join(name for name in PROFILES if name not in changed)
    expected = [
        *([f"mine.json: {gone}: not open, but part of the session"] if gone else []),
        "mine.json: mine: not part of the session",
        f"mine.json: {B}: other hits, or labels, than when it was saved",
        "mine.json: what was pinned is of other algorithms; it is left out",
    ]
    assert [one for one in problems if "cannot be used" not in one] == expected


def pinned_by(**rule):
    """What was pinned, by a rule."""
    return {"pinned": {"rule": rule, "n": 50, "n_queries": 1, "scores": {}}}


NO_SESSIONS = [
    ({"format": "another"}, "expected a session that tapviz has saved"),
    ({"settings": [1]}, '"settings" should hold names and values'),
    ({"settings": {"k": {"a": None, "b": []}}}, None),
    ({"pinned": {"rule": 3}}, '"pinned" is not what tapviz saves'),
    ({"pinned": [1]}, '"pinned" is not what tapviz saves'),
    (pinned_by(k=None, e0=None), '"pinned" is not what tapviz saves'),
    (pinned_by(quantile="half"), '"pinned" is not what tapviz saves'),
    ({"settings": {"query_text": "\ud800"}}, "this is not JSON that tapviz can read"),
]


@pytest.mark.parametrize(("change", "message"), NO_SESSIONS)
def test_what_is_no_session_is_refused(change, message):
    data = json.dumps(json.loads(to_json(Explorer(PROFILES))) | change).encode()
    if message is None:
        explorer = Explorer(PROFILES, k=4)
        problems = use_session(explorer, read_session(data, "bad.json"))
        assert problems == ["k = 'b=[]' in bad.json cannot be used here"]
        assert explorer.k == 4
        return
    refuses(f"^bad.json: {message}", read_session, data, "bad.json")


def test_a_setting_of_another_version_is_named():
    plain = json.loads(to_json(Explorer(PROFILES, k=8)))
    plain["settings"]["colour"] = "red"
    explorer = Explorer(PROFILES)
    session = read_session(json.dumps(plain).encode(), "new.json")
    assert use_session(explorer, session) == ["'colour' in new.json is not a setting here"]
    assert explorer.k == 8


def test_where_it_is_no_json_is_said():
    data = f'{{\n "format": "{FORMAT}",\n "settings": }}'.encode()
    assert is_session(data)
    refuses(r"^bad.json, line 3: this is not JSON .*, column 14", read_session, data, "bad.json")
    refuses("this is not JSON", read_session, b"\xff\xfe", "bad.json")


def test_results_are_no_session():
    assert not is_session(b"q1\tr1\t1e-5\n")
    assert not is_session(b'{"query": 1}')


def test_files_of_python(tmp_path):
    save_session(Explorer(PROFILES, k=11), tmp_path / "mine.json")
    other = Explorer(PROFILES)
    assert open_session(other, tmp_path / "mine.json") == []
    assert other.k == 11


def session_of(explorer, **address):
    return read_session(to_json(explorer, address).encode(), "mine.json")


def test_a_session_of_a_bundled_data_set_opens_it():
    app = App()
    app._use(None, session_of(Explorer(PROFILES, k=6), dataset="profiles"))
    explorer = app.dashboard.explorer
    assert list(explorer.results) == list(PROFILES)
    assert explorer.k == 6
    app._back()
    assert app.dashboard.explorer.k == 20


def test_a_session_of_files_goes_with_what_is_open_or_is_opened():
    session = session_of(Explorer(PROFILES, k=6))
    app = App(Opened(PROFILES, "own.tsv"), session)
    assert app.dashboard.explorer.k == 6
    app._use(None, session_of(Explorer(PROFILES, k=8)))
    assert (app._name, app.dashboard.explorer.k) == (OWN, 8)
    app._use(Opened(PROFILES, "other.tsv"), session)
    assert (app._own.title, app.dashboard.explorer.k) == ("other.tsv", 6)


NASTY = "<img src=x onerror=alert(1)>"
BENCH = 'from tapviz import load_results\n\nresults = load_results("profiles")'


def made(**changes):
    given = {
        "score": [1e-9, 0.1, 0.2, 1e-5, 3.0],
        "relevant": [True, False, True, False, True],
        "offset": [0, 3, 5],
        "n_relevant": [3, 2],
        "query": ["q1", "q2"],
    }
    return RetrievalLists(**(given | changes))


def test_equal_data_have_equal_names_whatever_the_order():
    name = fingerprint({"A": made(), "B": made(n_relevant=[3, 2])})
    assert name == fingerprint({"B": made(), "A": made()})
    assert re.fullmatch("[0-9a-f]{12}-2q", name)


CHANGES = [
    {"score": [1e-9, 0.1, 0.2, 1e-5, 3.5]},
    {"relevant": [True, False, True, False, False]},
    {"n_relevant": [3, 3]},
    {"weight": [1, 2]},
    {"query": ["q1", "q3"]},
    {"offset": [0, 2, 5], "score": [1e-9, 0.1, 0.1, 1, 3.0]},
]


@pytest.mark.parametrize("changes", CHANGES)
def test_other_data_have_other_names(changes):
    assert fingerprint({"A": made(**changes)}) != fingerprint({"A": made()})
    assert fingerprint({"A": made()}) != fingerprint({"B": made()})


def test_ranked_lists_as_csv_have_all_records_and_are_read_again(tmp_path):
    ids = ["=1+1", "+a", "-b", '@c, "d"', "e"]
    a, b = made(record=ids), made(record=ids, score=[1e-9, 1e-8, 0.3, 1, 3])
    explorer = Explorer({"A": a, "B": b, "C": a}, ["A", "B"], mode="e0", e0=0.1, focus="q1")
    text = ranked_csv(explorer)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["algorithm"] for row in rows] == ["A"] * 3 + ["B"] * 3
    assert {row["query"] for row in rows} == {"q1"}
    assert [row["rank"] for row in rows[:3]] == ["1", "2", "3"]
    assert [row["record"] for row in rows[:3]] == ["'=1+1", "'+a", "'-b"]  # no formulas
    assert [row["relevant"] for row in rows[:3]] == ["1", "0", "1"]
    assert [float(row["precision"]) for row in rows[:3]] == [1, 1 / 2, 2 / 3]
    assert [row["retrieved"] for row in rows] == ["1", "1", "0"] * 2  # 0.1 itself is
    explorer.focus = "q2"
    assert '"\'@c, ""d"""' in ranked_csv(explorer)

    (tmp_path / "ranked.csv").write_text(text)
    again = read_all(tmp_path / "ranked.csv")
    for name, lists in (("A", a), ("B", b)):
        assert again[name].score.tolist() == lists.score[:3].tolist()
        assert again[name].relevant.tolist() == lists.relevant[:3].tolist()
        assert again[name].n_relevant.tolist() == [3]


def test_ranked_lists_without_a_threshold_or_ids_leave_them_empty():
    explorer = Explorer({"A": made()}, k=9, focus="q2")
    assert explorer.tap("A").reason
    rows = list(csv.DictReader(io.StringIO(ranked_csv(explorer))))
    assert [(row["record"], row["retrieved"]) for row in rows] == [("", "")] * 2
    explorer.focus = ""
    error_of(ranked_csv, explorer, error=KeyError)


def test_a_link_to_other_data_is_named():
    present = fingerprint({"A": made()})
    assert other_data(f"?k=5&data={present}", present) == ""
    assert other_data("?k=5", present) == ""
    said = other_data("?k=5&data=00ff00ff00ff-8920q", present)
    assert "other data (00ff00ff00ff, 8,920 queries)" in said
    assert "2 queries): the settings" not in said
    assert present.removesuffix("-2q") in said
    assert repr(NASTY) in other_data(f"?data={NASTY}", present)


CHOICES = [
    {"k": 7, "n": 12, "quantile": 0.4, "query_text": "^d1", "baseline": "RPS-BLAST"},
    {"mode": "e0", "e0": 1e-5, "query_text": 'it\'s "quoted"'},
    {"boxes": (Box("RPS-BLAST", "HMMER2 local", 1e-3, 0.1, 0, 0.5, 0, 1),)},
]


@pytest.mark.parametrize("choices", CHOICES)
def test_python_makes_the_same_numbers(choices):
    explorer = Explorer(load_results("profiles"), ["RPS-BLAST", "HMMER2 local"], **choices)
    names = {}
    exec(to_python(explorer, BENCH).replace("print(", "str("), names)  # noqa: S102  # our own
    assert names["explorer"].scores.equals(explorer.scores)
    assert names["explorer"].to_query() == explorer.to_query()
    assert names["explorer"].selected_queries == explorer.selected_queries
    assert explorer.selection.n_queries < explorer.first.n_queries


def test_a_score_table_that_is_taken_along_has_what_the_page_shows():
    explorer = Explorer(load_results(), ["BLASTP", "SSEARCH"], query_text="^d1p")
    export = Export(explorer, PlotData(explorer), BENCH)
    rows = [*csv.DictReader(io.StringIO(export._scores(as_csv)))]
    taken = {row["score"]: row["value"] for row in rows if row["algorithm"] == "BLASTP"}
    shown = columns_shown(explorer)
    assert "TAP at 0.01" in {column.title for column in shown}
    for column in shown:
        on_page = explorer.case("BLASTP").value(column.score)
        assert float(taken[column.title]) == pytest.approx(on_page)
    assert "Only queries with query_text = ^d1p." in {row["warning"] for row in rows}


def test_a_sheet_has_a_button_that_closes_it_and_the_header_follows():
    """On a phone the button of the header is in a menu, and the menu below the sheet."""
    dashboard = Dashboard(Explorer(load_results("profiles")))
    export = dashboard._export
    for name in ("share", "figure"):
        dashboard._on_button(name)
        assert dashboard._buttons.opened == name
        buttons = export.sheets[-1].select(pn.widgets.Button)
        (close,) = [one for one in buttons if CLOSES_SHEET in one.css_classes]
        close.clicks += 1
        assert dashboard._buttons.opened == export.opened == ""
        assert not any(sheet.visible for sheet in export.sheets)


@pytest.mark.subprocess
def test_the_python_that_is_saved_runs_where_it_is_saved(tmp_path):
    """Under a name of the standard library it would be imported in its place."""
    explorer = Explorer(load_results("profiles"), k=7)
    export = Export(explorer, PlotData(explorer), BENCH)
    export.toggle("share")
    buttons = export.sheets.select(pn.widgets.FileDownload)
    (button,) = [one for one in buttons if one.label == "Python"]
    assert button.filename.removesuffix(".py") not in sys.stdlib_module_names
    (tmp_path / button.filename).write_text(button.callback().read().decode())
    command = [sys.executable, button.filename]
    here = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(
        command, cwd=tmp_path, env=here, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert f"{explorer.score('RPS-BLAST')['tap']:.4f}" in done.stdout


@pytest.fixture(scope="module")
def small():
    """Few queries, of which reports have few positions."""
    rng = np.random.default_rng(5)
    relevant = rng.random((6, 10)) < 0.4
    known = {"query": [f"{NASTY}{row}" for row in range(6)]}
    scores = (np.sort(10.0 ** rng.uniform(-9, 1, (6, 10)), axis=1) for _ in range(2))
    lists = (even(score, relevant, relevant.sum(1) + 1, **known) for score in scores)
    results = dict(zip(("A", NASTY), lists, strict=True))
    with pytest.MonkeyPatch.context() as patch:
        for most, positions in (("MAX_K", 3), ("MAX_N", 60), ("THRESHOLDS", 5)):
            patch.setattr(views if most.startswith("MAX") else report_tables, most, positions)
        yield Explorer(results, k=2, focus_algorithm=NASTY)


def test_a_report_begins_with_what_its_writer_found(small):
    found = f"A beats {NASTY}\nby far.\n\n\nUse E = 1."
    text = next(pieces(small, title="Mine", findings=found, plain=True))
    start = text.index("<h1>Mine</h1>")
    paragraphs = re.findall(r'<p class="findings">(.*?)</p>', text[start:], re.DOTALL)
    assert [html.unescape(one) for one in paragraphs] == [f"A beats {NASTY}\nby far.", "Use E = 1."]
    assert NASTY not in text.split("<h2>")[0]
    assert text.index('class="findings"') < text.index("<h2>Scores</h2>")
    assert 'class="findings"' not in next(pieces(small, plain=True))


def test_report_shows_numbers_plots_settings_and_nothing_from_outside(small):
    parts = list(pieces(small, title=NASTY, opening="results = 1  # <i>", about="<u>"))
    text = "".join(parts)
    assert len(parts) == len(plots_for(small)) + 2
    assert f"{small.score('A')['tap']:.3f}" in text
    assert fingerprint(small.results) in text
    assert "results = 1  # &lt;i&gt;" in text
    pictures = [unquote(one) for one in re.findall(r'src="data:image/svg\+xml,([^"]+)"', text)]
    assert len(pictures) == len(plots_for(small))
    for one in pictures:
        assert ET.fromstring(one).tag.endswith("svg")  # noqa: S314  # our own
    shown = text + "".join(pictures)
    assert "<img src=x" not in shown
    assert "&lt;img src=x onerror" in shown
    addresses = set(re.findall(r"[a-z]+://[^\s\"'<)]+", shown))
    # Names of SVG, which nobody opens.
    vocabularies = {"www.w3.org", "purl.org", "creativecommons.org", "matplotlib.org"}
    assert {address.split("/")[2] for address in addresses} <= vocabularies


@pytest.mark.parametrize("plain", [True, False])
def test_what_is_pinned_is_in_a_report_unless_its_rows_move(small, plain):
    pinned = Explorer(small.results, k=2)
    pinned.pin()
    assert ("change since pin" in "".join(pieces(pinned, plain=plain))) is plain
    assert pinned.pinned is not None


def test_report_takes_no_word_that_it_does_not_know(small):
    refuses("titel", report, small, titel="profiles", error=TypeError)


def test_report_of_nothing_is_refused(small, tmp_path, monkeypatch):
    nothing = Explorer(small.results, k=2, query_text="nobody")
    refuses("there is nothing to report", save_report, nothing, tmp_path / "report.html")
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr("tapviz.explorer.report.report", lambda *_, **__: "a report")
    refuses(r"r\.pdf: a report is HTML: ", save_report, small, tmp_path / "r.pdf")
    refuses(r"r\.html: cannot be written: ", save_report, small, tmp_path / "no" / "r.html")
