// The first element that matches, in shadow roots within shadow roots; null if there is none.
export const find = (root, selector) => {
    for (const element of root.querySelectorAll("*")) {
        if (element.matches(selector)) return element
        const nested = element.shadowRoot && find(element.shadowRoot, selector)
        if (nested) return nested
    }
    return null
}
