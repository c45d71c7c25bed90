// The algorithm whose row of the score table, or whose name in a plot, is under the mouse, or has the
// focus, stands out in all plots; a click, or Enter, keeps it so until the next, or Escape. Nothing is
// sent to the server.
import { CLASSES, figureOf, sourcesOfLayers, textAt } from "./compat.js"
import { isNameOf, isOwn, ownersIn } from "./names.js"
import { rowsOfScores } from "./shadow.js"

const FAINT = "26" // of a colour, as its last two digits
const originals = new WeakMap() // colours of a source, before some of them were made faint
/** @type {string | null} */
let kept = null
/** @type {string | null} */
let shown = null

const sources = () => sourcesOfLayers().filter(({ data }) => data.color)
/** Colours of a source; those that the server has sent since are the original ones. @param {any} source */
const colorsOf = (source) => {
    const known = originals.get(source), now = source.data.color
    return known && known.faint === now ? known.colors : now
}
const show = (/** @type {string | null} */ name) => {
    if (name === shown) return
    shown = name
    const owners = new Map([...new Set(sources())].map((source) => [source, ownersIn(source.data)]))
    const drawn = name && [...owners.values()].flat().some((one) => isOwn(one, name))
    for (const [source, whose] of owners) {
        const colors = colorsOf(source)
        const others = Array.from(colors, (one, i) => drawn && one.length === 7 && whose[i] && !isOwn(whose[i], name))
        if (others.some(Boolean)) {
            const faint = Array.from(colors, (one, i) => (others[i] ? one + FAINT : one))
            originals.set(source, { colors, faint })
            source.data.color = faint
        } else if (source.data.color === colors) continue
        else source.data.color = colors
        source.change.emit()
    }
}
/** @typedef {HTMLTableRowElement | null | undefined} Row */
const rowOf = (/** @type {Event} */ event) => /** @type {Row} */ (/** @type {any[]} */ (event.composedPath())
    .find((element) => element.matches?.("table.scores tr[data-algorithm]")))
const nameOf = (/** @type {Row} */ row) => row?.dataset.algorithm ?? null
const figures = new WeakMap() // by the element that takes their events
const nameAt = (/** @type {MouseEvent} */ event) => {
    const [layer] = /** @type {any[]} */ (event.composedPath())
    if (event.buttons || !layer.matches?.(CLASSES.plotEvents)) return null
    if (!figures.has(layer)) figures.set(layer, figureOf(layer))
    const { left, top } = layer.getBoundingClientRect(), figure = figures.get(layer)
    const text = figure && textAt(figure, event.clientX - left, event.clientY - top)
    if (!text) return null
    return rowsOfScores().map(nameOf).find((name) => name && isNameOf(text, name)) ?? null
}
const mark = () => {
    for (const row of rowsOfScores()) {
        row.toggleAttribute("aria-current", kept !== null && nameOf(row) === kept)
    }
}
const keep = (/** @type {string | null} */ name) => {
    kept = name === kept ? null : name
    mark()
    show(kept)
}
// Not pointerover, nor focusin, which a shadow root does not let out if both ends are within it.
document.addEventListener("pointermove", (event) => {
    show(nameOf(rowOf(event)) ?? nameAt(event) ?? kept)
})
document.addEventListener("click", (event) => {
    const name = nameOf(rowOf(event)) ?? nameAt(event)
    if (name) keep(name)
})
document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
        kept = null
        mark()
        show(null)
        return
    }
    // The table is one stop for the Tab key: the arrow keys go from row to row.
    const table = /** @type {any[]} */ (event.composedPath()).map((one) =>
        one.querySelector?.(":scope > table.scores") ?? (one.matches?.("table.scores") ? one : null)).find(Boolean)
    if (!table) return
    const rows = [...table.querySelectorAll("tr[data-algorithm]")], row = rowOf(event)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
        const at = row ? rows.indexOf(row) + step : step > 0 ? 0 : rows.length - 1
        const next = rows[Math.min(Math.max(at, 0), rows.length - 1)]
        next?.focus()
        next?.addEventListener("blur", () => show(kept), { once: true })
        show(nameOf(next) ?? kept)
    } else if (row && (event.key === "Enter" || event.key === " ")) keep(nameOf(row))
    else return
    event.preventDefault()
})
