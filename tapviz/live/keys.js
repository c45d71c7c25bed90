// Keys that work wherever the focus is: Escape closes or clears, Ctrl+Z takes a choice back,
// Ctrl+Shift+Z makes it again.
import { find } from "./shadow.js"

const SHEET = "closes-sheet" // what closes a part that lies over the page

const press = (/** @type {string} */ name) => {
    const control = find(document, `.${name}`)
    if (name === SHEET && !control?.checkVisibility()) return false
    const button = /** @type {HTMLButtonElement | null} */ (control?.shadowRoot?.querySelector("button") ?? control)
    if (!button || button.disabled || button.hidden) return false
    button.click()
    return true
}
const isTextField = (/** @type {any} */ element) => element.isContentEditable || element.tagName === "TEXTAREA" ||
    (element.tagName === "INPUT" && !/checkbox|radio|range|button/.test(element.type))
document.addEventListener("keydown", (event) => {
    // What is open over the page closes by itself.
    if (event.key === "Escape" && !find(document, ":popover-open")) press(SHEET) || press("close-drawer") || press("clear-filter")
    const undo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)
    if (undo && !event.altKey && !isTextField(event.composedPath()[0])) {
        event.preventDefault()
        press(event.shiftKey ? "redo" : "undo")
    }
})
