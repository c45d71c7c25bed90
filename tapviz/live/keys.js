// Keys that work wherever the focus is: Escape closes or clears, Ctrl+Z takes a choice back.
const find = (root, name) => {
    for (const element of root.querySelectorAll("*")) {
        if (element.classList.contains(name)) return element
        const inside = element.shadowRoot && find(element.shadowRoot, name)
        if (inside) return inside
    }
    return null
}
const press = (name) => {
    const found = find(document, name)
    const button = found?.shadowRoot?.querySelector("button") ?? found
    if (!button || button.disabled || button.hidden) return false
    button.click()
    return true
}
const writes = (element) => element.isContentEditable || element.tagName === "TEXTAREA" ||
    (element.tagName === "INPUT" && !/checkbox|radio|range|button/.test(element.type))
document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") press("close-drawer") || press("clear-filter")
    const undo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)
    if (undo && !event.shiftKey && !event.altKey && !writes(event.composedPath()[0])) {
        event.preventDefault()
        press("undo")
    }
})
