// Sorts the leaderboard by the column whose head is clicked; again: the other way.
import { order } from "./order.js"

const table = /** @type {HTMLTableElement} */ (document.querySelector("table.board"))
const body = table.tBodies[0]
const heads = [...table.tHead?.rows[0].cells ?? []]

/** @param {number} place @param {boolean} rising */
const sort = (place, rising) => {
    const key = (/** @type {HTMLTableRowElement} */ row) => {
        const cell = row.cells[place]
        const { value } = cell.dataset
        return value === undefined ? (cell.textContent ?? "").trim() : value === "" ? NaN : Number(value)
    }
    const rows = [...body.rows].map((row) => ({ row, key: key(row) }))
    rows.sort((a, b) => order(a.key, b.key, rising))
    body.append(...rows.map(({ row }) => row))
    heads.forEach((head, other) => {
        if (other === place) head.setAttribute("aria-sort", rising ? "ascending" : "descending")
        else head.removeAttribute("aria-sort")
    })
    for (const row of body.rows) {
        [...row.cells].forEach((cell, other) => cell.classList.toggle("sorted", other === place))
    }
}

heads.forEach((head, place) => {
    head.querySelector("button")?.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort")
        sort(place, now ? now === "descending" : head.dataset.first === "ascending")
    })
})
