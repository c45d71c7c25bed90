// Sorts the leaderboard by the column whose head is clicked; again: the other way.
const table = document.querySelector("table.board")
const body = table.tBodies[0]
const heads = [...table.tHead.rows[0].cells]

const sort = (place, rising) => {
    const sign = rising ? 1 : -1
    const key = (row) => {
        const cell = row.cells[place]
        const { value } = cell.dataset
        return value === undefined ? cell.textContent.trim() : value === "" ? NaN : Number(value)
    }
    const compare = (a, b) => {
        if (typeof a === "string") return sign * a.localeCompare(b, "en", { numeric: true })
        // What is undefined stays last either way.
        if (isNaN(a) || isNaN(b)) return isNaN(a) - isNaN(b)
        return sign * (a - b)
    }
    const rows = [...body.rows].map((row) => [key(row), row])
    rows.sort(([a], [b]) => compare(a, b))
    body.append(...rows.map(([, row]) => row))
    heads.forEach((head, other) => {
        if (other === place) head.setAttribute("aria-sort", rising ? "ascending" : "descending")
        else head.removeAttribute("aria-sort")
    })
    for (const row of body.rows)
        [...row.cells].forEach((cell, other) => cell.classList.toggle("sorted", other === place))
}

heads.forEach((head, place) => {
    const button = head.querySelector("button")
    button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort")
        sort(place, now ? now === "descending" : head.dataset.first === "ascending")
    })
})
