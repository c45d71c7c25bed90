"""The page's parts without a browser or a server: controls, texts, and what is sent."""

import asyncio
import re
from html import escape

import numpy as np
import panel as pn
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from tapviz import Dashboard, Explorer, RetrievalLists, load_results, tap
from tapviz.draw.style import COLORS, styles
from tapviz.explorer.score_table import (
    best_first,
    cautions,
    columns_shown,
    method,
    score_table,
    swatch,
)
from tapviz.explorer.verdict import CURRENT, UPDATING, concluded, conclusion, proofs
from tapviz.live.background import BackgroundTask
from tapviz.live.theme import HAS_TOKENS, Theme
from tapviz.plots import PlotData
from tapviz.scores import named
from tapviz.scores.findings import describe
from tapviz.scores.words import describe as describe_verdict
from tapviz.state import SETTINGS
from tests.pages import (  # noqa: F401
    NAMES,
    box_beside,
    made,
    names_in,
    of_six,
    quiet,
    slider,
    title,
    visible_parts,
    widgets,
    words,
)


def test_a_page_without_our_template_brings_the_looks_of_what_lies_over_it(shared):
    document = Document()
    with set_curdoc(document):
        bare = Theme("").sheet
        document.template_variables[HAS_TOKENS] = True
        assert Theme("").sheet == ""
    assert all(f"{name} {{" in bare for name in (":root", "#tapviz-tour", ".tapviz-read-out"))
    assert ":root {" in shared._buttons.sheet
    assert ".tapviz-read-out" not in shared._buttons.sheet  # in a cell nothing lies over it


@pytest.fixture(scope="module")
def shared():
    page = Dashboard(of_six(), title="test")
    (more,) = widgets(page, pn.widgets.Button, label="More settings")
    more.clicks += 1
    return page


@pytest.fixture
def dashboard(shared):
    """The shared page, with the choices that it was opened with."""
    explorer = shared.explorer
    first = {name: getattr(explorer, name) for name in SETTINGS}
    yield shared
    explorer.param.update(**first)


@pytest.fixture
def explorer(request):
    if "dashboard" in request.fixturenames:
        return request.getfixturevalue("dashboard").explorer
    return of_six()


# --- controls follow, and lead ----------------------------------------------------------------


def test_controls_follow_k_and_n(dashboard, explorer):
    control = slider(dashboard, 100)
    box = box_beside(dashboard, control)
    explorer.k = 5
    assert control.value == box.value == 5
    box.value = 7
    assert control.value == explorer.k == 7
    control.value = 9
    assert box.value == explorer.k == 9
    (control,) = widgets(dashboard, pn.widgets.FloatSlider, label="n of ROCₙ")
    explorer.n = 100
    assert box_beside(dashboard, control).value == 100
    assert (control.value, control.end) == (2, 3)  # powers of ten
    control.value = 1
    assert explorer.n == 10


def test_k_goes_as_far_as_any_list_has_errors():
    lists = RetrievalLists(np.arange(1.0, 251), np.zeros(250, bool), [0, 250], [3])
    explorer = Explorer({"A": lists, "B": RetrievalLists([1.0], [0], [0, 1], [3])}, k=3)
    dashboard = Dashboard(explorer)
    control = slider(dashboard, 100)
    box = box_beside(dashboard, control)
    box.value = 250
    assert explorer.k == control.end == control.value == 250
    box.value = 251
    assert explorer.k == box.value == 250
    said = "k: enter a whole number from 1 to 250"

    def is_said() -> bool:
        panes = widgets(dashboard, pn.pane.HTML)
        return any(said in pane.object for pane in panes if pane.visible)

    assert is_said()
    explorer.n = 7
    assert not is_said()
    for k in ("251", "9999"):
        said = f"k = '{k}' in the address cannot be used here"
        assert explorer.from_query(f"?k={k}") == [said]
    assert explorer.from_query("?k=200") == []
    assert explorer.k == 200
    # Of short lists as many as the slider has.
    assert Explorer({"A": made(0)}).from_query("?k=100") == []


def test_a_baseline_that_is_not_ticked_has_a_row(dashboard, explorer):
    explorer.param.update(algorithms=["two", "three"], baseline="five")
    assert sorted(names_in(dashboard)) == ["five", "three", "two"]
    table, _ = dashboard._table.text.split("</table>")
    assert "baseline" in words(table.split("five")[-1])
    explorer.baseline = "two"
    assert sorted(names_in(dashboard)) == ["three", "two"]


def test_a_against_b_is_what_its_choices_say(dashboard, explorer):
    explorer.view = "scatter"

    def b():
        (found,) = widgets(dashboard, pn.widgets.Select, label="B")
        return found

    def heads():
        return explorer.focus_algorithm, b().value

    assert heads() == ("one", "two")
    assert (b().visible, b().options) == (True, NAMES[1:])
    explorer.baseline = "four"  # B follows the baseline, as long as none is chosen
    assert heads() == ("one", "four")
    b().value = "three"  # and does not move it
    assert (*heads(), explorer.baseline) == ("one", "three", "four")
    for a, other in (("three", "four"), ("four", "three")):  # A comes first
        explorer.focus_algorithm = a
        assert heads() == (a, other)
    explorer.baseline = ""
    other = Explorer(explorer.results)
    assert other.from_query(explorer.to_query()) == []
    assert PlotData(other).pair == PlotData(explorer).pair == ["four", "three"]
    explorer.undo()
    assert explorer.baseline == "four"


def test_controls_follow_the_threshold(dashboard, explorer):
    explorer.mode = "e0"
    (control,) = widgets(dashboard, pn.widgets.FloatSlider, tags=["e0"])
    box = box_beside(dashboard, control)
    explorer.e0 = 1e-5
    assert float(box.value) == 1e-5
    assert control.value == pytest.approx(-5, abs=control.step)
    box.value = "0"
    assert (explorer.e0, control.value) == (0, control.start)
    box.value = " 8.1 "
    assert explorer.e0 == 8.1
    for text in ("abc", "-1", "inf", "nan", "1e999", ""):
        box.value = text
        assert explorer.e0 == 8.1, text
    for value in (0.1 + 0.2, 1e-180, 5e-324, 12345.678, 0.0):  # every exact one can be written
        explorer.e0 = value
        assert float(box.value) == value
        assert explorer.e0 == value
    for position in np.linspace(control.start, control.end, 23):
        control.value = float(position)
        assert float(box.value) == explorer.e0
        assert explorer.e0 == float(f"{explorer.e0:.2g}")
        assert control.value == pytest.approx(position)  # the hand is not pushed back


def test_only_the_slider_of_the_mode_is_there(dashboard, explorer):
    def sliders():
        found = visible_parts(dashboard.view)
        kinds = (pn.widgets.IntSlider, pn.widgets.FloatSlider)
        return [title(one) for one in found if isinstance(one, kinds)]

    (mode,) = widgets(dashboard, pn.widgets.RadioBoxGroup)
    by_k, by_e0 = (["errors per query k", "n of ROCₙ"], ["E-value threshold E₀", "n of ROCₙ"])
    assert sliders() == by_k
    explorer.mode = "e0"
    assert sliders() == by_e0
    mode.value = "k"
    assert (explorer.mode, sliders()) == ("k", by_k)


def press(text, *choice):
    """What a menu or button in a text does that has these lines as its value."""
    text.param.update(choice="\n".join(choice), pressed=text.pressed + 1)


def test_the_table_is_the_list_of_algorithms(dashboard, explorer):
    table = dashboard._table

    def ticks():
        programs = table.text.partition('id="columns"')[0]
        found = re.findall(r'aria-checked="(\w+)".*? value="(.*?)"', programs)
        return {name: ticked for ticked, name in found}

    assert ticks() == {escape(name): str(name in NAMES[:5]).lower() for name in NAMES}
    press(table, "programs", *NAMES[1:])
    assert explorer.shown == NAMES[1:]
    explorer.algorithms = ["one"]
    assert [name for name, ticked in ticks().items() if ticked == "true"] == ["one"]
    explorer.baseline = "two"  # has a row, though it is not ticked
    assert ticks()["two"] == "false"
    assert [*ticks()] == [*map(escape, NAMES)]  # each stays in its place


def test_the_head_of_the_table_has_a_menu_of_columns(dashboard, explorer):
    table = dashboard._table
    assert "MAP" not in heads(table.text)
    assert 'aria-checked="false" value="mean_average_precision"' in table.text
    press(table, "columns", "tap", "mean_average_precision", "no such score")
    assert explorer.table_scores == ["tap", "mean_average_precision"]
    assert heads(table.text)[-1] == "MAP"
    assert 'aria-checked="true" value="mean_average_precision"' in table.text
    press(table, "columns")  # no table is without one
    assert explorer.table_scores == ["tap", "mean_average_precision"]
    assert explorer.compared_score == "tap"
    press(table, "columns", "pooled_roc_n", "mean_average_precision")
    assert explorer.compared_score == "pooled_roc_n"  # the verdict is by what the table has


def test_scores_are_pinned_and_let_go(dashboard, explorer):
    assert "Pinned" not in dashboard._table.text
    explorer.pin()
    assert "change since pin" in dashboard._table.text
    press(dashboard._table, "unpin")
    assert explorer.pinned is None
    assert "Pinned" not in dashboard._table.text


def test_query_controls(dashboard, explorer):
    (text,) = [w for w in widgets(dashboard, pn.widgets.TextInput) if title(w).startswith("id ")]
    text.value_input = "d1"
    assert explorer.query_text == "d1"
    explorer.clear_filter()
    assert text.value == ""
    (group,) = [w for w in widgets(dashboard, pn.widgets.TextInput) if title(w) == "class"]
    group.value = "a.10"
    assert explorer.selected_queries == ["d5", "d6", "d7"]


def test_no_class_control_without_classes_and_the_title_is_escaped():
    lists = RetrievalLists([0.1], [True], [0, 1], [1])
    dashboard = Dashboard(Explorer({"A": lists}, k=1), title="<img src=x>")
    assert "<img" not in dashboard._selection.header.text
    assert "class" not in [title(w) for w in widgets(dashboard, pn.widgets.TextInput)]


def test_what_intervals_resample_is_chosen_on_the_page(dashboard, explorer):
    (choice,) = widgets(dashboard, pn.widgets.Select, label="resample by")
    assert choice.options == {"single queries": 0, "superfamilies": 3, "folds": 2, "classes": 1}
    assert choice.value == explorer.groups == 3
    choice.value = 0
    assert str(explorer.compared(n_resamples=5).groups) == "8 queries"
    explorer.undo()
    assert choice.value == 3


def test_switches_of_intervals_are_on_the_page(dashboard, explorer):
    (known,) = widgets(dashboard, pn.widgets.Checkbox, label="keep Eₖ fixed in resamples")
    known.value = True
    compared = explorer.compared(n_resamples=20)
    assert compared.bootstrap.threshold_rule == "fixed"
    explorer.undo()
    assert not known.value
    (peak,) = widgets(dashboard, pn.widgets.Checkbox, label="interval of the peak")
    peak.value = True
    compared = explorer.compared(n_resamples=20)
    assert not any(one.peak_reason for one in compared.bootstrap.algorithms.values())


def clear(text):
    """Press the button that clears the filter; it stands in a text while there is something to."""
    assert "Clear filter" in text.text
    press(text)


def test_header_and_count(dashboard, explorer):
    selection = dashboard._selection
    assert words(selection.header.text) == "8 of 8 queries · test"
    assert words(selection.filter.text) == "8 of 8 queries"
    explorer.query_class = "a.1"
    assert words(selection.header.text) == "5 of 8 queries · grey: all queries · test"
    assert "5 of 8 queries" in words(selection.filter.text)
    clear(selection.filter)
    assert explorer.selection.everything


def test_empty_subset_is_said_in_words(dashboard, explorer):
    empty = dashboard._selection.empty
    assert not empty.visible
    explorer.param.update(query_text="<i>x", query_class="b", min_relevant=7, max_relevant=9)
    assert empty.visible
    assert "No query matches" in empty.text
    assert "<i>" not in empty.text
    assert "‘&lt;i&gt;x’" in empty.text
    clear(empty)
    assert explorer.selection.everything
    assert not empty.visible


def test_wrong_expression_is_said_and_can_be_cleared(dashboard, explorer):
    explorer.query_text = "(<"
    filtered = dashboard._selection.filter
    assert "is not a regular expression" in filtered.text
    assert "‘(&lt;’" in filtered.text
    clear(filtered)
    assert explorer.query_text == ""
    assert "regular expression" not in filtered.text


def test_heads_name_n_and_the_marks(dashboard, explorer):
    explorer.param.update(n=77, view="roc")
    assert "ROC<sub>77</sub>" in dashboard._tab_area.caption.text
    said = words(dashboard._heads.texts["tap"].text)
    assert "▲ peak, not advised" in said
    assert "◆" in said


def heads(text):
    return [words(head) for head in re.findall("<th .*?</th>", text.partition("<tbody>")[0])]


def body(text):
    """Names and cells of the rows, brackets of ties left out."""
    rows = re.findall("<tr.*?</tr>", text.split("<tbody>")[1])
    rows = [re.sub("<small>.*?</small>", "", row) for row in rows]
    return [[words(cell) for cell in re.findall("<t[hd].*?</t[hd]>", row)] for row in rows]


def test_a_program_that_pooling_lifts_says_so():
    """All errors that the pool takes of A are of one query, of small E-values."""
    e_values = [1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1e-9, 1e-8, 1e-7]
    relevant = {"A": [1, 1, 0, 1, 1, 0, 0, 1, 1], "B": [1, 0, 1, 1, 0, 1, 1, 0, 1]}
    results = {
        name: RetrievalLists(e_values, np.array(rows, np.bool_), [0, 3, 6, 9], [2, 2, 2])
        for name, rows in relevant.items()
    }
    explorer = Explorer(results, ["A", "B"], k=1, n=1)
    scores = explorer.scores
    # Of each query by itself (1 + 1 + 0) / 3 and 1/2; before the first pooled error stands no
    # relevant record of A, and one of the six of B.
    assert scores["roc_n"].tolist() == pytest.approx([2 / 3, 1 / 2])
    assert scores["pooled_roc_n"].tolist() == pytest.approx([0, 1 / 6])
    text = score_table(explorer, styles(explorer.style_order))
    badges = re.findall('<tr data-algorithm="(.)".*?(?:<small>(.*?) </small>|</tr>)', text)
    assert badges == [("A", ""), ("B", "1st, by mean 2nd")]


def test_a_program_that_ties_alone_lift_does_not_say_so():
    """The first pooled error of B has the score of its first relevant record."""
    e_values = {"A": [1.0, 2.0, 1e-9, 1e-8], "B": [1.0, 2.0, 1e-8, 1e-8]}
    relevant = {"A": [1, 1, 0, 1], "B": [0, 1, 1, 0]}
    results = {
        name: RetrievalLists(scored, np.array(relevant[name], np.bool_), [0, 2, 4], [2, 2])
        for name, scored in e_values.items()
    }
    explorer = Explorer(results, ["A", "B"], k=1, n=1)
    scores = explorer.scores
    assert scores["roc_n"]["A"] > scores["roc_n"]["B"]
    assert scores["pooled_roc_n"]["A"] < scores["pooled_roc_n"]["B"]
    assert "by mean" not in score_table(explorer, styles(explorer.style_order))


COLUMNS = "tap threshold {} {} peak_tap peak_threshold roc_n pooled_roc_n"
"""Of the table, without being asked."""


def test_table_shows_the_scores_and_errors_at_a_threshold_that_people_use(explorer):
    looks = styles(explorer.style_order)
    text = score_table(explorer, looks)
    shown = [named(one) for one in COLUMNS.format("tap_at@0.01", "errors_at@0.01").split()]
    marked = {head.rstrip("*") for head in heads(text)}  # the mark of an optimistic score
    titles = [one.titled(explorer.rule, explorer.n, short=bool(one.group)) for one in shown]
    assert {title.replace("_", "") for title in titles} <= marked
    assert [row[0] for row in body(text)] == explorer.shown
    for name, *cells in body(text):
        values = [explorer.case(name).value(score) for score in shown]
        at = tap(explorer.lists[name], 0.01)
        assert values[2:4] == [at.value, np.mean(at.retrieved - at.relevant)]
        expected = [score.text(value) for score, value in zip(shown, values, strict=True)]
        assert [cells[0], *cells[2:]] == expected  # the second is the interval
        assert cells[1] == ""
    explorer.param.update(mode="e0", e0=1e-3)
    text = score_table(explorer, looks)
    assert "TAP at 0.001" in words(text)
    assert "TAP-" not in words(text)
    shown = [named(one) for one in COLUMNS.format("median_epq", "mean_epq").split()]
    _, *cells = body(text)[0]
    values = explorer.score(explorer.shown[0])
    expected = [score.text(values[score.name]) for score in shown]
    assert [cells[0], *cells[2:]] == expected
    explorer.param.update(mode="k", quantile=0.75)  # 3/4 of the queries: the median has fewer
    assert {"median", "mean"} <= {*heads(score_table(explorer, looks))}
    explorer.quantile = 0.5
    explorer.algorithms = ["<b>six</b>"]
    text = score_table(explorer, looks)
    assert "<b>six" not in text
    assert "&lt;b&gt;six&lt;/b&gt;" in text


def test_the_best_by_the_score_compared_is_first_and_what_has_none_last():
    lists = {
        "second": RetrievalLists([1, 2, 3], [True, False, True], [0, 3], [2]),
        "never": RetrievalLists([1], [True], [0, 1], [2]),
        "first": RetrievalLists([1, 2, 3], [True, True, False], [0, 3], [2]),
    }
    explorer = Explorer(lists, k=1)  # TAP-1: 1/3 + 1/6 of "second", 2/3 + 2/9 of "first"
    assert best_first(explorer) == ["first", "second", "never"]
    assert [row[0] for row in body(score_table(explorer, styles(explorer.style_order)))] == [*lists]
    page = Dashboard(explorer)
    assert names_in(page) == ["first", "second", "never"]
    explorer.param.update(mode="e0", e0=1)  # at which all have found the same
    assert names_in(page) == [*lists]


def test_intervals_are_drawn_on_one_axis():
    results = dict([*load_results().items()][:3])
    some = {name: lists.subset(lists.query < "d1d") for name, lists in results.items()}
    explorer = Explorer(some, k=5)
    compared = explorer.compared(n_resamples=50)
    drawn = score_table(explorer, styles(explorer.style_order), compared)
    bars = re.findall(r">([\d.]+)</td><td class=\"interval\">([\d.]+) to ([\d.]+)<i (.*?)>", drawn)
    assert len(bars) == 3
    values = np.array([[low, value, high] for value, low, high, _ in bars], float)
    found = [dict(re.findall(r"--(low|value|high):([\d.]+)%", style)) for *_, style in bars]
    shares = np.array([[one[at] for at in ("low", "value", "high")] for one in found], float)
    assert 0 <= shares.min() < shares.max() <= 100
    scale, start = np.polyfit(values.ravel(), shares.ravel(), 1)
    assert np.abs(start + scale * values - shares).max() < 0.1 * scale / 100
    explorer.baseline = next(iter(results))
    compared = explorer.compared(n_resamples=50)
    assert score_table(explorer, styles(explorer.style_order), compared).count("--zero:") == 2


def test_table_compares_with_the_baseline_and_the_pinned_scores(explorer):
    explorer.pin()
    explorer.param.update(k=5, baseline="one")
    compared = explorer.compared(n_resamples=100)
    text = score_table(explorer, styles(explorer.style_order), compared)
    assert "TAP-5: difference from one" in heads(text)
    rows = body(text)
    assert [row[0] for row in rows[:4]] == ["one", "change since pin", "two", "change since pin"]
    assert rows[0][-1] == "baseline"
    taps = {name: explorer.score(name)["tap"] for name in ("one", "two")}
    assert f"{taps['two'] - taps['one']:+.3f}".replace("-", "−") in rows[2]
    before = explorer.pinned.scores["two"]
    assert rows[3][1] == f"{taps['two'] - before['tap']:+.3f}".replace("-", "−")
    assert rows[3][3] == named("threshold").text(before["threshold"])
    assert "Pinned: TAP-3, ROC50, 8 of 8 queries." in words(text)
    said = words(method(explorer, compared))
    assert "Dotted underline: ties change this value." in said
    assert "2 superfamilies, 8 queries. No intervals: fewer than 10 superfamilies." in said


def test_every_number_of_the_table_is_compared_with_what_was_pinned():
    explorer = Explorer(load_results("profiles"), k=5)
    explorer.pin()
    explorer.query_class = "a"
    rows = body(score_table(explorer, styles(explorer.style_order)))
    changes = [cells for name, *cells in rows if name == "change since pin"]
    assert len(changes) == len(explorer.shown)
    assert "—" not in [cell for cells in changes for cell in cells]


def test_a_score_is_not_compared_with_another_that_was_pinned(explorer):
    """TAP-k and TAP at E_0 are two; scores at no threshold are compared all the same."""
    looks = styles(explorer.style_order)

    def compared():
        """Whether there is a change, by the score, of the first program."""
        cells = iter(body(score_table(explorer, looks))[1][1:])
        found = {}
        for score in (column.score for column in columns_shown(explorer)):
            found[score] = next(cells) != "—"
            if score.interval_shown:
                next(cells)
        return found

    explorer.pin()
    explorer.k = 2
    assert all(compared().values())
    explorer.param.update(mode="e0", e0=0.5)
    assert compared() == {score: not score.at_threshold for score in compared()}
    explorer.pin()
    explorer.e0 = 0.6
    assert all(compared().values())
    explorer.mode = "k"
    assert not any(known for score, known in compared().items() if score.at_threshold)


def test_table_says_what_is_not_there_in_words(explorer):
    explorer.k = 29
    looks = styles(explorer.style_order)
    text = score_table(explorer, looks)
    assert text.count(">—</td>") == 5
    assert text.count(">0 % of queries reach 29 errors</td>") == 5
    explorer.query_text = "none"
    assert words(score_table(explorer, looks)).count("no query is selected") == 5
    explorer.algorithms = []
    assert "No program is shown" in score_table(explorer, looks)


def test_cautions_are_the_findings(explorer):
    lists = RetrievalLists([0.1, 0.2], [True, False], [0, 1, 2], [1, 0])
    one = Explorer({"<i>A": lists}, k=1, n=1)
    text = words(cautions(one))
    assert "1 of 2 queries has no relevant record in the database (T(q) = 0)" in text
    assert "1 / (retrieved + 1) for it; MAP, ROCn and the like leave it out." in text
    found = [describe(finding) for finding in one.findings()]
    assert len(found) == 2
    assert "both cautions" in text
    assert "ROC1" in text
    explorer.k = 29
    assert "E29" in words(cautions(explorer))
    assert "&lt;b&gt;six" not in cautions(explorer)
    assert "<i>A" not in cautions(one)


def test_the_answer_is_in_two_lines_and_the_rest_is_opened():
    explorer = Explorer(load_results(), ["jackhmmer", "SSEARCH", "MMseqs2_iter3"])
    explorer.param.view.objects = [explorer.view, "differences", "order"]  # as a page offers them
    compared = explorer.compared(n_resamples=100)
    text = concluded(explorer, compared)
    seen, _, more = text.partition('<div id="more"')
    said = describe_verdict(compared.verdict("tap"))
    paragraphs = [words(one) for one in re.findall("<p.*?>.*?</p>", seen)]
    assert paragraphs == [one.text for one in said.conclusion]
    assert f'title="{paragraphs[0]}"' in seen  # where it is too long for its line
    # SSEARCH and MMseqs2_iter3 cross between k = 1 and 2, and stand otherwise at E = 0.01.
    assert re.findall("<button.*?>(.*?)</button>", seen) == [
        "by k, 1 of 3 pairs changes places; at E = 0.01, 1 of 3"
    ]
    # Whole there, since the line is cut where it is too long for the page.
    told = [one.text.replace("E_k", "Ek") for part in said for one in part]
    assert all(one in words(more) for one in told)
    assert {*re.findall('value="(.*?)"', text)} == {*proofs(explorer)}


def test_pairs_of_a_verdict_are_counted_and_who_is_left_out():
    explorer = Explorer(load_results(), ["jackhmmer", "PSI-BLAST", "SSEARCH", "BLASTP"], k=100)
    explorer.param.view.objects = [explorer.view, "order"]
    text = concluded(explorer, explorer.compared(n_resamples=100))
    assert "by k, none of 3 pairs changes places; at E = 0.01, none of 3; 1 left out" in text
    assert "BLASTP is left out: fewer than half of the queries" in words(text)


def test_a_verdict_is_shown_as_current_only_where_it_is(explorer):
    """While it is worked out the one before is dimmed; where that is stopped there is none."""

    async def scenario():
        task = BackgroundTask(lambda: None)
        task.request(explorer.compared_key, explorer.comparing())
        before = conclusion(explorer, None, task, "")
        assert "being worked out" in before
        current = conclusion(explorer, explorer.compared(n_resamples=100), task, before)
        assert CURRENT in current
        assert words(current).startswith("No verdict: 2 superfamilies, 8 queries are too few")
        assert conclusion(explorer, None, task, current) == current.replace(CURRENT, UPDATING)
        task.cancel()
        assert "No verdict yet: Compute" in conclusion(explorer, None, task, current)
        task.error = "no memory"
        assert words(conclusion(explorer, None, task, current)).startswith("No verdict: no memory.")
        explorer.query_text = "none of them"
        assert "no query is selected" in conclusion(explorer, None, task, current)
        explorer.algorithms = []
        assert "no program is shown" in conclusion(explorer, None, task, current)

    asyncio.run(scenario())


def test_swatch_has_the_dash():
    looks = styles(["A", "B"])
    assert 'stroke-dasharray="none"' in swatch(looks["A"])
    assert 'stroke-dasharray="12 4"' in swatch(looks["B"])
    assert COLORS[1] in swatch(looks["B"])
