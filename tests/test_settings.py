"""Every setting, set to another value, shows everywhere as if it had been so from the start.

The tests iterate over `SETTINGS`: a setting that is added is tested by them as it is. An explorer
that has shown everything under other choices, so that all its numbers are kept, must agree with a
fresh one that is made with the value.
"""

import argparse
import io
import re
from contextlib import redirect_stdout
from copy import copy
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import param
import pytest
from mypy import api

import tapviz.cli.arguments as cli_arguments
import tapviz.cli.score as cli_score
from tapviz import Dashboard, Explorer
from tapviz.cli import COMMANDS
from tapviz.cli.arguments import add_files, add_settings, explorer_of
from tapviz.explorer import report_tables, views
from tapviz.explorer.report import pieces, report
from tapviz.explorer.session import read_session, to_json, to_python, use_session
from tapviz.lists.runs import Run
from tapviz.live.parts import LiveText
from tapviz.page.export import _score as exported
from tapviz.plots import PlotData, plots_for
from tapviz.plots.plot import THRESHOLD as DEPENDS
from tapviz.readers.inputs import Opened
from tapviz.scores import Policies
from tapviz.scores import value as value_of
from tapviz.state import SETTINGS, THRESHOLD, Box, Range, numbers
from tapviz.state.settings import settings
from tests.pages import visible_parts
from tests.printed import json_of
from tests.strategies import even

RESAMPLES = 200
ALGORITHMS = ("A", "B", "C")
RECORDS = 12
FAMILIES = [max(row // 2, 1) for row in range(24)]
CLASSES = [f"{'ab'[family % 2]}.{family // 4}.{family}" for family in FAMILIES]
STARTS = {
    "by errors": {"baseline": "B", "queries_by": "query", "accepted_statistic": "quantile"},
    "by E-value": {"mode": "e0", "view": "scatter", "algorithms": ["A", "C"], "focus": "d1"},
}
"""Choices to begin with: what some settings change is seen only under certain others."""
OTHERS = {
    "boxes": (Box("A", "B", 1.0, 1.0, 0.0, 0.2, 0.0, 1.0),),
    "ranges": (Range("error", "A", 1, -np.inf, 1e-5),),
    "reported_to": {"A": 1e4},
    "query_class": "a",
    "queries_order": "-query",
    "links": "PDB",
    "view": "cost",
}
"""Values of what has a form of its own; of all other settings `another` finds one."""
FEWER = ("focus_algorithm", "boxes", "ranges", "query_text", "max_relevant", "groups")
"""Settings that would leave too little beside all others, or no interval."""


def made(seed):
    """Lists of two queries of each class, and of four of one; their records hang on the seed.

    There is one query of each sort that a setting may be about: the last one has T(q) = 0.
    """
    rng = np.random.default_rng(seed)
    n = len(CLASSES)
    relevant = rng.random((n, RECORDS)) < 0.6 - np.arange(RECORDS) / RECORDS / 2
    relevant[-1], total = False, 12 + np.arange(n) % 8
    total[-1] = 0
    score = np.sort(10.0 ** rng.uniform(-6, 1, (n, RECORDS)), axis=1).round(9)
    known = {"query": [f"d{row}" for row in range(n)], "query_class": CLASSES, "class_level": 3}
    known["record"] = [f"d1r{at}_" for at in range(n * RECORDS)]
    known["run"] = Run(version=f"{seed}.0", seconds=float(seed + 1), memory=2.0 - seed / 4)
    return even(score, relevant, total, **known)


WHOLE = {name: made(seed) for seed, name in enumerate(ALGORITHMS)}


def results():
    """The same lists as other objects: no numbers are known of them yet."""
    return {name: copy(lists) for name, lists in WHOLE.items()}


def explorer_with(start, **more):
    """An explorer of which nobody has seen anything."""
    return Explorer(results(), **{"k": 2, "n": 5, **start, **more})


def another(explorer, name):  # noqa: PLR0911
    """A value that a setting does not have now, and may have."""
    if name in OTHERS:
        return OTHERS[name]
    known, now = explorer.param[name], getattr(explorer, name)
    if isinstance(known, param.Boolean):
        return not now
    if isinstance(known, param.ListSelector):
        return next([one] for one in known.objects if [one] != now)
    if isinstance(known, param.Selector):
        values = [*(known.objects.values() if isinstance(known.objects, dict) else known.objects)]
        return next(one for one in reversed(values) if one != now)
    if isinstance(known, param.Integer):
        low, high = known.bounds
        wanted = (now + 1, now - 1) if now else (15,)
        return next(one for one in wanted if one >= low and (high is None or one <= high))
    if isinstance(known, param.Number):
        low, high = known.bounds or (0.0, 0.1)
        return low + 0.3 * (high - low)
    assert isinstance(known, param.String), f"{name}: give another value in OTHERS"
    return "1"


NO_EFFECT = ("words", "control")
"""Of what is seen, that which names the settings themselves."""


class Seen:
    """Everything that is to be seen of an explorer, kept until a change is said to touch it.

    What takes long is worked out again when its key differs, and a plot is drawn again when it
    depends on what has changed, as the page does it; and the page itself.
    """

    def __init__(self, explorer):
        self.explorer, self.page, self.data = explorer, Dashboard(explorer), PlotData(explorer)
        self._compared = ""
        self._plots: dict[str, Any] = {}
        self._keys: dict[str, Any] = {}

    def look(self, changed=SETTINGS):
        """What is to be seen after a change."""
        explorer, data = self.explorer, self.data
        if again := self._keys.get("compared") != explorer.compared_key:
            self._keys["compared"] = explorer.compared_key
            data.compared = explorer.comparing()(n_resamples=RESAMPLES)
            self._compared = repr(tuple(data.compared))
        for plot in plots_for(explorer):
            stale = bool({*changed} & {*plot.depends}) or (plot.compares and again)
            if plot.slow is not None:
                key, work = plot.slow(data)
                if self._keys.get(plot.name) != key:
                    self._keys[plot.name], stale = key, True
                    data.slow[plot.name] = work(None)
            if stale or plot.name not in self._plots:
                self._plots[plot.name] = drawn(plot.picture(data))
        return {
            "scores": explorer.scores.to_csv(),
            "compared": self._compared,
            **{f"plot {name}": shown for name, shown in self._plots.items()},
            **{f"text of {one.name}": one.text(data) for one in plots_for(explorer)},
            **self._on_page(),
        }

    def _on_page(self):
        """Texts, values of controls and pictures of the page."""
        page = self.page
        for task in (page._compared, *page._slow.values()):
            if task.cancelled:
                task.resume()
        page._show_words()
        # Many are made when they are first seen, and hidden afterwards.
        widgets = [one for one in visible_parts(page.__panel__()) if "value" in one.param]
        drawer, rows = page._drawer.view, page._queries_table.view
        return {
            **{
                f"words {place}": one.text
                for place, one in enumerate(page.__panel__().select(LiveText))
            },
            **{
                f"control {place}, {one.label or one.name}": one.value
                for place, one in enumerate(widgets)
            },
            "score table": page._table.text,
            "query table": without_stamp(rows.shown),
            "ranked lists": (drawer.heads, without_stamp(drawer.lists), drawer.links),
            **{
                f"page {plot.name}": drawn(page.plots[plot.name].picture)
                for plot in page._visible_plots
            },
        }


def drawn(picture):
    """All of a picture as text, in which NaN equals NaN."""
    layers = {
        one.name: (one.kind, one.size, {of: values.tolist() for of, values in one.columns.items()})
        for one in picture.layers
    }
    axes = [(one.label, one.start, one.end, one.log) for one in (picture.x, picture.y)]
    return repr((layers, axes))


def without_stamp(shown):
    """What a part of the page was sent, without the number that makes it a new message."""
    return {name: value for name, value in shown.items() if name != "stamp"}


def differing(one, other):
    """Names of what is not the same."""
    return [name for name in {**one, **other} if repr(one.get(name)) != repr(other.get(name))]


def parser_of(*add):
    """What reads the flags of a command."""
    parser = argparse.ArgumentParser()
    for one in add:
        one(parser)
    return parser


def argument(explorer, parser, name):
    """The words of the command line for the present value of a setting."""
    value = getattr(explorer, name)
    texts = [str(one) for one in value] if isinstance(value, list) else [str(value)]
    (action,) = (one for one in parser._actions if one.dest == name)
    flag = action.option_strings[0]
    return [flag] if action.nargs == 0 else [word for text in texts for word in (flag, text)]


FLAGS = {
    command: [one.dest for one in parser_of(*add)._actions if one.dest in SETTINGS]
    for command, add in {
        "figure": [add_settings],
        "score": [one for one in COMMANDS["score"].flags if one is not add_files],
    }.items()
}
"""Settings that have a flag, by the command."""


@pytest.fixture(scope="module")
def seen():
    """What everybody looks at, by the choices to begin with, and how it is at first."""

    @cache
    def begin(start):
        shown = Seen(explorer_with(STARTS[start]))
        return shown, shown.look()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbers, "N_RESAMPLES", RESAMPLES)
        yield begin


@cache
def changed(name):
    """An explorer in which another value was chosen for a setting."""
    explorer = explorer_with(STARTS["by errors"])
    setattr(explorer, name, another(explorer, name))
    return explorer


def test_plots_of_the_threshold_depend_on_all_that_makes_it():
    assert DEPENDS == THRESHOLD


def set_and_look(shown, start, name):
    """What is seen once another value is chosen, and what is to be seen then."""
    value = another(shown.explorer, name)
    setattr(shown.explorer, name, value)
    return shown.look([name]), Seen(explorer_with(STARTS[start], **{name: value})).look()


@pytest.mark.parametrize("name", SETTINGS)
def test_a_change_shows_everywhere_and_undo_takes_it_back(seen, name):
    effects = []
    for start in STARTS:
        shown, before = seen(start)
        after, fresh = set_and_look(shown, start, name)
        assert differing(after, fresh) == []
        shown.explorer.undo()
        assert differing(shown.look([name]), before) == []
        effects = [one for one in differing(after, before) if not one.startswith(NO_EFFECT)]
        if effects:
            break
    assert effects, f"{name} changes nothing: have STARTS or `made` let it"


@pytest.mark.parametrize("name", ["reported_to", "min_relevant", "k", "n", "groups"])
def test_a_stage_that_a_setting_forgets_is_found(name, monkeypatch):
    """One of each stage that computes numbers: they would stay as they were."""
    monkeypatch.setattr(numbers, "N_RESAMPLES", RESAMPLES)
    monkeypatch.setitem(SETTINGS, name, replace(SETTINGS[name], affects="shown"))
    start = "by errors"
    shown = Seen(explorer_with(STARTS[start]))
    shown.look()
    after, fresh = set_and_look(shown, start, name)
    assert {"scores", "compared"} & {*differing(after, fresh)}


def by_address(explorer):
    other = Explorer(results())
    assert other.from_query(explorer.to_query()) == []
    return other


def by_session(explorer):
    other = Explorer(results())
    assert use_session(other, read_session(to_json(explorer).encode(), "mine.json")) == []
    return other


def by_python(explorer):
    names = {}
    code = to_python(explorer, "from tests.test_settings import results\nresults = results()")
    with redirect_stdout(io.StringIO()) as printed:
        exec(code, names)  # noqa: S102
    assert printed.getvalue() == f"{explorer.scores}\n"
    return names["explorer"]


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("handed_on", [by_address, by_session, by_python])
def test_what_hands_choices_on_holds_it(name, handed_on):
    assert settings(handed_on(changed(name))) == settings(changed(name))


@pytest.mark.parametrize("name", SETTINGS)
def test_its_part_of_an_address_is_enough(name):
    explorer, other = changed(name), Explorer(results())
    lines = explorer.to_query()[1:].split("&")
    assert other.from_query(*(f"?{line}" for line in lines if line.startswith(f"{name}="))) == []
    assert getattr(other, name) == getattr(explorer, name)


@pytest.mark.parametrize("name", FLAGS["figure"])
def test_figure_and_report_take_it(name, monkeypatch):
    explorer = changed(name)
    words = argument(explorer, parser_of(add_settings), name)
    monkeypatch.setattr(cli_arguments, "open_once", lambda *_: Opened(results()))
    made_by_flag, _ = explorer_of(vars(parser_of(add_files, add_settings).parse_args(words)))
    fresh = Explorer(results(), list(WHOLE), **{name: getattr(explorer, name)})
    fresh.mode = made_by_flag.mode
    assert made_by_flag.mode == ("e0" if name == "e0" else "k")
    assert settings(made_by_flag) == settings(fresh)


@pytest.mark.parametrize(
    "name", [one for one in FLAGS["score"] if one in Policies._fields or SETTINGS[one].filters]
)
def test_the_score_command_takes_it_and_says_so(name, monkeypatch, capsys):
    explorer = changed(name)
    words = argument(explorer, parser_of(*COMMANDS["score"].flags), name)
    few = {} if name in ("k", "e0") else {"k": 2}
    words += [word for one, k in few.items() for word in (f"-{one}", str(k))]
    monkeypatch.setattr(cli_score, "open_files", lambda *_, **__: Opened(results()))
    printed = json_of(capsys, ["score", "results.txt", *words, "--resamples", "100"])
    value = getattr(explorer, name)
    assert printed["policies"][name] in (value, [value])
    fresh = Explorer(results(), **few | {name: value})
    if name == "e0":
        fresh.mode = "e0"
    drawn = fresh.compared(n_resamples=100).bootstrap
    for one in printed["algorithms"]:
        found = one | one["thresholds"][0]
        known = {score: x for score, x in fresh.score(one["algorithm"]).items() if np.isfinite(x)}
        assert {score: found[score] for score in known} == pytest.approx(known)
        tap = drawn.algorithms[one["algorithm"]].tap if drawn else [np.nan] * 3
        ends = [np.nan if found[end] is None else found[end] for end in ("tap_low", "tap_high")]
        assert ends == pytest.approx(tap[1:], nan_ok=True)


@pytest.mark.parametrize("name", SETTINGS)
def test_exported_scores_are_those_of_the_page(name):
    explorer = changed(name)
    table = exported(explorer)
    compared = explorer.compared(n_resamples=table.policies.n_resamples)
    assert set(table.rows) == set(explorer.rows)
    for algorithm, values in table.rows.items():
        for column, found in zip(table.columns, values, strict=True):
            case = explorer.case(algorithm)
            expected = value_of(case, column.score, algorithm, compared)
            ends = found.value, found.low, found.high
            if column.score.interval_shown:
                assert ends == pytest.approx(expected[:3], nan_ok=True)
            assert found.value == pytest.approx(case.value(column.score), nan_ok=True)
    if name in Policies._fields:
        # Of k and E_0 that which is not the threshold is left out.
        value = getattr(explorer, name)
        assert getattr(table.policies, name) in (value, (value,), ())


def test_a_report_has_them_all(monkeypatch):
    monkeypatch.setattr(numbers, "N_RESAMPLES", RESAMPLES)
    for most, positions in (("MAX_K", 4), ("MAX_N", 7), ("THRESHOLDS", 2)):
        monkeypatch.setattr(views if most.startswith("MAX") else report_tables, most, positions)
    explorer = explorer_with(STARTS["by errors"])
    Seen(explorer).look()
    chosen = {}
    for name in SETTINGS:
        if name not in FEWER:
            chosen[name] = another(explorer, name)
            setattr(explorer, name, chosen[name])
    text = report(explorer)
    assert text == report(explorer_with(STARTS["by errors"], **chosen))
    assert all(f"<dt>{name}</dt>" in text for name in SETTINGS)


@pytest.mark.parametrize("name", FEWER)
def test_a_report_begins_with_the_numbers_of_what_it_leaves(name, monkeypatch):
    monkeypatch.setattr(numbers, "N_RESAMPLES", RESAMPLES)
    explorer = explorer_with(STARTS["by errors"])
    before = next(pieces(explorer))
    value = another(explorer, name)
    setattr(explorer, name, value)
    after = next(pieces(explorer))
    assert after == next(pieces(explorer_with(STARTS["by errors"], **{name: value})))
    assert (after == before) == (name == "focus_algorithm")  # which changes plots


MYPY = """[mypy]
follow_imports = skip
ignore_missing_imports = True
[mypy-tapviz.*,param.*]
follow_imports = silent
"""
"""Other packages are left out: settings need none of them."""


def test_a_type_checker_knows_what_each_setting_is(tmp_path):
    (tmp_path / "mypy.ini").write_text(MYPY)
    lines = [
        "from tapviz.explorer.explorer import Explorer",
        "def check(explorer: Explorer) -> None:",
        *(f"    reveal_type(explorer.{name})" for name in SETTINGS),
        "    explorer.k = 'no'",
        "    explorer.mode = 'no'",
    ]
    options = [f"--config-file={tmp_path}/mypy.ini", f"--cache-dir={tmp_path}"]
    told, *_ = api.run([*options, "-c", "\n".join(lines)])
    types = dict(zip(SETTINGS, re.findall('Revealed type is "(.*)"', told), strict=True))
    assert (types["k"], types["e0"], types["algorithms"]) == ("int", "float", "list[str]")
    assert "Any" not in types.values()
    wrong = re.findall("<string>:(\\d+): error: Incompatible types in assignment", told)
    assert wrong == [str(len(lines) - 1), str(len(lines))]
