// A button that opens and closes a part of the page, as a component.
import { opener } from "./opener.js"

/** @param {{ model: any }} component of Panel */
export const render = ({ model }) => opener(model.opens, model.label)
