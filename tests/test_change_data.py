"""The panel for files of one's own, without a browser: limits, choices, and what is said."""

import argparse
import re
from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import Mock
from urllib.parse import unquote

import panel as pn
import pytest

from tapviz.cli.arguments import add_files, inputs_of
from tapviz.files.limits import OWN, Limits, set_limits
from tapviz.files.options import options_of
from tapviz.labels import Held, ReadError
from tapviz.live import background
from tapviz.page.app import App
from tapviz.page.data import DROPPERS, MAX_FILES, DataPanel
from tapviz.page.tables import what_was_read
from tapviz.readers import ReadOptions, read
from tapviz.readers.inputs import ResultFile, open_files
from tests import hits
from tests.refused import error_of

HOSTILE = "<img src=x onerror=alert(1)>"
CLASSES = b"q1\ta.1.1\nq2\ta.1.1\nr1\ta.1.1\nr2\tb.1.1\n"


def m8(*rows):
    return "".join(hits.m8(*row) for row in rows).encode()


BLASTP = m8(("q1", "r1", "1e-9"), ("q1", "x", "0.5"), ("q2", "r2", "2"))
SMALL = Limits(upload_file=1000, upload_session=1500, upload_process=4000)
LISTS = b"q1\n2\n1\t1e-9\n0\t0.5\n"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    monkeypatch.setattr(background, "_running_loop", lambda: None)  # or a browser's
    set_limits(SMALL)
    DROPPERS.clear()  # of other tests
    yield
    set_limits(OWN)
    pn.state.kill_all_servers()
    pn.state.reset()


@pytest.fixture
def used():
    return []


def new_panel():
    return DataPanel(lambda _opened: None, lambda: None, "")


@pytest.fixture
def panel(used):
    return DataPanel(lambda opened, _session: used.append(opened), lambda: None, "")


@pytest.fixture
def classes(panel):
    """Labels, which were uploaded."""
    upload(panel, "c.tsv", CLASSES)


def test_what_files_look_like_is_shown_until_there_are_some(panel):
    shown = panel._examples
    assert shown.visible
    for words in ("A result file", "A label file", "TREC run", "HMMER3 --tblout"):
        assert words in shown.object
    links = re.findall(r'download="(.*?)" href="data:text/plain,(.*?)"', shown.object)
    assert [name for name, _ in links] == ["blastp.tsv", "classes.tsv"]
    found, labels = (Held(name, unquote(content).encode()) for name, content in links)
    lists = open_files([found], ReadOptions(labels=labels)).results["blastp"]
    assert (lists.query.tolist(), lists.n_relevant.tolist()) == (["d2bk9a_"], [2])
    assert lists.relevant.tolist() == [True, True]
    upload(panel, "labels.tsv", b"q1\ta.1\n")
    assert not shown.visible


def upload(panel, name, *chunks, total=0):
    for number, chunk in enumerate(chunks, 1):
        sent = {"name": name, "data": chunk, "chunk": number, "type": "text/plain"}
        sent["total_chunks"] = total or len(chunks)
        panel.dropper._process_event(SimpleNamespace(event_name="upload_event", data=sent))


def remove(panel, name):
    panel.dropper._process_event(SimpleNamespace(event_name="delete_event", data={"name": name}))


def said(panel):
    """What the panel shows, once everything is read."""
    if panel._reading.cancelled:
        panel._reading.resume()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", panel._report.text)).strip()


def can_open(panel):
    return not panel._open_button.disabled


def test_files_come_in_pieces_and_as_they_are(panel):
    upload(panel, "b.tsv", BLASTP[:70], BLASTP[70:])
    upload(panel, "c.tsv", CLASSES)
    assert panel.dropper.value == {"b.tsv": BLASTP, "c.tsv": CLASSES}
    upload(panel, "half.tsv", BLASTP[:70], total=2)
    assert "half.tsv" not in panel.dropper.value


def test_the_server_keeps_to_the_limits(panel):
    upload(panel, "b.tsv", BLASTP)
    upload(panel, "huge.tsv", b"x" * 600, b"x" * 600, b"x" * 600)
    assert list(panel.dropper.value) == ["b.tsv"]
    assert not panel.dropper._file_buffer
    assert "huge.tsv: the file has more than 0.001 MB, which is the limit" in said(panel)
    remove(panel, "huge.tsv")
    assert "limit" not in said(panel)
    upload(panel, "one.tsv", b"x\n" * 400)
    upload(panel, "two.tsv", b"x\n" * 300)
    assert list(panel.dropper.value) == ["b.tsv", "one.tsv"]
    assert "two.tsv: all files have more than 0.0015 MB together" in said(panel)


def test_files_that_never_end_count_and_are_freed_on_closing(panel):
    for number in range(60):
        upload(panel, f"{number}.tsv", b"x" * 300, total=2)
    assert panel.dropper.held_besides() == 1500
    assert not panel.dropper.value
    assert "5.tsv: all files have more than 0.0015 MB together, the limit" in said(panel)
    remove(panel, "0.tsv")
    assert panel.dropper.held_besides() == 1200
    upload(panel, "b.tsv", b"x" * 300)
    assert list(panel.dropper.value) == ["b.tsv"]
    panel.forget()
    assert panel.dropper.held_besides() == 0
    upload(panel, "late.tsv", b"x" * 300)
    assert panel.dropper.held_besides() == 0
    assert not panel.dropper.value


def test_letting_files_go_tells_nothing_to_a_page_that_is_gone(panel):
    root = panel.__panel__().get_root()
    upload(panel, "a.tsv", b"x" * 300)
    for model in list(root.references()):
        model.destroy()  # as Bokeh does before it says that a session has ended
    panel.page_closed()
    assert not panel.dropper.value


def test_all_pages_share_the_room_of_the_process(panel):
    others = [new_panel() for _ in range(3)]
    for other in others:
        upload(other, "a.tsv", b"x" * 900)
        upload(other, "b.tsv", b"x" * 400, total=2)
    upload(panel, "a.tsv", b"x" * 200)
    assert "a.tsv: others are using all the room for files now; try again later" in said(panel)
    others[0].forget()
    upload(panel, "a.tsv", b"x" * 200)
    assert list(panel.dropper.value) == ["a.tsv"]
    assert "room" not in said(panel)


def test_there_are_so_many_files_pieces_and_letters_of_a_name(panel):
    for number in range(MAX_FILES + 5):
        upload(panel, f"{number}.tsv", b"x", total=2)
    assert panel.dropper.held_besides() == MAX_FILES
    assert f"there are more than {MAX_FILES} files, the limit" in said(panel)
    panel.dropper.close()
    fresh = new_panel()
    upload(fresh, "a" * 300, b"x")
    assert f"{'a' * 255}: the name has more than 255 characters" in said(fresh)
    set_limits(OWN)
    upload(fresh, "b.tsv", *[b"x"] * 1100)
    assert "b.tsv: it comes in too many pieces" in said(fresh)
    assert fresh.dropper.held_besides() == 0


def test_what_is_needed_is_said_and_then_read(panel, used):
    upload(panel, "b.tsv", BLASTP)
    assert "Which records are relevant to which query? b.tsv does not say." in said(panel)
    assert not can_open(panel)
    upload(panel, "c.tsv", CLASSES)
    text = said(panel)
    assert can_open(panel)
    opened = open_files([Held("b.tsv", BLASTP)], labels=Held("c", CLASSES))
    (lists,) = opened.results.values()
    for title, count, note in lists.join_report.lines():
        assert title in text
        assert f"{count} {note}".strip() in text
    panel._open_button.clicks += 1
    (opened,) = used
    assert opened.title == "b.tsv"
    assert opened.results["b"].score.tolist() == lists.score.tolist()
    remove(panel, "b.tsv")
    assert said(panel) == "These are labels: add result files, too."
    assert not can_open(panel)


def fill(panel, name, *values):
    """Fill in the field of an option, or the fields of several numbers."""
    for widget, value in zip(panel.form.fields[name], values, strict=True):
        widget.value = value


def shown(panel):
    return set(panel.form.given)


VALUES = {
    "levels": ("1,0", (1, 0, 0)),
    "ignore_class": ("b", ("b",)),
    "with_others": ("", (True,)),
    "unlabelled": ("ignore", ("ignore",)),
    "self_hits": ("keep", ("keep",)),
    "decoys": ("^x", ("^x",)),
    "beside_decoys": ("keep", ("keep",)),
    "normalise": ("case", (["case"],)),
    "score": ("bits", ("bits",)),
    "columns": ("qseqid  sseqid evalue", (" qseqid sseqid evalue ",)),
    "query_from_name": ("", (True,)),
    "iteration": ("2", (2,)),
    "direction": ("descending", ("descending",)),
    "reported_to": ("b=10", (" b = 10 ",)),
    "swap": ("", (True,)),
    "skip_bad_rows": ("", (True,)),
}
"""Of each option on the form what is typed on the command line, and what is filled in."""


def test_choices_are_those_of_the_command_line(panel):
    assert VALUES.keys() == panel.form.fields.keys()
    upload(panel, "b.tsv", BLASTP)
    upload(panel, "c.tsv", CLASSES)
    parser = argparse.ArgumentParser()
    add_files(parser)
    arguments = ["b.tsv", "--labels", "c.tsv"]
    for name, (typed, filled) in VALUES.items():
        if name == "direction":  # which a BLAST table does not need
            continue
        fill(panel, name, *filled)
        arguments += [options_of(ReadOptions)[name].flag, *([typed] if typed else [])]
    files, typed_options = inputs_of(vars(parser.parse_args(arguments)))
    mine, options = panel.request
    assert options.labels is not None
    assert replace(options, labels="c.tsv") == typed_options
    assert files == (ResultFile("b.tsv"),)
    assert [one.file.data for one in mine] == [BLASTP]
    assert inputs_of(vars(parser.parse_args(["b.tsv"]))) == (files, ReadOptions())


def test_choices_that_do_not_apply_are_hidden(panel):
    assert shown(panel) == set()
    upload(panel, "one.lists", LISTS)
    assert shown(panel) == {"direction", "reported_to"}
    remove(panel, "one.lists")
    upload(panel, "b.tsv", BLASTP)
    of_table = {"score", "columns", "query_from_name", "iteration", "reported_to", "swap"}
    assert shown(panel) == of_table
    upload(panel, "c.tsv", CLASSES)
    rules = {"unlabelled", "self_hits", "decoys", "beside_decoys", "normalise"}
    of_classes = {"levels", "ignore_class", "with_others"}
    assert shown(panel) == {*of_table, *of_classes, *rules}
    fill(panel, "columns", "qseqid sseqid evalue")
    panel._rows["c.tsv"].role.value = "qrels"
    assert shown(panel) == {*of_table, *rules}


def test_classes_can_be_csv_with_names_of_columns(panel):
    upload(panel, "b.tsv", b"To whom it may concern, as a text\n")
    assert "records. All formats: the field “format”" in said(panel)
    upload(panel, "b.tsv", b"Six words are in this line\n")
    assert "the best guess is “TREC run” in the field “format”. All formats" in said(panel)
    upload(panel, "b.tsv", b"")
    empty = "if the program found nothing, set the field “format” and give a file with the list of"
    assert f"{empty} all queries" in said(panel)
    upload(panel, "b.tsv", BLASTP)
    upload(panel, "c.csv", b"id,class\n" + CLASSES.replace(b"\t", b","))
    assert panel._rows["c.csv"].role.value == "labels"
    assert "rows read" in said(panel)
    upload(panel, "c.csv", b"id,class\nq1,globin\nr1,globin\n")
    assert "agree: the field “relevant: same class to level” q1,globin" in said(panel)
    upload(panel, "c.csv", b"protein,pathway\nq1,glycolysis\nr1,glycolysis\n")
    assert panel._rows["c.csv"].role.value == "labels"


@pytest.mark.usefixtures("classes")
def test_what_would_help_is_shown_by_its_label(panel):
    upload(panel, "b.tsv", BLASTP)
    fill(panel, "columns", "qseqid sseqid s1 s2 s3 s4 s5 s6 s7 s8 mine s10")
    fill(panel, "score", "mine")
    assert "the field “better scores are”" in said(panel)
    assert "direction" in shown(panel)
    assert not can_open(panel)
    fill(panel, "direction", "ascending")
    assert "rows read" in said(panel)
    assert can_open(panel)
    fill(panel, "decoys", "[")
    assert "the field “decoys are ids that match” is " in said(panel)
    assert "not a regular expression" in said(panel)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("NotANumber", m8(("q1", "r1", "x"))),
        ("WrongFormat", b"no table of anything\n"),
        ("DirectionUnknown", b"query\trecord\tscore\nq1\tr1\t1\nq1\tr2\t3\nq1\tr1\t2\n"),
        ("LabelsNeeded", BLASTP),
    ],
)
def test_the_page_shows_neither_python_nor_codes(panel, code, text):
    results, labels = Held("x.tsv", text), Held("c.tsv", CLASSES)
    labels = labels if code != "LabelsNeeded" else None
    caught = error_of(read, results, labels=labels, error=ReadError)
    assert [problem.code for problem in caught.problems] == [code]
    for file in filter(None, (labels, results)):
        upload(panel, file.name, file.data)
    assert not can_open(panel)
    assert not re.search(r"\w=|`|\x0e", said(panel).split("\t")[0])
    assert code not in said(panel)


def test_role_format_and_name_can_be_corrected(panel):
    upload(panel, "b.out.tsv", BLASTP)
    upload(panel, "c.tsv", CLASSES)
    row = panel._rows["b.out.tsv"]
    assert (row.role.value, row.algorithm.value) == ("results", "b")
    row.algorithm.value = "BLASTP"
    assert can_open(panel) is False
    assert said(panel).split("lists")[1].split()[0] == "BLASTP"
    row.format.value = "hmmer"
    assert "b.out.tsv, line 1: " in said(panel)
    row.role.value = "labels"
    assert "b.out.tsv and c.tsv are both given as classes of records" in said(panel)
    assert not row.format.visible
    row.role.value = ""
    assert "These are labels" in said(panel)


def test_versions_of_a_program_are_told_apart(panel, used):
    def called():
        return [row.algorithm.value for row in panel._results]

    upload(panel, "classes.tsv", CLASSES)
    upload(panel, "blastp.v1.tsv", BLASTP)
    assert called() == ["blastp"]
    upload(panel, "blastp.v2.tsv", BLASTP)
    assert called() == ["blastp.v1", "blastp.v2"]
    panel._together.value = True
    assert called() == ["blastp", "blastp"]
    panel._together.value = False
    panel._rows["blastp.v2.tsv"].algorithm.value = "mine"
    assert called() == ["blastp", "mine"]
    panel._rows["blastp.v2.tsv"].algorithm.value = ""
    assert called() == ["blastp.v1", "blastp.v2"]
    assert "rows read" in said(panel)
    panel._open()
    assert list(used[0].results) == ["blastp.v1", "blastp.v2"]


def test_files_that_are_dropped_can_be_of_one_algorithm(panel, used):
    upload(panel, "classes.tsv", CLASSES)
    for name in ("q1.tsv", "q2.tsv"):
        upload(panel, name, BLASTP.replace(b"q1", name[:2].encode()))
        assert panel._together.visible == (name == "q2.tsv")
    panel._together.value = True
    files, _ = panel.request
    assert [one.algorithm for one in files] == ["q1", "q1"]
    assert "q1" in said(panel), said(panel)
    panel._open()
    (opened,) = used
    assert (list(opened.results), opened.title) == (["q1"], "q1 (2 files)")


@pytest.mark.usefixtures("classes")
def test_bad_files_are_named_with_line_and_text(panel):
    upload(panel, f"{HOSTILE}.tsv", m8(("q1", "r1", "1"), ("q1", HOSTILE, "3.2x")))
    said(panel)
    text = panel._report.text
    assert "&lt;img src=x onerror=alert(1)&gt;.tsv, line 2: E-value" in text
    assert "q1 → &lt;img src=x" in text
    assert "<img" not in text
    assert not can_open(panel)


@pytest.mark.usefixtures("classes")
def test_of_two_bad_files_both_are_named(panel):
    bad = [(f"q{i}", "r1", "3.2x") for i in range(20)]
    upload(panel, "a.tsv", BLASTP + m8(*bad[:5]))
    upload(panel, "b.tsv", m8(*bad))
    text = said(panel)
    assert [text.count(f"{name}, line") for name in ("a.tsv", "b.tsv")] == [1, 1]
    assert "a.tsv, line 4: E-value" in text
    assert "The same in lines 5, 6, 7, 8, and perhaps in others" in text  # five of each file
    assert "The same in lines 2, 3, 4, 5, and perhaps in others" in text


@pytest.mark.parametrize("by_button", [False, True])
@pytest.mark.usefixtures("classes")
def test_rows_that_cannot_be_read_can_be_left_out(panel, used, by_button):
    upload(panel, "b.tsv", BLASTP + m8(("q1", "r3", "3.2x")))
    assert "b.tsv, line 4: E-value" in said(panel)
    assert "the field “leave out rows that cannot be read”" in said(panel)
    assert "skip_bad_rows" in shown(panel)
    assert not can_open(panel)  # it is asked for, and never done unasked
    (button,) = panel._remedies
    assert button.label == "leave out rows that cannot be read"
    if by_button:
        button.clicks += 1
    else:
        fill(panel, "skip_bad_rows", True)
    assert "1 row that cannot be read is left out, line 4: E-value" in said(panel)
    assert "rows skipped" in said(panel)
    assert can_open(panel)
    assert not len(panel._remedies)
    panel._open_button.clicks += 1
    (opened,) = used
    (lists,) = opened.results.values()
    assert (lists.join_report.rows_read, lists.join_report.rows_skipped) == (3, 1)
    assert "skip_bad_rows=True" in opened.opening


def test_results_that_cannot_be_shown_leave_the_panel(monkeypatch):
    app = App()
    before = app.dashboard
    app._change_data()
    panel = app._panel
    upload(panel, "one.lists", LISTS)
    said(panel)

    with monkeypatch.context() as refusing:
        refusing.setattr("tapviz.page.app.Dashboard", Mock(side_effect=ValueError("no way")))
        panel._open_button.clicks += 1
    assert "These results cannot be shown: no way" in said(panel)
    assert app.dashboard is before
    assert app._panel is panel
    panel._reading.resume()
    panel._open_button.disabled = False
    panel._open_button.clicks += 1
    assert (app._panel, panel.dropper.value, app._choice.value) == (None, {}, "own")
    assert list(app.dashboard.explorer.results) == ["one"]
    for choice, algorithm in (("profiles", "RPS-BLAST"), ("own", "one")):
        app._choice.value = choice
        assert algorithm in app.dashboard.explorer.results


def test_report_of_files_that_say_themselves_what_is_relevant():
    opened = open_files([Held(f"{HOSTILE}.lists", LISTS)])
    text = what_was_read(opened.results, ["doubt <b>"] * 12)
    for words in ("1 list, 2 records, 1 relevant", "&lt;img", "and 2 more"):
        assert words in text
    assert "<img" not in text
    assert text.count("doubt &lt;b&gt;") == 10


@pytest.mark.usefixtures("classes")
def test_a_column_that_holds_no_evalues_is_settled_by_a_button(panel):
    rows = [hits.m8("q1", f"r{at}", f"0.{at}", f"0.{at}") for at in range(9, 0, -1)]
    upload(panel, "b.m8", "".join(rows).encode())
    assert "what was read as E-values disagrees with the bit scores in most lists" in said(panel)
    assert not can_open(panel)
    buttons = {button.label: button for button in panel._remedies}
    assert [*buttons] == ["score column: bits", "better scores are: large", "score column: rank"]
    buttons["better scores are: large"].clicks += 1
    assert "rows read" in said(panel)
    assert can_open(panel)
    assert panel.request[1].direction == "descending"
    assert not list(panel._remedies)
