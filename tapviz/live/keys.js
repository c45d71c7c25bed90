// Keys that work wherever the focus is: Escape closes or clears, Ctrl+Z takes a choice back,
// Ctrl+Shift+Z makes it again.
import { find } from "./shadow.js"

/** @param {string} name @param {(control: HTMLElement) => boolean} [when] */
const press = (name, when) => {
    const control = find(document, `.${name}`, when)
    const button = /** @type {HTMLButtonElement | null} */ (control?.shadowRoot?.querySelector("button") ?? control)
    if (!button || button.disabled || button.hidden) return false
    button.click()
    return true
}
const isTextField = (/** @type {any} */ element) => element.isContentEditable || element.tagName === "TEXTAREA" ||
    (element.tagName === "INPUT" && !/checkbox|radio|range|button/.test(element.type))
document.addEventListener("keydown", (event) => {
    // What is open over the page closes by itself.
    if (event.key === "Escape" && !find(document, ":popover-open")) {
        press("closes-sheet", (control) => control.checkVisibility()) || press("close-drawer") || press("clear-filter")
    }
    const undo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)
    if (undo && !event.altKey && !isTextField(event.composedPath()[0])) {
        event.preventDefault()
        press(event.shiftKey ? "redo" : "undo")
    }
})
