// The button that opens and closes the controls where they would leave no room for the results.
import { find } from "./shadow.js"

const RAIL = ".rail"

export function render() {
    const container = document.createElement("div")
    const button = document.createElement("button")
    container.className = "controls-button"
    button.textContent = "Controls"
    const style = document.documentElement.style
    const show = (open) => {
        button.setAttribute("aria-expanded", open)
        // Style sheets within shadow roots see nothing else of the document.
        style.setProperty("--tv-rail", open ? "flex" : "none")
    }
    const isOpen = () => button.getAttribute("aria-expanded") === "true"
    const close = () => { if (isOpen()) show(false) }
    button.addEventListener("click", () => {
        show(!isOpen())
        if (isOpen()) find(find(document, RAIL).shadowRoot, "input, select, button")?.focus()
    })
    document.addEventListener("pointerdown", (event) => {
        const path = event.composedPath()
        if (!path.includes(button) && !path.includes(find(document, RAIL))) close()
    }, { capture: true })
    document.addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || !isOpen() || !button.checkVisibility()) return
        event.stopPropagation() // it clears the filter otherwise
        button.focus()
        close()
    }, { capture: true })
    show(false)
    container.append(button)
    return container
}
