// HTML that changes often. Only what differs is touched: the browser need not lay out the rest again,
// and what has the focus or has been opened stays so.
import { make } from "../draw/elements.js"
import { goOn } from "./roving.js"

/** Make a node like another of its kind: of children, both ends that are of a kind are kept. @param {any} old @param {any} wanted */
const turnInto = (old, wanted) => {
    if (old.isEqualNode(wanted)) return
    if (old.nodeType !== 1) { old.data = wanted.data; return }
    if (old.nodeName === "DETAILS") wanted.open = old.open
    for (const { name } of [...old.attributes]) {
        if (!wanted.hasAttribute(name)) old.removeAttribute(name)
    }
    for (const { name, value } of wanted.attributes) {
        if (old.getAttribute(name) !== value) old.setAttribute(name, value)
    }
    const before = [...old.childNodes], after = [...wanted.childNodes]
    const alike = (/** @type {number} */ i, /** @type {number} */ j) =>
        before.at(i)?.nodeName === after.at(j)?.nodeName
    const least = Math.min(before.length, after.length)
    let head = 0, tail = 0
    while (head < least && alike(head, head)) head++
    while (tail < least - head && alike(-tail - 1, -tail - 1)) tail++
    const removed = before.slice(head, before.length - tail)
    const added = after.slice(head, after.length - tail)
    const next = before[before.length - tail] ?? null
    for (let i = 0; i < head; i++) turnInto(before[i], after[i])
    for (let i = 1; i <= tail; i++) turnInto(before.at(-i), after.at(-i))
    for (const child of removed) child.remove()
    for (const child of added) old.insertBefore(child, next)
}

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
            if (!button || button.popoverTargetElement) return
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
    /** @param {any} wanted */
    const turn = (wanted) => {
        const root = /** @type {Document | ShadowRoot} */ (container.getRootNode())
        const held = /** @type {any} */ (root.activeElement), around = [held, held?.parentElement, container]
        if (!container.contains(held)) return turnInto(container, wanted)
        turnInto(container, wanted)
        if (container.contains(root.activeElement)) return
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
        turn(wanted)
    }
    model.on("text", show)
    document.addEventListener("tapviz-turn", (/** @type {any} */ { detail }) => {
        if (detail.of !== view.model.document || detail.slot !== model.slot || !container.isConnected) return
        const wanted = container.cloneNode(true)
        detail.turn(wanted)
        turned = true
        turn(wanted)
    })
    document.addEventListener("tapviz-settle", () => { if (turned) show() })
    return container
}
