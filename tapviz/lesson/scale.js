// A line from 0 to 1 with marks on it.
import { make } from "../draw/elements.js"
import { inRow } from "../draw/layout.js"

const APART = 10 // pixels between labels

/** @typedef {{ name: string, at: number, text: string, kind: string }} Mark */

/**
 * Show marks on a line: what is known above it, what was said and what is right below.
 *
 * @param {HTMLElement} place in the page, so that its labels have a width
 * @param {Mark[]} marks
 */
export function fillScale(place, marks) {
    place.setAttribute("aria-label", `From 0 to 1: ${marks.map((one) => `${one.name} ${one.text}`).join("; ")}`)
    place.replaceChildren(
        make("div", { class: "track" }),
        ...[0, 0.2, 0.4, 0.6, 0.8, 1].map((at) => make("span", { class: "tick", style: `left:${100 * at}%` }, `${at}`)),
        ...marks.map(({ kind, at }) => make("span", { class: `dot ${kind}`, style: `left:${100 * at}%` })),
    )
    for (const side of [["own"], ["you", "truth"]]) {
        const width = place.clientWidth || 600
        const labels = marks.filter(({ kind }) => side.includes(kind)).sort((a, b) => a.at - b.at).map((one) => {
            const label = make("span", { class: `label ${one.kind}` }, `${one.name} `, make("b", {}, one.text))
            place.append(label)
            const wide = label.offsetWidth
            return { label, width: wide, start: Math.max(0, Math.min(one.at * width - wide / 2, width - wide)) }
        })
        inRow(labels, APART, width).forEach((x, i) => { labels[i].label.style.left = `${x}px` })
    }
}
