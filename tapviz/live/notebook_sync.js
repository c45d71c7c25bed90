// Part of a page in a cell: says that the page is drawn, until Python has answered. If there is none that
// does, as in a file that a notebook was saved as, the page says so.
import { make } from "../draw/elements.js"
import { forwardOnlyOwnChanges } from "./compat.js"

const FIRST = 1000, PATIENCE = 4000 // milliseconds

/** @param {{ model: any, view: any }} component of Panel */
export function render({ model, view }) {
    const root = view.root.model
    const alone = make("p", { role: "status", style: "margin: 8px 0; font: 14px/1.5 system-ui" },
        "Python does not answer: " + (model.moves ?
            "the sliders of the threshold and of n still move plots, scores and verdict. For what turns pale, " +
            "and for anything else, run the cell again." :
            "nothing here moves, and it shows what was known when its cell was run. Run the cell again; or keep a report, " +
            "which moves without Python (tapviz.save_report)."))
    model.on("answered", () => alone.remove())
    // A message may fail for what else is in it, such as sizes of a plot no longer there.
    const announce = (/** @type {number} */ wait) => {
        if (model.answered) return
        if (wait > PATIENCE) view.root.el.before(alone)
        model.send_msg(root.id)
        setTimeout(() => announce(2 * wait), wait)
    }
    if (forwardOnlyOwnChanges(root)) announce(FIRST)
    return document.createElement("div")
}
