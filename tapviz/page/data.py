"""The panel *Change data*: the user's own files, their options, and what is read from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from time import monotonic
from typing import TypeVar
from weakref import WeakSet

import panel as pn
import param

from tapviz.explorer import Explorer
from tapviz.explorer.session import Session, is_session, read_session
from tapviz.files.limits import MB, limits
from tapviz.files.problems import options_in
from tapviz.files.source import MAX_RATIO, Held
from tapviz.lists.words import count
from tapviz.live.background import BackgroundTask
from tapviz.live.compat import checked_uploads, unfinished_uploads
from tapviz.live.parts import LiveText, Part
from tapviz.live.script import STYLE, style_sheet
from tapviz.live.templates import render
from tapviz.measures import Cancelled, OnProgress
from tapviz.page.components import Heading, OnTheWay
from tapviz.page.option_form import OptionForm
from tapviz.page.tables import what_was_read
from tapviz.page.widgets import CLOSING, UNSEEN_LABEL, WIDE, button, text_of, widget, words
from tapviz.readers import FORMATS, RELEVANCE, ReadError, ReadOptions, inputs
from tapviz.readers.inputs import Opened, ResultFile
from tapviz.readers.merging import names_of, short_name
from tapviz.readers.options import FIELDS

W = TypeVar("W")
MAX_FILES = 100
"""Files that a panel takes, finished or not; each has a row of fields."""
MAX_NAME = 255
"""Characters of the name of a file."""
MAX_PIECES, MEAN_PIECE = 1000, 10_000
"""Pieces in which a file may come however small they are, and bytes of those beyond, on average."""
ADVICE = "compress it with gzip"
FILE_DROPPER = style_sheet("file_dropper.css", "tapviz.page")
CALLED = FIELDS | {
    f"format={name}": f"“{form.title}” in {FIELDS['format']}" for name, form in FORMATS.items()
}
"""What the page calls each option, and each format, which is chosen by its title."""
OPEN_RESULTS, OPEN_SESSION = "Open these results", "Open this session"
EXAMPLE_CLASSES = "d2bk9a_\ta.1.1.0\nd2c0ka_\ta.1.1.0\nd1x3ka_\ta.1.1.0\nd12asa_\td.104.1.1"
"""A label file, of the records in the sample of BLAST."""
SOON = 1.0
"""Seconds of reading after which the time left is shown."""


@checked_uploads
class Dropper(pn.widgets.FileDropper):
    """Panel's `FileDropper`; the server keeps to the limits, too, also for what is unfinished."""

    def __init__(self, **params: object) -> None:
        super().__init__(**params)  # type: ignore[no-untyped-call]  # Panel has no types for it
        self.refused: dict[str, str] = {}
        """Why files were not taken, by name."""
        self._closed = False
        DROPPERS.add(self)

    def accepts(self, name: str, size: int) -> bool:
        """Whether a file, of which so many bytes have come, keeps to the limits."""
        if self._closed:
            return False
        most, others = limits(), self.held_besides(name)
        elsewhere = sum(other.held_besides() for other in list(DROPPERS) if other is not self)
        pieces = unfinished_uploads(self)
        problem = ""
        if size > most.upload_file:
            each = _mb(most.upload_file)
            problem = f"the file has more than {each}, which is the limit; {ADVICE}"
        elif others + size > most.upload_session:
            together = _mb(most.upload_session)
            problem = f"all files have more than {together} together, the limit; {ADVICE}"
        elif size and len({*self.value, *pieces, name}) > MAX_FILES:
            problem = f"there are more than {MAX_FILES} files, the limit"
        elif len(name) > MAX_NAME:
            problem = f"the name has more than {MAX_NAME} characters"
        elif len(pieces.get(name, ())) > MAX_PIECES + size / MEAN_PIECE:
            problem = "it comes in too many pieces"
        elif others + size + elsewhere > most.upload_process:
            problem = "others are using all the room for files now; try again later"
        if not problem:
            self.refused.pop(name, None)
            return True
        if name in self.refused or len(self.refused) < MAX_FILES:
            self.refused[name[:MAX_NAME]] = f"{name[:MAX_NAME]}: {problem}"
        self.param.trigger("value")
        return False

    def held_besides(self, name: str = "") -> int:
        """Bytes of all files but one, of which some may be unfinished."""
        held = sum(len(data) for other, data in self.value.items() if other != name)
        pieces = unfinished_uploads(self)
        return held + sum(len(p) for other in pieces if other != name for p in pieces[other])

    def close(self) -> None:
        """Let all files go, and take no more."""
        self._closed = True
        unfinished_uploads(self).clear()
        self.refused.clear()
        self.param.update(value={})


DROPPERS: WeakSet[Dropper] = WeakSet()
"""All of the process."""


class FileRow:
    """A dropped file: what it seems to be, and fields to correct that.

    Parameters
    ----------
    held : Held
        The file.
    changed : callable
        Called when a field has been changed.
    """

    def __init__(self, held: Held, changed: Callable[[], None]) -> None:
        self.held = held
        self.guess: inputs.Guess = inputs.guess(held)
        name = held.name
        self.stem = short_name(name)
        self.role = _in_row(
            pn.widgets.Select,
            f"what {name} is",
            170,
            value=self.guess.role,
            options={words: role for role, words in inputs.ROLES.items()},
        )
        known = f"as recognised: {FORMATS[self.guess.format].title}" if self.guess.format else ""
        self.format = _in_row(
            pn.widgets.Select,
            f"format of {name}",
            290,
            value="",
            options={known or "unknown format: choose one": ""}
            | {known.title: format_name for format_name, known in FORMATS.items()},
        )
        self.algorithm = _in_row(pn.widgets.TextInput, f"program of {name}", 170, value=self.stem)
        about = render("file.html", file=name, size=_size(len(held.data)), guess=self.guess.words)
        text = words(about, sheet=STYLE)
        self.view = pn.FlexBox(
            text, self.role, self.format, self.algorithm, margin=(3, 0), align_items="center"
        )
        self._show()
        self._told = self.given()
        for field in (self.role, self.format, self.algorithm):
            field.param.watch(lambda _event: self._changed(changed), "value")

    @property
    def is_results(self) -> bool:
        """Whether it is to be read as results."""
        return bool(self.role.value == "results")

    @property
    def used_format(self) -> str:
        """Name of the format that results are read as; empty if that is not known."""
        return self.format.value or self.guess.format

    @property
    def own_name(self) -> str:
        """What the user called its algorithm; empty if that is called by its file."""
        name = text_of(self.algorithm)
        return "" if name == self.stem else name

    def given(self) -> tuple[str, ResultFile]:
        """Role, and the file with its format and the name of its algorithm, where chosen."""
        named = ResultFile(self.held, self.format.value or None, self.own_name or None)
        return self.role.value, named

    def _changed(self, changed: Callable[[], None]) -> None:
        self._show()
        before, self._told = self._told, self.given()
        if before != self._told:
            changed()

    def _show(self) -> None:
        self.format.visible = self.algorithm.visible = self.is_results


class DataPanel(Part):
    """The user's own files, their options, and what is read from them.

    Nothing that is open changes until the user opens what was read.

    Parameters
    ----------
    use : callable
        Opens results, and a session of them: either may be None. It raises ValueError if they
        cannot be shown.
    close : callable
        Called when the user closes the panel.
    asked : str
        What the person is asked to open.
    """

    def __init__(
        self,
        use: Callable[[Opened | None, Session | None], None],
        close: Callable[[], None],
        asked: str = "",
    ) -> None:
        super().__init__()
        self._session: Session | None = None
        self._session_problems: list[str] = []
        self._use = use
        self._rows: dict[str, FileRow] = {}
        self._reading: BackgroundTask[Opened | ValueError] = BackgroundTask(self._show_state)
        self._lines, self._since = 0, 0.0
        self._problems: list[str] = []
        self._helpful: set[str] = set()
        self._offered: dict[str, tuple[str, str]] = {}
        self.dropper = Dropper(
            label="result files and labels",
            multiple=True,
            max_file_size=f"{limits().upload_file / MB:g}MB",
            max_total_file_size=f"{limits().upload_session / MB:g}MB",
            chunk_size=4 * MB,
            previews=["image"],  # of none, Panel would tell the page nothing, and it show all
            sizing_mode="stretch_width",
            margin=(4, 0),
            stylesheets=[FILE_DROPPER],
        )
        self.dropper.param.watch(lambda _event: self._dropped(), "value")
        self.on_the_way = OnTheWay()
        self.on_the_way.param.watch(lambda _event: self._request_reading(), "files")
        self._together = widget(
            pn.widgets.Checkbox,
            "merge all files into one program, named as the first",
            visible=False,
            margin=(4, 0),
        )
        self._together.param.watch(lambda _event: self._request_reading(), "value")
        examples = render(
            "examples.html",
            hits=FORMATS["blast"].sample,
            classes=EXAMPLE_CLASSES,
            formats=[(one.title, one.programs) for one in FORMATS.values()],
        )
        self._examples = words(examples, sheet=STYLE, sizing_mode="stretch_width")
        """What such files look like, until there are some."""
        self._files = pn.Column(**WIDE)
        self.form = OptionForm(self._request_reading)
        self._status = LiveText(sizing_mode="stretch_width")
        self._status.param.watch(lambda _event: self._reading.stop_or_resume(), "pressed")
        self._report = LiveText(sizing_mode="stretch_width")
        self._remedies = pn.FlexBox(margin=0)
        self._open_button = button(
            OPEN_RESULTS,
            self._open,
            color="primary",
            disabled=True,
            width=170,
            margin=(6, 10, 8, 0),
        )
        closing = button("Close", close, **CLOSING)
        last = pn.Row(self._open_button, closing, css_classes=["last"], stylesheets=[STYLE], **WIDE)
        self.view = pn.Column(
            Heading(STYLE, text="Change data"),
            words(_what_to_drop(asked), sheet=STYLE),
            self.dropper,
            self.on_the_way,
            self._examples,
            self._files,
            self._together,
            self.form,
            self._status,
            self._report,
            self._remedies,
            last,
            css_classes=["data"],
            stylesheets=[STYLE],
            **WIDE,
        )
        if pn.state.curdoc is not None:
            pn.state.on_session_destroyed(lambda _context: self.page_closed())
        self._request_reading()

    def forget(self) -> None:
        """Stop reading, and let the files go."""
        self._reading.discard()
        self._rows.clear()
        self.dropper.close()

    def page_closed(self) -> None:
        """Do the same when there is no page any more that could be told."""
        with param.parameterized.discard_events(self.dropper):
            self.forget()

    @property
    def request(self) -> tuple[tuple[ResultFile, ...], ReadOptions]:
        """The files of results, and the options of reading them.

        Raises
        ------
        ValueError
            If two files have a role that only one can have, or options make no sense.
        """
        files = [row.given() for row in self._rows.values()]
        if self._together.value:
            names = [text_of(row.algorithm) for row in self._results]
            files = [
                (role, file._replace(algorithm=names[0] or None) if role == "results" else file)
                for role, file in files
            ]
        return inputs.with_roles(ReadOptions(**self.form.given), files)

    @property
    def _results(self) -> list[FileRow]:
        return [row for row in self._rows.values() if row.is_results]

    def _dropped(self) -> None:
        """Show the files that are there now."""
        files: dict[str, bytes | str] = self.dropper.value
        self._session, self._session_problems = None, []
        for name, uploaded in list(files.items()):
            data = uploaded
            if isinstance(data, str):  # if `checked_uploads` could not prevent it
                data = files[name] = data.encode()
            if is_session(data):
                self._take_session(name, data)
            elif name not in self._rows or self._rows[name].held.data is not data:
                self._rows[name] = FileRow(Held(name, data), self._request_reading)
        self._rows = {name: self._rows[name] for name in files if name in self._rows}
        self._examples.visible = not files
        heads = [words(render("file_heads.html"), sheet=STYLE)] if self._rows else []
        self._files[:] = [*heads, *(row.view for row in self._rows.values())]
        self._request_reading()

    def _take_session(self, name: str, data: bytes) -> None:
        """Keep a session to be opened, with results or alone; the last of several."""
        try:
            self._session = read_session(data, name)
        except ValueError as error:
            self._session_problems += inputs.explain(error, CALLED)

    def _request_reading(self) -> None:
        """Read anew, after a while, if anything has changed."""
        self._name_algorithms()
        self._show_options()
        self._problems = []
        try:
            files, options = self.request
        except ValueError as error:
            self._reading.discard()
            self._problems = inputs.explain(error, CALLED)
        else:
            if files and not self.on_the_way.files:  # a part of them would be opened for all
                self._reading.request((files, options), self._work(files, options))
            else:
                self._reading.discard()
        self._show_state()

    def _name_algorithms(self) -> None:
        """Call those that the user has not named as they will be called when they are read."""
        unnamed = [row for row in self._results if not row.own_name]
        taken = [row.own_name for row in self._results]
        by_file = names_of([row.held.name for row in unnamed], taken)
        for row in unnamed:
            file = row.held.name
            row.stem = short_name(file) if self._together.value else by_file[file]
            row.algorithm.value = row.stem  # last, since a name that differs is the user's own

    def _show_options(self) -> None:
        self._together.visible = len(self._results) > 1
        roles = {row.role.value for row in self._rows.values()}
        self.form.offer(roles, {row.used_format for row in self._results}, self._helpful)

    def _work(
        self, files: tuple[ResultFile, ...], options: ReadOptions
    ) -> Callable[[OnProgress | None], Opened | ValueError]:
        def work(progress: OnProgress | None) -> Opened | ValueError:
            def report(done: int, total: int, lines: int) -> None:
                self._lines = lines
                if progress is not None and progress(done, total) is False:
                    raise Cancelled

            self._lines, self._since = 0, monotonic()
            try:
                opened = inputs.open_files(files, options, progress=report, called=CALLED)
                # What the page shows first is computed here, not while nobody else is served.
                _ = Explorer(opened.results).scores
            except ValueError as error:
                return error
            return opened

        return work

    def _show_state(self) -> None:
        """Show the progress of reading, or its outcome."""
        read = self._reading.result
        if read is not None:
            self._helpful = set()
            remedies: list[tuple[str, str]] = []
            if isinstance(read, ReadError):
                problems = read.problems
                remedies = [pair for problem in problems for pair in problem.remedies]
                remedies += [(name, "") for name in options_in(read.advice)]
                self._helpful = {name for name, _ in remedies}
                self._helpful |= {problem.option for problem in problems}
            self._show_remedies(dict.fromkeys(remedies))
        with pn.io.hold():
            self._show_options()
            # What changes five times a second is not read aloud.
            role = "" if self._reading.progress is not None else ' role="status"'
            self._status.text = f'<div class="status reading"{role}>{self._progress_html()}</div>'
            self._report.text = self._report_html(read)
            alone = self._session is not None and not self._rows
            self._open_button.disabled = not isinstance(read, Opened) and not alone
            self._open_button.label = OPEN_SESSION if alone else OPEN_RESULTS

    def _show_remedies(self, remedies: Iterable[tuple[str, str]]) -> None:
        """Show a button for each value of an option that would help."""
        worded = {self.form.words(name, value): (name, value) for name, value in remedies}
        worded.pop("", None)
        if self._offered == worded:
            return
        self._offered = worded
        self._remedies[:] = [
            button(label, partial(self.form.set, name, value), margin=(2, 10, 4, 0))
            for label, (name, value) in worded.items()
        ]

    def _progress_html(self) -> str:
        reading, waiting = self._reading, self.on_the_way.files
        if waiting:
            return f"Uploading {count(waiting, 'file')} …"
        if reading.progress is not None:
            done, total = reading.progress
            share = done / max(total, 1)
            spent = monotonic() - self._since
            left = ""
            if share > 0 and spent > SOON and done < total:
                left = f", about {spent / share - spent:,.0f} s left"
            what = "Joining" if done >= total and self._lines else "Reading"
            return render(
                "reading.html",
                what=what,
                share=f"{share:.3f}",
                amount=f"{count(self._lines, 'row')}, {done / MB:,.1f} of {total / MB:,.1f} MB"
                + left,
            )
        if reading.cancelled:
            return "Stopped. Nothing was changed.<button>Read</button>"
        return "&nbsp;"

    def _report_html(self, read: Opened | ValueError | None) -> str:
        """What was read, or what is wrong and what to do."""
        refused = self.dropper.refused.values()
        problems = [*refused, *self._problems, *self._session_problems]
        if self._reading.error:
            problems.append(f"The files could not be read: {self._reading.error}")
        parts = [render("problems.html", problems=problems)] if problems else []
        if self._session is not None:
            parts.append(render("session.html", file=self._session.name, alone=not self._rows))
        if isinstance(read, Opened):
            parts.append(f'<div class="preview">{what_was_read(read.results, read.doubts)}</div>')
        elif read is not None:
            parts.append(_error_html(read))
        elif self._rows and not self._results:
            parts.append("<p>These are labels: add result files, too.</p>")
        return "".join(parts) or "<p></p>"

    def _open(self) -> None:
        read = self._reading.result
        opened = read if isinstance(read, Opened) else None
        if opened is None and (self._session is None or self._rows):
            return
        self._open_button.disabled = True
        self._status.text = '<div class="status" role="status">Opening …</div>'
        if pn.state.curdoc is None:
            self._opened(opened)
        else:  # so that the page says so first
            pn.state.curdoc.add_next_tick_callback(lambda: self._opened(opened))

    def _opened(self, opened: Opened | None) -> None:
        try:
            self._use(opened, self._session)
        except Exception as error:
            self._problems = [f"These results cannot be shown: {error}"]
            self._show_state()
            if not isinstance(error, ValueError):
                raise  # for the log: nothing that the user can do anything about


def _in_row(kind: Callable[..., W], label: str, width: int, **options: object) -> W:
    """A field of a file, below the heads that say what it is."""
    return widget(kind, label, UNSEEN_LABEL, width=width, margin=(2, 8, 2, 0), **options)


def _what_to_drop(asked: str) -> str:
    most = limits()
    return render(
        "drop.html",
        asked=asked,
        each=_mb(most.upload_file),
        together=_mb(most.upload_session),
        unpacking=f"A file that takes more than {_mb(most.decoded_file)} when it is read, or "
        f"unpacks to more than {MAX_RATIO} times its size, is not read.",
    )


def _error_html(error: ValueError) -> str:
    problems = error.problems if isinstance(error, ReadError) else []
    if problems and all(one.code == "LabelsNeeded" for one in problems):
        return render(
            "labels_needed.html",
            files=" and ".join(dict.fromkeys(one.file for one in problems)),
            options=[inputs.FILE_OPTIONS[name].help for name in RELEVANCE],
        )
    return render("problems.html", problems=inputs.explain(error, CALLED))


def _mb(n_bytes: int) -> str:
    return f"{n_bytes / MB:,.6g} MB"


def _size(n_bytes: int) -> str:
    return f"{n_bytes / MB:,.1f} MB" if n_bytes >= MB / 10 else f"{n_bytes:,} bytes"
