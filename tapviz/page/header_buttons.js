// The buttons of the header. They are one stop of the Tab key, from which the arrow keys go on; where the page
// is narrow they are in a menu.
import { html, make } from "../draw/elements.js"
import { render as nameParts } from "../live/accessibility.js"
import { render as opener } from "../live/controls_button.js"
import { goOn, stops } from "../live/roving.js"
import { themeButton } from "../live/theme_button.js"
import { tourButton } from "../live/tour.js"
import { blankUntilDrawn } from "./tab_area.js"

const LESSON = "Learn why pooled scores mislead: 6 scenes, about 7 minutes"
const LEARN = { class: "learn", href: "?learn", title: LESSON, "aria-label": LESSON }
/** What they say, and what those that open a sheet over the page say when it is open. @type {Record<string, string[]>} */
const WORDS = { undo: ["Undo"], redo: ["Redo"], share: ["Share ▾", "Share ▴"], figure: ["Figure…", "Close figure"] }

/** @param {{ model: any, view: any, el: Element }} component of Panel */
export function render({ model, view, el }) {
    const button = (/** @type {string} */ name, /** @type {Record<string, string>} */ attributes) =>
        make("button", { ...attributes, onclick: () => model.send_msg(name) })
    const pressed = {
        undo: button("undo", { class: "undo", title: "undo the last choice (Ctrl+Z)" }),
        redo: button("redo", { class: "redo", title: "make it again (Ctrl+Shift+Z)" }),
        share: button("share", { class: "opens-share" }), figure: button("figure", { class: "opens-figure" }),
    }
    const { figure, ...others } = pressed
    const lesson = () => html("Learn<span>: why pooled scores mislead, 7 minutes</span>", "a", LEARN)
    const bar = make("div", {
        class: "toolbar", role: "toolbar", "aria-label": "page",
        onkeydown: (/** @type {KeyboardEvent} */ event) => goOn(bar, items(), event),
        onfocusin: (/** @type {FocusEvent} */ event) => stops(bar, items(), event.target),
    }, ...Object.values(others), themeButton(model), ...(model.whole ? [tourButton(model), lesson()] : []), figure)
    const items = () => [...bar.querySelectorAll(":is(button, a):not(:disabled)")]
    const show = () => {
        const focused = /** @type {ShadowRoot} */ (bar.getRootNode()).activeElement
        for (const [name, one] of Object.entries(pressed)) {
            const isOpen = model.opened === name
            one.disabled = model.disabled.includes(name)
            one.textContent = WORDS[name][Number(isOpen)]
            one.classList.toggle("closes-sheet", isOpen)
        }
        stops(bar, items())
        // One that can be pressed no more would lose the focus to the top of the page.
        if (focused?.matches(":disabled")) /** @type {any} */ (bar).stop?.focus()
    }
    for (const name of ["disabled", "opened"]) model.on(name, show)
    show()
    if (model.whole) blankUntilDrawn(model, view.model.document)
    return make("div", {}, nameParts({ el }), opener({ model: { opens: "toolbar", label: "☰" } }), bar)
}
