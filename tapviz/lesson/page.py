"""The lesson on a screen: text and controls on the left, one stage on the right."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any, TypeVar

import panel as pn

from tapviz.dashboard import Dashboard
from tapviz.explorer import Explorer
from tapviz.lesson.lists import two_lists
from tapviz.lesson.numbers import left_out, suppliers
from tapviz.lesson.parts import STYLE, Buttons, Choice, Clock, Line, Part, Save, Slide, Steps, Title
from tapviz.lesson.progress import RANDOM_TRIES, Progress, meeting
from tapviz.lesson.saved import page
from tapviz.lesson.scenes import ALL, Ask, Check, Move, Scene
from tapviz.lesson.stage import Exhibit, Stage
from tapviz.live.accessibility import Accessibility
from tapviz.live.frame_gate import FrameGate
from tapviz.live.notebook_sync import NotebookSync
from tapviz.live.plot import LivePlot
from tapviz.live.text import LiveText

C = TypeVar("C", bound=Part)

TITLE = "Why pooled ROC<sub>n</sub> misleads"
LEFT = 420
"""Width of the text, in pixels."""
SHORT = 45
"""Characters of options that have room side by side."""


class Lesson(pn.viewable.Viewer):
    """The lesson "Why pooled ROC_n misleads": served, or as the output of a cell.

    Parameters
    ----------
    progress : Progress, optional
        Where the reader is; a new one begins at the first scene.

    Examples
    --------
    >>> lesson = Lesson()
    >>> lesson.progress.scene
    'look'
    """

    def __init__(self, progress: Progress | None = None) -> None:
        super().__init__()
        self.progress = progress if progress is not None else Progress()
        self._served = pn.state.curdoc is not None
        self._stage = Stage(self.progress)
        self._shown = ""
        self.plots: list[LivePlot] = []
        self._pictures: list[str] | None = None
        self._captions: list[LiveText] = []
        self._controls: list[Callable[[], None]] = []
        self._checked = False
        self._turns, self._cell = FrameGate(self._show), NotebookSync()
        self._steps = Steps(titles=[scene.title for scene in ALL])
        self._steps.param.watch(lambda event: self.progress.go(event.new[0]), "chosen")
        self._title = Title()
        self._before, self._call = LiveText(STYLE, width=LEFT), LiveText(STYLE, width=LEFT)
        self._hands = pn.Column(margin=0, width=LEFT)
        self._after = LiveText(STYLE, width=LEFT)
        self._check = pn.Column(margin=0, width=LEFT)
        self._feet = Buttons(width=LEFT)
        self._feet.param.watch(self._pressed, "pressed")
        self._clock = Clock(width=0, height=0)
        self._clock.param.watch(self._beat, "beat")
        self._above = LiveText(STYLE, css_classes=["above"], sizing_mode="stretch_width")
        self._right = pn.Column(
            css_classes=["right"],
            stylesheets=[STYLE],
            margin=0,
            sizing_mode="stretch_width",
            styles={"min-width": "0"},
        )
        self._page = self._lay_out()
        self._show(set())
        self.progress.param.watch(
            lambda *events: self._turns.request({event.name for event in events}),
            list(self.progress.param),
        )

    def __panel__(self) -> pn.viewable.Viewable:
        return self._page

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """The page as the output of a cell."""
        output = super()._repr_mimebundle_(include, exclude)
        self._cell.record_output()
        return output

    def _lay_out(self) -> pn.Column:
        out = '<a href="?view=roc" target="_blank">Open the explorer</a>' if self._served else ""
        header = pn.Row(
            pn.pane.HTML(
                f'<div class="brand">tapviz<span>{TITLE}</span></div>',
                margin=(0, 24, 0, 0),
                stylesheets=[STYLE],
            ),
            self._steps,
            pn.Spacer(sizing_mode="stretch_width"),
            pn.pane.HTML(f'<div class="out">{out}</div>', margin=0, stylesheets=[STYLE]),
            self._turns.signal if self._served else self._cell,
            self._clock,
            Accessibility(),
            css_classes=["header"],
            stylesheets=[STYLE],
            sizing_mode="stretch_width",
            margin=0,
        )
        left = pn.Column(
            self._title,
            self._before,
            self._call,
            self._hands,
            self._after,
            self._check,
            pn.Column(
                self._feet,
                css_classes=["foot"],
                stylesheets=[STYLE],
                margin=0,
                width=LEFT,
            ),
            width=LEFT + 41,
            css_classes=["left"],
            stylesheets=[STYLE],
            margin=0,
            styles={"min-height": "calc(100vh - 42px)"} if self._served else {},
        )
        return pn.Column(
            header,
            pn.Row(left, self._right, sizing_mode="stretch_width", margin=0),
            css_classes=["lesson"],
            stylesheets=[STYLE],
            sizing_mode="stretch_width",
            margin=0,
        )

    @property
    def _scene(self) -> Scene:
        return ALL[self.progress.place]

    def _show(self, _changed: set[str]) -> None:
        """Show the present state: another scene, or what has changed in this one."""
        scene, progress = self._scene, self.progress
        if scene.name != self._shown:
            self._turn_to(scene)
        else:
            self._draw_or_push()
        before, after = scene.words(progress)
        self._before.text = before
        self._call.text = f'<div class="call"><b>Do this:</b> {scene.call(progress)}</div>'
        self._after.text = f'<div aria-live="polite">{after}{self._link(scene)}</div>'
        self._above.text = self._stage.above(scene.name)
        for follow in self._controls:
            follow()
        if scene.check is not None and progress.done() and not self._checked:
            self._checked = True
            self._check[:] = self._ask_check(scene, scene.check)
        self._steps.param.update(place=progress.place, furthest=progress.furthest)
        self._feet.items = self._foot()
        if not self._served:
            pn.io.push_notebook(self._page)

    def _turn_to(self, scene: Scene) -> None:
        """Make the controls and the pictures of a scene; those of others leave the page."""
        self._clock.running = False
        self._shown, self._checked = scene.name, False
        number = f"Scene {self.progress.place + 1} of {len(ALL)}"
        self._title.param.update(note=number, text=scene.title)
        self._controls = []
        self._check[:] = []
        self._hands[:] = self._make_controls(scene)
        self._pictures = None
        self._draw_or_push()

    def _draw_or_push(self) -> None:
        """Give the pictures new columns; draw those that were not there yet."""
        pictures = self._stage.pictures(self._shown)
        names = [picture.name for picture in pictures]
        if names == self._pictures:
            for picture, plot, caption in zip(pictures, self.plots, self._captions, strict=True):
                plot.push(picture.picture())
                caption.text = _caption(picture)
            return
        self.plots, self._captions, shown = [], [], [self._above]
        for picture in pictures:
            title = html.unescape(re.sub("<[^>]*>", "", picture.title))
            plot = LivePlot(picture.name, picture.picture(), title=title)
            plot.pane.param.update(sizing_mode="stretch_width", height=picture.height)
            caption = LiveText(STYLE, text=_caption(picture), sizing_mode="stretch_width")
            head = pn.pane.HTML(
                f"<h2>{picture.title}</h2>",
                margin=0,
                stylesheets=[STYLE],
                sizing_mode="stretch_width",
            )
            self.plots.append(plot)
            self._captions.append(caption)
            shown += [head, plot.pane, caption]
        self._pictures = names
        self._right[:] = shown

    # --- controls ------------------------------------------------------------------------

    def _make_controls(self, scene: Scene) -> list[Any]:
        """Controls of a scene: predictions, then what can be moved."""
        controls: list[Any] = [self._prediction(scene, ask) for ask in scene.asks]
        if scene.why:
            controls.append(self._why(scene))
        if scene.asks and not scene.moves_first:
            controls.append(self._reveal())
        slides = [self._slide(scene, move) for move in scene.moves]
        controls = [*slides, *controls] if scene.moves_first else [*controls, *slides]
        if scene.name == "merge":
            controls.append(self._play())
        if scene.name == "build":
            controls.append(self._try())
        if scene.name == "influence":
            controls.append(self._leave_out())
        if scene.name == "end":
            controls += [self._report(), self._save()]
        return controls

    def _prediction(self, scene: Scene, ask: Ask) -> Slide | Choice:
        progress = self.progress
        control: Slide | Choice
        if ask.options:
            control = Choice(
                label=ask.label,
                options=[list(pair) for pair in ask.options.items()],
                columns=_columns(list(ask.options.values())),
                width=LEFT,
            )
        else:
            control = Slide(
                label=ask.label,
                start=ask.low,
                end=ask.high,
                step=ask.step,
                whole=False,
                slider=ask.high <= 1,
                width=LEFT,
            )

        def follow() -> None:
            answer = progress.answer(ask.question)
            placed = answer.prediction if answer is not None else None
            control.value = placed if placed is not None or not ask.options else ""
            control.disabled = progress.knows(scene.name) and not scene.moves_first

        def placed(event: Any) -> None:
            answer = progress.answer(ask.question)
            prediction = event.new if ask.options else _float(event.new)
            if prediction not in (None, "") and (answer is None or answer.prediction != prediction):
                progress.predict(ask.question, prediction)

        return self._bind(control, follow, placed)

    def _why(self, scene: Scene) -> Line:
        progress, (question,) = self.progress, [ask.question for ask in scene.asks]
        line = Line(label="Why? (one line, if you like)", width=LEFT)
        reason = {"": ""}

        def follow() -> None:
            answer = progress.answer(question)
            if answer is not None and answer.prediction is not None:
                if reason[""] and not answer.why:  # written before the marker was placed
                    progress.predict(question, answer.prediction, reason[""])
                    return
                line.value = answer.why
            line.disabled = progress.knows(scene.name)

        def written(event: Any) -> None:
            answer = progress.answer(question)
            reason[""] = event.new
            if answer is not None and answer.prediction is not None and answer.why != event.new:
                progress.predict(question, answer.prediction, event.new)

        return self._bind(line, follow, written)

    def _slide(self, scene: Scene, move: Move) -> Slide:
        progress = self.progress
        slide = Slide(
            label=move.label,
            value=getattr(progress, move.name),
            start=move.start,
            end=move.end,
            step=move.step,
            stops=list(move.stops),
            log=move.log,
            whole=move.whole,
            width=LEFT,
        )

        def follow() -> None:
            slide.value = getattr(progress, move.name)
            slide.disabled = not (scene.moves_first or not scene.asks or progress.knows(scene.name))

        def moved(event: Any) -> None:
            value = int(event.new) if move.whole else float(event.new)
            if value != getattr(progress, move.name):
                self._clock.running = self._clock.running and move.name != "f"
                setattr(progress, move.name, value)

        return self._bind(slide, follow, moved)

    def _reveal(self) -> Buttons:
        progress = self.progress
        button = Buttons(width=LEFT)

        def follow() -> None:
            button.items = [["reveal", "Reveal", progress.can_reveal(), "accent"]]

        return self._bind(button, follow, lambda _: progress.reveal(), "pressed")

    def _play(self) -> Buttons:
        button = Buttons(width=LEFT)

        def follow() -> None:
            words = "Pause" if self._clock.running else "Play"
            button.items = [["play", words, True, "" if self.progress.done() else "accent"]]

        def pressed(_: Any) -> None:
            progress, clock = self.progress, self._clock
            if not clock.running and progress.f >= meeting():
                progress.f = 1
            if clock.still:
                progress.f = meeting()  # no motion: the end at once
            else:
                clock.running = not clock.running
            follow()

        return self._bind(button, follow, pressed, "pressed")

    def _beat(self, _: Any) -> None:
        """Read one error more; stop where the curves meet."""
        if self._clock.running and self.progress.f < meeting():
            self.progress.f += 1
        if self.progress.f >= meeting():
            self._clock.running = False

    def _try(self) -> Buttons:
        button = Buttons(width=LEFT)
        words = f"Try {RANDOM_TRIES} groups of real queries"
        button.items = [["try", words, True, ""]]
        return self._bind(button, lambda: None, lambda _: self.progress.try_at_random(), "pressed")

    def _leave_out(self) -> Choice:
        progress, influence = self.progress, left_out()
        ids = [str(influence.query[row]) for row in suppliers(influence)]
        choice = Choice(
            label="Leave out",
            options=[["", "none"], *([query, query] for query in ids)],
            columns=3,
            width=LEFT,
        )

        def follow() -> None:
            choice.value = progress.away

        def chosen(event: Any) -> None:
            progress.away = event.new

        return self._bind(choice, follow, chosen)

    def _report(self) -> Line:
        progress = self.progress
        line = Line(label="I would report", width=LEFT)

        def follow() -> None:
            answer = progress.answer("report")
            line.value = str(answer.prediction) if answer is not None and answer.prediction else ""

        def written(event: Any) -> None:
            if event.new.strip():
                progress.predict("report", event.new.strip())

        return self._bind(line, follow, written)

    def _save(self) -> Save:
        save = Save(words="Save my predictions", file="why-pooled-roc-misleads.html", width=LEFT)

        def on_request(_: Any) -> None:
            save.page = ""  # so that it arrives again, even if nothing has changed
            save.page = page(self.progress)

        save.param.watch(on_request, "requests")
        return save

    def _bind(
        self,
        control: C,
        follow: Callable[[], None],
        changed: Callable[[Any], object],
        what: str = "value",
    ) -> C:
        """Let a control follow the state, and the state the control."""
        follow()
        control.param.watch(changed, what)
        self._controls.append(follow)
        return control

    def _ask_check(self, scene: Scene, check: Check) -> list[Any]:
        """A question with the reason at once."""
        progress = self.progress
        reasons = {words: (right, why) for words, right, why in check.options}
        explanation = LiveText(STYLE, width=LEFT)
        choice = Choice(
            label=check.question,
            options=[[words, words] for words in reasons],
            columns=_columns(list(reasons)),
            width=LEFT,
        )

        def follow() -> None:
            chosen = progress.checks.get(scene.name, "")
            choice.value = chosen
            reason = ""
            if chosen:
                right, why = reasons[chosen]
                sign = '<span class="yes">✓ Yes.</span>' if right else '<span class="no">No.</span>'
                reason = f"<p>{sign} {html.escape(why)}</p>"
            explanation.text = f'<div role="status">{reason}</div>'

        self._bind(choice, follow, lambda event: progress.check(scene.name, event.new))
        return [choice, explanation]

    # --- the foot -------------------------------------------------------------------------

    def _foot(self) -> list[list[Any]]:
        progress = self.progress
        done, last = progress.done(), progress.place == len(ALL) - 1
        items: list[list[Any]] = [["back", "Back", progress.place > 0, ""]]
        items.append(["show", "Show me", not done, ""])
        if not last:
            items.append(["next", "Next", done, "accent last" if done else "last"])
        return items

    def _pressed(self, event: Any) -> None:
        act = {
            "back": self.progress.back,
            "show": self.progress.show_me,
            "next": self.progress.next,
        }
        act[event.new[0]]()

    def _link(self, scene: Scene) -> str:
        """A way into the explorer, where the page is served."""
        if not scene.explorer or not self._served or not self.progress.done(scene.name):
            return ""
        address = html.escape(scene.explorer)
        words = (
            "Look for more such pairs in the explorer"
            if scene.name in DATA
            else "Open this in the explorer"
        )
        return f'<p><a href="{address}" target="_blank">{words}</a></p>'


def figure4(search: str) -> Dashboard:
    """The explorer, with the lesson's lists as they are and with B's E-values on another scale.

    Parameters
    ----------
    search : str
        The query part of the address, with settings of the explorer.
    """
    explorer = Explorer({"as they are": two_lists(), "B on another scale": two_lists(c=0.02)})
    problems = explorer.from_query(search)
    return Dashboard(
        explorer,
        title="lists A and B of the lesson (synthetic)",
        note="".join(f"<p>{html.escape(problem)}</p>" for problem in problems),
        address={"dataset": "figure4"},
    )


DATA = ("real", "influence")
"""Scenes whose view in the explorer is of the data that is open there."""


def _columns(words: list[str]) -> int:
    """Options side by side, if they are short."""
    return len(words) if max(map(len, words)) * len(words) <= SHORT else 1


def _caption(picture: Exhibit) -> str:
    return f'<p class="words"><b>In words:</b> {html.escape(picture.text())}</p>'


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)
