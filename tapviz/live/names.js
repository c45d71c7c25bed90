// Whose a line of a plot is, and whose a text that has been shortened.

// "curve BLASTP" and "beyond BLASTP" are lines of BLASTP; "line" is nobody's.
const owner = (/** @type {string} */ layer) => layer.slice(layer.indexOf(" ") + 1)

/**
 * Whether a layer is of an algorithm. Lines of the runs of a system, such as esm2@seed1, are its own.
 *
 * @param {string} layer
 * @param {string} name
 */
export const isOf = (layer, name) => owner(layer) === name || owner(layer).startsWith(`${name}@`)

/**
 * Whether a text of a plot is the name of an algorithm. Long ones are shortened there: of those that
 * begin alike, to what differs, too.
 *
 * @param {string} text
 * @param {string} name
 */
export const isNameOf = (text, name) => {
    const [start, ...parts] = text.split("…")
    if (!parts.length) return text === name
    let at = name.startsWith(start) ? start.length : -1
    for (const part of parts) if (at >= 0) at = name.indexOf(part, at)
    return at >= 0
}
