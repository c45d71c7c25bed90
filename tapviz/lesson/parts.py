"""The hands of the lesson: native HTML controls, each with a label, that work without a mouse."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import param
from panel.custom import JSComponent

from tapviz.live.compat import without_busy_indicator

STYLE = files("tapviz.lesson").joinpath("lesson.css").read_text(encoding="utf-8")

MAKE = """
const make = (tag, attributes = {}, ...inside) => {
    const element = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) {
        if (name in element) element[name] = value
        else element.setAttribute(name, value)
    }
    element.append(...inside)
    return element
}
"""


class Part(JSComponent):
    """A control in the style of the lesson."""

    __abstract = True

    def __init__(self, **params: Any) -> None:
        super().__init__(**{"stylesheets": [STYLE], "margin": 0, **params})


@without_busy_indicator("value")
class Slide(Part):
    """A number: a slider, a box beside it, and places to jump to. It may have no value yet."""

    label = param.String()
    value = param.Number(default=None, allow_None=True)
    start = param.Number(default=0)
    end = param.Number(default=1)
    step = param.Number(default=1)
    stops = param.List(default=[])
    log = param.Boolean(default=False, doc="Whether the slider goes in log10; `step` is in these.")
    whole = param.Boolean(default=True)
    slider = param.Boolean(default=True, doc="Whether there is a slider besides the box.")
    disabled = param.Boolean(default=False)

    _esm = (
        MAKE
        + """
    export function render({ model }) {
        const place = (value) => model.log ? Math.log10(value) : value
        const tidy = (value) => {
            if (model.whole) return Math.round(value)
            if (model.log) return Number(value.toPrecision(2))
            return Number(value.toFixed(6))
        }
        const written = (value) => {
            if (value == null) return ""
            return model.whole ? value.toLocaleString("en") : String(tidy(value))
        }
        const label = make("label", {htmlFor: "range"}, model.label)
        const range = make("input", {
            type: "range", id: "range", min: place(model.start), max: place(model.end),
            step: model.log ? 0.1 : model.step,
        })
        const box = make("input", {
            type: "text", id: "box", inputMode: "decimal", autocomplete: "off",
            "aria-label": model.label + ", as a number",
        })
        if (!model.slider) {
            label.htmlFor = "box"
            box.className = "alone"
            box.removeAttribute("aria-label")
        }
        box.placeholder = `${model.start} to ${model.end.toLocaleString("en")}`
        const problem = make("div", {role: "alert", className: "problem"})
        const stops = model.stops.map((stop) => make("button", {
            type: "button", className: "stop", "aria-label": `${model.label}: ${written(stop)}`,
            onclick: () => choose(stop),
        }, written(stop)))
        const choose = (value) => {
            problem.textContent = ""
            if (value !== model.value) model.value = value
            paint()
        }
        const paint = () => {
            const value = model.value
            const middle = (place(model.start) + place(model.end)) / 2
            range.value = value == null ? middle : place(Math.max(value, model.start))
            range.setAttribute("aria-valuetext", value == null ? "not placed" : written(value))
            range.classList.toggle("unplaced", value == null)
            box.value = written(value)
            for (const control of [range, box, ...stops]) control.disabled = model.disabled
        }
        range.addEventListener("input", () => {
            const value = Number(range.value)
            choose(tidy(model.log ? 10 ** value : value))
        })
        box.addEventListener("change", () => {
            const text = box.value.replaceAll(",", "").trim(), value = Number(text)
            if (text && value >= model.start && value <= model.end) return choose(
                model.whole ? Math.round(value) : value)
            paint()
            problem.textContent =
                `Enter a number from ${written(model.start)} to ${written(model.end)}.`
        })
        model.on(["value", "disabled"], paint)
        paint()
        const row = make("div", {className: "row"}, ...(model.slider ? [range] : []), box)
        const kind = model.slider ? "slide" : "slide only"
        const place_all = make("div", {className: kind}, label, row)
        if (stops.length) place_all.append(make("div", {className: "stops"}, ...stops))
        place_all.append(problem)
        return place_all
    }
    """
    )


@without_busy_indicator("value")
class Choice(Part):
    """One of a few options."""

    label = param.String()
    options = param.List(default=[], doc="Pairs: what is kept, and the words for it.")
    value = param.String(default="")
    columns = param.Integer(default=1)
    disabled = param.Boolean(default=False)

    _esm = (
        MAKE
        + """
    export function render({ model }) {
        const inputs = model.options.map(([value]) => make("input", {
            type: "radio", name: model.label, value, onchange: () => { model.value = value },
        }))
        const labels = model.options.map(([, words], i) => make("label", {}, inputs[i], words))
        const paint = () => inputs.forEach((input) => {
            input.checked = input.value === model.value
            input.disabled = model.disabled
        })
        model.on(["value", "disabled"], paint)
        paint()
        const all = make("div", {className: "options"}, ...labels)
        all.style.columnCount = model.columns
        return make("fieldset", {}, make("legend", {}, model.label), all)
    }
    """
    )


@without_busy_indicator("value")
class Line(Part):
    """A line of text."""

    label = param.String()
    value = param.String(default="")
    disabled = param.Boolean(default=False)

    _esm = (
        MAKE
        + """
    export function render({ model }) {
        const label = make("label", {htmlFor: "line"}, model.label)
        const line = make("input", {type: "text", id: "line", maxLength: 300, autocomplete: "off"})
        line.addEventListener("change", () => { model.value = line.value })
        const paint = () => { line.value = model.value; line.disabled = model.disabled }
        model.on(["value", "disabled"], paint)
        paint()
        return make("div", {className: "line"}, label, line)
    }
    """
    )


@without_busy_indicator("pressed")
class Buttons(Part):
    """Buttons side by side; `pressed` is the name of the last one, and how often any was."""

    items = param.List(default=[], doc="Of each: name, words, whether it is open, and its kind.")
    pressed = param.List(default=["", 0])

    _esm = (
        MAKE
        + """
    export function render({ model }) {
        const place = make("div", {className: "buttons"})
        const paint = () => {
            model.items.forEach(show)
            while (place.children.length > model.items.length) place.lastChild.remove()
        }
        const show = ([name, words, open, kind], i) => {
            const button = place.children[i] ?? place.appendChild(make("button", {type: "button"}))
            button.onclick = () => { model.pressed = [name, model.pressed[1] + 1] }
            button.textContent = words
            button.disabled = !open
            button.className = kind
        }
        model.on("items", paint)
        paint()
        return place
    }
    """
    )


@without_busy_indicator("asked")
class Save(Part):
    """A button that saves a page: asked for by `asked`, it is kept as a file when it arrives."""

    words = param.String()
    file = param.String()
    asked = param.Integer(default=0)
    page = param.String(default="")

    _esm = (
        MAKE
        + """
    export function render({ model }) {
        model.on("page", () => {
            if (!model.page) return
            const address = URL.createObjectURL(new Blob([model.page], {type: "text/html"}))
            make("a", {href: address, download: model.file}).click()
            setTimeout(() => URL.revokeObjectURL(address), 10000)
        })
        const button = make("button", {type: "button", className: "accent"}, model.words)
        button.onclick = () => { model.asked += 1 }
        return make("div", {className: "buttons"}, button)
    }
    """
    )


@without_busy_indicator("chosen")
class Steps(Part):
    """The scenes, those opened so far as buttons; `chosen` is the last one pressed."""

    titles = param.List(default=[])
    place = param.Integer(default=0)
    furthest = param.Integer(default=0)
    chosen = param.List(default=[0, 0], doc="Number of the scene, and how often any was chosen.")

    _esm = (
        MAKE
        + """
    export function render({ model }) {
        const buttons = model.titles.map((title, i) => make("button", {
            type: "button", title, "aria-label": `Scene ${i + 1}: ${title}`,
            onclick: () => { model.chosen = [i, model.chosen[1] + 1] },
        }, String(i + 1)))
        const paint = () => buttons.forEach((button, i) => {
            button.disabled = i > model.furthest
            if (i === model.place) button.setAttribute("aria-current", "step")
            else button.removeAttribute("aria-current")
        })
        model.on(["place", "furthest"], paint)
        paint()
        const items = buttons.map((button) => make("li", {}, button))
        return make("nav", {"aria-label": "Scenes"}, make("ol", {className: "steps"}, ...items))
    }
    """
    )


class Title(Part):
    """The heading of the scene; takes the focus when it changes, so that reading starts there."""

    text = param.String()
    note = param.String()

    _esm = (
        MAKE
        + """
    export function render({ model }) {
        const note = make("span", {className: "scene"}), words = make("span")
        const heading = make("h1", {tabIndex: -1}, note, words)
        const paint = () => { note.textContent = model.note; words.textContent = model.text }
        model.on("note", paint)
        model.on("text", () => {
            paint()
            heading.focus({preventScroll: true})
            scrollTo({top: 0})
        })
        paint()
        return heading
    }
    """
    )


@without_busy_indicator("beat", "still")
class Clock(Part):
    """Beats while it runs. Whoever wants no motion is known by `still`."""

    running = param.Boolean(default=False)
    beat = param.Integer(default=0)
    still = param.Boolean(default=False, doc="Whether the reader prefers reduced motion.")
    every = param.Integer(default=120, doc="Milliseconds.")

    _esm = """
    export function render({ model }) {
        const wish = matchMedia("(prefers-reduced-motion: reduce)")
        const tell = () => { if (model.still !== wish.matches) model.still = wish.matches }
        wish.addEventListener("change", tell)
        let timer = null
        const run = () => {
            clearInterval(timer)
            if (model.running) timer = setInterval(() => { model.beat += 1 }, model.every)
        }
        model.on("running", run)
        model.on("after_render", () => { tell(); run() })
        model.on("remove", () => clearInterval(timer))
        tell()
        return document.createElement("div")
    }
    """
