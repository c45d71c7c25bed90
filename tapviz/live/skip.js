// The first stops of the Tab key lead past the header, to the results or to the controls.
import { make } from "../draw/elements.js"
import { find, focusFirst } from "./shadow.js"

const link = (/** @type {string} */ words, /** @type {() => void} */ onclick) =>
    make("button", { class: "tapviz-skip", onclick }, words)
const skipToResults = () => {
    const main = find(document, ".main")
    if (!main) return
    main.tabIndex = -1
    main.focus({ preventScroll: true })
    main.scrollIntoView({ block: "nearest" })
}
const skipToControls = () => {
    const rail = find(document, ".rail")
    const button = rail?.shadowRoot && find(rail.shadowRoot, ".controls-button button")
    if (button?.checkVisibility() && button.ariaExpanded !== "true") button.click() // which goes there
    else focusFirst(rail)
}
if (!document.querySelector(".tapviz-skip")) {
    document.body.prepend(
        link("Skip to the results", skipToResults), link("Skip to the controls", skipToControls))
}
