// Colours, shapes and texts of a picture.
import { item } from "./columns.js"
import { escaped, make } from "./elements.js"
import { formatted } from "./layout.js"
import others from "./others.js"

/** @typedef {import("./browser.js").Layer} Layer */

/** @type {Record<string, (r: number) => string>} */
export const SHAPES = {  // around a place at which the pen is
    circle: (r) => `m${-r},0a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0z`,
    triangle: (r) => `m${-r},${r * 0.577}h${2 * r}l${-r},${-r * 1.732}z`,
    inverted_triangle: (r) => `m${-r},${-r * 0.577}h${2 * r}l${-r},${r * 1.732}z`,
    square: (r) => `m${-r},${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
    diamond: (r) => `m0,${-r}l${r / 1.5},${r}l${-r / 1.5},${r}l${-r / 1.5},${-r}z`,
    dash: (r) => `m0,${-r}v${2 * r}`,
}

/** @type {Map<string | null, string>} */
const paints = new Map([[null, "none"]])

/** A colour of a light page as that of the page at hand, which may set `--on-333333` and so on. @param {string | null} color */
export function paint(color) {
    const known = paints.get(color) ?? `var(--on-${color?.replace("#", "").toLowerCase()}, ${color})`
    paints.set(color, known)
    return known
}

/** The same for words, which may be of another shade: `--ink-a0`. @param {string} color */
export const inked = (color) => `var(--ink-${color.replace("#", "")}, ${paint(color)})`

/** @param {Element} element @param {Record<string, number>} places */
export function setPlaces(element, places) {
    for (const name in places) element.setAttribute(name, places[name].toFixed(1))
}

/** @type {CanvasRenderingContext2D | null} */
let pen = null
/** Width of a text in pixels. @param {string} text @param {string} font */
export function widthOf(text, font) {
    pen ??= make("canvas").getContext("2d")
    if (!pen) return 0
    if (pen.font !== font) pen.font = font
    return pen.measureText(text).width
}

/** HTML of an item's tooltip: `@column`, `@column{0.000}`, `@column{0,0}`, `@column{safe}`. @param {Layer} layer @param {number} i */
export function filled({ columns, size, tooltip = "" }, i) {
    return tooltip.replace(/\$index\{others\}|@(\w+)(?:\{([^}]*)\})?/g, (all, name, format) => {
        if (!name) return escaped(others(columns, i, size))
        if (!(name in columns)) return all
        const value = item(columns[name], i)
        return format === "safe" ? value : escaped(formatted(value, format))
    })
}
