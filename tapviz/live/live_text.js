// HTML that changes often, with its buttons and boxes.
import { make } from "../draw/elements.js"
import { goOn } from "./roving.js"
import { turnInto } from "./turn_into.js"

/** @param {Element} element */
const boxesIn = (element) => [.../** @type {NodeListOf<HTMLButtonElement>} */ (element.querySelectorAll("button[role=checkbox]"))]
/** The menu that a box is in. @param {Element} box @returns {any} */
const menuOf = (box) => box.closest(".ticks")
const PATIENCE = 5000 // ms in which the server shows a box as it was pressed

/** @param {{ model: any, view: any }} component of Panel */
export function render({ model, view }) {
    const container = make("div", {
        onclick: (/** @type {any} */ event) => {
            const button = event.target.closest("button")
            if (!button || (button.popoverTargetElement && !button.value)) return
            model.choice = button.role === "checkbox" ? ticked(button) : button.value
            model.pressed += 1
        },
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
            const menu = menuOf(/** @type {Element} */ (event.composedPath()[0]))
            if (menu) goOn(menu, boxesIn(menu), event)
        },
    })
    container.innerHTML = model.text
    // Boxes that were pressed and that the server does not show so yet: several may be, one after the other.
    /** @type {Map<string, { checked: string, at: number }>} */
    const pressed = new Map()
    const keyOf = (/** @type {HTMLButtonElement} */ box) => `${menuOf(box).id}\n${box.value}`
    const overlay = (/** @type {Element} */ element) => {
        for (const box of boxesIn(element)) {
            const last = pressed.get(keyOf(box))
            if (!last) continue
            if (box.ariaChecked === last.checked || performance.now() - last.at > PATIENCE) pressed.delete(keyOf(box))
            else box.ariaChecked = last.checked
        }
    }
    /** The menu, and all that are ticked in it once this box is pressed, a line each. @param {HTMLButtonElement} box */
    const ticked = (box) => {
        box.ariaChecked = box.ariaChecked === "true" ? "false" : "true"
        pressed.set(keyOf(box), { checked: box.ariaChecked, at: performance.now() })
        const menu = menuOf(box)
        const names = boxesIn(menu).filter((one) => one.ariaChecked === "true").map((one) => one.value)
        return [menu.id, ...names].join("\n")
    }
    /** @param {() => void} change */
    const keepFocus = (change) => {
        const root = /** @type {Document | ShadowRoot} */ (container.getRootNode())
        const held = /** @type {any} */ (root.activeElement), around = [held, held?.parentElement, container]
        const within = container.contains(held)
        change()
        if (!within || container.contains(root.activeElement)) return
        // A button that is removed leaves the focus where it was, not at the top of the page.
        const place = around.find((one) => container.contains(one))
        place.tabIndex = -1
        place.addEventListener("blur", () => place.removeAttribute("tabindex"), { once: true })
        place.focus({ preventScroll: true })
    }
    let turned = false // by a view, to what the server has not said
    const show = () => {
        const wanted = make("div")
        wanted.innerHTML = model.text
        overlay(wanted)
        turned = false
        keepFocus(() => turnInto(container, wanted))
    }
    model.on("text", show)
    document.addEventListener("tapviz-turn", (/** @type {any} */ { detail }) => {
        if (detail.of !== view.model.document || detail.slot !== model.slot || !container.isConnected) return
        turned = true
        keepFocus(() => detail.turn(container))
    })
    document.addEventListener("tapviz-settle", () => { if (turned) show() })
    return container
}
