// The button that opens and closes the controls where they would leave no room for the results.
import { make } from "../draw/elements.js"
import { find, focusControls } from "./shadow.js"

export function render() {
    const button = make("button", { onclick: () => {
        show(!isOpen())
        if (isOpen()) focusControls()
    } }, "Controls")
    const { style } = document.documentElement
    const show = (/** @type {boolean} */ open) => {
        button.setAttribute("aria-expanded", `${open}`)
        // Style sheets within shadow roots see nothing else of the document.
        style.setProperty("--tv-rail", open ? "flex" : "none")
    }
    const isOpen = () => button.getAttribute("aria-expanded") === "true"
    const close = () => { if (isOpen()) show(false) }
    document.addEventListener("pointerdown", (event) => {
        const path = event.composedPath()
        const rail = find(document, ".rail")
        if (!path.includes(button) && !(rail && path.includes(rail))) close()
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
