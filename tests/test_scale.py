"""Scales of thresholds and powers of ten, and how numbers and algorithms look."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz.draw.bokeh import POWER, formatter, ticker
from tapviz.draw.picture import Axis
from tapviz.draw.scale import GAP, KINK, PowerScale, ThresholdAxis
from tapviz.draw.style import DASHES, brief, number, styles, tick_label
from tests.strategies import examples


def log_axis(*, zero=True):
    scores = np.array([0.0, 1e-180, 3.0, 1000.0])
    return ThresholdAxis.of([scores[0 if zero else 1 :], np.zeros(0)], descending=False)


def test_axis_is_logarithmic_where_scores_span_decades():
    axis = log_axis()
    assert axis.log
    assert (axis.low, axis.high) == (1e-180, 1000)
    assert axis.position(1e-5) == pytest.approx(-5)
    assert axis.position(1e-10) == pytest.approx(KINK)
    # Below, decades begin as wide as above, and become ever narrower: a curve has no corner there.
    wide = axis.position([1e-9, 1e-10, 1e-11, 1e-12, 1e-50, 1e-51, 1e-100])
    decades = -np.diff(wide)
    assert decades[0] == pytest.approx(1)
    assert 0.8 < decades[1] < 1
    assert decades[1] > decades[2] > decades[4] > 0
    near = axis.position([1.001e-10, 1e-10, 0.999e-10])
    assert np.diff(near)[1] == pytest.approx(np.diff(near)[0], rel=0.01)
    assert axis.threshold(wide) == pytest.approx([1e-9, 1e-10, 1e-11, 1e-12, 1e-50, 1e-51, 1e-100])
    assert "compressed below 10⁻¹⁰" in axis.title


def test_zero_lies_left_of_the_smallest():
    axis = log_axis()
    assert axis.start == axis.zero < float(axis.position(1e-180))
    assert (axis.position(0), axis.threshold(axis.zero)) == (axis.zero, 0)
    assert axis.describe(0) == "E = 0 as reported (below the program's smallest)"
    assert axis.scale.kink == KINK
    left, right = axis.scale.gutter
    assert left < axis.start
    assert axis.zero < right < float(axis.position(1e-180))


def test_without_zeros_there_is_no_place_for_them():
    axis = log_axis(zero=False)
    assert axis.zero is None
    assert axis.scale.gutter is None
    assert axis.start == pytest.approx(float(axis.position(1e-180)))
    assert (axis.position(0), axis.grid(5)[0]) == (axis.start, 1e-180)


@pytest.mark.parametrize("size", [2, 5, 160, 360])
def test_grid_holds_both_ends_and_zero(size):
    grid = log_axis().grid(size)
    assert grid.size == size + 1
    assert (grid[0], grid[1], grid[-1]) == (0, 1e-180, 1000)
    assert (np.diff(grid) > 0).all()


def test_linear_axis():
    axis = ThresholdAxis.of([np.array([5.0, 2.0])], descending=True)
    assert not axis.log
    assert (axis.low, axis.high, axis.zero) == (5, 2, None)
    assert axis.grid(4).tolist() == [5, 4, 3, 2]
    assert axis.position(3) == axis.threshold(3) == 3
    assert (axis.describe(3), axis.title) == ("score 3", "score threshold")


def test_e_values_of_few_decades_are_drawn_as_they_are():
    assert not ThresholdAxis.of([np.array([0.1, 5.0])], descending=False).log
    assert not ThresholdAxis.of([np.array([-1.0, 1e9])], descending=False).log
    assert not ThresholdAxis.of([np.array([0.0])], descending=False).log
    assert ThresholdAxis.of([np.array([0.0, 5.0])], descending=False).log


def test_axis_of_nothing():
    axis = ThresholdAxis.of([np.zeros(0)], descending=False)
    assert np.isfinite([axis.start, axis.end, *axis.grid(3)]).all()


def test_ticks_get_finer_and_begin_with_zero():
    axis = log_axis()
    levels = axis.scale.levels()
    assert all(level[0] == axis.zero for level in levels)
    sizes = [len(level) for level in levels]
    assert sizes == sorted(sizes)
    for level in levels:
        assert (np.diff(level) > 0).all()
        assert level[-1] <= axis.end + 1e-9
    assert float(axis.position(1.0)) in levels[0]


def test_a_score_of_one_decade_has_ticks_of_its_own():
    axis = ThresholdAxis.of([np.array([0.0, 2.0, 5.0])], descending=False)
    assert axis.log
    assert len(axis.scale.levels()[-1]) > 3


def test_power_scale_has_a_place_for_zero():
    axis = PowerScale.of(0.001, 100.0, zero=True)
    assert axis.start == axis.zero < -3
    assert axis.position([0, 0.001, 0.01, 100]) == pytest.approx([axis.zero, -3, -2, 2])
    assert axis.position([1e-9, 1e-300]) == pytest.approx([-3, -3])  # never in the place of 0
    assert np.isnan(axis.position([-1.0, np.nan])).all()
    assert axis.grid(3) == pytest.approx([0, 0.001, 10**-0.5, 100])
    assert axis.grid(3)[-1] == 100
    assert axis.levels()[0] == pytest.approx([axis.zero, -3, -2, -1, 0, 1, 2])
    assert axis.gutter[0] < axis.zero < axis.gutter[1] < -3
    assert axis.kink is None


def test_power_scale_without_zero():
    axis = PowerScale.of(0.001, 100.0, zero=False)
    assert axis.start == pytest.approx(-3)
    assert np.isnan(axis.position(0))
    assert axis.grid(2).tolist() == [0.001, 100]
    assert axis.gutter is None
    assert axis.kink is None


def test_power_scale_is_never_shorter_than_a_decade_and_grows():
    assert PowerScale.of(2.0, 2.0, zero=False).high == 20
    axis = PowerScale.of(0.1, 5.0, zero=True)
    assert (axis.reaching(3.0), axis.reaching(50.0).end) == (axis, pytest.approx(np.log10(50)))
    assert axis.reaching(50.0).zero == axis.zero


@st.composite
def scales(draw):
    """Scales as plots have them: of numbers, or of E-values, with 0 or without."""
    low = draw(st.floats(1e-200, 1e3))
    high = low * 10.0 ** draw(st.floats(0.0, 250.0))
    if draw(st.booleans()):
        return PowerScale.of(low, min(high, 1e4 * low), zero=draw(st.booleans()))
    score = np.array([low, max(2e3 * low, min(high, 1e6)), *([0.0] * draw(st.booleans()))])
    return ThresholdAxis.of([score], descending=False).scale or PowerScale.of(low, high, zero=False)


@given(scales(), st.floats(0, 1), st.lists(st.floats(0, 1), min_size=2))
def test_places_and_values_are_inverse_and_in_one_order(scale, share, shares):
    value = float(scale.low * (scale.high / scale.low) ** share)
    assert float(scale.values(scale.position(value))) == pytest.approx(value, rel=1e-9)
    place = scale.first + share * (scale.end - scale.first)
    assert float(scale.position(scale.values(place))) == pytest.approx(place, abs=1e-9)
    if scale.zero is not None:
        assert (float(scale.position(0.0)), float(scale.values(scale.zero))) == (scale.zero, 0)
    else:
        assert np.isnan(scale.position(0.0))
    values = scale.low * (scale.high / scale.low) ** np.sort(shares)
    assert (np.diff(scale.position(values)) >= 0).all()
    # What is below the smallest is drawn there.
    assert float(scale.position(scale.low / 1e3)) == scale.first
    assert np.isnan(scale.position([-1.0, np.nan])).all()


def in_browser(scale, tick):
    """What `power.js` says, line by line."""
    args = formatter(scale).args
    if args["zero"] is not None and abs(tick - args["zero"]) < 1e-6:
        return "0"
    below = args["squeeze"] * math.expm1(max(args["kink"] - tick, 0) / args["squeeze"])
    decade = args["kink"] - below if args["compressed"] and tick < args["kink"] else tick
    digits = dict(zip("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True))
    exponent = math.floor(decade + 1e-6)
    mantissa = 10.0 ** (decade - exponent)
    if -2 <= exponent <= 3:
        return f"{float(f'{mantissa * 10.0**exponent:.2g}'):g}"
    power = "10" + "".join(digits[c] for c in str(exponent))
    rounded = float(f"{mantissa:.2g}")
    return power if rounded == 1 else f"{rounded:g}·{power}"


@examples(50)
@given(scales())
def test_ticks_of_the_browser_are_those_of_print(scale):
    assert formatter(scale).code == POWER
    assert set(formatter(scale).args) == {"zero", "compressed", "kink", "squeeze"}
    levels = ticker(scale).args["levels"]
    assert levels == scale.levels()
    for level in levels:
        for tick in level:
            assert in_browser(scale, tick) == tick_label(float(scale.values(tick))), tick


def test_ticks_get_finer_where_less_is_seen():
    scale = PowerScale.of(1e-6, 100.0, zero=True)
    assert scale.ticks(-6, 2) == [-6, -5, -4, -3, -2, -1, 0, 1, 2]
    near = scale.ticks(-0.5, 0.5)
    assert [tick_label(float(scale.values(tick))) for tick in near] == ["0.5", "1", "2"] or (
        len(near) > 3
    )
    axis = Axis("x", -6.0, 2.0, scale=scale)
    assert axis.ticks_between(-2.5, 2.5) == {-2: "0.01", -1: "0.1", 0: "1", 1: "10", 2: "100"}
    assert Axis("x", 0.0, 1.0).ticks_between(0, 1) is None
    assert Axis("x", 0.0, 1.0, ticks={0.5: "half", 2: "two"}).ticks_between(0, 1) == {0.5: "half"}
    assert scale.zero == pytest.approx(-6 - GAP * 8)
    assert scale.kink is None
    assert PowerScale(1e-30, 1.0, compressed=True).kink == KINK


def test_values_of_an_axis():
    scale = PowerScale.of(0.01, 100.0, zero=True)
    assert Axis("x", 0, 1, scale=scale).values([scale.zero, -2, 2]) == pytest.approx([0, 0.01, 100])
    assert Axis("x", 0, 1, inverse=lambda at: -at).values([1, 2]).tolist() == [-1, -2]
    assert Axis("x", 1, 9, log=True).values([1, 5]).tolist() == [1, 5]


NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("written", "value", "text"),
    [
        *((number, value, text) for value, text in (
            (0.35312, "0.353"), (0.0, "0"), (-0.5, "−0.5"), (1.234e-30, "1.2e-30"), (20.44, "20.4"),
            (123456.0, "1.2e+05"), (0.001, "0.001"), (1e-4, "0.0001"), (NAN, "—"), (INF, "—"),
            (144.2, "144"), (-1.234e-30, "−1.2e-30"),
        )),
        *((brief, value, text) for value, text in (
            (0.0, "0"), (1.23e-5, "1.2e-05"), (0.123, "0.12"), (21.4, "21"), (163.2, "163"),
            (9970.0, "9,970"), (-163.2, "−163"), (-2.5, "−2.5"), (1.23e5, "1.2e+05"), (NAN, "—"),
        )),
        *((tick_label, value, text) for value, text in (
            (1e-20, "10⁻²⁰"), (1e-2, "0.01"), (10, "10"), (1.0, "1"), (1e5, "10⁵"), (2.5, "2.5"),
            (0, "0"),
        )),
    ],
)  # fmt: skip
def test_a_number_as_people_write_it(written, value, text):
    assert written(value) == text


def test_looks_are_keyed_by_name():
    nine = [f"name {i}" for i in range(9)]
    looks = styles(nine)
    first = [looks[name] for name in nine[:5]]
    assert (len({look.color for look in first}), len({look.dash for look in first})) == (5, 5)
    assert len(set(looks.values())) == 9
    assert first[0].dash == ()
    assert first[1].dash == DASHES[1]
    assert styles(nine[:3]) == {name: looks[name] for name in nine[:3]}


def test_twenty_five_looks_are_all_different():
    assert len(set(styles([str(i) for i in range(25)]).values())) == 25


def test_the_least_number_that_there_is_has_a_tick():
    assert [tick_label(value) for value in (5e-324, 2e-310, 1e-5)] == [
        "4.9·10⁻³²⁴",
        "2·10⁻³¹⁰",
        "10⁻⁵",
    ]
