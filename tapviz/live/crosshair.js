// What is under the mouse in a plot is read out of all algorithms in a strip below the header, sorted as
// their lines lie there, and its threshold is marked in every plot. The arrow keys do the same, since
// they move the mouse over a plot. Nothing is sent to the server.
import { make } from "../draw/elements.js"
import { ALONG, marksOf, nearest, thresholdAt } from "../draw/thresholds.js"
import { CLASSES, figureOf, figuresInSight } from "./compat.js"
import { oncePerFrame } from "./paced.js"
import { readOut } from "./read_out.js"
import { find, rowsOfScores } from "./shadow.js"

const THRESHOLDS = "thresholds" // tag of a figure whose x axis is one of thresholds
const LAYER = "position:absolute;inset:0;overflow:hidden;pointer-events:none"
const LINE = "position:absolute;width:0;border-left:1px dashed var(--tv-quiet)"
const DOT = "position:absolute;width:9px;height:9px;margin:-5px 0 0 -5px;box-sizing:border-box;border-radius:50%;" +
    "border:1.5px solid var(--tv-ground)"
const strip = make("div", { class: "tapviz-read-out", hidden: true })
document.body.append(strip)
/** @type {{ events: Element, x: number, y: number } | null} */
let mouse = null
let said = ""
/** @type {Element[]} */
let shown = []

/** The lines of a figure: their places, and the place of each on the axis of thresholds. @param {any} figure @returns {import("../draw/thresholds.js").Line[]} */
const linesOf = ({ model }) => model.renderers.flatMap((/** @type {any} */ { data_source: { data } }) =>
    (data.xs ? data.layer : []).map((/** @type {string} */ layer, /** @type {number} */ i) => ({
        x: data.xs[i],
        y: data.ys[i],
        color: data.color[i].slice(0, 7),
        at: data.thresholds?.[i] ?? (model.tags.includes(THRESHOLDS) && ALONG.test(layer) ? data.xs[i] : []),
        own: Boolean(data.thresholds?.[i]),
    })).filter((/** @type {any} */ { x, at }) => x.length && at.length))

/** The threshold under the mouse; NaN in a plot that knows of none. @param {any} figure @param {number} x @param {number} y */
const thresholdUnder = (figure, x, y) => {
    const { x_scale, y_scale } = figure.frame, lines = linesOf(figure)
    const across = figure.model.tags.includes(THRESHOLDS)
    if (across && !lines.some(({ own }) => own)) return x_scale.invert(x)
    return thresholdAt(lines, (px, py) => Math.hypot(x_scale.compute(px) - x, across ? 0 : y_scale.compute(py) - y))
}
/** @param {any} figure @param {number} threshold */
const mark = (figure, threshold) => {
    const { frame, model, canvas_view: { events_el: place } } = figure
    const { left, right, top, bottom } = frame.bbox, lines = linesOf(figure)
    const scales = { x: (/** @type {number} */ at) => frame.x_scale.compute(at), y: (/** @type {number} */ at) => frame.y_scale.compute(at) }
    const { dots, across } = marksOf(lines, threshold, { left, right, top, bottom, ...scales })
    const parts = dots.map(({ x, y, color }) => `<i style="${DOT};left:${x}px;top:${y}px;background:${color}"></i>`)
    // An axis of thresholds without a curve, as of bars, shows the line alone.
    const at = lines.length ? across : scales.x(threshold)
    if (model.tags.includes(THRESHOLDS) && at >= left && at <= right) {
        parts.unshift(`<i style="${LINE};left:${at}px;top:${top}px;height:${bottom - top}px"></i>`)
    }
    if (!parts.length) return
    const layer = place.querySelector(":scope > .tapviz-crosshair") ?? place.appendChild(make("div", { class: "tapviz-crosshair", style: LAYER }))
    layer.innerHTML = parts.join("")
    shown.push(layer)
}

const swatchOf = (/** @type {string} */ name) => {
    const text = new DOMParser().parseFromString(name, "text/html").body.textContent
    return rowsOfScores().find((row) => row.dataset.algorithm === text)?.querySelector("svg")?.outerHTML ?? ""
}
const read = (/** @type {any} */ figure, /** @type {number} */ x) => {
    const { frame, model: { tags, renderers }, canvas_view } = figure
    const told = tags.find((/** @type {any} */ { text }) => text) ??
        renderers.find((/** @type {any} */ { name }) => name === "readout")?.data_source.data
    const places = told?.x ?? []
    const { best } = nearest(places.length, (i) => Math.abs(frame.x_scale.compute(places[i]) - x))
    const text = best < 0 ? "" : told.text[best]
    strip.hidden = !text
    if (!text) return
    const header = find(document, ".header")?.getBoundingClientRect()
    const main = find(document, ".main")?.getBoundingClientRect()
    const plot = canvas_view.events_el.getBoundingClientRect()
    if (!main) return
    const top = Math.max(header?.bottom ?? 0, 0) + 4
    const below = plot.top < top + 52 // it would cover the plot
    Object.assign(strip.style, { left: `${main.left}px`, width: `${main.width}px`,
        top: below ? "auto" : `${top}px`, bottom: below ? "4px" : "auto" })
    if (text === said) return
    said = text
    const { head, entries } = readOut(text)
    strip.innerHTML = `<span class="head">${head}</span>` +
        entries.map((one) => `<span>${swatchOf(one.name)}${one.html}</span>`).join("")
    strip.classList.remove("short")
    const tooMuch = () => strip.scrollHeight > strip.clientHeight
    if (tooMuch()) strip.classList.add("short")
    let left = 0
    while (tooMuch() && strip.children.length > 2) {
        strip.lastElementChild?.remove()
        if (left) strip.lastElementChild?.remove()
        left += 1
        strip.insertAdjacentHTML("beforeend", `<span class="head">and ${left} more</span>`)
    }
}

const drawSoon = oncePerFrame(() => {
    for (const layer of shown) layer.replaceChildren()
    shown = []
    strip.hidden = true
    const figure = mouse && figureOf(mouse.events)
    if (!mouse || !figure?.frame?.x_scale?.invert) return
    const { left, right, top, bottom } = figure.frame.bbox, { x, y } = mouse
    if (x < left || x > right || y < top || y > bottom) return
    read(figure, x)
    const threshold = thresholdUnder(figure, x, y)
    if (Number.isNaN(threshold)) return
    for (const one of figuresInSight(figure.model.document)) mark(one, threshold)
})
document.addEventListener("pointermove", (event) => {
    const [events] = /** @type {Element[]} */ (event.composedPath())
    const before = mouse
    mouse = null
    if (events.matches?.(CLASSES.plotEvents) && !event.buttons) {
        const { left, top } = events.getBoundingClientRect()
        mouse = { events, x: event.clientX - left, y: event.clientY - top }
    }
    if (mouse || before) drawSoon()
})
// Also of the mouse that the arrow keys move, and at the edge of the window.
document.addEventListener("pointerout", () => {
    if (!mouse) return
    mouse = null
    drawSoon()
})
for (const type of ["tapviz-painted", "tapviz-moved"]) {
    document.addEventListener(type, () => {
        if (mouse) drawSoon()
    })
}
