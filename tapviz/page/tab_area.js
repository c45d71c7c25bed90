// The place below a tab that has been chosen is empty until its plot is there: never the plot before it
// under the name of another.
import { elementOf } from "../live/compat.js"

/**
 * @param {any} models `body` and `caption` of the area, and the `names` of the plots of tabs
 * @param {any} chosen the tabs, or the list of further ones
 */
export default function follow({ body, caption, names }, chosen) {
    const shown = () => body.children.find((/** @type {any} */ place) => place.visible)?.css_classes[0]
    const parts = [body, caption].map(elementOf).filter(Boolean)
    const first = parts[0]
    const words = "labels" in chosen ? chosen.labels[chosen.active] : chosen.value
    if (!first || !names[words]) return
    const waited = first.asked
    first.asked = names[words]
    const check = () => {
        const there = shown() === first.asked
        for (const part of parts) part.style.visibility = there ? "" : "hidden"
        if (there) first.asked = null
        else requestAnimationFrame(check)
    }
    if (!waited) check()
}
