/**
 * Item of a column, which is one value if all items have it. Arrays of numbers of Bokeh are typed.
 *
 * @param {any} column
 * @param {number} i
 */
export const item = (column, i) => (
    Array.isArray(column) || ArrayBuffer.isView(column) ? /** @type {any} */ (column)[i] ?? NaN : column
)
