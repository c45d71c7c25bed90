// Names and roles of a page, or of a cell, as a component.
import { nameParts } from "./name_parts.js"

/** @param {{ el: Element }} component of Panel */
export function render({ el }) {
    nameParts(el)
    return document.createElement("div")
}
