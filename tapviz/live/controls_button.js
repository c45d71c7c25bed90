// A button that opens and closes a part of the page where that would leave no room for the results.
import { make } from "../draw/elements.js"
import { find, focusFirst } from "./shadow.js"

/** @param {{ model: any }} component of Panel */
export function render({ model }) {
    const { opens, label } = model
    const part = () => find(document, `.${opens}`)
    const button = make("button", { onclick: () => {
        show(!isOpen())
        if (isOpen()) focusFirst(part())
    } }, label)
    const { style } = document.documentElement
    const show = (/** @type {boolean} */ open) => {
        button.setAttribute("aria-expanded", `${open}`)
        // Style sheets within shadow roots see nothing else of the document.
        style.setProperty(`--tv-${opens}`, open ? "block" : "none")
    }
    const isOpen = () => button.getAttribute("aria-expanded") === "true"
    const close = () => { if (isOpen()) show(false) }
    document.addEventListener("pointerdown", (event) => {
        const path = event.composedPath(), opened = part()
        if (!path.includes(button) && !(opened && path.includes(opened))) close()
    }, { capture: true })
    document.addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || !isOpen() || !button.checkVisibility()) return
        event.stopPropagation() // it clears the filter otherwise
        button.focus()
        close()
    }, { capture: true })
    show(false)
    return make("div", { class: "controls-button" }, button)
}
