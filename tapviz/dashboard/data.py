"""The panel in which a person gives files of their own, and sees what is read of them."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, NamedTuple

import panel as pn
import param
from panel.custom import JSComponent

from tapviz.dashboard.controls import UNSEEN_LABEL, WIDGET
from tapviz.dashboard.join_table import what_was_read
from tapviz.explorer import Explorer
from tapviz.files.source import MAX_RATIO, MAX_UNPACKED
from tapviz.inputs import ROLES, Given, Guess, Inputs, Opened, guess, open_inputs, with_roles
from tapviz.labels import NORMALISATIONS, Held, ReadError
from tapviz.live.background import BackgroundTask
from tapviz.live.compat import FILE_DROPPER_CSS, checked_uploads
from tapviz.live.text import LiveText
from tapviz.measures import Cancelled, Progress
from tapviz.readers import FORMATS

MB = 1_000_000
LIMIT, LIMIT_TOGETHER = 200, 1000
"""MB that a file, and all files, may have."""
SOON = 1.0
"""Seconds of reading after which the time left is told."""

WORDS = (
    f"Files of results, one or more for each algorithm, and what says who is relevant. "
    f"<b>Up to {LIMIT} MB each</b>, {LIMIT_TOGETHER:,} MB together. They may be packed by gzip, "
    f"zstd or bzip2; what unpacks to more than {MAX_RATIO} times its size, or "
    f"{MAX_UNPACKED >> 30} GB, is not read. Files are held in memory until this panel is closed, "
    "and never stored."
)
NEEDED = (
    "<p><b>Who is relevant to whom?</b> {files} {do} not say. Drop one more file that does:</p><ul>"
    "<li>classes of records: id, tab and class, such as a.1.1.2, in each line;</li>"
    "<li>pairs: query, record and grade, as TREC's qrels;</li>"
    "<li>gold sets: query and what is relevant to it, as those of BioCreative;</li>"
    "<li>T(q) of each query, where the results mark what is relevant, but not how many "
    "there are.</li></ul>"
)
LABELS = ("labels", "qrels", "gold", "totals")
SORTED = ("tap", "table", "parquet", "trec")
"""Formats whose scores may be good if small or if large."""
LOOK: dict[str, Any] = {"margin": (2, 12, 4, 0), "stylesheets": [WIDGET]}
ROW: dict[str, Any] = {"margin": (2, 8, 2, 0), "stylesheets": [WIDGET, UNSEEN_LABEL]}


@checked_uploads
class Dropper(pn.widgets.FileDropper):
    """Panel's `FileDropper`; the server keeps to the limits, too."""

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.refused: dict[str, str] = {}
        """Why files were not taken, by name."""

    def accepts(self, name: str, size: int) -> bool:
        """Whether a file, of which so many bytes have come, keeps to the limits."""
        others = sum(len(held) for other, held in self.value.items() if other != name)
        if size > LIMIT * MB:
            problem = f"the file has more than {LIMIT} MB, which is the limit"
        elif others + size > LIMIT_TOGETHER * MB:
            problem = f"all files have more than {LIMIT_TOGETHER:,} MB together, the limit"
        else:
            self.refused.pop(name, None)
            return True
        self.refused[name] = f"{name}: {problem}; compress it with gzip"
        self.param.trigger("value")
        return False


class Heading(JSComponent):
    """Heading that takes the focus when it appears, so that keyboards and readers get there."""

    text = param.String(default="")
    shown = param.Boolean(default=False)

    # That it is shown is told, so that the page has told something after it got the panel: in the
    # first message after it has got new parts, BokehJS describes those it mentions all over again.
    _esm = """
    export function render({ model }) {
        const heading = document.createElement("h2")
        heading.tabIndex = -1
        heading.textContent = model.text
        setTimeout(() => { heading.focus(); model.shown = true }, 0)
        return heading
    }
    """


class Read(NamedTuple):
    """What came of reading files: results, or why there are none."""

    opened: Opened | None
    error: ValueError | None


class FileRow:
    """A dropped file: what it seems to be, and what the person says it is.

    Parameters
    ----------
    held : Held
        The file.
    changed : callable
        Called when the person says something else.
    """

    def __init__(self, held: Held, changed: Callable[[], None], style: str) -> None:
        self.held = held
        self.guess: Guess = guess(held)
        name = held.name
        self.stem = name.split("/")[-1].split(".")[0] or name
        self.role = pn.widgets.Select(
            label=f"what {name} is",
            value=self.guess.role,
            options={words: role for role, words in ROLES.items()},
            width=170,
            **ROW,
        )
        recognised = FORMATS[self.guess.format].title if self.guess.format else "not recognised"
        self.format = pn.widgets.Select(
            label=f"format of {name}",
            value="",
            options={f"as recognised: {recognised}": ""}
            | {known.title: known_name for known_name, known in FORMATS.items()},
            width=290,
            **ROW,
        )
        self.algorithm = pn.widgets.TextInput(
            label=f"algorithm of {name}", value=self.stem, width=170, **ROW
        )
        words = (
            f'<div class="file"><b>{html.escape(name)}</b> {_size(len(held.data))}'
            f"<br>{html.escape(self.guess.words)}</div>"
        )
        text = pn.pane.HTML(words, width=400, margin=0, stylesheets=[style])
        self.view = pn.FlexBox(
            text, self.role, self.format, self.algorithm, margin=(3, 0), align_items="center"
        )
        self._show()
        for widget in (self.role, self.format, self.algorithm):
            widget.param.watch(lambda _event: self._said(changed), "value")

    @property
    def used_format(self) -> str:
        """Name of the format it is read as; empty if that is not known, or it is no results."""
        return (self.format.value or self.guess.format) if self.role.value == "results" else ""

    def given(self) -> tuple[str, Given]:
        """Role, and the file with what was said about it."""
        name = self.algorithm.value.strip()
        algorithm = None if name in ("", self.stem) else name
        return self.role.value, Given(self.held, self.format.value or None, algorithm)

    def _said(self, changed: Callable[[], None]) -> None:
        self._show()
        changed()

    def _show(self) -> None:
        self.format.visible = self.algorithm.visible = self.role.value == "results"


class DataPanel(pn.viewable.Viewer):
    """Files of the person's own, what is known about them, and what is read of them.

    Nothing that is open changes until the person opens what was read.

    Parameters
    ----------
    use : callable
        Opens results; raises ValueError if they cannot be shown.
    close : callable
        Called when the person wants no other data.
    style : str
        Style sheet of the page.
    """

    def __init__(
        self, use: Callable[[Opened], None], close: Callable[[], None], style: str
    ) -> None:
        super().__init__()
        self._use, self._style = use, style
        self._rows: dict[str, FileRow] = {}
        self._reading = BackgroundTask(self._told)
        self._lines, self._since = 0, 0.0
        self._problem = ""
        self.dropper = Dropper(
            label="files of results and of labels",
            multiple=True,
            max_file_size=f"{LIMIT}MB",
            max_total_file_size=f"{LIMIT_TOGETHER}MB",
            chunk_size=4 * MB,
            previews=["image"],  # of none, Panel would tell the page nothing, and it show all
            sizing_mode="stretch_width",
            margin=(4, 0),
            stylesheets=[FILE_DROPPER_CSS],
        )
        self.dropper.param.watch(lambda _event: self._dropped(), "value")
        self._files = pn.Column(margin=0, sizing_mode="stretch_width")
        self.options = _options()
        self._shown = {
            name: pn.FlexBox(*(self.options[one] for one in names), margin=0, visible=False)
            for name, names in GROUPS.items()
        }
        for widget in self.options.values():
            widget.param.watch(lambda _event: self._ask(), "value")
        self._status = LiveText(style, sizing_mode="stretch_width")
        self._status.param.watch(lambda _event: self._pressed(), "pressed")
        self._report = LiveText(style, sizing_mode="stretch_width")
        self._open_button = pn.widgets.Button(
            label="Open these results",
            color="primary",
            disabled=True,
            width=170,
            margin=(6, 10, 8, 0),
            stylesheets=[WIDGET],
            on_click=lambda _event: self._open(),
        )
        closing = pn.widgets.Button(
            label="Close",
            width=90,
            margin=(6, 0, 8, 0),
            stylesheets=[WIDGET],
            on_click=lambda _event: close(),
        )
        self._view = pn.Column(
            Heading(text="Change data", margin=0, stylesheets=[style]),
            pn.pane.HTML(f"<p>{WORDS}</p>", margin=0, stylesheets=[style]),
            self.dropper,
            self._files,
            *self._shown.values(),
            self._status,
            self._report,
            pn.Row(self._open_button, closing, margin=0),
            sizing_mode="stretch_width",
            css_classes=["data"],
            stylesheets=[style],
            margin=0,
        )
        if pn.state.curdoc is not None:
            pn.state.on_session_destroyed(lambda _context: self.forget())
        self._ask()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._view

    def forget(self) -> None:
        """Stop reading, and let the files go."""
        self._reading.discard()
        self._rows.clear()
        self.dropper.value = {}

    @property
    def inputs(self) -> Inputs:
        """The files, and all that is said about them.

        Raises
        ------
        ValueError
            If two files have a role that only one can have.
        """
        chosen: dict[str, Any] = {}
        for group, names in GROUPS.items():
            if self._shown[group].visible:
                chosen |= {name: self.options[name].value for name in names}
        levels = (chosen.pop("relevant", 3), chosen.pop("ignored", 2))
        texts = {
            name: value.strip() or None if isinstance(value, str) else value
            for name, value in chosen.items()
        }
        inputs = Inputs(levels=levels, **texts | {"normalise": tuple(chosen.get("normalise", ()))})
        return with_roles(inputs, [row.given() for row in self._rows.values()])

    def _dropped(self) -> None:
        """Show the files that are there now."""
        files: Mapping[str, bytes] = self.dropper.value
        for name, data in files.items():
            if name not in self._rows or self._rows[name].held.data is not data:
                self._rows[name] = FileRow(Held(name, data), self._ask, self._style)
        self._rows = {name: self._rows[name] for name in files}
        heads = [pn.pane.HTML(HEADS, margin=0, stylesheets=[self._style])] if self._rows else []
        self._files[:] = [*heads, *(row.view for row in self._rows.values())]
        self._ask()

    def _ask(self) -> None:
        """Read anew, after a while, if anything has changed."""
        self._show_options()
        self._problem = ""
        try:
            inputs = self.inputs
        except ValueError as error:
            self._reading.discard()
            self._problem = str(error)
        else:
            if inputs.files:
                self._reading.request(inputs, self._work(inputs))
            else:
                self._reading.discard()
        self._told()

    def _show_options(self) -> None:
        roles = {row.role.value for row in self._rows.values()}
        used = [row.used_format for row in self._rows.values() if row.role.value == "results"]
        takes = {option for name in used if name for option in FORMATS[name].takes}
        self._shown["classes"].visible = bool(roles & {"labels", "query_labels"})
        self._shown["labels"].visible = bool(roles & set(LABELS))
        self._shown["results"].visible = bool(used)
        options = self.options
        options["columns"].visible = "columns" in takes or "" in used
        options["score"].visible = "score" in takes or "" in used
        options["iteration"].visible = "iteration" in takes
        options["direction"].visible = bool(set(used) & {*SORTED, ""} or options["score"].value)
        options["swap"].visible = any(name != "tap" for name in used)

    def _work(self, inputs: Inputs) -> Callable[[Progress | None], Read]:
        def work(progress: Progress | None) -> Read:
            def far(done: int, total: int, lines: int) -> None:
                self._lines = lines
                if progress is not None and progress(done, total) is False:
                    raise Cancelled

            self._lines, self._since = 0, monotonic()
            try:
                opened = open_inputs(inputs, far)
                # What the page shows first is computed here, not while nobody else is served.
                _ = Explorer(opened.results).scores
            except ValueError as error:
                return Read(None, error)
            return Read(opened, None)

        return work

    def _pressed(self) -> None:
        if self._reading.progress is not None:
            self._reading.cancel()
        elif self._reading.cancelled:
            self._reading.resume()

    def _told(self) -> None:
        """Show how far the reading is, or what came of it."""
        read: Read | None = self._reading.result
        opened = read.opened if read is not None else None
        with pn.io.hold():
            # What changes five times a second is not read aloud.
            role = "" if self._reading.progress is not None else ' role="status"'
            self._status.text = f'<div class="status reading"{role}>{self._far()}</div>'
            self._report.text = self._found(read)
            self._open_button.disabled = opened is None

    def _far(self) -> str:
        reading = self._reading
        if reading.progress is not None:
            done, total = reading.progress
            share = done / max(total, 1)
            spent = monotonic() - self._since
            left = ""
            if share > 0 and spent > SOON and done < total:
                left = f", about {spent / share - spent:,.0f} s left"
            what = "Joining" if done >= total and self._lines else "Reading"
            return (
                f'{what}: <progress max="1" value="{share:.3f}" aria-label="reading"></progress> '
                f"{self._lines:,} rows, {done / MB:,.1f} of {total / MB:,.1f} MB{left}"
                "<button>Cancel</button>"
            )
        if reading.cancelled:
            return "Stopped. Nothing was changed.<button>Read</button>"
        return "&nbsp;"

    def _found(self, read: Read | None) -> str:
        """What was read, or what is wrong and what to do."""
        problems = [*self.dropper.refused.values(), *([self._problem] if self._problem else [])]
        if self._reading.error:
            problems.append(f"The files could not be read: {self._reading.error}")
        parts = [_problems(problems)] if problems else []
        if read is not None and read.opened is not None:
            joined = what_was_read(read.opened.results, read.opened.doubts)
            parts.append(f'<div class="preview">{joined}</div>')
        elif read is not None:
            parts.append(_why_not(read.error))
        elif self._rows and not any(row.role.value == "results" for row in self._rows.values()):
            parts.append("<p>These are labels: drop files of results, too.</p>")
        return "".join(parts) or "<p></p>"

    def _open(self) -> None:
        read: Read | None = self._reading.result
        if read is None or read.opened is None:
            return
        self._open_button.disabled = True
        self._status.text = '<div class="status" role="status">Opening …</div>'
        opened = read.opened
        if pn.state.curdoc is None:
            self._opened(opened)
        else:  # so that the page says so first
            pn.state.curdoc.add_next_tick_callback(lambda: self._opened(opened))

    def _opened(self, opened: Opened) -> None:
        try:
            self._use(opened)
        except Exception as error:
            self._problem = f"These results cannot be shown: {error}"
            self._told()
            if not isinstance(error, ValueError):
                raise  # for the log: nothing that the person can do anything about


GROUPS = {
    "classes": ("relevant", "ignored"),
    "labels": ("unlabelled", "self_hits", "decoys", "normalise"),
    "results": ("score", "direction", "columns", "iteration", "swap"),
}
"""Options that are shown together, by what they are about."""


HEADS = """<div class="file-heads" aria-hidden="true"><span>file</span><span>what it is</span>
<span>format</span><span>algorithm</span></div>"""


def _options() -> dict[str, Any]:
    """Widgets of what can be said about all files; the names are those of `Inputs`."""
    widgets = pn.widgets
    usual = Inputs()
    return {
        "relevant": widgets.IntInput(
            label="relevant: same class to level", value=usual.levels[0], start=1, width=200, **LOOK
        ),
        "ignored": widgets.IntInput(
            label="left out: same class only to level (0: none)",
            value=usual.levels[1],
            start=0,
            width=280,
            **LOOK,
        ),
        "unlabelled": widgets.Select(
            label="records without a label are",
            options={"irrelevant": "irrelevant", "left out": "ignore", "an error": "error"},
            width=200,
            **LOOK,
        ),
        "self_hits": widgets.Select(
            label="hits of queries on themselves",
            options={"are dropped": "drop", "count like others": "keep"},
            width=200,
            **LOOK,
        ),
        "decoys": widgets.TextInput(
            label="only ids that match are irrelevant",
            placeholder="regular expression, as ^decoy",
            width=240,
            **LOOK,
        ),
        "normalise": widgets.CheckBoxGroup(
            options={f"ids alike by {name}": name for name in NORMALISATIONS},
            inline=True,
            margin=(24, 12, 4, 0),
            stylesheets=[WIDGET],
        ),
        "score": widgets.TextInput(
            label="column to judge by", placeholder="as usual; or bits, prob", width=200, **LOOK
        ),
        "direction": widgets.Select(
            label="good scores are",
            options={"as the file says": "", "small": "ascending", "large": "descending"},
            width=150,
            **LOOK,
        ),
        "columns": widgets.TextInput(
            label="names of the columns",
            placeholder="usual 12; or qseqid sseqid evalue",
            width=250,
            **LOOK,
        ),
        "iteration": widgets.IntInput(
            label="iteration of PSI-BLAST",
            value=None,
            start=1,
            placeholder="the last",
            width=150,
            **LOOK,
        ),
        "swap": widgets.Checkbox(
            label="exchange queries and records, as for hmmscan",
            margin=(24, 12, 4, 0),
            stylesheets=[WIDGET],
        ),
    }


def _why_not(error: ValueError | None) -> str:
    if isinstance(error, ReadError):
        if error.problems and all(one.code == "LabelsNeeded" for one in error.problems):
            files = " and ".join(dict.fromkeys(html.escape(one.file) for one in error.problems))
            return f'<div class="needed">{NEEDED.format(files=files, do="does")}</div>'
        return _problems([str(problem) for problem in error.problems])
    return _problems([str(error)])


def _problems(texts: list[str]) -> str:
    items = "".join(f"<li>{html.escape(text)}</li>" for text in texts)
    return f'<ul class="problems" role="alert">{items}</ul>'


def _size(n_bytes: int) -> str:
    return f"{n_bytes / MB:,.1f} MB" if n_bytes >= MB / 10 else f"{n_bytes:,} bytes"
