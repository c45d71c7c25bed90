// The score table at another position of a slider: cells of each row that follow it, and the order of rows.

import { turnAllInto, turnInto } from "./turn_into.js"

/** @typedef {import("../draw/tracks.js").Track} Track */

/** Cells of rows, all read at once. @param {string[]} rows @returns {Element[][]} */
const cellsOf = (rows) => {
    const table = document.createElement("template")
    table.innerHTML = `<table><tbody>${rows.map((html) => `<tr>${html}</tr>`).join("")}</tbody></table>`
    return [...table.content.querySelectorAll("tr")].map(({ children }) => [...children])
}

/**
 * @param {HTMLElement} element that holds the table
 * @param {any} view `head`: row, place and track of each cell that moves; `rows`: by algorithm the parts
 *     "at_threshold", "others" and "compared"; `others`: how many cells the second has; `order`
 * @param {(track: Track) => any} at what a track has at the position
 */
export const turnRows = (element, view, at) => {
    const table = element.querySelector("table")
    if (!table?.tHead) return
    /** @type {{ row: HTMLTableRowElement, before: Element[], html: string }[]} */
    const parts = []
    for (const [place, cell, track] of view.head) {
        const row = table.tHead.rows[place]
        if (row?.cells[cell]) parts.push({ row, before: [row.cells[cell]], html: at(track) })
    }
    const [body] = table.tBodies
    /** @type {Record<string, HTMLTableRowElement>} */
    const rows = {}
    for (const row of body.rows) rows[row.dataset.algorithm ?? ""] = row
    for (const [name, tracks] of Object.entries(view.rows)) {
        const row = rows[name]
        if (!row) continue
        const all = [...row.cells]
        const end = all.length - all.filter((cell) => cell.classList.contains("compared")).length
        /** @type {Record<string, Element[]>} */
        const now = {
            at_threshold: all.slice(0, end - view.others), others: all.slice(end - view.others, end), compared: all.slice(end),
        }
        for (const [part, track] of Object.entries(tracks)) parts.push({ row, before: now[part], html: at(track) })
    }
    const cells = cellsOf(parts.map(({ html }) => html))
    for (const [i, { row, before }] of parts.entries()) turnAllInto(row, before, cells[i])
    if (!view.order) return
    const order = at(view.order).filter((/** @type {string} */ name) => rows[name])
    if (order.every((/** @type {string} */ name, /** @type {number} */ i) => rows[name] === body.rows[i])) return
    // What has the focus stays where it is.
    const wanted = /** @type {HTMLTableSectionElement} */ (body.cloneNode(true))
    const places = Object.fromEntries([...wanted.rows].map((row) => [row.dataset.algorithm, row]))
    wanted.append(...order.map((/** @type {string} */ name) => places[name]))
    turnInto(body, wanted)
}
