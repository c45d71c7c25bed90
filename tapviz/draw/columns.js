/**
 * Item of a column, which is one value if all items have it.
 *
 * @template T
 * @param {ArrayLike<T> | T} column
 * @param {number} i
 * @returns {T}
 */
export const item = (column, i) => (
    // An array of numbers of Bokeh is typed, and no text is a column.
    Array.isArray(column) || ArrayBuffer.isView(column) ? /** @type {any} */ (column)[i] ?? NaN : column
)
