// Rows of which only those that are seen are in the page, and the server sends some more.

/**
 * The row that a key leads to, counted from 0; undefined for other keys.
 *
 * @param {string} key
 * @param {number} now the row at which the keyboard is; -1 before the first
 * @param {number} page rows that are seen at a time
 * @param {number} n
 */
export function rowAt(key, now, page, n) {
    const next = {
        ArrowDown: now + 1, ArrowUp: now - 1, PageDown: now + page, PageUp: now - page, Home: 0, End: n - 1,
    }[key]
    return next === undefined || !n ? undefined : Math.min(Math.max(next, 0), n - 1)
}

/**
 * The first row to ask for, so that as many come above those seen as below; undefined if those that
 * are seen are there.
 *
 * @param {{ from: number, rows: unknown[] }} sent rows that are there, and the place of the first
 * @param {number} first of those seen
 * @param {number} last
 * @param {number} most rows that are sent at a time
 */
export function missing({ from, rows }, first, last, most) {
    if (last < first || (from <= first && last < from + rows.length)) return undefined
    return Math.max(first - Math.max(Math.floor((most - (last - first + 1)) / 2), 0), 0)
}

/**
 * Where to scroll to, so that a row is seen.
 *
 * @param {{ scrollTop: number, clientHeight: number }} scroller
 * @param {number} top of the row
 * @param {number} height of the row
 */
export function inSight({ scrollTop, clientHeight }, top, height) {
    if (top < scrollTop) return top
    return top + height > scrollTop + clientHeight ? top + height - clientHeight : scrollTop
}
