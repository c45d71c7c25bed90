/**
 * The first element that matches, in shadow roots within shadow roots; null if there is none.
 *
 * @param {Document | Element | ShadowRoot} root
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const find = (root, selector) => {
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("*"))) {
        if (element.matches(selector)) return element
        const nested = element.shadowRoot && find(element.shadowRoot, selector)
        if (nested) return nested
    }
    return null
}

/** Rows of the score table. */
export const rowsOfScores = () => {
    const table = /** @type {HTMLTableElement | null} */ (find(document, "table.scores"))
    return [...table?.tBodies[0].rows ?? []]
}

/** Where the focus goes in the controls, which another part of the page may have hidden. */
export const focusControls = () => {
    const rail = find(document, ".rail")?.shadowRoot
    if (rail) find(rail, "input, select, button")?.focus()
}
