"""The lesson without a browser: every number at every position, and what nobody may know yet."""

import base64
import html
import json
import re
from concurrent.futures import Future
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from tapviz.cli import main
from tapviz.lesson import Lesson, page, two_lists
from tapviz.lesson import numbers as n
from tapviz.lesson.charts import COLOR, DARK_COLOR
from tapviz.lesson.content import content, encoded, html_page
from tapviz.lesson.numbers import E0
from tapviz.lesson.own import own_page
from tapviz.lesson.scenes import scenes
from tapviz.lists import RetrievalLists
from tapviz.measures import epq_distribution, mean_recall, pooled_roc_n, roc_n, tap, tap_curve
from tapviz.readers.datasets import load_results
from tests import twins
from tests.drawn import contrast
from tests.printed import stderr_of
from tests.refused import refuses

SCENES = {scene.name: scene for scene in scenes()}
CONTROLS = [(scene.name, control) for scene in SCENES.values() for control in scene.controls]
ROOT = Path(__file__).parents[1]
SLOT = re.compile(r"\{(\w+)\}")


def test_a_pooled_curve_that_never_crosses_crosses_at_0():
    assert n.crossing(n.curves(two_lists())._replace(pooled=np.zeros(n.LONGEST))) == 0


def test_what_has_been_read_up_to_an_error():
    pool = n.merged(two_lists())  # to every error: see scene 4
    assert n.read_until(pool, 50) == n.ReadSoFar(144, (0, 144), (0, 94))
    assert n.read_until(pool, 203).relevant_of == (93, 94)
    assert n.read_until(pool, 204).relevant_of == (96, 94)
    assert n.read_until(pool, 0).records == 0
    assert n.read_until(pool, 10_000).of == (567, 1010)


@pytest.mark.parametrize("e0", [1e-100, 1e-20, E0])
def test_mean_tap_is_between_those_of_both_lists_and_pooled_roc_n_is_not(e0):
    assert n.tap_between(two_lists(), e0)
    assert not n.pooled_between(two_lists())


def test_one_query_has_all_errors():
    found = n.one_query_errs(1_000_000, 2_000_000)
    assert (found.mean, found.median) == (2.0, 0.0)
    twin = epq_distribution(RetrievalLists([1] * 8, [False] * 8, [0, 8, 8, 8], [1] * 3), [1])
    assert n.one_query_errs(3, 8)[:2] == (twin.mean[0], twin.median[0])
    assert n.one_query_errs(1, 8).median == 8


def test_mean_and_median_part_on_the_bundled_data():
    found = n.bundled_errors("jackhmmer", 0.01)
    assert found.median == 0 < found.mean


def pooled_by_hand(program, out):
    """Pooled ROC_50 without some queries: all records of the rest in order, errors counted."""
    score, relevant, query, totals = program
    stays = ~np.isin(query, out)
    score, relevant = score[stays], relevant[stays]
    end = np.flatnonzero(~relevant)[99]  # further than any tie of the 50th error
    records = list(zip(score[:end].tolist(), relevant[:end].tolist(), strict=True))
    return twins.area(records, 50) / (50 * (totals.sum() - totals[out].sum()))


def rivals():
    for name in ("MMseqs2_iter3", "DIAMOND"):
        lists = n.bundled_lists(name)
        query = np.repeat(np.arange(lists.n_queries), np.diff(lists.offset))
        order = np.argsort(lists.score, kind="stable")[:12_000]  # far beyond the 50th error
        yield lists.score[order], lists.relevant[order], query[order], np.array(lists.n_relevant)


def test_the_winner_of_the_opening_loses_by_pooling_until_one_query_is_out():
    found = n.opening()
    better = found.own[:, 0] > found.own[:, 1]
    assert (better.sum(), (found.own[:, 0] < found.own[:, 1]).sum(), better.size) == (353, 170, 862)
    assert found.own.mean(0) == pytest.approx([0.429, 0.381], abs=5e-4)
    assert found.pooled[0] == pytest.approx([0.214, 0.218], abs=5e-4)
    wins = found.without[:, 0] > found.without[:, 1]
    assert set(found.query[wins]) == {"d1twfa_", "d1ti6a2", "d3ff1a1"}
    assert wins.sum() == wins[found.largest].sum()  # no small dot changes the verdict
    assert found.without[found.query == "d1twfa_"][0] == pytest.approx([0.227, 0.218], abs=5e-4)


def test_every_state_of_the_opening_has_the_number_of_a_slow_count():
    found, programs = n.opening(), list(rivals())
    assert found.pooled.shape == (4096, 2)
    for row, pooled in enumerate(found.pooled):
        out = found.largest[[i for i in range(12) if row >> i & 1]]
        if len(out) <= 2 or row % 101 == 0:
            by_hand = [pooled_by_hand(program, out) for program in programs]
            assert pooled == pytest.approx(by_hand, abs=1e-12)
    for row in (0, 1, 0b1010_0000_0011, 4095):
        stays = np.ones(862, bool)
        stays[found.largest[[i for i in range(12) if row >> i & 1]]] = False
        for lists, pooled in zip(map(n.bundled_lists, n.RIVALS), found.pooled[row], strict=True):
            assert pooled == pytest.approx(pooled_roc_n(lists.subset(stays), n=50), abs=1e-12)


def test_the_opening_shows_each_state_as_it_is_measured():
    found = n.opening()
    shown = [column("winner", slot).tolist() for slot in ("pooled_first", "pooled_second")]
    assert shown == [told(values) for values in found.pooled.T]
    verdicts = ["MMseqs2" if a > b else "DIAMOND" for a, b in found.pooled]
    assert column("winner", "verdict").tolist() == verdicts
    extra = SCENES["winner"].extra
    for at in range(0, 850, 50):
        q = list(found.query).index(extra["ids"][at])
        assert extra["without"][at] == told(found.without[q])
        assert extra["sides"][at] == "snf"[int(np.sign(found.own[q, 0] - found.own[q, 1])) + 1]


def test_without_one_of_nine_programs_pooling_and_the_average_rank_the_others_alike():
    results = load_results("scope40")
    mean = sorted(results, key=lambda name: -roc_n(results[name], n=50).value)
    pooled = sorted(results, key=lambda name: -pooled_roc_n(results[name], n=50))
    assert mean[4:7] == ["MMseqs2_iter3", "BLASTP", "DIAMOND"]
    assert pooled[4:7] == ["BLASTP", "DIAMOND", "MMseqs2_iter3"]
    mean.remove("MMseqs2_iter3")
    pooled.remove("MMseqs2_iter3")
    assert mean == pooled
    assert "Without it, both scores rank eight other programs alike." in str(content())


def test_how_many_pairs_of_real_queries_are_pooled_outside_their_own():
    found, lists, random = n.outside(), n.bundled_lists(), np.random.default_rng(0)
    assert found == (862 * 861 // 2, 29_229, 0)
    assert SCENES["real"].constants["share"] == "7.9 %"
    own, below = roc_n(lists, n=50).per_query, 0
    for _ in range(1000):
        pair = random.choice(862, 2, replace=False)
        mask = np.zeros(862, bool)
        mask[pair] = True
        pooled = pooled_roc_n(lists.subset(mask), n=50)
        assert pooled <= own[pair].max() + 1e-12
        below += pooled < own[pair].min() - 1e-12
    assert below == 80  # as many as 7.9 % of 1,000, give or take


def test_random_groups_never_get_mean_tap_outside():
    found = n.random_tries(60, 7)
    assert found[0] == 0
    assert found == n.random_tries(60, 7)


def test_lists_that_cannot_be_made():
    for options in ({"c": 0}, {"c": 1.5}, {"copies": 0}):
        refuses("expected c above 0", two_lists, **options)
    assert roc_n(two_lists(copies=3), n=50).per_query.size == 4


def column(scene, slot):
    """Texts of a slot, a dimension for each control that they follow."""
    (table,) = [one for one in SCENES[scene].tables if slot in one.columns]
    sizes = [len(control(scene, name).texts) for name in table.over]
    return np.array(table.columns[slot]).reshape(sizes)


def control(scene, name):
    (found,) = [one for one in SCENES[scene].controls if one.name == name]
    return found


def numbers_of(scene, name):
    """The positions of a control, as numbers."""
    return [float(text.replace(",", "")) for text in control(scene, name).texts]


def told(values, digits=3):
    return [f"{value:.{digits}f}" for value in values]


def merged_records(*queries):
    """Whether each record is relevant, and of which query it is, in the order of all scores."""
    records = [
        (score, q, relevant) for q, query in enumerate(queries) for score, relevant in query.records
    ]
    return [(relevant, q) for _, q, relevant in sorted(records, key=lambda record: record[0])]


def shares(relevances, total, last):
    """Share of the relevant records found before each of the first errors; then, of all."""
    found, result = 0, []
    for relevant in relevances:
        found += relevant
        if not relevant:
            result.append(found / total)
    return (result + [found / total] * last)[:last]


def roc(relevances, total, errors=50):
    return sum(shares(relevances, total, errors)) / errors


LIST_A, LIST_B = twins.plain(two_lists())
RELEVANT_A, RELEVANT_B = ([relevant for _, relevant in one.records] for one in (LIST_A, LIST_B))


def test_it_scores_each_list_at_every_n():
    for slot, records in (("own_a", RELEVANT_A), ("own_b", RELEVANT_B)):
        means = [sum(shares(records, 481, at)) / at for at in range(1, 541)]
        assert column("alone", slot).tolist() == told(means)
    assert set(column("alone", "own_a")[[0, 49, 299, 539]]) == {"0.971"}
    assert " ".join(column("alone", "own_b")[[0, 49, 279, 299]]) == "0.195 0.195 0.195 0.224"


def test_it_reads_the_merged_list_to_every_error():
    records = merged_records(LIST_A, LIST_B)
    relevances = [relevant for relevant, _ in records]
    alone = shares(RELEVANT_B, 481, 300)
    pooled = shares(relevances, 962, 300)
    assert column("merge", "merged").tolist() == told(pooled)
    assert column("merge", "alone").tolist() == told(alone)
    seen, errors = [0, 0], 0
    for relevant, q in records:
        seen[q] += 1
        if not relevant and errors < 300:
            read = [column("merge", slot)[errors] for slot in ("of_a", "of_b")]
            assert read == [*map(str, seen)]
            errors += 1
    assert errors == 300
    below = ["below" if a < b else "not below" for a, b in zip(pooled, alone, strict=True)]
    assert column("merge", "side").tolist() == below
    assert column("merge", "side").tolist() == ["below"] * 203 + ["not below"] * 97
    assert SCENES["merge"].constants["meeting"] == 204


def test_the_scale_changes_pooling_always_and_tap_where_e0_is_strict():
    own = [roc(records, 481) for records in (RELEVANT_A, RELEVANT_B)]
    thresholds = numbers_of("scale", "e0_b")
    assert thresholds == [1e-30, 1e-20, 1e-10, 1e-5, 1e-3, 0.1, E0]
    seats = SCENES["scale"].lanes[0].seats
    for at, c in enumerate(numbers_of("scale", "c")):
        other = LIST_B._replace(records=[(score**c, right) for score, right in LIST_B.records])
        merged = merged_records(LIST_A, other)
        assert seats[at] == "".join(str(q) for right, q in merged if not right)[:50]
        scores = roc([relevant for relevant, _ in merged], 962), sum(own) / 2, own[1]
        slots = ("pooled", "mean_own", "own_b")
        assert [column("scale", slot)[at] for slot in slots] == told(scores)
        if at % 14 == 0:
            taps = [twins.tap(two_lists(c=c), e0)[1][1] for e0 in thresholds]
            assert column("scale", "tap_b")[:, at].tolist() == told(taps)
    assert column("scale", "pooled")[[0, 50, 98]].tolist() == ["0.098", "0.354", "0.583"]
    assert set(column("scale", "tap_b")[6]) == {"0.521"}
    strict = column("scale", "tap_b")[2, [0, 50, 90, 98]].tolist()
    assert strict == ["0.445", "0.367", "0.196", "0.000"]


def test_seats_are_taken_by_whose_errors_come_first():
    (queues,) = SCENES["scale"].lanes
    assert len(queues.seats) == len(numbers_of("scale", "c"))
    assert set(queues.seats) == {"1" * 50}  # B's at every c: only what is read before them changes
    (many,) = SCENES["add"].lanes
    errors, copies = numbers_of("add", "errors"), numbers_of("add", "copies")
    taken = np.array(many.taken).reshape(len(errors), len(copies), 2)
    for at in (0, 3, 48, 98):
        owners = [q for right, q in merged_records(*[LIST_A] * (at + 1), LIST_B) if not right]
        for i, count in enumerate(map(int, errors)):
            of_b = owners[:count].count(at + 1)
            assert taken[i, at].tolist() == [len(owners[:count]) - of_b, of_b]
    assert list(many.door) == errors


def test_lists_are_added_one_by_one_and_n_may_grow_with_them():
    _, (tap_a, tap_b) = twins.tap(two_lists(), E0)
    own_a, own_b = roc(RELEVANT_A, 481), roc(RELEVANT_B, 481)
    errors = [int(one) for one in numbers_of("add", "errors")]
    numbers = {1: (0.098, 0.746), 4: (0.039, 0.881), 9: (0.020, 0.926), 49: (0.004, 0.962)}
    for copies, shown in numbers.items():
        found = n.scores_of(copies=copies)
        assert (found.pooled, found.mean_tap) == pytest.approx(shown, abs=5e-4)
        assert found.mean_own == pytest.approx((copies * 467 + 94) / (481 * (copies + 1)))
    for at, copies in enumerate(range(1, 100)):
        means = [(copies * a + b) / (copies + 1) for a, b in ((own_a, own_b), (tap_a, tap_b))]
        assert [column("add", slot)[at] for slot in ("mean_own", "mean_tap")] == told(means)
        # The first 50 errors are B's, before which no record of A comes.
        assert column("add", "pooled")[0, at] == f"{94 / (481 * (copies + 1)):.3f}"
        if at % 12 == 0:
            pool = [relevant for relevant, _ in merged_records(*[LIST_A] * copies, LIST_B)]
            by_hand = [roc(pool, 481 * (copies + 1), many) for many in errors]
            assert column("add", "pooled")[:, at].tolist() == told(by_hand)
    assert [column("add", slot)[48] for slot in ("mean_own", "mean_tap")] == ["0.955", "0.962"]
    # A budget of 50 for all, and of 50 for each of 50 queries.
    assert column("add", "pooled")[[0, errors.index(2500)], 48].tolist() == ["0.004", "0.860"]
    assert SCENES["add"].constants["fair"] == "0.860"


def test_mean_tap_stays_between_at_every_threshold():
    for at, exponent in enumerate([*range(-180, 1, 2), np.log10(E0)]):
        value, taps = twins.tap(two_lists(), 10.0**exponent)
        shown = [column("instead", slot)[at] for slot in ("tap_a", "tap_b", "tap_mean")]
        assert shown == told([*taps, value])
        assert min(taps) <= value <= max(taps)


def test_it_builds_tap_at_every_threshold():
    found = column("build", "found_a").size
    exponents = [*range(-180, 1), np.log10(E0), 1.0]
    assert found == len(exponents)
    for at, exponent in enumerate(exponents):
        e0 = E0 if at == 181 else 10.0**exponent
        value, taps = twins.tap(two_lists(), e0)
        assert column("build", "tap_mean")[at] == f"{value:.3f}"
        for slot, one, own in zip("ab", (LIST_A, LIST_B), taps, strict=True):
            seen = twins.retrieved(two_lists(), one, e0)
            relevant = sum(seen)
            summed = sum(sum(seen[:rank]) / rank for rank, hit in enumerate(seen, start=1) if hit)
            sentinel = relevant / len(seen) if seen else 0.0
            slots = [f"{name}_{slot}" for name in ("found", "wrong", "sum", "sentinel", "tap")]
            shown = [column("build", name)[at] for name in slots]
            counted = [str(relevant), str(len(seen) - relevant), f"{summed:.2f}"]
            assert shown == [*counted, *told([sentinel, own])]
            assert own == pytest.approx((summed + sentinel) / 482)


def test_pooling_is_drawn_for_every_number_of_lists_and_errors():
    (chart,) = SCENES["add"].charts
    lines = {layer.name: layer.columns for layer in chart.picture.layers if layer.kind == "line"}
    for at in (0, 8, 98):
        lists = two_lists(copies=at + 1)
        assert lines["curve average"]["y"][at] == pytest.approx(roc_n(lists, n=50).value)
        assert lines["curve mean TAP"]["y"][at] == pytest.approx(tap(lists, E0).value)
    # The third one depends on n, too: its heights are those of the table.
    layer = next(layer for layer in chart.picture.layers if layer.name == "curve pooled")
    assert chart.follows[layer.name] == ("copies", "all")
    assert set(layer.columns["y"]) == {"{pooled}"}
    assert layer.columns["x"].tolist() == list(range(1, 100))


def test_it_counts_errors_of_every_crowd():
    for i, queries in enumerate(numbers_of("errors", "n_queries")):
        for j, errors in enumerate(numbers_of("errors", "n_errors")):
            upper = ", the upper of the two" if queries == 2 and errors else ""
            median = f"{errors:,.0f}{upper}" if queries <= 2 else "0"
            assert column("errors", "median")[i, j] == median
            mean = column("errors", "mean")[i, j]
            digits = 1 if errors == 0 or errors >= queries else None
            exact = f"{errors / queries:,.1f}" if digits else f"{errors / queries:.2g}"
            assert mean == exact
    assert (column("errors", "mean")[-1, -1], column("errors", "median")[-1, -1]) == ("2.0", "0")


def test_it_sweeps_the_threshold():
    names = ("BLASTP", "SSEARCH", "PSI-BLAST", "jackhmmer")
    texts = control("loose", "sweep").texts
    for q, name in enumerate(names):
        lists = n.bundled_lists(name)
        for at in range(len(texts)):
            e0 = float(texts[at].replace(",", ""))
            assert column("loose", f"tap_{q}")[at] == f"{tap(lists, e0).value:.3f}"
            assert column("loose", f"found_{q}")[at] == f"{mean_recall(lists, e0):.3f}"
        curve = tap_curve(lists)
        assert curve.tap[-1] < curve.peak_tap
        row = next(row for row in SCENES["loose"].extra["rows"] if row[0] == name)
        assert row[3].startswith(f"{curve.peak_tap:.3f} at ")
    at_start = [column("loose", f"tap_{q}")[40] for q in range(4)]
    assert at_start == ["0.219", "0.194", "0.412", "0.436"]


def test_each_question_has_the_answer_that_is_measured():
    answers = {ask.question: ask.truth for scene in SCENES.values() for ask in scene.asks}
    real = n.real_pair()
    of_tap, of_pooled = n.random_tries(200, 0)
    assert answers == {
        "lifted": 1,
        "pooled": pytest.approx(94 / 962),
        "scale": pytest.approx((467 + 94) / 962),
        "added": pytest.approx(94 / (481 * 50)),
        "outside_tap": of_tap,
        "outside_pooled": of_pooled,
        "mean": 2.0,
        "median": 0.0,
        "shape": "peaks",
        "real": pytest.approx(pooled_roc_n(real, n=50)),
        "report": "",
    }
    assert (of_tap, of_pooled) == (0, 4)
    for scene in SCENES.values():
        for ask in scene.asks:
            if ask.options:
                assert ask.truth in ask.options
            elif ask.question != "report":
                assert ask.low <= ask.truth <= ask.high


@pytest.mark.parametrize(("scene", "control"), CONTROLS, ids=lambda one: getattr(one, "name", one))
def test_every_position_of_a_control_has_its_numbers(scene, control):
    positions = len(control.texts)
    assert positions > 1
    assert all(text for text in control.texts)
    assert 0 <= control.start < positions
    assert all(0 <= stop < positions for stop in control.stops)
    assert control.goal is None or 0 < control.goal < positions
    followers = [table for table in SCENES[scene].tables if control.name in table.over]
    for table in followers:
        rows = np.prod([len(one.texts) for one in SCENES[scene].controls if one.name in table.over])
        assert {len(texts) for texts in table.columns.values()} == {rows}
        assert all(text for texts in table.columns.values() for text in texts)
    for chart in SCENES[scene].charts:
        layers = {layer.name: layer for layer in chart.picture.layers}
        assert chart.follows.keys() <= layers.keys()
        for name, follow in chart.follows.items():
            if follow == (control.name, "at"):
                assert layers[name].size in (positions, 0)
    for lanes in SCENES[scene].lanes:
        if control.name in lanes.control:
            first, last = (lanes.control[at] == control.name for at in (0, -1))
            assert len(lanes.scale) in (0, positions) or not first
            assert len(lanes.line) in (0, positions) or not last
    assert followers or any(control.name in lanes.control for lanes in SCENES[scene].lanes)


def test_all_words_have_their_numbers():
    for scene in content()["scenes"]:
        slots = {name for table in scene["tables"] for name in table["columns"]}
        questions = {ask["question"] for ask in scene["asks"]}
        for _, words in scene["blocks"]:
            assert not re.search(r"[{}]|term:|\[", words), scene["name"]
            assert set(re.findall(r'data-slot="(\w+)"', words)) <= slots
            assert set(re.findall(r'data-(?:you|away)="(\w+)"', words)) <= questions
            assert set(re.findall(r'data-term="([\w-]+)"', words)) <= set(content()["glossary"])
        sentences = [chart["words"] for chart in scene["charts"]]
        extra = scene["extra"]
        sentences += [extra.get("caption", ""), extra.get("label", ""), *extra.get("heads", ())]
        sentences += [cell for row in extra.get("rows", ()) for cell in row]
        assert {name for one in sentences for name in SLOT.findall(one)} <= slots
        assert len(scene["blocks"]) > 1 or scene["name"] == "end"


def test_a_check_has_one_right_answer_and_a_reason_for_each():
    checks = {scene["name"]: scene["check"] for scene in content()["scenes"] if scene["check"]}
    assert set(checks) == {"merge", "add", "loose"}
    for check in checks.values():
        assert check["question"]
        assert len(check["options"]) == 3
        assert [right for _, right, _ in check["options"]].count(True) == 1
        for words, right, why in check["options"]:
            assert words
            assert why.startswith("Yes") == right
    reasons = " ".join(why for _, _, why in checks["merge"]["options"])
    assert "A has 467 before its first error" in reasons
    assert "errors at 1e-134 and below" in reasons
    assert "first error is at 0.01" in reasons


def test_terms_are_explained_before_they_are_used():
    linked = [
        (place, term)
        for place, scene in enumerate(content()["scenes"])
        for _, words in scene["blocks"]
        for term in re.findall(r'data-term="([\w-]+)"', words)
    ]
    first = {term: place for place, term in reversed(linked)}
    assert {"tap", "e0", "precision", "sentinel", "k", "pooled", "roc-n"} <= set(first)
    assert first["tap"] == first["e0"] == 5  # where TAP is first seen


def test_the_lesson_itself_is_six_scenes_of_few_words():
    core = [scene for scene in content()["scenes"] if not scene["more"]]
    assert content()["scenes"][: len(core)] == core
    sizes = []
    for scene in core:
        shown = re.sub(r"<[^>]+>", " ", " ".join(words for _, words in scene["blocks"]))
        said = 4 * len(scene["asks"])  # "You said 0.58."
        sizes.append(said + len(shown.split()) + len(re.findall("data-slot", str(scene["blocks"]))))
    assert len(sizes) == 6
    assert max(sizes) <= 60
    assert sum(sizes) <= 450
    # Seven minutes, of which each scene has what it takes to read 200 words a minute, 20 s for a
    # prediction or a question, and 10 s for a slider.
    assert sum(scene["minutes"] for scene in core) <= 7
    for scene, size in zip(core, sizes, strict=True):
        acts = 20 * (len(scene["asks"]) + bool(scene["check"])) + 10 * len(scene["controls"])
        assert size / 200 + acts / 60 <= scene["minutes"]


def test_names_in_the_colour_of_their_curve_can_be_read_on_light_and_dark():
    assert set(DARK_COLOR) == set(COLOR.values())
    for light, dark in DARK_COLOR.items():
        assert contrast(light, "#faf9f7") > 4.5
        assert contrast(dark, "#1f1f1d") > 4.5


def test_the_words_say_what_the_paper_says():
    said = json.dumps(content(), ensure_ascii=False, default=str)
    assert f"{tap(two_lists(), E0).value:.3f}" == "0.746"
    assert "0.746, where the paper has 0.745" in said
    assert "expects that studies would usually draw the same conclusions" in said
    assert "at least half of the queries have at least k errors" in said
    assert not re.search("Pour|poured|You may try for ever", said)


class Page(HTMLParser):
    """What a page fetches, and its text without the encoded part and the scripts."""

    def __init__(self):
        super().__init__()
        self.fetched, self.text, self.inside = [], "", []

    def handle_starttag(self, tag, attrs):
        self.inside.append(tag)
        wanted = {"src", "srcset"} | ({"href"} if tag in ("link", "image", "use") else set())
        self.fetched += [value for name, value in attrs if name in wanted]

    def handle_data(self, data):
        if self.inside[-1:] != ["script"]:
            self.text += data


def test_the_file_fetches_nothing_and_is_small():
    page = Page()
    page.feed(html_page())
    assert page.fetched == ["data:,"]
    assert len(html_page().encode()) < 1_200_000
    fetches = r"""@import|url\(\s*["']?(?!#|data:)|\bfetch\(|XMLHttpRequest|import\("""
    assert not re.search(fetches, html_page())


def test_what_is_shared_of_the_lesson_says_what_it_is():
    told = dict(re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]+)">', html_page()))
    assert told["og:title"] == "Which program would you install?"
    assert told["description"] == told["og:description"]
    assert "862 proteins" in told["description"]
    assert (ROOT / told["og:image"].partition("/raw/main/")[2]).read_bytes().startswith(b"\x89PNG")


def test_no_answer_can_be_read_in_the_file():
    assert encoded() in html_page()
    rest = html_page().replace(encoded(), "")
    asks = [ask for scene in SCENES.values() for ask in scene.asks]
    told_by_chance = ("report", "lifted", "outside_tap", "outside_pooled", "mean", "median")
    assert not [one for one in asks if one.question not in told_by_chance and one.answer in rest]
    assert not re.search("lower than both|below both|0.098|0.583|d1ps9a3|goes <em>down", rest)


def test_the_explorer_is_linked_where_there_is_one():
    assert 'data-explorer=""' in html_page()
    address = "https://lab.example.org/explore"
    assert f'data-explorer="{address}"' in html_page(address)


NOT_WRITTEN = [
    *(
        ("lesson.html", ["--explorer", address], f"--explorer {address}: expected an address")
        for address in ("explore", "javascript:alert(1)", "https://a.org/?k=5")
    ),
    ("none/lesson.html", [], "cannot be written"),
]


@pytest.mark.parametrize(("path", "options", "said"), NOT_WRITTEN)
def test_a_lesson_that_cannot_be_written_leaves_nothing(path, options, said, tmp_path, capsys):
    assert said in stderr_of(capsys, ["lesson", "-o", str(tmp_path / path), *options])
    assert list(tmp_path.iterdir()) == []


QUERIES = [f"d{family}{i}" for family in "ab" for i in range(3)]


def searched(path, e_values):
    """A table of hits of every query: a relative, an error, a relative."""
    rows = []
    for query in QUERIES:
        relatives = [one for one in QUERIES if one[1] == query[1] and one != query]
        stranger = next(one for one in QUERIES if one[1] != query[1])
        for subject, e in zip((relatives[0], stranger, relatives[1]), e_values, strict=True):
            rows.append(f"{query}\t{subject}\t30\t99\t1\t0\t1\t99\t1\t99\t{e}\t50\n")
    path.write_text("".join(rows))


@pytest.fixture
def own_files(tmp_path):
    searched(tmp_path / "mine.m8", (1e-9, 1e-1, 1e-5))
    searched(tmp_path / "other.m8", (1e-5, 1e-9, 1e-1))
    (tmp_path / "labels.tsv").write_text("".join(f"{one}\t{one[1]}.1.1\n" for one in QUERIES))
    return [str(tmp_path / name) for name in ("mine.m8", "other.m8")]


def shown_in(page):
    """Scenes of a page by their names, with their words as text."""
    encoded = re.search(r'id="content">([^<]+)<', page)[1]
    scenes = {one["name"]: one for one in json.loads(base64.b64decode(encoded))["scenes"]}
    for one in scenes.values():
        text = " ".join(words for _, words in one["blocks"])
        one["said"] = html.unescape(re.sub("<[^>]+>", "", text))
    return scenes


def test_the_opening_on_own_files(own_files, tmp_path):
    path, labels = tmp_path / "own.html", str(tmp_path / "labels.tsv")
    assert main(["lesson", *own_files, "--labels", labels, "-o", str(path)]) == 0
    scenes = shown_in(path.read_text(encoding="utf-8"))
    assert list(scenes) == ["own", "own_alone", "own_pair", "own_seats", "own_instead"]
    scene = scenes["own"]
    assert "6 queries, each searched with two programs." in scene["said"]
    assert "mine does better for 6, other for 0." in scene["said"]
    kept = "Leaving out large dots, even all 5, does not change that."
    assert f"The two agree. {kept}" in scene["said"]
    assert scene["extra"]["names"] == ["mine", "other"]
    (table,) = scene["tables"]
    # All relevant records of the one come before its errors.
    assert set(table["columns"]["pooled_first"]) == {"1.000"}
    assert table["columns"]["gone"][-1] == "5"


def lists_of(*queries, direction="ascending"):
    """Lists of letters, scores and T."""
    letters, scores, totals = zip(*queries, strict=True)
    relevant = [letter == "R" for letter in "".join(letters)]
    offset, ids = np.cumsum([0, *map(len, letters)]), [f"<q{i}>" for i in range(len(queries))]
    values = np.concatenate(scores)
    return RetrievalLists(values, relevant, offset, totals, query=ids, direction=direction)


HARMED = (
    ("RIIIIIIRR", [*10.0 ** np.arange(-30, -23), 2, 3], 3),
    ("RRRI", (1e-9, 1e-8, 1e-7, 1), 3),
    ("RRRRI", (1e-9, 1e-8, 1e-7, 1e-5, 5), 4),
)
IN_BITS = tuple((letters, -np.log10(scores), total) for letters, scores, total in HARMED)


@pytest.mark.parametrize(("queries", "direction"), [(HARMED, "ascending"), (IN_BITS, "descending")])
def test_two_lists_of_a_reader_at_every_position(queries, direction):
    lists = lists_of(*queries, direction=direction)
    scenes = shown_in(own_page({"x": lists, "y": lists}))
    columns = {
        name: scene["tables"][0]["columns"] for name, scene in scenes.items() if scene["tables"]
    }
    assert "The average of the separate ROC₅₀ says neither." in scenes["own"]["said"]
    # The first alone has (6 + 44 * 3) / 150, the second 1; merged, its errors come before all but
    # one of their 6 relevant records: (6 + 4 + 43 * 6) / 300.
    alone = scenes["own_alone"]["said"]
    assert "A is <q1>, B is <q0>. Of 3 pairs of queries examined, this one is pooled f" in alone
    pair = scenes["own_pair"]
    assert pair["asks"][0]["marks"] == [["A alone", 1.0], ["B alone", pytest.approx(0.92)]]
    assert pair["asks"][0]["truth"] == pytest.approx(268 / 300)
    assert "It is 0.893: below both." in pair["said"]
    assert "Of 3 pairs of queries examined, 2 are pooled outside the range" in pair["said"]
    of_a, of_b = ([letter == "R" for letter in queries[q][0]] for q in (1, 0))
    for slot, own in (("own_a", of_a), ("own_b", of_b)):
        shown = columns["own_alone"][slot]
        assert shown == told([roc(own, 3, at) for at in range(1, len(shown) + 1)])
    # R of B, its errors, A's relevant records and error, and two of B.
    merged = shares([True] + [False] * 6 + [True] * 3 + [False] + [True] * 2, 6, 7)
    assert columns["own_seats"]["merged"] == told(merged)
    assert columns["own_seats"]["of_a"] == ["0"] * 6 + ["4"]
    assert columns["own_seats"]["of_b"] == [str(at) for at in (2, 3, 4, 5, 6, 7, 7)]
    said = scenes["own_seats"]["said"]
    assert "Of the 50 seats only 7 are taken: 1 by A’s errors, 6 by B’s." in said
    assert "By then 3 of 3 relevant records of A had been read, and 1 of 3 of B." not in said
    scores = np.concatenate([queries[q][1] for q in (1, 0)])
    stops = np.sort(scores)[:: 1 if direction == "ascending" else -1]
    assert len(columns["own_instead"]["stop"]) == 13
    sign = 1 if direction == "ascending" else -1
    for at, stop in enumerate(stops):
        taps = []
        for letters, own_scores, total in (queries[1], queries[0]):
            seen = [
                c == "R" for c, x in zip(letters, own_scores, strict=True) if sign * (x - stop) <= 0
            ]
            summed = sum(sum(seen[:rank]) / rank for rank, hit in enumerate(seen, 1) if hit)
            taps.append((summed + (sum(seen) / len(seen) if seen else 0)) / (total + 1))
        row = [columns["own_instead"][slot][at] for slot in ("tap_a", "tap_b", "tap_mean")]
        assert row == told([*taps, sum(taps) / 2])
    (lanes,) = scenes["own_instead"]["lanes"]
    for at, line in enumerate(lanes["line"]):  # as many are drawn as read as TAP has read
        assert sum(place <= line for one in lanes["lists"] for place in one["exponent"]) == at + 1
    assert "x has no TAP-20. Fewer than half" in scenes["own_instead"]["said"]


def test_the_pair_of_the_lesson_is_the_one_that_its_data_have():
    results = {name: n.bundled_lists(name) for name in ("jackhmmer", "SSEARCH")}
    scenes = shown_in(own_page(results))
    assert f"A is {n.PAIR[0]}, B is {n.PAIR[1]}." in scenes["own_alone"]["said"]
    assert "It is 0.289: below both." in scenes["own_pair"]["said"]
    assert "Of 371,091 pairs of queries examined, 29,229 are" in scenes["own_pair"]["said"]
    assert "46 by A’s errors, 4 by B’s" in scenes["own_seats"]["said"]
    assert "TAP-20 of jackhmmer is 0.468, at E₂₀ = 9.5." in scenes["own_instead"]["said"]


def test_lists_that_do_not_show_the_effect_say_so():
    fair = lists_of(("RRI", (1e-9, 1e-5, 1), 2), ("RIR", (1e-8, 1e-6, 1e-2), 3))
    told = shown_in(own_page({"x": fair, "y": fair}))["own_pair"]["said"]
    assert "not outside" in told
    assert "None of 1 pairs of queries examined" in told
    assert "your data do not show what the lesson shows" in told


@pytest.mark.parametrize(
    "queries",
    [
        [("RR", (1e-9, 1e-5), 2), ("RR", (1e-8, 1e-6), 3)],  # no errors
        [("RI", (1e-9, 1e-5), 2), ("II", (1e-8, 1e-6), 0)],  # a query without relevant records
        [("R", (0.0,), 1), ("", (), 1)],
    ],
    ids=["no errors", "one query", "no list"],
)
def test_lists_with_too_little_have_the_opening_alone(queries):
    lists = lists_of(*queries)
    (scene,) = shown_in(own_page({"x": lists, "y": lists})).values()
    assert "x has too few errors in any two lists to show more." in scene["said"]
    assert "nan" not in json.dumps(scene["tables"]) + json.dumps(scene["extra"]["without"])


def test_what_is_no_pair_of_programs_is_refused(own_files, tmp_path, capsys):
    labels = ["--labels", str(tmp_path / "labels.tsv"), "-o", str(tmp_path / "own.html")]
    assert main(["lesson", own_files[0], *labels]) == 2
    assert "expected the results of two programs, found 1: mine" in capsys.readouterr().err
    assert main(["lesson", *own_files, *labels, "--class"]) == 2
    assert "--class: is of the lesson" in capsys.readouterr().err
    lists = two_lists()
    refuses("a and b: expected the same queries", own_page, {"a": lists, "b": two_lists(copies=2)})
    none = lists_of(("II", (1e-9, 1e-5), 0), ("I", (1e-8,), 0))
    refuses("a and b: nothing is relevant to any query", own_page, {"a": none, "b": none})


def test_how_few_queries_turn_a_pooled_order():
    found = n.opening()
    clear = np.tile([0.5, 0.4], (8, 1))
    for pooled, few in ((found.pooled, 1), (found.pooled[:, ::-1], 1), (clear, 0)):
        assert n.turning(found._replace(pooled=pooled))[0] == few


def test_a_page_gets_the_lesson_as_soon_as_it_is_made(monkeypatch):
    built = Future()
    monkeypatch.setattr(page, "build_ahead", lambda: built)
    document = Document()
    with set_curdoc(document):
        player = Lesson().__panel__()
    assert player.content == ""
    built.set_result("all of it")
    (fill,) = document.session_callbacks
    fill.callback()
    assert player.content == "all of it"
    with set_curdoc(document):
        assert Lesson().__panel__().content == "all of it"


def test_a_notebook_and_files_keep_the_lesson(tmp_path):
    shown = Lesson()._repr_mimebundle_(include=None, exclude=None)
    (inside,) = re.findall(r'srcdoc="([^"]*)"', shown["text/html"])
    assert html.unescape(inside) == html_page()
    Lesson().save(tmp_path / "saved.html")
    assert main(["lesson", "-o", str(tmp_path / "typed.html")]) == 0
    for name in ("saved.html", "typed.html"):
        assert (tmp_path / name).read_text(encoding="utf-8") == html_page()
