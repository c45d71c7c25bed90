"""The controls in the rail: each shows its value where it is set, and takes typed values too."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import panel as pn
import param

from tapviz.draw.scale import ThresholdAxis
from tapviz.draw.style import Style, number
from tapviz.explorer import Explorer
from tapviz.explorer.score_table import plain, swatch
from tapviz.live.compat import debounced, one_message_per_event, without_busy_indicator
from tapviz.live.templates import render
from tapviz.measures import class_depth, level_name
from tapviz.plots import PLOTS, PlotData, plots_for
from tapviz.scores import MORE_SCORES, PRESETS, SCORES
from tapviz.state import BY_E_VALUE, BY_ERRORS, MAX_K, SETTINGS

PRESET_TITLES = {"tap-k": "TAP-k", "homology": "homology benchmark", "text": "text retrieval"}
OWN_SCORES = "own"
LOG_STEP = 0.01
"""Of a slider, in powers of ten."""

C = TypeVar("C", bound=type)

# Sizes inside the rail, in pixels.
WIDTH, BOX, HANDLE = 250, 74, 24

WIDGET = """
:host { font-size: var(--tv-text); max-width: 92vw; }
@media (max-width: 760px) { :host { min-width: 0 !important; } }
.bk-input {
  height: 28px; min-height: 28px; padding: 2px 8px; font-size: var(--tv-text);
  border-radius: var(--tv-radius); background-color: var(--tv-ground); color: var(--tv-ink);
}
.bk-input::placeholder { color: var(--tv-quiet); opacity: 1; }
.bk-input:disabled { background-color: var(--tv-raised); color: var(--tv-quiet); opacity: 1; }
.bk-btn { padding: 3px 10px; font-size: var(--tv-text); border-radius: var(--tv-radius); }
.bk-slider-title { display: none; }
.bk-input-group > label { font-size: var(--tv-small); color: var(--tv-quiet); }
select:not([multiple]).bk-input {
  padding: 2px 4px; appearance: auto; background-image: none; max-width: 92vw;
}
.bk-spin-btn-up::before { border-bottom-color: var(--tv-ink) !important; }
.bk-spin-btn-down::before { border-top-color: var(--tv-ink) !important; }
.bk-input, .bk-btn { border-color: var(--tv-edge); }
.bk-btn-default { color: var(--tv-ink); background: var(--tv-raised); border-color: transparent; }
.bk-btn-default:hover, .bk-btn-default.bk-active { background: var(--tv-pressed); }
.bk-btn:disabled { color: var(--tv-quiet); opacity: 0.7; }
:host(.solid) .bk-btn.bk-btn-default:enabled { color: var(--tv-ink); }
:host(.solid) .bk-btn.bk-btn-primary:disabled {
  background: var(--tv-pressed); color: var(--tv-quiet); border-color: transparent; opacity: 1;
}
:host(.bk-Checkbox), .bk-input-group:has(input[type="radio"]) {
  min-height: 24px; align-items: center;
}
input[type="checkbox"], input[type="radio"] {
  width: 16px; height: 16px; accent-color: var(--tv-ink);
}
.noUi-horizontal { height: 4px; }
.noUi-target {
  background: var(--tv-pressed); border: 0; box-shadow: none; border-radius: 2px; margin: 10px 0;
}
.noUi-connects, .noUi-connect { border-radius: 2px; }
.noUi-connect { background: var(--tv-ink) !important; }
.noUi-horizontal .noUi-handle {
  width: 24px; height: 24px; right: -12px; top: -10px; border: 0; background: none;
  box-shadow: none;
}
.noUi-handle::before {
  content: ""; display: block; inset: 4px; width: auto; height: auto;
  border-radius: 50%; box-sizing: border-box;
  background: var(--tv-handle); border: 2px solid var(--tv-ink);
}
.noUi-horizontal .noUi-handle::after {
  content: attr(data-value); display: block; inset: auto auto 20px 50%; translate: -50%;
  width: auto; height: auto;
  padding: 1px 6px; border-radius: 6px; background: var(--tv-ink); color: var(--tv-ground);
  font-weight: 600; line-height: 18px; white-space: nowrap; visibility: hidden;
}
.noUi-handle[data-value]:is(:hover, :focus-visible, .noUi-active)::after { visibility: visible; }
.noUi-tooltip { display: none !important; }
[disabled] .noUi-connect { background: var(--tv-edge) !important; }
[disabled] .noUi-handle::before { border-color: var(--tv-edge); }
:focus-visible { outline: 2px solid var(--tv-link) !important; outline-offset: 1px; }
"""
# Radio buttons in one line, of which the chosen one stands out of the ground.
SEGMENTED = """
.bk-input-group {
  display: flex; padding: 3px; border-radius: var(--tv-radius); background: var(--tv-raised);
}
.bk-input-group > label {
  position: relative; flex: 1; margin: 0; text-align: center; font-size: var(--tv-text);
  line-height: 24px; border-radius: 6px; cursor: pointer;
}
.bk-input-group > label:has(:checked) {
  background: var(--tv-ground); color: var(--tv-ink); font-weight: 600;
  box-shadow: var(--tv-shadow);
}
.bk-input-group > label:has(:focus-visible) { outline: 2px solid var(--tv-link); }
.bk-input-group > label > * { margin: 0; }
input[type="radio"] {
  position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer;
}
"""
# For screen readers, where the line above is the visible label.
UNSEEN_LABEL = """
.bk-input-group > label {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
}
"""
SLIDER_OPTIONS: dict[str, Any] = {
    "show_value": False,
    "width": WIDTH - HANDLE,
    "height": HANDLE,
    "margin": (0, HANDLE // 2),
    "styles": {"order": "2"},
    "stylesheets": [WIDGET],
}
IN_RAIL: dict[str, Any] = {"width": WIDTH, "margin": (2, 0), "stylesheets": [WIDGET]}
BESIDE: dict[str, Any] = {
    "width": 150,
    "margin": (0, 0, 0, 6),
    "stylesheets": [WIDGET, UNSEEN_LABEL],
}
"""Options of a control beside the title of a plot."""
LONG_NUMBER = ".bk-input { padding: 2px 5px; }"
"""Room for 2.58e-23."""
RAIL = """
:host { font-size: var(--tv-text); color: var(--tv-quiet); line-height: 17px; }
h2 {
  font-size: var(--tv-tiny); font-weight: 600; letter-spacing: 0.06em; text-transform: uppercase;
  color: var(--tv-quiet); margin: 0; padding-top: 14px; border-top: 1px solid var(--tv-rule);
}
h2 sub { text-transform: none; font-size: 1em; line-height: 0; }
b { color: var(--tv-ink); font-weight: 600; }
.problem { color: var(--tv-problem); }
.swatch { vertical-align: middle; }
"""


# Each message to the page costs more than most computations: a slider is answered not after Panel's
# usual 50 ms, but as soon as its message has been acknowledged (plots that are ready before would
# wait 10 ms for that), and without the messages that turn its busy indicator on and off.


def _live(slider: C) -> C:
    """Make a slider send each value while it is dragged, at once and in one message."""
    slider = without_busy_indicator("value", "value_throttled")(slider)
    return one_message_per_event(debounced(3)(slider))


@_live
class LiveIntSlider(pn.widgets.IntSlider):
    """Slider of whole numbers whose value changes while it is dragged."""


@_live
class LiveFloatSlider(pn.widgets.FloatSlider):
    """Slider whose value changes while it is dragged."""


def heading(text: str) -> pn.pane.HTML:
    """Heading of a group of controls."""
    return pn.pane.HTML(f"<h2>{text}</h2>", stylesheets=[RAIL], width=WIDTH, margin=(14, 0, 6, 0))


def dial(text: str, slider: Any, box: Any) -> pn.Row:
    """A slider: above it what it sets, and a box with its value."""
    # In this order for the Tab key; the box says what the slider before it means.
    box.styles = {"order": "1"}
    label = pn.pane.HTML(
        text, stylesheets=[RAIL], margin=(5, 0), styles={"flex": "1 1 0", "min-width": "0"}
    )
    return pn.Row(
        label, slider, box, width=WIDTH, margin=(4, 0, 0, 0), styles={"flex-wrap": "wrap"}
    )


def control(explorer: Explorer, name: str, **options: Any) -> Any:
    """The control of a setting, called what is declared; `options` are those of the widget."""
    one, parameter = SETTINGS[name], explorer.param[name]
    if one.kind in ("whole", "number") and "options" not in options:
        return pn.Column(*number_box(explorer, name, width=WIDTH, **options), margin=(2, 0))
    kind = pn.widgets.Checkbox if one.kind == "switch" else pn.widgets.TextInput
    if "options" in options or hasattr(parameter, "objects"):
        kind = pn.widgets.Select
    return kind.from_param(parameter, label=one.label, **(IN_RAIL | options))


def in_rail(explorer: Explorer, group: str, made: Mapping[str, Any]) -> list[Any]:
    """The controls of a group in the rail, those made already, or none, in place of the usual."""
    names = [name for name, one in SETTINGS.items() if one.rail == group]
    found = [made[name] if name in made else control(explorer, name) for name in names]
    return [one for one in found if one is not None]


def number_box(
    explorer: Explorer,
    name: str,
    *,
    stylesheets: Sequence[str] = (),
    otherwise: str = "",
    **options: Any,
) -> tuple[pn.widgets.IntInput | pn.widgets.FloatInput, pn.pane.HTML]:
    """Box for a number of the explorer's, and a line that says what it does not take.

    Of a value that cannot be used the line says why, and `otherwise` what to do for it; the box
    shows again what is used.
    """
    parameter, title = explorer.param[name], SETTINGS[name].label or name
    whole = isinstance(parameter, param.Integer)
    kind = pn.widgets.IntInput if whole else pn.widgets.FloatInput
    box = kind(
        label=title,
        value=getattr(explorer, name),
        margin=0,
        stylesheets=[WIDGET, *stylesheets],
        **options,
    )
    problem = pn.pane.HTML("", visible=False, margin=0, stylesheets=[RAIL])
    low, high = parameter.bounds
    limits = f"of at least {low}" if high is None else f"from {low} to {high:,}"
    if not whole:
        from_low, to_high = parameter.inclusive_bounds
        limits = f"{'of at least' if from_low else 'above'} {low} and "
        limits += f"{'at most' if to_high else 'below'} {high}"

    def typed(event: Any) -> None:
        used = getattr(explorer, name)
        if event.new == used:
            return
        try:
            setattr(explorer, name, event.new)
        except ValueError:
            box.value = used
            problem.object = render(
                "problem.html",
                problem=f"{title}: enter a {'whole ' * whole}number {limits}{otherwise}",
            )
            problem.visible = True

    def follow(event: Any) -> None:
        box.value = event.new
        problem.visible = False

    box.param.watch(typed, "value")
    explorer.param.watch(follow, name)
    return box, problem


def threshold_controls(explorer: Explorer, axis: ThresholdAxis) -> pn.Column:
    """Mode, k, E_0 and quantile."""
    mode = pn.widgets.RadioBoxGroup.from_param(
        explorer.param.mode,
        label=SETTINGS["mode"].label,
        inline=True,
        margin=0,
        width=WIDTH,
        stylesheets=[WIDGET, SEGMENTED],
    )
    k = LiveIntSlider.from_param(
        explorer.param.k, label="errors per query k", start=1, end=MAX_K, **SLIDER_OPTIONS
    )
    k_box, k_problem = number_box(
        explorer,
        "k",
        width=BOX,
        stylesheets=[UNSEEN_LABEL],
        otherwise="; for fewer errors see the tab Threshold",
    )

    def follow_k(*_: Any) -> None:  # a typed k may lie beyond the slider
        k.end = max(MAX_K, explorer.k)

    explorer.param.watch(follow_k, "k")
    e0, e0_box, e0_problem = _threshold_inputs(explorer, axis)

    quantile, quantile_problem = number_box(
        explorer, "quantile", step=0.05, width=BOX, stylesheets=[UNSEEN_LABEL]
    )

    def enable(*_: Any) -> None:
        by_errors = explorer.mode == BY_ERRORS
        for control in (k, k_box, quantile):
            control.disabled = not by_errors
        for control in (e0, e0_box):
            control.disabled = by_errors

    enable()
    explorer.param.watch(enable, "mode")
    return pn.Column(
        heading(SETTINGS["mode"].label),
        mode,
        dial("<b>k</b>: at E<sub>k</sub> the median query has k errors", k, k_box),
        k_problem,
        dial(
            f"<b>E<sub>0</sub></b>: one {'E-value' if axis.log else 'score'} for all algorithms",
            e0,
            e0_box,
        ),
        e0_problem,
        pn.Row(
            pn.pane.HTML(
                "<b>quantile</b> of queries with k errors at E<sub>k</sub> (0.5: median)",
                stylesheets=[RAIL],
                width=WIDTH - BOX,
                margin=(2, 0, 0, 0),
            ),
            quantile,
            width=WIDTH,
            margin=(6, 0, 0, 0),
        ),
        quantile_problem,
        margin=0,
    )


def _threshold_inputs(
    explorer: Explorer, axis: ThresholdAxis
) -> tuple[pn.widgets.FloatSlider, pn.widgets.TextInput, pn.pane.HTML]:
    """Slider over the axis of thresholds and a box that takes 8.1, 1e-3 or 0."""
    low, high = sorted((axis.start, axis.end))

    def place() -> float:
        return min(max(float(axis.position(explorer.e0)), low), high)

    slider = LiveFloatSlider(
        label="E-value threshold E₀",
        start=low,
        end=high,
        step=(high - low) / 400 or 1.0,
        value=place(),
        direction="rtl" if axis.descending else "ltr",
        tags=["e0"],
        **SLIDER_OPTIONS,
    )
    box = pn.widgets.TextInput(
        label=SETTINGS["e0"].label,
        value=_exact(explorer.e0),
        width=BOX,
        margin=0,
        stylesheets=[WIDGET, UNSEEN_LABEL, LONG_NUMBER],
        placeholder="8.1, 1e-3, 0",
    )
    problem = pn.pane.HTML("", css_classes=["problem"], visible=False, margin=0, stylesheets=[RAIL])

    def moved(event: Any) -> None:
        if event.new != place():  # by the user, not by `follow`
            # Two digits: what is written beside the slider is what is used.
            explorer.e0 = float(f"{float(axis.threshold(event.new)):.2g}")

    def typed(event: Any) -> None:
        text = event.new.strip()
        try:
            value = float(text)
            if not abs(value) < float("inf"):
                raise ValueError  # noqa: TRY301
            if axis.log and value < 0:
                raise ValueError  # noqa: TRY301
        except ValueError:
            problem.object = html.escape(f"‘{text[:40]}’ is not a threshold: write 8.1, 1e-3 or 0")
            problem.visible = True
            return
        problem.visible = False
        if value != explorer.e0:
            explorer.e0 = value

    def follow(*_: Any) -> None:
        if abs(slider.value - place()) > slider.step:
            slider.value = place()
        box.value = _exact(explorer.e0)
        problem.visible = False

    slider.param.watch(moved, "value")
    box.param.watch(typed, "value")
    explorer.param.watch(follow, "e0")
    return slider, box, problem


def log_slider(
    explorer: Explorer,
    name: str,
    label: str,
    read: Callable[[float], float],
    **options: Any,
) -> pn.widgets.FloatSlider:
    """Slider of a setting in powers of ten; `read` makes of a number what is used."""

    def place() -> float:
        return float(np.log10(getattr(explorer, name)))

    low, high = np.log10(explorer.param[name].bounds).tolist()
    slider = LiveFloatSlider(
        label=label,
        start=low,
        end=max(high, place()),
        value=place(),
        tags=[name],
        **({"step": LOG_STEP} | SLIDER_OPTIONS | options),
    )

    def moved(event: Any) -> None:
        if event.new != place():  # by the user, not by `follow`
            setattr(explorer, name, read(10.0**event.new))

    def follow(event: Any) -> None:
        if read(10.0**slider.value) != event.new:
            slider.param.update(end=max(slider.end, place()), value=place())

    slider.param.watch(moved, "value")
    explorer.param.watch(follow, name)
    return slider


def roc_controls(explorer: Explorer) -> pn.Column:
    """The n of ROC_n, on a logarithmic slider."""
    n_box, n_problem = number_box(explorer, "n", width=BOX, stylesheets=[UNSEEN_LABEL])
    slider = log_slider(explorer, "n", "n of ROCₙ", round)
    return pn.Column(
        heading("ROC<sub>n</sub>"),
        dial("<b>n</b>: irrelevant records considered", slider, n_box),
        n_problem,
        margin=0,
    )


def algorithm_controls(explorer: Explorer, line_styles: dict[str, Style]) -> pn.Column:
    """A box for each algorithm, with its line: the legend of all plots."""
    rows = []
    for name in explorer.results:
        box = pn.widgets.Checkbox(
            label=name,
            value=name in explorer.algorithms,
            margin=0,
            width=WIDTH - 64,
            stylesheets=[WIDGET],
        )
        line = pn.pane.HTML(
            swatch(line_styles[name], 60), margin=(1, 0), width=64, stylesheets=[RAIL]
        )
        rows.append(pn.Row(box, line, margin=0))

        def ticked(event: Any, name: str = name) -> None:
            chosen = set(explorer.algorithms) - {name} | ({name} if event.new else set())
            explorer.algorithms = [other for other in explorer.results if other in chosen]

        def follow(event: Any, name: str = name, box: pn.widgets.Checkbox = box) -> None:
            box.value = name in event.new

        box.param.watch(ticked, "value")
        explorer.param.watch(follow, "algorithms")
    return pn.Column(heading("Algorithms"), *rows, margin=0)


def plot_choice(explorer: Explorer, label: str, **options: Any) -> pn.widgets.Select:
    """Choice of a plot among those that can be seen."""

    def visible() -> dict[str, str]:
        return {
            plot.tab or plot.plain_title: plot.name
            for plot in plots_for(explorer)
            if not plot.tab or plot.name == explorer.view
        }

    choice = pn.widgets.Select(label=label, options=visible(), stylesheets=[WIDGET], **options)

    def follow(event: Any) -> None:
        """Put the plot whose tab has just been chosen in the place of the one before."""
        plot = event.new if PLOTS[choice.value].tab else choice.value
        choice.param.update(options=visible(), value=plot)

    explorer.param.watch(follow, "view")
    return choice


def score_choice(explorer: Explorer, **options: Any) -> pn.widgets.Select:
    """Choice of the score by which algorithms are compared."""

    def titles() -> dict[str, str]:
        # Without the numbers: a slider that is dragged would change all of them at each step.
        by_e0 = explorer.mode == BY_E_VALUE
        given = {
            name: (by_e0 and score.title_at_e0) or score.title
            for name, score in explorer.comparable.items()
        }
        return {plain(title.format(k="k", n="n", e0="E_0")): name for name, title in given.items()}

    choice = control(explorer, "compared_score", options=titles(), **options)

    def follow(*_: Any) -> None:
        choice.options = titles()

    explorer.param.watch(follow, ["mode", "table_scores", "compared_score"])
    return choice


def cost_choice(explorer: Explorer, **options: Any) -> pn.widgets.Select:
    """Choice of the cost that scores are drawn against."""
    known = {cost.title: cost.name for cost in explorer.costs} or {"": explorer.cost}
    return control(explorer, "cost", options=known, **options)


def opponent_choice(data: PlotData, **options: Any) -> pn.widgets.Select:
    """Choice of B, with which A, the algorithm in focus, is compared query by query."""
    explorer = data.explorer
    choice = pn.widgets.Select(label=SETTINGS["opponent"].label, **(BESIDE | options))

    def follow(*_: Any) -> None:
        a, *b = data.pair
        choice.param.update(
            options=[name for name in explorer.results if name != a], value=next(iter(b), None)
        )

    def chosen(event: Any) -> None:
        if event.new not in (None, *data.pair):
            explorer.opponent = event.new

    follow()
    choice.param.watch(chosen, "value")
    explorer.param.watch(follow, ["focus_algorithm", "baseline", "opponent", "algorithms"])
    return choice


def comparison_controls(explorer: Explorer) -> pn.Column:
    """The baseline, with which the others are compared; and what intervals and p resample."""
    first = explorer.first
    levels = {level_name(first, level): level for level in range(class_depth(first), 0, -1)}
    made = {
        "baseline": control(explorer, "baseline", stylesheets=[WIDGET, UNSEEN_LABEL]),
        "compared_score": score_choice(explorer, description=None),
        "groups": control(explorer, "groups", options={"single queries": 0, **levels})
        if levels
        else None,
    }
    return pn.Column(heading("Baseline"), *in_rail(explorer, "comparison", made), margin=0)


def score_controls(explorer: Explorer) -> pn.Column:
    """Scores of the table: those that a field publishes together, or a choice."""
    choices: dict[str, Any] = {title: name for name, title in PRESET_TITLES.items()}
    titles = {
        plain(one.title.format(k="k", n="n")): one.name
        for one in (*SCORES, *MORE_SCORES)
        if one.in_tables
    }

    def preset() -> str:
        chosen = tuple(explorer.table_scores)
        return next((name for name, scores in PRESETS.items() if scores == chosen), OWN_SCORES)

    choice = pn.widgets.Select(
        label=SETTINGS["table_scores"].label,
        value=preset(),
        options=choices | {"own choice": OWN_SCORES},
        width=WIDTH,
        margin=(2, 0),
        stylesheets=[WIDGET, UNSEEN_LABEL],
    )
    own = pn.widgets.MultiSelect(
        label="several with Ctrl",
        value=list(explorer.table_scores),
        options=titles,
        size=8,
        width=WIDTH,
        margin=(2, 0),
        stylesheets=[WIDGET],
        visible=choice.value == OWN_SCORES,
    )

    def chosen(event: Any) -> None:
        own.visible = event.new == OWN_SCORES
        if event.new == OWN_SCORES:
            own.value = [one.name for one in explorer.scores_shown if one.name in titles.values()]
        elif event.new != preset():
            # What the field draws, too: the first error, of queries sorted by it.
            more = {"n": 1, "view": "sensitivity"} if event.new == "homology" else {}
            explorer.param.update(table_scores=list(PRESETS[event.new]), **more)

    def picked(event: Any) -> None:
        if own.visible and event.new:
            explorer.table_scores = list(event.new)

    def follow(*_: Any) -> None:
        chosen_here = own.visible and own.value == explorer.table_scores
        own.value = list(explorer.table_scores)
        if not chosen_here:
            choice.value = preset()

    choice.param.watch(chosen, "value")
    own.param.watch(picked, "value")
    explorer.param.watch(follow, "table_scores")
    return pn.Column(heading("Scores"), choice, own, margin=0)


def query_controls(explorer: Explorer) -> pn.Column:
    """The filter of queries, and their weights; plots and numbers are of those it keeps."""
    text = pn.widgets.TextInput(
        label=SETTINGS["query_text"].label,
        value=explorer.query_text,
        placeholder="d1ps9 or ^d1",
        **IN_RAIL,
    )

    def typed(event: Any) -> None:
        explorer.query_text = event.new

    def follow(event: Any) -> None:
        if text.value_input != event.new:  # not what is being typed just now
            text.value = text.value_input  # known to the page, so that the change is one for it
            text.param.update(value=event.new, value_input=event.new)

    text.param.watch(typed, "value_input")
    text.param.watch(typed, "value")
    explorer.param.watch(follow, "query_text")
    made: dict[str, Any] = {"query_text": text}
    if explorer.first.query_class is None:
        made["query_class"] = None
    else:
        made["query_class"] = control(explorer, "query_class", placeholder="a.1")
    if explorer.first.given:
        made |= dict.fromkeys(("min_relevant", "max_relevant", "coverage_of", "precision_of"))
    else:
        half = WIDTH // 2 - 5
        least, *problems = number_box(explorer, "min_relevant", width=half)
        most, problem = number_box(explorer, "max_relevant", width=half, placeholder="any")
        most.margin = (2, 0, 2, 10)
        made["min_relevant"] = pn.Row(least, most, margin=0)
        made["max_relevant"] = pn.Column(*problems, problem, margin=0)
    return pn.Column(heading("Queries"), *in_rail(explorer, "queries", made), margin=0)


def _exact(value: float) -> str:
    """Shortest text that reads back as the same number."""
    short = number(value, 4)
    try:
        return short if float(short) == value else repr(value)
    except ValueError:
        return repr(value)
