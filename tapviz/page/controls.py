"""The controls in the rail: each shows its value where it is set, and takes typed values too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import isfinite, log10
from typing import Any

import panel as pn
import param
from param.parameterized import Event

from tapviz.draw.scale import ThresholdAxis
from tapviz.explorer.score_table import plain
from tapviz.explorer.views import Moved, Stops, exact, stops
from tapviz.measures import class_depth, level_name
from tapviz.page import widgets as w
from tapviz.plots import PLOTS, PlotData, plots_for
from tapviz.scores import PRESETS
from tapviz.state import BY_E_VALUE, BY_ERRORS, SETTINGS, Choices

PRESET_TITLES = {"tap-k": "TAP-k", "homology": "homology benchmark", "text": "text retrieval"}
OWN_SCORES = "own"
LONG_NUMBER = ".bk-input { padding: 2px 5px; }"
"""Room for 2.58e-23."""


def group(title: str, *parts: pn.viewable.Viewable, later: bool = True) -> pn.Column:
    """Controls below a heading; if `later`, a narrow page shows them when it is asked to."""
    look = {"css_classes": ["later-group"]} if later else {}
    head = w.words(f"<h2>{title}</h2>", 14, 0, 6, 0, width=w.WIDTH)
    return pn.Column(head, *parts, margin=0, **look)


def dial(
    text: str, slider: pn.widgets.Widget, box: pn.widgets.Widget, problem: pn.pane.HTML
) -> pn.Row:
    """A slider: above it what it sets, and a box with its value; below, what that does not take."""
    # In this order for the Tab key; the box says what the slider before it means.
    box.styles, problem.styles = {"order": "1"}, {"order": "3", "flex": "1 1 100%"}
    label = w.words(text, 5, 0, styles={"flex": "1 1 0", "min-width": "0"})
    parts = label, slider, box
    row = pn.Row(*parts, width=w.WIDTH, margin=(4, 0, 0, 0), styles={"flex-wrap": "wrap"})

    def place(_: Event) -> None:
        """Add what is not taken once there is something."""
        if problem not in list(row):
            row.append(problem)

    problem.param.watch(place, "visible")
    return row


def control(explorer: Choices, name: str, **options: Any) -> pn.viewable.Viewable:
    """The control of a setting, called what is declared; `options` are those of the widget."""
    setting, parameter = SETTINGS[name], explorer.param[name]
    if setting.kind in ("whole", "number"):
        return pn.Column(*number_box(explorer, name, width=w.WIDTH, **options), margin=(2, 0))
    if hasattr(parameter, "objects"):
        return choice(explorer, name, **options)
    kind = pn.widgets.Checkbox if setting.kind == "switch" else pn.widgets.TextInput
    return kind.from_param(parameter, label=setting.label, **(w.IN_RAIL | options))


def choice(explorer: Choices, name: str, **options: Any) -> pn.widgets.Select:
    """A choice of one value of a setting; `options` are those of the widget."""
    parameter, label = explorer.param[name], SETTINGS[name].label
    return pn.widgets.Select.from_param(parameter, label=label, **(w.IN_RAIL | options))


def in_rail(
    explorer: Choices, group: str, made: Mapping[str, pn.viewable.Viewable | None]
) -> list[pn.viewable.Viewable]:
    """The controls of a group in the rail, those made already, or none, in place of the usual."""
    names = [name for name, setting in SETTINGS.items() if setting.rail == group]
    controls = [made[name] if name in made else control(explorer, name) for name in names]
    return [made_control for made_control in controls if made_control is not None]


def number_box(
    explorer: Choices, name: str, *sheets: str, otherwise: str = "", **options: Any
) -> tuple[pn.widgets.Widget, pn.pane.HTML]:
    """Box for a number of the explorer's, and a line that says what it does not take.

    Of a value that cannot be used the line says why, and `otherwise` what to do for it; the box
    shows again what is used.
    """
    parameter, title = explorer.param[name], SETTINGS[name].label or name
    whole = isinstance(parameter, param.Integer)
    low, high = parameter.bounds
    limits = f"of at least {low}" if high is None else f"from {low} to {high:,}"
    if not whole:
        from_low, to_high = parameter.inclusive_bounds
        limits = f"{'of at least' if from_low else 'above'} {low} and "
        limits += f"{'at most' if to_high else 'below'} {high}"
    problem = f"{title}: enter a {'whole ' * whole}number {limits}{otherwise}"
    # Not an IntInput, which leaves out the point that is typed: 2.5 would be 25.
    options |= {"step": 1} if whole else {}
    box = w.widget(pn.widgets.FloatInput, title, *sheets, **options)
    return box, w.follow_choice(explorer, name, box, lambda _: problem, restore=True)


def threshold_controls(
    explorer: Choices, axis: ThresholdAxis, at: Mapping[Moved, Stops]
) -> pn.Column:
    """Mode, and the slider of k or E_0."""
    mode = pn.widgets.RadioBoxGroup.from_param(
        explorer.param.mode,
        label=SETTINGS["mode"].label,
        options={"errors per query": BY_ERRORS, axis.quantity: BY_E_VALUE},
        inline=True,
        margin=0,
        width=w.WIDTH,
        stylesheets=[w.WIDGET, w.SEGMENTED],
    )
    dials = {
        BY_ERRORS: lambda: k_dial(explorer, at["k"]),
        BY_E_VALUE: lambda: e0_dial(explorer, axis, at["e0"]),
    }
    made: dict[str, pn.Row] = {}
    controls = group(SETTINGS["mode"].label, mode, later=False)

    def show(*_: Event) -> None:
        """Show the dial of the mode; it is made when it is first seen."""
        if explorer.mode not in made:
            made[explorer.mode] = dials[explorer.mode]()
            controls.append(made[explorer.mode])
        for name, one in made.items():
            one.visible = name == explorer.mode

    show()
    explorer.param.watch(show, "mode")
    return controls


def k_dial(explorer: Choices, at: Stops) -> pn.Row:
    """The slider of k; a typed k may lie beyond."""
    slider = w.scaled_slider(
        explorer, "k", "errors per query k", (1, at.end), int, int, w.LiveIntSlider
    )
    otherwise = "; for fewer errors see the tab Threshold"
    box = number_box(explorer, "k", w.UNSEEN_LABEL, width=w.BOX, otherwise=otherwise)
    return dial("<b>k</b>: errors of the median query at E<sub>k</sub>", slider, *box)


def e0_dial(explorer: Choices, axis: ThresholdAxis, at: Stops) -> pn.Row:
    """The slider of E_0."""
    box = w.widget(
        pn.widgets.TextInput,
        SETTINGS["e0"].label,
        w.UNSEEN_LABEL,
        LONG_NUMBER,
        width=w.BOX,
        placeholder="8.1, 1e-3, 0",
    )
    problem = w.follow_choice(
        explorer,
        "e0",
        box,
        lambda text: f"‘{text.strip()[:40]}’ is not a threshold: write 8.1, 1e-3 or 0",
        lambda text: _threshold(text, axis),
        exact,
    )
    slider = w.scaled_slider(
        explorer,
        "e0",
        f"{axis.quantity} threshold E₀",
        (at.start, at.end),
        lambda e0: min(float(axis.position(e0)), at.end),
        at.read,
        step=at.step,
        direction="rtl" if axis.descending else "ltr",
        disabled=explorer.param.mode.rx() != BY_E_VALUE,  # its line cannot be dragged then
    )
    return dial(f"<b>E<sub>0</sub></b>: one {axis.quantity} for all", slider, box, problem)


def _threshold(text: str, axis: ThresholdAxis) -> float:
    """A threshold as written: 8.1, 1e-3 or 0."""
    value = float(text)
    if not isfinite(value) or (axis.log and value < 0):
        raise ValueError(text)
    return value


def roc_controls(explorer: Choices, at: Stops) -> pn.Column:
    """The n of ROC_n, on a logarithmic slider."""
    slider = w.scaled_slider(
        explorer, "n", "n of ROCₙ", (at.start, at.end), log10, at.read, step=at.step
    )
    box = number_box(explorer, "n", w.UNSEEN_LABEL, width=w.BOX)
    return group("ROC<sub>n</sub>", dial("<b>n</b>: errors considered", slider, *box))


def plot_choice(explorer: Choices, label: str, **options: Any) -> pn.widgets.Select:
    """Choice of a plot among those that can be seen."""

    def visible() -> dict[str, str]:
        return {
            plot.tab or plot.plain_title: plot.name
            for plot in plots_for(explorer)
            if not plot.tab or plot.name == explorer.view
        }

    select = w.widget(pn.widgets.Select, label, options=visible(), **options)

    def follow(event: Event) -> None:
        """Put the plot whose tab has just been chosen in the place of the one before."""
        plot = event.new if PLOTS[select.value].tab else select.value
        select.param.update(options=visible(), value=plot)

    explorer.param.watch(follow, "view")
    return select


def score_choice(explorer: Choices, **options: Any) -> pn.widgets.Select:
    """Choice of the score by which algorithms are compared."""

    def titles() -> dict[str, str]:
        # Without the numbers: a slider that is dragged would change all of them at each step.
        by_e0 = explorer.mode == BY_E_VALUE
        given = {
            name: (by_e0 and score.title_at_e0) or score.title
            for name, score in explorer.comparable.items()
        }
        return {plain(title.format(k="k", n="n", e0="E_0")): name for name, title in given.items()}

    select = choice(explorer, "compared_score", options=titles(), **options)
    explorer.param.watch(
        lambda *_: select.param.update(options=titles()), ["mode", "table_scores", "compared_score"]
    )
    return select


def cost_choice(explorer: Choices, **options: Any) -> pn.widgets.Select:
    """Choice of the cost that scores are drawn against."""
    costs = {cost.title: cost.name for cost in explorer.costs} or {"": explorer.cost}
    return choice(explorer, "cost", options=costs, **options)


def opponent_choice(data: PlotData, **options: Any) -> pn.widgets.Select:
    """Choice of B, with which A, the algorithm in focus, is compared query by query."""
    explorer = data.explorer
    select = w.widget(pn.widgets.Select, SETTINGS["opponent"].label, **(w.BESIDE | options))

    def follow(*_: Event) -> None:
        a, *b = data.pair
        select.param.update(
            options=[name for name in explorer.results if name != a], value=next(iter(b), None)
        )

    def chosen(event: Event) -> None:
        if event.new not in (None, *data.pair):
            explorer.opponent = event.new

    follow()
    select.param.watch(chosen, "value")
    explorer.param.watch(follow, ["focus_algorithm", "baseline", "opponent", "algorithms"])
    return select


def comparison_controls(explorer: Choices) -> pn.Column:
    """The baseline, with which the others are compared; and what few people change."""
    look = {"stylesheets": [w.WIDGET, w.UNSEEN_LABEL], "description": None}
    made = {"baseline": choice(explorer, "baseline", **look)}
    controls = group("Compare with", *in_rail(explorer, "comparison", made))
    controls.append(more_controls(explorer, controls.append).button)
    return controls


def more_controls(explorer: Choices, place: Callable[[pn.Column], object]) -> w.Foldout:
    """What few people change, behind a button."""
    first = explorer.first

    def make() -> pn.Column:
        levels = {level_name(first, level): level for level in range(class_depth(first), 0, -1)}
        by_e0 = explorer.param.mode.rx() == BY_E_VALUE
        made: dict[str, pn.viewable.Viewable | None] = {
            "quantile": control(explorer, "quantile", step=0.05, disabled=by_e0),
            "compared_score": score_choice(explorer, description=None),
            "groups": choice(explorer, "groups", options={"single queries": 0, **levels})
            if levels
            else None,
        }
        if first.given:
            made |= dict.fromkeys(("quantile", "coverage_of", "precision_of"))
        scores = [] if first.given else [score_controls(explorer)]
        pin = w.button("Pin these scores", explorer.pin, width=w.WIDTH, margin=(14, 0, 0, 0))
        return pn.Column(
            *_sizes(explorer), *in_rail(explorer, "more", made), *scores, pin, margin=0
        )

    titles = "More settings", "Fewer settings"
    return w.Foldout(*titles, make, place, width=w.WIDTH, margin=(14, 0))


def score_controls(explorer: Choices) -> pn.Column:
    """Scores that a field publishes together; single ones are chosen at the head of the table."""

    def preset() -> str:
        chosen = tuple(explorer.table_scores)
        return next((name for name, scores in PRESETS.items() if scores == chosen), OWN_SCORES)

    select = w.widget(
        pn.widgets.Select,
        SETTINGS["table_scores"].label,
        w.UNSEEN_LABEL,
        value=preset(),
        options={title: name for name, title in PRESET_TITLES.items()} | {"own choice": OWN_SCORES},
        width=w.WIDTH,
        margin=(2, 0),
    )

    def chosen(event: Event) -> None:
        if event.new not in (OWN_SCORES, preset()):
            # What the field draws, too: the first error, of queries sorted by it.
            more = {"n": 1, "view": "sensitivity"} if event.new == "homology" else {}
            explorer.show_scores(PRESETS[event.new], **more)

    select.param.watch(chosen, "value")
    explorer.param.watch(lambda _: setattr(select, "value", preset()), "table_scores")
    return group("Scores", select)


def query_controls(explorer: Choices, selected: pn.viewable.Viewable) -> pn.Column:
    """The filter of queries; plots and numbers are of those it keeps, of which `selected` tells."""
    has_classes = explorer.first.query_class is not None
    made = {
        "query_text": _text_of_queries(explorer),
        "query_class": control(explorer, "query_class", placeholder="a.1") if has_classes else None,
    }
    return group("Queries", *in_rail(explorer, "queries", made), selected)


def _sizes(explorer: Choices) -> list[pn.viewable.Viewable]:
    """Limits of T(q), side by side."""
    if explorer.first.given:
        return []
    half = w.WIDTH // 2 - 5
    least, *problems = number_box(explorer, "min_relevant", width=half)
    most, problem = number_box(explorer, "max_relevant", width=half, placeholder="any")
    most.margin = (2, 0, 2, 10)
    return [pn.Row(least, most, margin=0), *problems, problem]


def _text_of_queries(explorer: Choices) -> pn.widgets.TextInput:
    """Box for a part of the ids, which acts as it is typed."""
    text = pn.widgets.TextInput(
        label=SETTINGS["query_text"].label,
        value=explorer.query_text,
        value_input=explorer.query_text,
        placeholder="d1ps9, ^d1 or (d1|d2)",
        **w.IN_RAIL,
    )

    def typed(event: Event) -> None:
        explorer.query_text = event.new

    def follow(event: Event) -> None:
        if text.value_input != event.new:  # not what is being typed just now
            text.value = text.value_input  # known to the page, so that the change is one for it
            text.param.update(value=event.new, value_input=event.new)

    text.param.watch(typed, "value_input")
    text.param.watch(typed, "value")
    explorer.param.watch(follow, "query_text")
    return text


def groups(data: PlotData, selected: pn.viewable.Viewable) -> Iterator[pn.viewable.Viewable]:
    """Make the controls of the rail, a group at a time; `selected` says which queries are."""
    explorer = data.explorer
    if not explorer.first.given:
        at = stops(data.axis)
        yield threshold_controls(explorer, data.axis, at)
        yield roc_controls(explorer, at["n"])
    yield query_controls(explorer, selected)
    yield comparison_controls(explorer)
