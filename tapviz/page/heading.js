// A heading that takes the focus when it appears, and says that it is shown.
import { make } from "../draw/elements.js"

const FRAMES = 60 // for which it is tried

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
    return heading
}
