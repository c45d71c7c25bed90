// What is under the mouse in a plot is read out of all algorithms in a strip below the header, sorted as
// their lines lie there, and its threshold is marked in every plot. The arrow keys do the same, since
// they move the mouse over a plot. Nothing is sent to the server.
import { CLASSES, figureOf, figuresInSight } from "./compat.js"
import { find } from "./shadow.js"

const SHEET = new CSSStyleSheet()
SHEET.replaceSync(`
.tapviz-read-out {
    position: fixed; z-index: 25; box-sizing: border-box; height: 50px; padding: 4px 12px; overflow: hidden;
    display: flex; flex-wrap: wrap; gap: 0 16px; align-content: center; pointer-events: none;
    font: var(--tv-small)/19px var(--tv-face); font-variant-numeric: tabular-nums; color: var(--tv-ink);
    background: var(--tv-ground); border: 1px solid var(--tv-rule); border-radius: var(--tv-radius);
    box-shadow: var(--tv-shadow-over);
}
.tapviz-read-out[hidden] { display: none; }
.tapviz-read-out > * { white-space: nowrap; }
.tapviz-read-out > .head { color: var(--tv-quiet); }
.tapviz-read-out svg { vertical-align: middle; width: 28px; margin-right: 5px; }
.tapviz-read-out small { font-size: var(--tv-tiny); color: var(--tv-quiet); }
.tapviz-read-out.short small { display: none; }
`)
document.adoptedStyleSheets = [...document.adoptedStyleSheets, SHEET]

const LINE = "position:absolute;width:0;border-left:1px dashed var(--tv-quiet)"
const DOT = "position:absolute;width:9px;height:9px;margin:-5px 0 0 -5px;box-sizing:border-box;border-radius:50%;" +
    "border:1.5px solid var(--tv-ground)"
const ALONG = /^(curve |mean|median|rest )/ // lines on which a threshold has a place of its own

const strip = Object.assign(document.createElement("div"), { className: "tapviz-read-out", hidden: true })
document.body.append(strip)
let mouse = null, asked = false, said = "", shown = []

// The lines of a figure: their places, and the place of each on the axis of thresholds.
const linesOf = ({ model }) => model.renderers.flatMap(({ data_source: { data } }) =>
    (data.xs ? data.layer : []).map((layer, i) => ({
        xs: data.xs[i],
        ys: data.ys[i],
        color: data.color[i].slice(0, 7),
        at: data.thresholds?.[i] ?? (model.tags.length && ALONG.test(layer) ? data.xs[i] : []),
    }))).filter(({ xs, at }) => xs.length && at.length)

// The last point of a line at or before a threshold; -1 if there is none.
const reached = ({ at }, threshold) => {
    const way = at[at.length - 1] < at[0] ? -1 : 1
    let low = 0, high = at.length
    while (low < high) {
        const middle = (low + high) >> 1
        if (way * (at[middle] - threshold) <= 1e-9) low = middle + 1
        else high = middle
    }
    return low - 1
}
// Places on an axis that is logarithmic or not, as a share of what is seen.
const nearest = (values, distance) => {
    let best = -1, least = Infinity
    for (let i = 0; i < values.length; i++) {
        const far = distance(i)
        if (far < least) [best, least] = [i, far]
    }
    return [best, least]
}
// The threshold under the mouse; NaN in a plot that knows of none.
const thresholdAt = (figure, x, y) => {
    const { x_scale, y_scale } = figure.frame, lines = linesOf(figure)
    const across = figure.model.tags.length > 0
    if (across && !lines.some(({ at, xs }) => at !== xs)) return x_scale.invert(x)
    let found = NaN, closest = Infinity
    for (const { xs, ys, at } of lines) {
        const [i, far] = nearest(at, (one) =>
            Math.hypot(x_scale.compute(xs[one]) - x, across ? 0 : y_scale.compute(ys[one]) - y))
        if (far < closest) [found, closest] = [at[i], far]
    }
    return found
}
const mark = (figure, threshold) => {
    const { frame, model, canvas_view: { events_el: place } } = figure
    const { left, right, top, bottom } = frame.bbox
    const inside = (x, y) => x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1
    const parts = []
    const lines = linesOf(figure)
    // An axis of thresholds without a curve, as of bars, shows the line alone.
    let across = lines.length ? NaN : frame.x_scale.compute(threshold)
    for (const line of lines) {
        const i = reached(line, threshold)
        if (i < 0) continue
        const x = frame.x_scale.compute(line.xs[i]), y = frame.y_scale.compute(line.ys[i])
        if (line.at === line.xs) across = frame.x_scale.compute(threshold)
        else across = x
        const beyond = i === line.at.length - 1 && line.at[i] !== threshold && line.at === line.xs
        if (inside(x, y) && !beyond) parts.push(`<i style="${DOT};left:${x}px;top:${y}px;background:${line.color}"></i>`)
    }
    if (model.tags.length && across >= left && across <= right) {
        parts.unshift(`<i style="${LINE};left:${across}px;top:${top}px;height:${bottom - top}px"></i>`)
    }
    if (!parts.length) return
    const layer = place.querySelector(":scope > .tapviz-crosshair") ?? document.createElement("div")
    layer.className = "tapviz-crosshair"
    layer.style.cssText = "position:absolute;inset:0;overflow:hidden;pointer-events:none"
    layer.innerHTML = parts.join("")
    if (!layer.parentNode) place.append(layer)
    shown.push(layer)
}

// "TAP 0.312 (EPQ median 20)": a number to sort by, and what a narrow strip leaves out.
const PARTS = /^<b>(.*?)<\/b> (.*?)((?: \(| · |, threshold ).*)?$/
const NUMBER = /-?\d[\d,]*\.?\d*(?:e[-+]?\d+)?/
const entry = (line) => {
    const [, name, value, more = ""] = PARTS.exec(line) ?? [null, "", line]
    const number = parseFloat(NUMBER.exec(value)?.[0].replaceAll(",", ""))
    return { name, html: `<b>${name}</b> ${value}<small>${more}</small>`, number: /^no/.test(value) ? NaN : number }
}
const swatchOf = (name) => {
    const rows = [...find(document, "table.scores")?.tBodies[0].rows ?? []]
    const text = new DOMParser().parseFromString(name, "text/html").body.textContent
    return rows.find((row) => row.dataset.algorithm === text)?.querySelector("svg")?.outerHTML ?? ""
}
const read = (figure, x) => {
    const source = figure.model.renderers.find(({ name }) => name === "readout")?.data_source
    const { frame, canvas_view } = figure
    const [i] = source ? nearest(source.data.x, (one) => Math.abs(frame.x_scale.compute(source.data.x[one]) - x)) : [-1]
    const text = i < 0 ? "" : source.data.text[i]
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
    const [head, ...lines] = text.split("<br>")
    const entries = lines.map(entry).sort((a, b) =>
        (Number.isNaN(a.number) ? -Infinity : a.number) > (Number.isNaN(b.number) ? -Infinity : b.number) ? -1 : 1)
    strip.innerHTML = `<span class="head">${head}</span>` +
        entries.map((one) => `<span>${swatchOf(one.name)}${one.html}</span>`).join("")
    strip.classList.remove("short")
    const tooMuch = () => strip.scrollHeight > strip.clientHeight
    if (tooMuch()) strip.classList.add("short")
    let left = 0
    while (tooMuch() && strip.children.length > 2) {
        strip.lastElementChild.remove()
        if (left) strip.lastElementChild.remove()
        left += 1
        strip.insertAdjacentHTML("beforeend", `<span class="head">and ${left} more</span>`)
    }
}

const clear = () => {
    for (const layer of shown) layer.replaceChildren()
    shown = []
}
const draw = () => {
    asked = false
    clear()
    const figure = mouse && figureOf(mouse.events)
    if (!figure?.frame?.x_scale?.invert) {
        strip.hidden = true
        return
    }
    const { left, right, top, bottom } = figure.frame.bbox, { x, y } = mouse
    if (x < left || x > right || y < top || y > bottom) {
        strip.hidden = true
        return
    }
    read(figure, x)
    const threshold = thresholdAt(figure, x, y)
    if (Number.isNaN(threshold)) return
    for (const one of figuresInSight()) mark(one, threshold)
}
const drawSoon = () => {
    if (!asked) requestAnimationFrame(draw)
    asked = true
}
document.addEventListener("pointermove", (event) => {
    const [events] = event.composedPath()
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
document.addEventListener("tapviz-painted", () => {
    if (mouse) drawSoon()
})
