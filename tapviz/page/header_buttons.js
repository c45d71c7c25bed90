// The buttons of the header. They are one stop of the Tab key, from which the arrow keys go on; where the page
// is narrow they are in a menu.
import { make } from "../draw/elements.js"
import { nameParts } from "../live/name_parts.js"
import { opener } from "../live/opener.js"
import { goOn, stops } from "../live/roving.js"
import { themeButton } from "../live/theme_button.js"
import { tourButton } from "../live/tour.js"
import { blankUntilDrawn } from "./tab_area.js"

const LESSON = "Learn why pooled scores mislead: 6 scenes, about 7 minutes"
/** Of the buttons that open a sheet over the page: what they say while it is closed, and open. */
const SHEETS = { share: ["Share ▾", "Share ▴"], figure: ["Figure…", "Close figure"] }

/** @param {{ model: any, view: any, el: Element }} component of Panel */
export function render({ model, view, el }) {
    /** @param {string} name @param {Record<string, any>} [attributes] @param {string} [words] */
    const button = (name, attributes, words) =>
        make("button", { ...attributes, onclick: () => model.send_msg(name) }, words)
    const undo = button("undo", { class: "undo", title: "undo the last choice (Ctrl+Z)" }, "Undo")
    const redo = button("redo", { class: "redo", title: "make it again (Ctrl+Shift+Z)" }, "Redo")
    const share = button("share", { class: "opens-share" }), figure = button("figure", { class: "opens-figure" })
    const ofServed = () => [tourButton(model), make("a", {
        class: "learn", href: "?learn", title: LESSON, "aria-label": LESSON,
    }, "Learn", make("span", {}, ": why pooled scores mislead, 7 minutes"))]
    const bar = make("div", {
        class: "toolbar", role: "toolbar", "aria-label": "page",
        onkeydown: (/** @type {KeyboardEvent} */ event) => goOn(bar, items(), event),
        onfocusin: (/** @type {FocusEvent} */ event) => stops(bar, items(), event.target),
    }, undo, redo, share, themeButton(model), ...(model.whole ? ofServed() : []), figure)
    /** Those that can be pressed now. @returns {any[]} */
    const items = () => [...bar.querySelectorAll(":is(button, a):not(:disabled)")]
    const show = () => {
        const focused = /** @type {ShadowRoot} */ (bar.getRootNode()).activeElement
        undo.disabled = model.disabled.includes("undo")
        redo.disabled = model.disabled.includes("redo")
        for (const [name, one] of Object.entries({ share, figure })) {
            const isOpen = model.opened === name
            one.textContent = SHEETS[/** @type {"share" | "figure"} */ (name)][Number(isOpen)]
            one.classList.toggle("closes-sheet", isOpen)
        }
        stops(bar, items())
        // One that can be pressed no more would lose the focus to the top of the page.
        if (focused?.matches(":disabled")) /** @type {any} */ (bar).stop?.focus()
    }
    for (const name of ["disabled", "opened"]) model.on(name, show)
    show()
    nameParts(el)
    if (model.whole) blankUntilDrawn(model, view.model.document)
    return make("div", {}, opener("toolbar", "☰"), bar)
}
