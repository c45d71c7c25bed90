// The score table at another position of a slider: cells of each row that follow it, and the order of rows.

/** @typedef {import("../draw/tracks.js").Track} Track */

/** @param {string} html cells @returns {Element[]} */
const cells = (html) => {
    const row = document.createElement("template")
    row.innerHTML = `<table><tbody><tr>${html}</tr></tbody></table>`
    return [...row.content.querySelectorAll("tr")[0].children]
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
    for (const [row, place, track] of view.head) {
        table.tHead.rows[row]?.cells[place]?.replaceWith(...cells(at(track)))
    }
    const [body] = table.tBodies
    /** @type {Record<string, HTMLTableRowElement>} */
    const rows = {}
    for (const row of body.rows) rows[row.dataset.algorithm ?? ""] = row
    for (const [name, parts] of Object.entries(view.rows)) {
        const row = rows[name]
        if (!row) continue
        const all = [...row.cells]
        const end = all.length - all.filter((cell) => cell.classList.contains("compared")).length
        /** @type {Record<string, Element[]>} */
        const now = {
            at_threshold: all.slice(0, end - view.others), others: all.slice(end - view.others, end), compared: all.slice(end),
        }
        for (const [part, track] of Object.entries(parts)) now[part] = cells(at(track))
        row.replaceChildren(...now.at_threshold, ...now.others, ...now.compared)
    }
    if (view.order) {
        for (const name of at(view.order)) if (rows[name]) body.append(rows[name])
    }
}
