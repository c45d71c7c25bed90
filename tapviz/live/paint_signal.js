// Answers each frame, by its number, when the page has painted what came with it.
import { quicken } from "./quick.js"

/** @param {{ model: any }} component of Panel */
export function render({ model }) {
    model.on("frame", () => {
        const frame = model.frame
        quicken()
        requestAnimationFrame(() => setTimeout(() => {
            document.dispatchEvent(new Event("tapviz-painted"))
            model.painted = frame
        }, 0))
    })
    return document.createElement("div")
}
