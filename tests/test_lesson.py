"""The lesson without a browser: its numbers, its rules, and what it does not tell too early."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import numpy as np
import panel as pn
import pytest
from bokeh.document import Document

from tapviz.lesson import Lesson, Progress, two_lists
from tapviz.lesson import numbers as n
from tapviz.lesson.barcode import Lane, Lens, columns, text
from tapviz.lesson.lists import E0
from tapviz.lesson.progress import ACTS, MIN_TRIES, QUESTIONS, SCENES, Answer
from tapviz.lesson.saved import page, rows
from tapviz.lesson.scenes import ALL, BY_NAME, FOOTNOTES, truth
from tapviz.lesson.stage import Stage
from tapviz.lists import RetrievalLists
from tapviz.measures import epq_distribution, pooled_roc_n, roc_n, tap


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    yield
    pn.state.kill_all_servers()
    pn.state.reset()


def at(scene: str) -> Progress:
    """A reader who had everything shown before a scene."""
    progress = Progress()
    while progress.scene != scene:
        progress.show_me()
        progress.next()
    return progress


def act(progress: Progress) -> None:
    """Do in a scene what it asks for, by the reader's hand."""
    scene = BY_NAME[progress.scene]
    for ask in scene.asks:
        progress.predict(ask.question, next(iter(ask.options), 0.5))
    progress.reveal()
    for name in ACTS.get(scene.name, ()):
        move = next(move for move in scene.moves if move.name == name)
        setattr(progress, name, move.stops[-1])
        setattr(progress, name, move.stops[0])
        setattr(progress, name, move.stops[1])
    if scene.name == "merge":
        progress.f = 204
    if scene.name == "build":
        for group in range(2, 2 + MIN_TRIES):
            progress.group = group
    if scene.name == "influence":
        for query in ("d1feca1", "d1ps9a3"):
            progress.away = query


# --- the numbers --------------------------------------------------------------------------------


def test_each_list_alone_and_both_pooled():
    both = n.pair(two_lists())
    assert both.own == pytest.approx((0.971, 0.195), abs=5e-4)
    assert both.pooled == pytest.approx(0.098, abs=5e-4)
    assert both.pooled == pytest.approx(94 / (481 + 481))


def test_alone_nothing_changes_for_b_up_to_its_280th_error():
    own = [n.pair(two_lists(), errors).own for errors in (1, 50, 280, 281)]
    assert {round(a, 9) for a, _ in own} == {round(467 / 481, 9)}
    assert len({round(b, 9) for _, b in own[:3]}) == 1
    assert own[3][1] > own[2][1]


def test_pooled_curve_is_below_both_until_error_204():
    drawn = n.curves(two_lists())
    assert n.crossing(drawn) == 204
    assert (drawn.pooled[:203] < np.minimum(*drawn.own)[:203]).all()
    assert drawn.pooled[203] > drawn.own[1][203]
    assert n.crossing(drawn._replace(pooled=np.zeros(n.LONGEST))) == 0


def test_what_is_poured_out():
    lists = two_lists()
    pool = n.merged(lists)
    assert n.read_until(pool, 50) == n.ReadSoFar(144, (0, 144), (0, 94))
    assert n.read_until(pool, 203).relevant_of == (93, 94)
    assert n.read_until(pool, 0).records == 0
    assert n.read_until(pool, 10_000).of == (567, 1010)
    # the slow and obvious way
    records = sorted(
        (float(score), q, bool(relevant))
        for q in range(2)
        for score, relevant in zip(
            lists.score[lists.offset[q] : lists.offset[q + 1]],
            lists.relevant[lists.offset[q] : lists.offset[q + 1]],
            strict=True,
        )
    )
    seen, errors = [0, 0], 0
    for _, q, relevant in records:
        seen[q] += 1
        errors += not relevant
        if errors == 204:
            break
    assert n.read_until(pool, 204).of == tuple(seen)


@pytest.mark.parametrize(("c", "pooled"), [(1.0, 0.098), (0.5, 0.354), (0.02, 0.583)])
def test_recalibrated(c, pooled):
    found = n.recalibrated(c)
    assert found.pooled == pytest.approx(pooled, abs=5e-4)
    assert (found.own, found.tap) == pytest.approx((0.195, 0.521), abs=5e-4)


def test_what_must_not_move_is_the_same_at_every_step():
    steps = [n.recalibrated(round(float(c), 2)) for c in np.arange(1.0, 0.015, -0.01)]
    assert len(steps) == 99
    assert len({(step.own, step.tap) for step in steps}) == 1
    assert len({step.pooled for step in steps}) > 50


@pytest.mark.parametrize(
    ("copies", "pooled", "mean"),
    [(1, 0.098, 0.746), (4, 0.039, 0.881), (9, 0.020, 0.926), (49, 0.004, 0.962)],
)
def test_good_queries_added(copies, pooled, mean):
    found = n.added(copies)
    assert found.pooled == pytest.approx(pooled, abs=5e-4)
    assert found.mean_tap == pytest.approx(mean, abs=5e-4)


@pytest.mark.parametrize(
    ("e0", "a", "b", "mean"),
    [(1e-100, 0.357, 0.196, 0.276), (1e-20, 0.880, 0.367, 0.624), (E0, 0.971, 0.521, 0.746)],
)
def test_tap_at_three_thresholds(e0, a, b, mean):
    lists = two_lists()
    found = tap(lists, e0)
    assert found.per_query == pytest.approx([a, b], abs=5e-4)
    assert found.value == pytest.approx(mean, abs=5e-4)
    assert n.between_tap(lists, e0).inside
    assert not n.between_pooled(lists).inside


def test_one_query_has_all_errors():
    found = n.one_query_errs(1_000_000, 2_000_000)
    assert (found.mean, found.median) == (2.0, 0.0)
    few = RetrievalLists([1] * 8, [False] * 8, [0, 8, 8, 8], [1] * 3)
    twin = epq_distribution(few, [1])
    assert n.one_query_errs(3, 8)[:2] == (twin.mean[0], twin.median[0])
    assert n.one_query_errs(1, 8).median == 8


def test_mean_and_median_part_on_the_bench():
    found = n.bundled_errors("jackhmmer", 0.01)
    assert found.median == 0 < found.mean


def test_the_real_pair_is_pooled_below_both():
    both = n.pair(n.real_pair())
    assert tuple(n.real_pair().query) == n.PAIR
    assert both.own == pytest.approx((0.988, 0.578), abs=5e-4)
    assert both.pooled == pytest.approx(0.289, abs=5e-4)


@pytest.mark.parametrize(
    ("name", "supplied", "pooled", "change"),
    [("jackhmmer", 26, 0.0563, 0.00061), ("PSI-BLAST", 23.5, 0.0513, 0.00049)],
)
def test_one_query_of_862(name, supplied, pooled, change):
    found = n.left_out(name)
    row = n.dominant(found)
    assert found.query[row] == "d1ps9a3"
    assert found.query.size == 862
    assert found.supplied[row] == pytest.approx(supplied, abs=0.06)
    assert found.pooled_change[row] / found.pooled_roc_n == pytest.approx(pooled, abs=5e-5)
    assert found.tap_change[row] / found.tap == pytest.approx(change, abs=5e-6)
    # take it away indeed
    lists = n.bundled_lists(name)
    rest = lists.subset(lists.query != "d1ps9a3")
    assert pooled_roc_n(rest, n=50) == pytest.approx(found.pooled_without[row])
    others = np.abs(found.pooled_change)[np.arange(862) != row]
    assert abs(found.pooled_change[row]) > others.max()


def test_random_groups_never_get_mean_tap_outside():
    found = n.random_tries(60, 7)
    assert (found.tries, found.tap) == (60, 0)
    assert found == n.random_tries(60, 7)


def test_lists_that_cannot_be_made():
    for options in ({"c": 0}, {"c": 1.5}, {"copies": 0}):
        with pytest.raises(ValueError, match="expected c above 0"):
            two_lists(**options)
    assert roc_n(two_lists(copies=3), n=50).per_query.size == 4


def test_footnote_of_the_paper_has_the_number_that_is_computed():
    assert f"{tap(two_lists(), E0).value:.3f}" == "0.746"
    assert "0.746, where the paper has 0.745" in FOOTNOTES[0]
    said = " ".join(FOOTNOTES)
    assert re.search("synthetic.*same ranking.*not the culprit.*keep rising", said)


# --- the rules ----------------------------------------------------------------------------------


def test_next_opens_after_acting_in_every_scene():
    progress = Progress()
    for place, scene in enumerate(SCENES[:-1]):
        assert progress.scene == scene
        assert not progress.done()
        progress.next()
        progress.go(place + 1)
        assert progress.scene == scene
        act(progress)
        assert progress.done(), scene
        progress.next()
    assert progress.scene == "end"
    assert progress.skipped == frozenset()
    progress.next()
    assert progress.scene == "end"


def test_show_me_opens_next_and_counts_as_skipped():
    progress = Progress()
    for scene in SCENES:
        assert progress.scene == scene
        progress.show_me()
        assert progress.done()
        assert scene in progress.skipped
        progress.next()
    assert progress.answer("pooled") == Answer(None)


def test_show_me_keeps_a_prediction_that_was_placed():
    progress = at("errors")
    progress.predict("mean", 3.0)
    progress.show_me()
    assert (progress.answer("mean"), progress.answer("median")) == (Answer(3.0), Answer(None))


def test_back_loses_nothing():
    progress = Progress()
    for _ in SCENES[1:]:
        act(progress)
        progress.next()
    before = {name: value for name, value in progress.param.values().items() if name != "place"}
    for _ in SCENES:
        progress.back()
    assert progress.scene == "look"
    progress.go(len(SCENES) - 1)
    assert progress.scene == "end"
    after = {name: value for name, value in progress.param.values().items() if name != "place"}
    assert after == before


def test_nothing_is_revealed_before_everything_is_predicted():
    progress = at("errors")
    progress.reveal()
    assert not progress.knows("errors")
    progress.predict("mean", 1.0)
    assert not progress.can_reveal()
    progress.reveal()
    assert not progress.knows("errors")
    progress.predict("median", 1.0)
    progress.reveal()
    assert progress.knows("errors")
    progress.predict("median", 0.0)  # too late
    assert progress.answer("median") == Answer(1.0)


def test_a_prediction_can_be_moved_and_keeps_its_reason():
    progress = at("predict")
    progress.predict("pooled", 0.4, "between")
    progress.predict("pooled", 0.5)
    assert progress.answer("pooled") == Answer(0.5, "between")
    with pytest.raises(KeyError):
        progress.predict("nothing", 1)


def test_readers_do_not_share_anything():
    one, other = Progress(), Progress()
    one.predict("favourite", "A")
    one.a_at = 5
    assert (other.answers, other.moved, other.revealed) == ({}, frozenset(), frozenset())


# --- predict before reveal ----------------------------------------------------------------------

TRUTHS = {"predict": 0.0977, "real": 0.2892}


class Shown:
    """The lesson as the browser gets it, from a scene on."""

    def __init__(self, scene: str) -> None:
        self.progress = at(scene)
        self.document = Document()
        page = Lesson(self.progress).__panel__()
        self.document.add_root(page.get_root(self.document))

    @property
    def told(self) -> str:
        return json.dumps(self.document.to_json(), default=str, ensure_ascii=False)


def numbers_in(told: str) -> set[float]:
    return {round(float(found), 3) for found in re.findall(r"(?<![\w.#])0\.\d{3,}", told)}


@pytest.mark.parametrize(("scene", "value"), TRUTHS.items())
def test_the_truth_is_nowhere_in_the_document_before_the_prediction(scene, value):
    shown = Shown(scene)
    assert round(value, 3) not in numbers_in(shown.told)
    (ask,) = BY_NAME[scene].asks
    shown.progress.predict(ask.question, 0.6)
    assert round(value, 3) not in numbers_in(shown.told)
    shown.progress.reveal()
    assert round(value, 3) in numbers_in(shown.told)


@pytest.mark.parametrize(
    ("scene", "tells"),
    [
        ("scale", "does not change"),
        ("add", "It goes down"),
        ("errors", "mean <b"),
        ("loose", "rise, peak and fall"),
    ],
)
def test_other_truths_are_not_told_before(scene, tells):
    shown = Shown(scene)
    assert tells not in shown.told
    shown.progress.show_me()
    assert tells in shown.told


def test_curves_that_would_tell_are_not_drawn_before():
    progress = at("predict")
    stage = Stage(progress)
    (curves,) = stage.pictures("predict")
    assert curves.picture().columns["curve merged"]["x"].size == 0
    progress.show_me()
    assert curves.picture().columns["curve merged"]["x"].size == 300
    for scene, layer in (("scale", "curve pooled"), ("add", "curve mean TAP")):
        progress = at(scene)
        picture = Stage(progress).pictures(scene)[-1]
        assert picture.picture().columns[layer]["x"].size == 0
        progress.show_me()
        assert picture.picture().columns[layer]["x"].size > 0
    progress = at("loose")
    (swept,) = Stage(progress).pictures("loose")
    before = swept.picture().columns
    assert before["peak"]["x"].size == before["readout"]["x"].size == 0
    assert before["curve jackhmmer"]["x"].max() <= -10
    progress.show_me()
    assert swept.picture().columns["peak"]["x"].size == 4


def test_the_merged_curve_is_drawn_as_far_as_it_is_poured():
    progress = at("merge")
    bars, curves = Stage(progress).pictures("merge")
    progress.f = 50
    assert curves.picture().columns["curve merged"]["x"].size == 50
    assert "A, 0 records: 0 relevant" in bars.text()
    progress.f = 204
    assert curves.picture().columns["curve merged"]["y"][-1] == pytest.approx(0.198, abs=5e-4)


# --- what is said -------------------------------------------------------------------------------


def said(scene: str, progress: Progress) -> str:
    return re.sub(r"<[^>]+>", "", " ".join(BY_NAME[scene].words(progress)))


def test_sentences_hold_the_numbers():
    progress = at("end")
    assert "Pooled ROC50 is 0.098, below both" in said("predict", progress)
    assert "0 of the first 144 records are A's" in said("merge", progress)
    assert "from 0.098 to 0.583" in said("scale", progress)
    assert "0.004, close to the worst score possible; mean TAP is 0.962" in said("add", progress)
    assert "mean 2.0, median 0.0" in said("errors", progress)
    assert "Pooled 0.289, below both" in said("real", progress)
    assert "46 are of d4dh2b_, 4 of d2ok5a4" in said("real", progress)
    words = said("influence", progress)
    assert "Without d1ps9a3: pooled ROC50 +5.63 %, TAP-20 +0.061 %" in words
    assert "d1ps9a3 alone supplies 26 of the 50 errors" in words
    assert "supplies 23.5: +5.13 % and +0.049 %" in words
    for scene in ("real", "influence"):
        assert "decided by SCOPe" in said(scene, progress)
        assert f"view={'violations' if scene == 'real' else 'influence'}" in BY_NAME[scene].explorer


def test_every_scene_says_one_thing_to_do():
    progress = Progress()
    for scene in ALL:
        call = scene.call(progress)
        assert call.endswith(".")
        assert len(call) < 100
        progress.show_me()
        assert scene.call(progress) != call or scene.name == "end"
        progress.next()


def test_self_checks_have_one_right_answer_and_reasons():
    checked = {scene.name: scene.check for scene in ALL if scene.check is not None}
    assert set(checked) == {"merge", "add", "loose"}
    for check in checked.values():
        assert sum(right for _, right, _ in check.options) == 1
        assert all(len(why) > 20 for *_, why in check.options)


def test_self_check_comes_when_the_scene_is_done_and_answers_at_once():
    shown = Shown("merge")
    check = BY_NAME["merge"].check
    assert check.question not in shown.told
    shown.progress.show_me()
    assert check.question in shown.told
    for words, right, why in check.options:
        assert why not in shown.told
        shown.progress.check("merge", words)
        told = shown.told.replace("&#x27;", "'")
        assert why in told
        assert ("✓ Yes." in told) == right


def test_lesson_follows_its_model_and_the_other_way_round():
    lesson = Lesson()
    progress = lesson.progress
    slides = lesson.__panel__().select(lambda o: getattr(o, "label", "") == "record of list A")
    (slide,) = slides
    slide.value = 468
    assert progress.a_at == 468
    progress.a_at = 3
    assert slide.value == 3
    assert "Present record: record 3, relevant" in lesson._captions[0].text


# --- the page to keep ---------------------------------------------------------------------------


class Addresses(HTMLParser):
    """Whatever a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, Any]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [(tag, value) for name, value in attrs if name in ("src", "href", "srcset")]
        assert tag not in ("script", "link", "iframe", "img", "object")


def test_saved_page_has_predictions_beside_the_truth():
    progress = Progress()
    while progress.scene != "end":
        if progress.scene == "predict":
            progress.predict("pooled", 0.58, "the <b>mean</b> of both")
            progress.reveal()
        progress.show_me()
        progress.next()
    progress.predict("report", "TAP-k & <script>alert(1)</script>")
    told = {row.question: row for row in rows(progress)}
    assert told["pooled ROC₅₀"][1:] == ("0.58", "the <b>mean</b> of both", "0.098")
    assert told["mean errors per query"][1:] == ("skipped", "", "2.0")
    assert told["With more good searches, pooled ROC₅₀"].truth == "goes down"
    html = page(progress)
    parser = Addresses()
    parser.feed(html)
    assert parser.found == []
    assert "url(" not in html
    assert "the &lt;b&gt;mean&lt;/b&gt; of both" in html
    assert "TAP-k &amp; &lt;script&gt;" in html
    assert "you 0.58; pooled 0.098" in html
    assert all(note in html for note in FOOTNOTES)


def test_saved_page_tells_no_truth_that_was_not_shown():
    progress = Progress()
    assert {row.truth for row in rows(progress)} == {"not shown yet"}
    assert "0.098" not in page(progress)


def test_each_prediction_has_a_truth():
    for scene, questions in QUESTIONS.items():
        for question in questions:
            if scene != "end":
                options = next(a for a in BY_NAME[scene].asks if a.question == question).options
                assert truth(question) in (options or {truth(question)})


# --- barcodes -----------------------------------------------------------------------------------


def test_barcode_joins_neighbours_and_magnifies_single_records():
    relevant = np.array([True, True, False, True, False])
    x = np.arange(1.0, 6.0)
    score = np.array([0.0, 1e-9, 1e-3, 1.0, 2.0])
    rows_ = [Lane("list", x, relevant), Lens(x, relevant, score, 3)]
    made = columns(rows_, (0.5, 5.5))
    assert made["relevant"]["x0"].tolist() == [0.5, 3.5]
    assert made["relevant"]["x1"].tolist() == [2.5, 4.5]
    assert made["irrelevant"]["x0"].tolist() == [2.5, 4.5]
    assert (made["relevant"]["y1"] > made["relevant"]["y0"]).all()
    assert (made["irrelevant"]["y1"] < made["irrelevant"]["y0"]).all()
    assert made["letter"]["text"].tolist() == ["R", "R", "I", "R", "I"]
    assert made["record irrelevant"]["text"].tolist() == [
        "record 3, irrelevant, E = 0.001",
        "record 5, irrelevant, E = 2",
    ]
    assert made["cursor"]["x0"].size == 1
    assert text(rows_) == (
        "list: 3 relevant, 2 irrelevant. Present record: record 3, irrelevant, E = 0.001."
    )


def test_barcode_draws_what_is_there_yet_and_escapes_ids():
    relevant, x = np.array([True, False, True]), np.arange(1.0, 4.0)
    ids = np.array(["<b>", "b", "c"], np.object_)
    lens = Lens(x, relevant, x, 1, of=np.array(["A", "B", "A"]), shown=2, record=ids)
    made = columns([Lane("list", x, relevant, 2), lens], (0.5, 3.5), line=2.0)
    assert made["relevant"]["x0"].size == made["irrelevant"]["x0"].size == 1
    assert made["record relevant"]["text"].tolist() == [
        "record 1 (&lt;b&gt;), list A, relevant, E = 1"
    ]
    assert made["letter"]["text"].tolist() == ["R", "A", "I", "B"]
    assert np.nanmax(made["line"]["x"]) == 2
