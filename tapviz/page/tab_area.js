// The place below a tab that has been chosen is empty until its plot is there: never the plot before it
// under the name of another.
import { tagged } from "../live/compat.js"

/** @param {any} document of Bokeh @param {any} chosen the tabs, or a list of further ones */
const follow = (document, chosen) => {
    const parts = ["plot-of-tab", "caption-of-tab"].map((tag) => tagged(tag, document)).filter(Boolean)
    const [body] = parts
    const words = "labels" in chosen ? chosen.labels[chosen.active] : chosen.value
    const [, names] = body?.model.tags ?? []
    const asked = new Map(names).get(words)
    if (!asked) return
    const shown = () => body.model.children.find((/** @type {any} */ place) => place.visible)?.css_classes[0]
    const waited = body.asked
    body.asked = asked
    const check = () => {
        const there = shown() === body.asked
        for (const { el } of parts) el.style.visibility = there ? "" : "hidden"
        if (there) body.asked = null
        else requestAnimationFrame(check)
    }
    if (!waited) check()
}

/** @param {any} model of the component that asks for it @param {any} document of Bokeh */
export const blankUntilDrawn = (model, document) => {
    const changed = (/** @type {any} */ { model, attr }) => {
        if (/^(active|value)$/.test(attr) && model.tags.includes("tabs")) follow(document, model)
    }
    document.on_change(changed)
    model.on("remove", () => document.remove_on_change(changed))
}
