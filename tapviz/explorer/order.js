/**
 * Order of two cells of a column: texts with numbers in them by these, undefined numbers last.
 *
 * @param {string | number} a
 * @param {string | number} b
 * @param {boolean} rising
 */
export function order(a, b, rising) {
    const sign = rising ? 1 : -1
    if (typeof a === "string" || typeof b === "string") {
        return sign * String(a).localeCompare(String(b), "en", { numeric: true })
    }
    // What is undefined stays last either way.
    if (isNaN(a) || isNaN(b)) return Number(isNaN(a)) - Number(isNaN(b))
    return sign * (a - b)
}
