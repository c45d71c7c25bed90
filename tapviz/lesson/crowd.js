// Queries as dots, of which the largest can be lifted out, and what that does to two pooled scores.
import { make } from "../draw/elements.js"
import { draggable } from "./drag.js"

const SECTORS = [4, 3] // the picture in parts, each with a large dot
const CAPTIONS = ["Pooled ROC₅₀ of the dots that are left", "Average of the separate ROC₅₀, all queries"]
const FEW = 200 // dots, among which large ones stand at equal distances
const WIDEST = 40 // pixels of a dot

/**
 * @typedef {{ names: string[], verdict: string, means: number[], scales: number[][], ids: string[], sides: string, without: string[][],
 *     large: { id: string, side: string, errors: number }[] }} Spec names of two programs; of each small dot its id,
 *     the first letter of who is better, and both pooled scores without it
 */

/** Cells of a field of dots: which of them are left to the small ones. @param {number} all @param {number} columns @param {number} count of large ones */
export function cells(all, columns, count) {
    const rows = Math.ceil(all / columns), [across, down] = SECTORS
    const large = Array.from({ length: count }, (_, i) => {
        if (all < FEW) return Math.floor(((i + 0.5) * all) / count)
        const column = Math.floor((((i % across) + 0.5) * columns) / across) + ((i * 7) % 5) - 2
        return Math.floor(((Math.floor(i / across) + 0.5) * (rows - 1)) / down) * columns + column
    })
    return { rows, large, small: Array.from({ length: all }, (_, i) => i).filter((cell) => !large.includes(cell)) }
}

/** Two marks that slide, on a scale of their own. @param {number} which @param {string[]} names @param {number[]} ticks */
function slider(which, names, ticks) {
    const span = 4.5 * (ticks[1] - ticks[0])
    const marks = names.map((name, i) => [make("span", { class: `dot ${i ? "second" : "first"}` }),
        make("span", { class: `label ${i ? "second" : "first"}` }, `${name} `, make("b"))])
    const texts = ticks.filter((at) => at <= 1).map((at) => make("span", { class: "tick", style: `left:${(100 * (at - ticks[0])) / span}%` }, `${at}`))
    const place = make("div", { class: which ? "scale still" : "scale", role: "img" }, make("div", { class: "track" }), ...texts, ...marks.flat())
    const here = make("span", { class: "tick here" })
    place.append(here)
    draggable(place, () => (x) => {
        const share = Math.max(0, Math.min(1, x / place.clientWidth))
        here.textContent = (ticks[0] + span * share).toFixed(3)
        here.style.left = `${100 * share}%`
    })
    /** @param {string[]} values */
    const set = (values) => {
        here.textContent = ""
        marks.forEach(([dot, label], i) => {
            const at = (100 * (+values[i] - ticks[0])) / span
            for (const one of [dot, label]) one.style.left = `${at}%`
            label.style.translate = `${-at}%`
            label.lastElementChild?.replaceChildren(values[i])
        })
        place.setAttribute("aria-label", `${CAPTIONS[which]}: ${names.map((name, i) => `${name} ${values[i]}`).join("; ")}`)
    }
    return { set, figure: make("figure", {}, make("figcaption", {}, CAPTIONS[which]), place) }
}

/**
 * The picture, and a function that shows which large dots are out: bits of a number.
 *
 * @param {Spec} spec @param {() => Record<string, string>} colors @param {(i: number) => void} lift
 */
export function crowd(spec, colors, lift) {
    const canvas = make("canvas", { "aria-hidden": "true" }), told = make("p", { class: "inwords", role: "status" })
    const large = spec.large.map(({ id, side, errors }, i) => make("button", {
        type: "button", class: `query ${side}`, style: `--size:${16 + errors}px`, onclick: () => lift(i), title: id,
        "aria-label": `${id}, ${errors} of the first 50 + 50 pooled errors`,
    }))
    const scales = spec.scales.map((ticks, which) => slider(which, spec.names, ticks)), all = spec.ids.length + large.length
    let columns = 1, cell = 1
    draggable(canvas, () => (x, y) => {
        const at = cells(all, columns, large.length).small.indexOf(Math.floor(y / cell) * columns + Math.floor(x / cell))
        if (at < 0) return
        const better = spec.names["fs".indexOf(spec.sides[at])] ?? "neither"
        const scores = spec.names.map((name, i) => `${name} ${spec.without[at][i]}`).join(", ")
        told.textContent = large[0].disabled ? `${spec.ids[at]}: ${better} is better.` : `Only large dots lift out. Without ${spec.ids[at]} alone: ${scores}.`
    })
    /** @param {number} out @param {boolean} known @param {string[]} pooled @param {string} verdict @param {string} gone */
    const paint = (out, known, pooled, verdict, gone) => {
        const width = canvas.parentElement?.clientWidth || 600, ratio = devicePixelRatio || 1, color = colors()
        cell = Math.min(WIDEST, Math.floor(Math.sqrt((width * (innerWidth < 760 ? 170 : Math.min(330, innerHeight - 390))) / all)))
        columns = Math.floor(width / cell)
        const { rows, large: places, small } = cells(all, columns, large.length)
        canvas.width = width * ratio
        canvas.height = rows * cell * ratio
        canvas.style.height = `${rows * cell}px`
        const pen = canvas.getContext("2d")
        pen?.scale(ratio, ratio)
        small.forEach((at, i) => {
            if (!pen) return
            pen.fillStyle = color[{ f: "first", s: "second", n: "rule" }[spec.sides[i]] ?? "ink"]
            pen.beginPath()
            pen.arc((at % columns + 0.5) * cell, (Math.floor(at / columns) + 0.5) * cell, cell * 0.36, 0, 7)
            pen.fill()
        })
        large.forEach((one, i) => {
            one.style.left = `${(places[i] % columns + 0.5) * cell}px`
            one.style.top = `${(Math.floor(places[i] / columns) + 0.5) * cell}px`
            one.disabled = !known
            one.setAttribute("aria-pressed", String(Boolean(out >> i & 1)))
        })
        scales[0].set(pooled)
        scales[1].set(spec.means.map((mean) => mean.toFixed(3)))
        told.textContent = `${gone} of ${all} out. Verdict of the pooled score: ${verdict}.`
    }
    const key = make("figcaption", {}, "Each dot is a query: ", make("b", { class: "first" }, `${spec.names[0]} is better`), ", ",
        make("b", { class: "second" }, `${spec.names[1]} is better`), ", or neither. Large dots supply most pooled errors.")
    return { paint, element: make("div", { class: "opening" }, scales[0].figure, told, scales[1].figure,
        make("figure", {}, key, make("div", { class: "crowd" }, canvas, ...large))) }
}

/**
 * Queries as dots of which one is bad, and a function that shows them at a position.
 *
 * @param {{ dots: number[], notes: string[] }} spec
 */
export function dots({ dots: sizes, notes }) {
    const place = make("div", { class: "dots", role: "img" }), note = make("p", { class: "inwords" })
    const paint = (/** @type {number} */ at) => {
        const words = `${notes[at]}; the filled one holds the one with all errors.`
        place.replaceChildren(...Array.from({ length: sizes[at] - 1 }, () => make("i")), make("i", { class: "bad" }))
        place.setAttribute("aria-label", words)
        note.textContent = words
    }
    return { paint, element: make("figure", {}, place, note) }
}
