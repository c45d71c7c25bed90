/**
 * The first element that matches, in shadow roots within shadow roots; null if there is none.
 *
 * @param {Document | Element | ShadowRoot} root
 * @param {string} selector
 * @param {(element: HTMLElement) => boolean} [when] more that must be true of it
 * @returns {HTMLElement | null}
 */
export const find = (root, selector, when = () => true) => {
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("*"))) {
        if (element.matches(selector) && when(element)) return element
        const nested = element.shadowRoot && find(element.shadowRoot, selector, when)
        if (nested) return nested
    }
    return null
}

/** Rows of the score table. */
export const rowsOfScores = () => {
    const table = /** @type {HTMLTableElement | null} */ (find(document, "table.scores"))
    return [...table?.tBodies[0].rows ?? []]
}

/** Put the focus on the first control of a part of the page. @param {HTMLElement | null} part */
export const focusFirst = (part) => {
    const controls = part?.shadowRoot ?? part
    if (controls) find(controls, ":is(input, select, button):not(.controls-button *)")?.focus()
}
