import { item } from "./columns.js"

const NAMED = 4 // the rest are counted

/**
 * The other items at the place of one, a line each: the mouse cannot tell which of them it is at.
 *
 * @param {Record<string, any>} columns x, y, query and total
 * @param {number} at the item
 * @param {number} [size] how many items there are
 */
export default function others({ x, y, query, total }, at, size = x.length) {
    const found = []
    for (let i = 0; i < size; i++) {
        if (i !== at && item(x, i) === item(x, at) && item(y, i) === item(y, at)) {
            found.push(`${item(query, i)}, T(q) = ${item(total, i).toLocaleString("en")}`)
        }
    }
    const more = found.splice(NAMED).length
    if (more) found.push(`and ${more.toLocaleString("en")} more ${more > 1 ? "queries" : "query"} here`)
    return found.join("\n")
}
