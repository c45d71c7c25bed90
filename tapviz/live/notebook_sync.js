// Part of a page in a cell: says that the page is drawn, until Python has answered.
import { forwardOnlyOwnChanges } from "./compat.js"

/** @param {{ model: any, view: any }} component of Panel */
export function render({ model, view }) {
    const root = view.root.model
    // A message may fail for what else is in it, such as sizes of a plot no longer there.
    const announce = (/** @type {number} */ wait) => {
        if (model.answered) return
        model.send_msg(root.id)
        setTimeout(() => announce(2 * wait), wait)
    }
    if (forwardOnlyOwnChanges(root)) announce(1000)
    return document.createElement("div")
}
