"""The plots of the fourth place: each is shown, follows the choices, and is said in words."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

from tapviz import measures as m
from tests.ui.expected import FIVE, bench
from tests.ui.page import A_VS_B, K, N, Page, finite


def test_roc(page: Page) -> None:
    page.tab("ROC")

    def drawn() -> None:
        curve = page.layer("average_roc", "curve BLASTP")
        rate = 10 ** np.array(curve["x"][1:])
        expected = m.average_roc(bench()["BLASTP"], np.minimum(rate, 1)).tpr
        assert expected.size
        assert curve["y"][1:] == pytest.approx(expected, abs=1e-6)

    page.eventually(drawn)
    page.tick("BLASTP")
    page.shows(lambda: page.layer("average_roc", "curve BLASTP")["x"], [])
    assert page.layer("average_roc", "curve SSEARCH")["x"]


def test_coverage_and_its_marks_follow_k(page: Page) -> None:
    page.tab("Coverage")

    def drawn() -> None:
        curve = m.coverage_vs_epq(bench()["jackhmmer"])
        seen = page.layer("coverage", "curve jackhmmer")
        assert max(seen["y"]) == pytest.approx(curve.coverage[-1])

    page.eventually(drawn)

    def marked(k: int) -> None:
        expected = []
        for name in FIVE:
            found = m.coverage_vs_epq(bench()[name])
            e_k = m.tap_k(bench()[name], k=k).e0
            expected.append(found.epq[np.searchsorted(found.threshold, e_k, side="right") - 1])
        marks = page.layer("coverage", "threshold")
        assert sorted(10 ** np.array(marks["x"])) == pytest.approx(sorted(expected))

    page.eventually(lambda: marked(20))
    page.type(K, "3")
    page.eventually(lambda: marked(3))


def test_calibration(page: Page) -> None:
    page.tab("Calibration")

    def drawn() -> None:
        curve = page.layer("calibration", "curve SSEARCH")
        reported, observed = np.array(curve["x"]), np.array(curve["y"])
        one = int(np.argmin(np.abs(reported - 1)))
        expected = m.calibration(bench()["SSEARCH"], [reported[one]]).observed[0]
        assert observed[one] == pytest.approx(expected)

    page.eventually(drawn)


def test_kth_error_follows_k_and_the_algorithm(page: Page) -> None:
    page.tab("k-th error")

    def shown(name: str, k: int) -> None:
        seen = page.layers("nth_error")
        bars = np.array(seen["bar"]["y1"])
        never = m.nth_irrelevant(bench()[name], n=k).n_never
        assert bars.sum() == 862 - never
        assert sum(seen["never"]["y1"]) == never
        said = page.in_words()["k-th error"]
        assert name in said
        assert f"E{k}" in said or f"{k} errors" in said

    page.eventually(lambda: shown("BLASTP", 20))
    page.type(K, "40")
    page.eventually(lambda: shown("BLASTP", 40))
    page.look_at("jackhmmer")
    page.eventually(lambda: shown("jackhmmer", 40))
    assert m.error_threshold(bench()["jackhmmer"], k=40).e_k > 0


def test_a_against_b(page: Page) -> None:
    page.tab(A_VS_B)

    def shown(a: str, b: str) -> None:
        points = page.layer("scatter", "point")
        assert finite(points["y"])[:862] == pytest.approx(m.tap_k(bench()[a], k=20).per_query)
        assert finite(points["x"])[:862] == pytest.approx(m.tap_k(bench()[b], k=20).per_query)
        said = page.in_words()["A against B"]
        assert said.startswith(f"{a} has the larger TAP-20 for ")
        assert f"{b} for " in said

    page.eventually(lambda: shown("BLASTP", "SSEARCH"))
    b = page.browsed.get_by_label("B", exact=True).and_(page.browsed.locator("select.bk-input"))
    page.compare_with("jackhmmer")
    page.eventually(lambda: shown("BLASTP", "jackhmmer"))
    page.shows(b.input_value, "jackhmmer")
    b.select_option("phmmer")
    page.eventually(lambda: shown("BLASTP", "phmmer"))
    assert page.browsed.get_by_label("baseline", exact=True).first.input_value() == "jackhmmer"
    assert {*page.layer("scatter", "point")["marker"]} == {"circle", "triangle", "diamond"}
    b.select_option("jackhmmer")
    page.eventually(lambda: shown("BLASTP", "jackhmmer"))
    page.query_text.fill("^d1")
    some = np.char.startswith(bench()["BLASTP"].query, "d1")
    page.shows(lambda: f"of {some.sum()} queries" in page.in_words()["A against B"])


def test_the_plot_that_shows_why_pooling_differs_plays_each_time_it_is_asked_for(
    page: Page,
) -> None:
    place = page.browsed.locator(".of-pooled")
    hidden = "(place) => parseFloat(getComputedStyle(place).clipPath.split(' ')[2]) || 0"
    for _ in range(2):
        page.press("show me")
        # From the row of all queries down, until all of it is seen.
        page.shows(lambda: place.evaluate(hidden) > 10, True)
        page.shows(lambda: place.evaluate(hidden), 0)


def test_a_new_version_is_compared_with_an_old_one_alone(page: Page) -> None:
    page.look_at("MMseqs2_iter3")
    page.tab("New against old")
    page.browsed.get_by_label("B", exact=True).first.select_option("BLASTP")
    lists = [bench()[name] for name in ("MMseqs2_iter3", "BLASTP")]
    new, old = (m.tap_k(one, k=20) for one in lists)

    def shown() -> None:
        page.sees(f"TAP-20 +{new.value - old.value:.3f}")
        better, worse = (sign * (new.per_query - old.per_query) > 1e-12 for sign in (1, -1))
        page.sees(f"better for {better.sum()}, worse for {worse.sum()} of 862")

    page.eventually(shown)
    page.press("Only these two")
    page.shows(lambda: sorted(page.table()), ["BLASTP", "MMseqs2_iter3"])
    page.shows(lambda: page.button("Only these two").filter(visible=True).count(), 0)
    page.eventually(shown)
    page.sees("no clear loss")


def test_why_pooled_differs_follows_n_and_leads_to_the_lists(page: Page) -> None:
    page.press("show me")

    def shown(n: int) -> None:
        both = (bench()[name] for name in ("MMseqs2_iter3", "BLASTP"))
        found = m.leave_out_suppliers(*both, n=n)
        assert page.layer("pooled", "supplied")["query"][:3] == found.query[:3].tolist()
        assert f"ROC{n} puts BLASTP before" in page.in_words()["Why pooled ROCₙ differs"]

    page.eventually(lambda: shown(50))
    said = page.in_words()["Why pooled ROCₙ differs"]
    assert "without d1ps9a3 and d1twfa_, 2 of 862 queries, it does not" in said
    assert "leaving out d1twfa_ alone is enough" in said
    page.type(N, "40")
    page.eventually(lambda: shown(40))
    page.type(N, "50")
    page.eventually(lambda: shown(50))
    page.settled()
    page.script("tapviz.view('pooled').el.scrollIntoView({ block: 'center' })")
    page.browsed.mouse.click(*page.place("pooled", 0.2, -1))
    page.sees("Ranked lists of d1ps9a3")


@pytest.mark.parametrize(
    ("former", "now"),
    [("influence", "pooled"), ("violations", "pooled"), ("difference_matrix", "differences")],
)
def test_links_to_plots_of_former_versions_open_those_that_answer_now(
    open_page, former: str, now: str
) -> None:
    page = open_page(f"?view={former}")
    page.eventually(lambda: page.layers(now))
    page.shows(lambda: page.settings().get("view"), [now])


def test_a_plot_that_nobody_sees_is_not_sent(page: Page) -> None:
    page.tab(A_VS_B)
    page.tab("ROCₙ")
    page.at_rest()
    page.pushes.clear()
    page.type(K, "7")
    page.shows(lambda: page.heads()[1], "TAP-7")
    page.at_rest()
    sent = [json.loads(push) for push in page.pushes]
    points = [e for one in sent for e in one["events"] if len(json.dumps(e)) > 20_000]
    assert not points
    page.tab(A_VS_B)
    page.shows(
        lambda: (
            finite(page.layer("scatter", "point")["y"])
            == pytest.approx(m.tap_k(bench()["BLASTP"], k=7).per_query)
        )
    )


def test_the_tab_is_in_the_address(page: Page, open_page) -> None:
    page.tab("Coverage")
    page.shows(lambda: page.settings().get("view"), ["coverage"])
    other = open_page("?view=calibration")
    other.eventually(lambda: other.layers("calibration"))


def test_every_plot_fits_into_its_place_after_all_others(page: Page) -> None:
    names = {"ROC": "average_roc", "Coverage": "coverage", "Calibration": "calibration"}
    names |= {"k-th error": "nth_error", A_VS_B: "scatter"}
    names |= {"Why pooled differs": "pooled", "ROCₙ": "roc"}
    for words, name in names.items():
        page.tab(words)

        def fits(name: str = name) -> None:
            _, above, _, _ = page.frame("tap")
            _, lower, _, rest = page.frame("epq")
            height = lower + rest - above
            _, top, width, own = page.frame(name)
            assert above < top < above + 95  # A and B are chosen in a row of their own
            assert top + own == pytest.approx(above + height, abs=25)
            assert width > 350

        page.eventually(fits)


# --- intervals and comparisons --------------------------------------------------------------------


def test_intervals_come_once_the_hand_rests_and_hold_the_scores(page: Page) -> None:
    def there() -> None:
        for name, text in page.intervals().items():
            assert text, page.status()
            low, high = map(float, text.split(" to "))
            assert low < float(page.table()[name][0]) < high

    page.eventually(there)
    page.eventually(lambda: page.status().index("1,000 resamples of the superfamilies"))
    before = page.intervals()
    page.record()
    page.type(K, "3")
    page.shows(lambda: page.heads()[1], "TAP-3")
    page.eventually(there)
    expected = {"TAP-20": before, "TAP-3": page.intervals()}
    for heads, rows in page.recorded():  # at no time beside the score of another k
        for name, (_, interval, *_) in rows.items():
            assert interval in ("", expected[heads[1]][name])


def test_intervals_of_tap_stay_while_those_of_another_n_are_worked_out(page: Page) -> None:
    page.shows(lambda: "" in page.intervals().values(), False)
    before = page.intervals()
    with page.server.holding():
        page.record()
        page.type(N, "58")
        page.shows(lambda: "ROC58" in page.heads(), True)
        page.eventually(lambda: page.status().index("Cancel"))
    page.settled()
    tables = page.recorded()
    assert tables
    for _, rows in tables:
        assert {name: interval for name, (_, interval, *_) in rows.items()} == before


def test_intervals_come_however_slowly_the_page_opens(open_page) -> None:
    page = open_page(slower=6)
    page.shows(lambda: "" in page.intervals().values(), False)


def test_comparison_with_a_baseline(page: Page) -> None:
    page.compare_with("SSEARCH")
    page.shows(lambda: "TAP-20: difference from SSEARCH" in page.heads())

    def there() -> None:
        found = page.compared()
        assert found["SSEARCH"] == ["baseline"]
        base = m.tap_k(bench()["SSEARCH"], k=20)
        for name in set(FIVE) - {"SSEARCH"}:
            difference, interval, p, counts = found[name]
            at = m.tap_k(bench()[name], k=20)
            assert float(difference.replace("−", "-")) == pytest.approx(
                at.value - base.value, abs=6e-4
            )
            low, high = (float(part.replace("−", "-")) for part in interval.split(" to "))
            assert low < at.value - base.value < high
            assert (float(p.removeprefix("<")) <= 0.05) == (low > 0 or high < 0)
            wins, ties, losses = map(int, counts.split("/"))
            apart = at.per_query - base.per_query
            assert (wins, losses) == ((apart > 1e-12).sum(), (apart < -1e-12).sum())
            assert wins + ties + losses == 862

    page.eventually(there)
    how = "studentised maximum, 4,999 random choices of signs"
    page.eventually(lambda: page.status().index(how))


def test_slow_work_can_be_stopped_and_begun_again(page: Page) -> None:
    page.shows(lambda: "" in page.intervals().values(), False)
    button = page.browsed.locator(".status button")
    tips = page.browsed.locator('table.scores tbody td[title*="95 % interval: "]')
    every = tips.count()
    with page.server.holding():
        page.type(N, "57")  # at which nobody has been: what is known needs no work
        page.eventually(lambda: page.status().index("Cancel"))
        button.click()
        page.shows(page.status, "Intervals: stopped. Compute")
    page.at_rest(quiet=0.5)
    assert page.status() == "Intervals: stopped. Compute"
    assert tips.count() == every - 2 * len(FIVE)  # ROC_n and pooled ROC_n have none
    button.click()
    page.eventually(lambda: page.status().index("E20 re-estimated"))
    page.shows(tips.count, every)


def test_every_plot_is_said_in_words(page: Page) -> None:
    plots = ["TAP against E0", "Errors per query", "Precision and recall"]
    page.shows(lambda: list(page.in_words()), plots)
    page.shows(lambda: "jackhmmer 0.468 at 9.5" in page.in_words()["TAP against E0"])
    page.type(K, "5")
    at = m.tap_k(bench()["jackhmmer"], k=5)
    page.shows(lambda: f"jackhmmer {at.value:.3f} at" in page.in_words()["TAP against E0"])


def test_a_disagreement_is_said_and_leads_to_the_order(page: Page) -> None:
    page.sees("Pooled ROC50 ranks BLASTP above MMseqs2_iter3; TAP-20 ranks it below")
    page.press("by k, 1 of 10 pairs changes places; at E = 0.01, 1 of 10")
    page.press("ranking by k")
    page.shows(lambda: page.layer("order", "curve SSEARCH")["y"][:2], [-4, -3])
    page.type(K, "1")
    page.shows(lambda: page.layer("order", "line")["x"], [1, 1])
    page.tick("MMseqs2_iter3")
    page.shows(lambda: set(page.layer("order", "curve SSEARCH")["y"]), {-3})


# --- every two algorithms -------------------------------------------------------------------------


def rows_of_pairs(page: Page) -> dict[str, str]:
    """What stands beside each pair, from the first row to the last."""
    value = page.layer("differences", "value")
    return dict(zip(value["pair"], value["text"], strict=True))


def test_every_two_algorithms_by_a_score_that_is_chosen(page: Page) -> None:
    page.tab("Differences")

    def shown(value: Callable[[str], float]) -> None:
        rows = rows_of_pairs(page)
        assert len(rows) == 10
        sizes = []
        for pair, text in rows.items():
            first, second = pair.split(" − ")
            sizes.append(value(first) - value(second))
            difference, _, p = text.partition(", p ")
            assert float(difference.replace("−", "-")) == pytest.approx(sizes[-1], abs=6e-4)
            assert p
        assert sizes == sorted(sizes, reverse=True)
        bars = page.layer("differences", "bar")
        assert len(bars["x"]) == 3 * 10  # with a gap after each

    page.eventually(lambda: shown(lambda name: m.tap_k(bench()[name], k=20).value))
    apart = "By TAP-20 9 of 10 pairs of programs differ clearly"
    page.eventually(lambda: page.in_words()["Differences"].index(apart))
    page.browsed.get_by_label("score compared").filter(visible=True).last.select_option(
        "pooled ROCₙ"
    )
    page.eventually(lambda: shown(lambda name: m.pooled_roc_n(bench()[name])))
    axis = "tapviz.figure('differences').below[0].axis_label"
    page.shows(lambda: page.script(axis), "pooled ROC₅₀, first − second")
    apart = "By pooled ROC50 7 of 10 pairs of programs differ clearly"
    page.eventually(lambda: page.in_words()["Differences"].index(apart))


def test_a_click_on_a_pair_shows_a_against_b(page: Page) -> None:
    page.tab("Differences")
    page.shows(lambda: len(page.layer("differences", "value")["text"]), 10)

    def click() -> None:
        if page.settings()["view"] != ["scatter"]:
            page.settled()  # the plot grows as intervals arrive
            page.script("tapviz.view('differences').el.scrollIntoView({ block: 'center' })")
            pair = page.layer("differences", "value")
            at = pair["pair"].index("jackhmmer − BLASTP")
            page.browsed.mouse.click(*page.place("differences", pair["x"][at], pair["y"][at]))
        page.shows(lambda: page.settings()["view"], ["scatter"], wait=10)

    page.eventually(click)
    page.shows(lambda: page.in_words()["A against B"].startswith("jackhmmer has the larger TAP-20"))
    page.shows(lambda: page.settings()["opponent"], ["BLASTP"])
    assert page.settings()["baseline"] == [""]  # which nobody has changed
