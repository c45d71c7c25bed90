// Pictures that a mouse or a finger drags; for the keyboard there are the sliders.

const SLACK = 4 // pixels after which a finger drags, and does not tap

/**
 * @import { Chart } from "./reader.js"
 * @typedef {(x: number, y: number) => void} Drag what follows the pointer, in pixels of the element
 */

/**
 * Let an element be dragged along; up and down a finger still scrolls the page.
 *
 * @param {HTMLElement} element
 * @param {(x: number, y: number) => Drag | null} grab what a drag that begins there does, if anything
 */
export function draggable(element, grab) {
    /** @type {Drag | null} */
    let drag = null
    const at = (/** @type {PointerEvent} */ { clientX, clientY }) => {
        const { left, top } = element.getBoundingClientRect()
        return [clientX - left, clientY - top]
    }
    let begun = [0, 0], sure = false
    element.classList.add("draggable")
    element.addEventListener("pointerdown", (event) => {
        begun = at(event)
        drag = event.button ? null : grab(begun[0], begun[1])
        if (!drag) return
        element.setPointerCapture(event.pointerId)
        sure = event.pointerType === "mouse" // a finger may be about to scroll
        if (sure) drag(begun[0], begun[1])
    })
    element.addEventListener("pointermove", (event) => {
        const [x, y] = at(event)
        if (!drag) element.style.cursor = grab(x, y) ? "ew-resize" : "default"
        sure ||= Math.abs(x - begun[0]) > Math.max(SLACK, Math.abs(y - begun[1]))
        if (sure) drag?.(x, y)
    })
    element.addEventListener("pointerup", (event) => {
        const [x, y] = at(event)
        drag?.(x, y)
        drag = null
    })
    element.addEventListener("pointercancel", () => { drag = null })
}

/** Place of the value nearest to another one. @param {number[]} values @param {number} to */
export const nearest = (values, to) => values.reduce((best, value, i) => Math.abs(value - to) < Math.abs(values[best] - to) ? i : best, 0)

/**
 * What a drag along a chart does, if something in it is at the position of a control.
 *
 * @param {Chart} chart @param {HTMLElement} place where it is drawn
 * @param {(control: string, at: number) => void} move
 * @returns {Drag | null}
 */
export function along({ follows, picture }, place, move) {
    const layer = picture.layers.find(({ name, kind }) => follows[name]?.[1] === "at" && kind !== "texts")
    const [first, ...more] = place.querySelectorAll("[data-tick=x]"), last = more.pop()
    if (!layer || !last) return null
    const [from, to] = [first, last].map((one) => ({
        at: picture.x.levels.flat().find(([, text]) => text === one.textContent)?.[0] ?? NaN, x: Number(one.getAttribute("x")),
    }))
    const { x, x0 } = layer.columns
    return (now) => move(follows[layer.name][0], nearest(x ?? x0, from.at + (now - from.x) / (to.x - from.x) * (to.at - from.at)))
}
