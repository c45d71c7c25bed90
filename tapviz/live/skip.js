// The first stop of the Tab key leads past header and controls.
import { find } from "./shadow.js"

if (!document.getElementById("tapviz-skip")) {
    const button = document.createElement("button")
    button.id = "tapviz-skip"
    button.textContent = "Skip to the results"
    button.addEventListener("click", () => {
        const main = find(document, ".main")
        if (!main) return
        main.tabIndex = -1
        main.focus({ preventScroll: true })
        main.scrollIntoView({ block: "nearest" })
    })
    document.body.prepend(button)
}
