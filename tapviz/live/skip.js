// The first stops of the Tab key lead past the header, to the results or to the controls.
import { find } from "./shadow.js"

const link = (words, go) => {
    const button = document.createElement("button")
    button.className = "tapviz-skip"
    button.textContent = words
    button.addEventListener("click", go)
    return button
}
const skipToResults = () => {
    const main = find(document, ".main")
    if (!main) return
    main.tabIndex = -1
    main.focus({ preventScroll: true })
    main.scrollIntoView({ block: "nearest" })
}
const skipToControls = () => {
    const button = find(document, ".controls-button button")
    if (button?.checkVisibility() && button.ariaExpanded !== "true") button.click() // which goes there
    else find(find(document, ".rail").shadowRoot, "input, select, button")?.focus()
}
if (!document.querySelector(".tapviz-skip")) {
    document.body.prepend(
        link("Skip to the results", skipToResults), link("Skip to the controls", skipToControls))
}
