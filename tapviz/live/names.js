// Whose a line of a plot is, and whose a text that has been shortened.

/**
 * Whose each item of a layer is, empty if nobody's: "curve BLASTP" and "beyond BLASTP" are lines of BLASTP,
 * "line" is nobody's; points and texts have a column of it, or are nobody's.
 *
 * @param {{ layer?: string[], of?: string[] }} data columns
 * @returns {string[]}
 */
export const ownersIn = ({ layer, of }) =>
    layer?.map((name) => (name.includes(" ") ? name.slice(name.indexOf(" ") + 1) : "")) ?? of ?? []

/**
 * Whether an algorithm is the owner. Lines of the runs of a system, such as esm2@seed1, are its own.
 *
 * @param {string} owner
 * @param {string} name
 */
export const isOwn = (owner, name) => owner === name || owner.startsWith(`${name}@`)

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
