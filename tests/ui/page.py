"""What a test sees and does on the page: its table, its figures and its controls."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import monotonic
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit
from weakref import WeakKeyDictionary

import numpy as np
from playwright.sync_api import Error, Locator
from playwright.sync_api import Page as Browsed

from tapviz.plots import PLOTS

WAIT = 120.0  # where workers share few cores; on a quiet machine all is there in a second or two
PATIENCE = 1.5
"""Seconds after which the server no longer waits for a page to paint, and more."""
# Headers of messages of Bokeh's protocol.
PATCH = re.compile(r'^\{"msgid":.*"msgtype": ?"PATCH-DOC"')
ANSWER = re.compile(r'^\{"msgid":.*"msgtype": ?"(OK|ERROR)"')
HARMLESS = re.compile(r"^\[bokeh|^Bokeh items were rendered")

# A figure of the page's document by its name, and where its frame is in the window.
HELPERS = """
window.tapviz = {
    doc: () => Bokeh.documents[0],
    // A layer of another figure may have the same name.
    figure: (name) => [...Bokeh.documents[0]._all_models.values()]
        .filter((model) => model.type === "Figure" && model.name === name)
        .filter((model) => Bokeh.index.find_one(model)).pop(),
    view: (name) => Bokeh.index.find_one(tapviz.figure(name)),
    // Whether a box that is being drawn is seen.
    drawn: (name) => tapviz.figure(name).toolbar.gestures.pan.active.overlay.visible,
    painted: () => [...Bokeh.documents[0]._all_models.values()]
        .every(({data}) => data?.frame === data?.painted),
    // All elements below a root, in shadow roots, too.
    all: (root = document) => [...root.querySelectorAll("*")]
        .flatMap((one) => [one, ...(one.shadowRoot ? tapviz.all(one.shadowRoot) : [])]),
    // Text of a cell without its notes.
    plain: (cell) => {
        const plain = cell.cloneNode(true)
        plain.querySelectorAll("small").forEach((note) => note.remove())
        return plain.textContent
    },
    tips: () => tapviz.all()
        .filter((one) => one.matches(".bk-Tooltip, .tapviz-read-out") && one.checkVisibility())
        .map((one) => [...(one.shadowRoot ?? one).children]
            .filter((part) => part.tagName !== "STYLE").map((part) => part.innerText).join(" ")),
    layers: (name) => {
        const layers = {}
        for (const renderer of tapviz.figure(name).renderers) {
            if (!renderer.name) continue
            const columns = {}
            const data = renderer.data_source.data
            if (renderer.glyph.type === "MultiLine") {
                // Lines next to each other are one glyph.
                data.layer.forEach((layer, i) => {
                    const glyph = {
                        type: "Line", line_color: data.color[i], line_dash: data.dash[i],
                        line_alpha: data.alpha[i], marker: null,
                    }
                    layers[layer] = { x: Array.from(data.xs[i]), y: Array.from(data.ys[i]), glyph }
                })
                continue
            }
            // A layer of texts that has become shorter ends in empty ones.
            const seen = (_, i) => data.text === undefined || data.text[i] !== ""
            for (const [key, values] of Object.entries(data)) {
                columns[key] = Array.from(values).filter(seen)
            }
            const glyph = renderer.glyph
            columns.glyph = {
                type: glyph.type, line_color: glyph.line_color?.value ?? null,
                line_dash: glyph.line_dash?.value ?? null,
                line_alpha: glyph.line_alpha?.value ?? null, marker: glyph.marker?.value ?? null,
            }
            layers[renderer.name] = columns
        }
        // What is read out at the mouse is not drawn.
        const told = tapviz.figure(name).tags.find(({ text }) => text)
        if (told) layers.readout = told
        return layers
    },
    frame: (name) => {
        const view = tapviz.view(name), box = view.frame.bbox
        const canvas = view.canvas_view.el.getBoundingClientRect()
        return [canvas.x + box.left, canvas.y + box.top, box.width, box.height]
    },
    range: (name) => {
        const {x_range: x, y_range: y} = tapviz.figure(name)
        return [x.start, x.end, y.start, y.end]
    },
    colors: (name) => {
        const seen = new Set()
        const {canvas, ctx} = tapviz.view(name).canvas_view.primary
        const {width, height} = canvas
        const data = ctx.getImageData(0, 0, width, height).data
        for (let i = 0; i < data.length; i += 4) {
            seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2])
        }
        return seen.size
    },
    widgets: () => {
        const values = {}
        for (const model of Bokeh.documents[0]._all_models.values()) {
            if (/Slider|Spinner|TextInput|Radio|Checkbox|Select$/.test(model.type)) {
                values[model.id] = /Radio|Checkbox/.test(model.type)
                    ? ["active", model.active] : ["value", model.value, model.end ?? null]
            }
        }
        return values
    },
    restore: (values) => {
        for (const [id, [attribute, value]] of Object.entries(values)) {
            const model = Bokeh.documents[0].get_model_by_id(id)
            if (model && model[attribute] !== value) model[attribute] = value
        }
    },
    slider: (title) => {
        for (const model of Bokeh.documents[0]._all_models.values()) {
            if (/Slider$/.test(model.type) && model.title === title) return model
        }
    },
    handle: (title) => Bokeh.index.find_one(tapviz.slider(title))
        .shadow_el.querySelector(".noUi-handle"),
    box: (title) => {
        const slider = tapviz.slider(title)
        for (const model of Bokeh.documents[0]._all_models.values()) {
            const at = model.children?.indexOf?.(slider) ?? -1
            if (at >= 0) {
                return Bokeh.index.find_one(model.children[at + 1]).shadow_el.querySelector("input")
            }
        }
    },
}
"""

K, E0, N = "errors per query k", "E-value threshold E₀", "n of ROCₙ"
SHARE, CLOSE_SHARE, FIGURE, CLOSE_FIGURE = "Share ▾", "Share ▴", "Figure…", "Close figure"
CHANGE_DATA, CLEAR = "Change data", "Clear filter (Esc)"
OPEN_RESULTS, A_VS_B, TAP_PLOT = "Open these results", "A vs B", "TAP against E₀. Arrow keys"
ROC_N = "ROCₙ"
FIGURES = ("tap", "epq", "precision_recall")
"""Those that are there at first: two always, and the first tab."""


def eventually(browsed: Browsed, check: Callable[[], Any], wait: float = WAIT) -> Any:
    """Value of `check` as soon as it finds what it looks for."""
    end = monotonic() + wait
    while True:
        try:
            return check()
        except (AssertionError, LookupError, TypeError, ValueError, Error):
            if monotonic() > end or browsed.is_closed():
                raise
        browsed.wait_for_timeout(25)


class Page:
    """A page of the application in the browser, watched for whatever goes wrong."""

    of: ClassVar[WeakKeyDictionary[Browsed, Page]] = WeakKeyDictionary()
    """Those that are open."""

    def __init__(self, browsed: Browsed, server: Any) -> None:
        self.browsed = browsed
        Page.of[browsed] = self
        self.server = server
        self.base: str = server.url
        browsed.set_default_timeout(WAIT * 1000)
        browsed.add_init_script(HELPERS)
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        self.pushes: list[str] = []
        self._unanswered = 0
        self._last_frame = 0.0
        browsed.on("console", self._said)
        browsed.on("pageerror", self._broke)
        browsed.on("request", lambda request: self._asked(request.url))
        browsed.on("websocket", self._connected)

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning") or not HARMLESS.match(message.text):
            self.complaints.append(f"console {message.type}: {message.text}")

    def _broke(self, error: Any) -> None:
        self.complaints.append(f"page error: {str(error.stack or error)[:300]}")

    def _asked(self, url: str) -> None:
        here = urlsplit(self.base).netloc
        if not url.startswith(("blob:", "data:")) and urlsplit(url).netloc != here:
            self.elsewhere.append(url)

    def _connected(self, socket: Any) -> None:
        self._asked(socket.url)
        self._unanswered = 0
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._received)

    def _sent(self, frame: Any) -> None:
        self._last_frame = monotonic()
        self._unanswered += isinstance(frame, str) and bool(PATCH.search(frame))

    def _received(self, frame: Any) -> None:
        self._last_frame = monotonic()
        if isinstance(frame, str):
            self._unanswered -= bool(ANSWER.search(frame))
            if frame.startswith('{"events"'):
                self.pushes.append(frame)

    def open(self, address: str = "", *, wait: bool = True) -> Page:
        """Open the application and wait for its table and its figures."""
        self.browsed.goto(f"{self.base}/explore{address}", wait_until="commit")
        if wait:
            self.browsed.locator("table.scores").wait_for()
            self.ready()
        return self

    def ready(self) -> None:
        """Wait until the figures that are always there are in the page."""
        self.browsed.wait_for_function(
            "window.Bokeh && Bokeh.documents.length && Bokeh.documents[0].is_idle"
        )
        self.browsed.wait_for_function(
            "names => names.every(name => tapviz.figure(name))",
            arg=list(FIGURES[:2]),
        )

    def script(self, code: str, *args: Any) -> Any:
        return self.browsed.evaluate(f"args => {code}", list(args))

    # --- waiting -------------------------------------------------------------------------

    def eventually(self, check: Callable[[], Any], wait: float = WAIT) -> Any:
        """Value of `check` as soon as it finds what it looks for."""
        return eventually(self.browsed, check, wait)

    def shows(
        self,
        read: Callable[[], Any],
        expected: object = True,  # noqa: FBT002
        wait: float = WAIT,
    ) -> None:
        """Wait until what is read on the page is what is expected."""

        def check() -> None:
            assert read() == expected

        self.eventually(check, wait)

    def at_rest(self, quiet: float = 0.1) -> None:
        """Wait until the server has answered all it was told, and for some seconds sent no more.

        And the page has painted it: what overtook it meanwhile is sent only then. Of what came
        with the page it never says so, and the server does not wait for ever, either.
        """

        def silent() -> None:
            assert self._unanswered <= 0
            assert self.script("Bokeh.documents[0].is_idle")
            least = quiet if self.script("tapviz.painted()") else max(quiet, PATIENCE)
            assert monotonic() - self._last_frame > least

        self.eventually(silent)

    def settled(self) -> Page:
        """Wait until nothing on the page will change or move by itself."""

        def still() -> None:
            assert self.status()
            assert "Cancel" not in self.status()
            assert not self.browsed.locator('.verdict[aria-busy="true"]').count()

        self.eventually(still)
        self.at_rest()
        return self

    def still(self, figure: str, width: float) -> None:
        """Wait until a figure is in sight, at least so wide, and stays where it is."""

        def stays() -> None:
            self.settled()
            self.script(f"tapviz.view('{figure}').el.scrollIntoView({{ block: 'center' }})")
            before = self.frame(figure)
            self.browsed.wait_for_timeout(200)
            assert self.frame(figure) == before
            assert before[2] > width

        self.eventually(stays)

    def pull(self, figure: str, x: tuple[float, float], y: tuple[float, float]) -> None:
        """Draw a box with the mouse from a place to another, in values of linear axes."""
        mouse = self.browsed.mouse
        mouse.move(*self.place(figure, x[0], y[0]))
        mouse.down()
        for share in (0.3, 0.6, 0.9, 1.0):  # a hand is not faster than the screen
            at, up = (one + share * (other - one) for one, other in (x, y))
            mouse.move(*self.place(figure, at, up))
            self.script("new Promise(requestAnimationFrame)")

        def seen() -> None:
            assert self.script("tapviz.drawn(args[0])", figure), "no box is seen"

        self.eventually(seen)
        mouse.up()

    def sees(self, text: str | re.Pattern[str], *, within: str = "body") -> None:
        """Wait until the text is visible."""
        self.browsed.locator(within).get_by_text(text).filter(visible=True).first.wait_for()

    # --- what is seen --------------------------------------------------------------------

    def heads(self) -> list[str]:
        """Words of the table's head, in reading order, but for its menus and the intervals."""
        words = self.browsed.locator("table.scores thead th:not(.name)").all_inner_texts()
        return ["Program", *(_plain(word) for word in words if "interval" not in word)]

    def table(self) -> dict[str, list[str]]:
        """Scores in each algorithm's row, without what comes later: intervals and the like."""
        return self._cells(":not(.interval):not(.compared)")

    def intervals(self) -> dict[str, str]:
        """95 % interval of each algorithm's TAP; empty while there is none."""
        return {name: "".join(cells) for name, cells in self._cells(".interval").items()}

    def compared(self) -> dict[str, list[str]]:
        """Difference, interval, p and wins/ties/losses of each algorithm."""
        return self._cells(".compared")

    def record(self) -> None:
        """Begin to keep every state of the table, for `recorded`."""
        self.browsed.locator("table.scores").evaluate(
            """(table) => {
                const states = tapviz.states = []
                const texts = (cells) => [...cells].map(tapviz.plain)
                const root = table.getRootNode()
                const keep = () => {
                    const shown = root.querySelector("table.scores")
                    if (!shown) return
                    const heads = texts(shown.querySelectorAll("thead th:not(.name)"))
                    const rows = [...shown.tBodies[0].rows].map((row) => texts(row.cells))
                    states.push([heads, rows])
                }
                keep()
                tapviz.recorder?.disconnect()
                tapviz.recorder = new MutationObserver(keep)
                tapviz.recorder.observe(root, {
                    subtree: true, childList: true, characterData: true, attributes: true,
                })
            }"""
        )

    def recorded(self) -> list[tuple[list[str], dict[str, list[str]]]]:
        """Heads and cells of each row in every state of the table since `record`."""
        states = []
        for heads, rows in self.script("tapviz.states"):
            cells = {_plain(row[0]): [_plain(cell) for cell in row[1:]] for row in rows}
            states.append((["Program", *map(_plain, heads)], cells))
        return states

    def _cells(self, kind: str) -> dict[str, list[str]]:
        rows = self.browsed.locator("table.scores tbody").evaluate(
            """(body, kind) => [...body.rows].map((row) => [
                row.cells[0].title,
                ...[...row.querySelectorAll("td" + kind)].map(tapviz.plain),
            ])""",
            kind,
        )
        return {_plain(row[0]): [_plain(cell) for cell in row[1:]] for row in rows}

    def query_rows(self) -> list[list[str]]:
        """Texts of the rows of queries that are seen; of a list, where it is cut."""
        rows: list[list[str]] = self.browsed.locator(".queries .space").evaluate(
            """(space) => {
                const text = (cell) => {
                    const list = cell.querySelector("svg"), cut = list?.querySelector(".cut")
                    if (!cut) return (cell.querySelector("b") ?? cell).textContent
                    const at = cut.getAttribute("d").match(/M([\\d.]+)/)[1]
                    return `cut at ${(at / list.viewBox.baseVal.width).toFixed(3)}`
                }
                return [...space.children]
                    .filter((row) => row.offsetTop < space.parentNode.clientHeight)
                    .map((row) => [...row.children].map(text))
            }"""
        )
        return rows

    def in_words(self) -> dict[str, str]:
        """What is said of each plot below the fold."""
        pairs = self.browsed.locator(".words dl").evaluate(
            "list => [...list.children].map((part) => part.textContent)"
        )
        return dict(zip(map(_plain, pairs[::2]), map(_plain, pairs[1::2]), strict=True))

    def status(self) -> str:
        """The line below the table."""
        return _plain(self.browsed.locator(".below .status").inner_text())

    def look_at(self, algorithm: str) -> None:
        """Choose the algorithm that is shown in detail."""
        choice = self.browsed.get_by_label("details for")
        choice.filter(visible=True).first.select_option(algorithm)

    def compare_with(self, algorithm: str) -> None:
        """Choose the algorithm with which the others are compared."""
        self.browsed.get_by_label("baseline", exact=True).first.select_option(algorithm)

    def tab(self, words: str) -> None:
        """Choose the plot in the fourth place: by its tab, in the list of the others, or there."""
        plot = next(plot for plot in PLOTS.values() if plot.tab == words)
        if plot.beside:
            self.tab(PLOTS[plot.beside].tab)
            self.browsed.get_by_label("plot under this tab").select_option(words)
        else:
            more = self.browsed.get_by_label("more plots")
            more.wait_for()
            if words in [option.strip() for option in more.locator("option").all_inner_texts()]:
                more.select_option(words)
            else:
                self.button(words).click()
        self.browsed.wait_for_function("name => tapviz.figure(name)", arg=plot.name)

    def tips(self) -> list[str]:
        """Read-outs that hover over the figures."""
        return [_plain(text) for text in self.script("tapviz.tips()")]

    def programs(self) -> str:
        """How many programs are shown, as the menu at the head of the table says it."""
        return _plain(self.browsed.locator("button.opens").first.inner_text())

    def header(self) -> str:
        """Words of the header: what is open and how many queries."""
        return _plain(self.browsed.locator(".opened").inner_text())

    def words(self) -> str:
        """All that is written on the page."""
        seen = "tapviz.all().filter((one) => one.checkVisibility())"
        texts = ".flatMap((one) => [...one.childNodes].filter(({ nodeType }) => nodeType === 3))"
        return _plain(self.script(f"{seen}{texts}.map(({{ data }}) => data).join(' ')"))

    def layers(self, figure: str) -> dict[str, dict[str, Any]]:
        """Columns of each layer of a figure, as the browser has them."""
        return self.script("tapviz.layers(args[0])", figure)

    def layer(self, figure: str, name: str) -> dict[str, Any]:
        return self.layers(figure)[name]

    def range(self, figure: str) -> list[float]:
        """Limits of the axes: x from, x to, y from, y to."""
        return self.script("tapviz.range(args[0])", figure)

    def frame(self, figure: str) -> tuple[float, float, float, float]:
        """Where the axes enclose a figure: left, top, width and height in the window."""
        return tuple(self.script("tapviz.frame(args[0])", figure))

    def place(self, figure: str, x: float, y: float) -> tuple[float, float]:
        """Where in the window a point of a figure with linear axes is."""
        left, top, width, height = self.frame(figure)
        x0, x1, y0, y1 = self.range(figure)
        return left + (x - x0) / (x1 - x0) * width, top + (y1 - y) / (y1 - y0) * height

    def settings(self) -> dict[str, list[str]]:
        """What the address bar says."""
        return parse_qs(urlsplit(self.browsed.url).query, keep_blank_values=True)

    # --- what is done --------------------------------------------------------------------

    def handle(self, title: str) -> Any:
        """Handle of a slider."""
        return self._of_slider("handle", title)

    def box(self, title: str) -> Any:
        """Box beside a slider."""
        return self._of_slider("box", title)

    def _of_slider(self, part: str, title: str) -> Any:
        """A part of a slider, as soon as it is there: that of the other mode is made late."""

        def found() -> Any:
            element = self.browsed.evaluate_handle(f"title => tapviz.{part}(title)", title)
            assert element.as_element()
            return element.as_element()

        return self.eventually(found)

    def type(self, title: str, text: str) -> None:
        """Type into the box beside a slider, then Enter."""
        box = self.box(title)
        box.fill(text)
        box.press("Enter")

    def field(self, label: str) -> Locator:
        """Box with a label of its own."""
        labelled = self.browsed.get_by_label(label, exact=False)
        return labelled.and_(self.browsed.locator("input, select, textarea")).first

    def enter(self, label: str, text: str) -> None:
        """Type into a box with a label of its own, then Enter."""
        self.field(label).fill(text)
        self.field(label).press("Enter")

    @property
    def query_text(self) -> Locator:
        """Box for a part of the ids of queries."""
        return self.field("id contains")

    def button(self, name: str) -> Locator:
        """A button by its words."""
        return self.browsed.get_by_role("button", name=name, exact=True)

    def mode(self, words: str) -> None:
        """Choose what the threshold is set by."""
        self.browsed.locator("label").filter(
            has_text=re.compile(f"^ *{re.escape(words)} *$")
        ).click()

    def tick(self, algorithm: str) -> None:
        """Show or hide an algorithm."""
        self.menu("programs", lambda boxes: boxes(algorithm).click())

    def menu(self, name: str, use: Callable[[Callable[[str], Locator]], Any]) -> Any:
        """Open a menu at the head of the table, use its boxes by their words, and close it."""
        opener = self.browsed.locator(f"button.opens[popovertarget={name}]")
        opener.click()
        boxes = self.browsed.locator(f"#{name}")
        try:
            return use(lambda words: boxes.get_by_role("checkbox", name=words, exact=True))
        finally:
            opener.click()
            self.browsed.mouse.move(0, 0)  # off the rows, which point to their programs

    def more(self) -> None:
        """Open the settings that few people change, where they are closed."""
        closed = self.button("More settings")
        if closed.count():
            closed.click()

    def press(self, button: str) -> None:
        """Press a button by its words."""
        self.button(button).filter(visible=True).click()

    def drag(self, title: str, by: float, steps: int) -> None:
        """Drag a slider's handle some pixels to the right."""
        mouse = self.browsed.mouse

        def taken() -> tuple[float, float]:
            handle = self.handle(title)
            handle.scroll_into_view_if_needed()
            x, y = _middle(handle.bounding_box())
            mouse.move(x, y)
            assert handle.evaluate("handle => handle.matches(':hover')")
            mouse.down()
            return x, y

        x, y = self.eventually(taken)
        mouse.move(x + by, y, steps=steps)
        mouse.up()

    def point(self, figure: str, x: float, y: float = 0.5) -> None:
        """Move the mouse to a place in a figure, in shares of its width and height."""

        def frame() -> tuple[float, float, float, float]:
            # A page that has just been made draws its figures one after the other.
            try:
                return self.frame(figure)
            except Error as error:
                raise AssertionError(figure) from error

        left, top, width, height = self.eventually(frame)
        self.browsed.mouse.move(left + x * width, top + y * height)

    def sweep(self, figure: str, begin: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag the mouse over a figure, from a place to another in shares of its size."""
        left, top, width, height = self.frame(figure)
        mouse = self.browsed.mouse
        mouse.move(left + begin[0] * width, top + begin[1] * height)
        mouse.down()
        for share in (0.2, 0.4, 0.6, 0.8, 1.0):  # a hand is not faster than the screen
            across, down = (
                one + share * (other - one) for one, other in zip(begin, end, strict=True)
            )
            mouse.move(left + across * width, top + down * height)
            self.browsed.wait_for_timeout(20)
        mouse.up()

    def answers(self, figure: str, x: float, check: Callable[[], Any]) -> Any:
        """Point at a place in a figure, again if it is drawn anew, until a check passes."""

        def pointed() -> Any:
            self.point(figure, x - 0.02)
            self.point(figure, x)
            return self.eventually(check, wait=2)

        return self.eventually(pointed)


def finite(values: list[float]) -> np.ndarray:
    """The values that are numbers."""
    array = np.array([np.nan if v is None else v for v in values], np.float64)
    return array[np.isfinite(array)]


def _middle(box: dict[str, float]) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
