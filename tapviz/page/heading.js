// A heading that takes the focus when it appears, and says that it is shown. When it disappears with the
// part that it heads, what had the focus before has it again.
import { make } from "../draw/elements.js"

const FRAMES = 60 // for which it is tried
const REST = 50 // milliseconds

const focused = () => {
    let at = /** @type {HTMLElement | null} */ (document.activeElement)
    while (at?.shadowRoot?.activeElement) at = /** @type {HTMLElement} */ (at.shadowRoot.activeElement)
    return at
}

/** @param {{ model: any }} component of Panel */
export function render({ model }) {
    const heading = make("h2", { tabindex: -1 }, model.text)
    // It cannot be focused before it is laid out, which a busy browser does when it can.
    const take = (/** @type {number} */ frames) => {
        heading.focus()
        if (heading.matches(":focus") || !frames) model.shown = true
        else requestAnimationFrame(() => take(frames - 1))
    }
    setTimeout(take, 0, FRAMES)
    const opener = focused()
    const back = () => { if (document.activeElement === document.body) opener?.focus() }
    new ResizeObserver(() => {
        if (model.shown && !heading.checkVisibility()) setTimeout(back, REST) // which has lost the focus by then
    }).observe(heading)
    return heading
}
