import { widthOf as measured } from "./ink.js"

const ROW = 0.09 // of the height of a plot, between names: see `NAME_GAP` in plots/names.py
const CLOSE = 1.1 // letters to the height of a row, of which their own is less
const APART = 6 // pixels between texts of a row
const AROUND = 16 // pixels that the title of an axis may be wider than the plot
export const NAMES = 0.42 // of the width of all, for names of rows at its left
const LEGIBLE = 10 // pixels of letters, for which names right of the data take some of its width
const LEAST = 0.5 // of the width, which the data keep

/** @typedef {(text: string, font: string) => number} WidthOf pixels */

const of = (/** @type {any} */ property) => property?.value ?? property

/** Whether nobody has zoomed: names may have made an axis longer. @param {any} range */
export const isWhole = (range) => range.start === range.reset_start && [range.reset_end, range.longer].includes(range.end)

/** Let an axis go on beyond its end as far as names that stand right of the data need. @param {any} figure @param {any[]} renderers of the texts @param {number} most @param {WidthOf} widthOf a text */
const makeRoom = (figure, renderers, most, widthOf) => {
    const { inner_width: wide, x_range: range, x_scale, below: [axis] } = figure
    if (!Array.isArray(axis.bounds) || !isWhole(range)) return
    const [at, back] = x_scale.type === "LogScale" ? [Math.log10, (/** @type {number} */ place) => 10 ** place] : [Number, Number]
    const start = at(range.start), length = at(range.reset_end) - start
    let times = 1
    for (const { glyph, data_source: { data } } of renderers) {
        if (of(glyph.text_align) !== "left") continue
        const font = `${most}px ${of(glyph.text_font)}`, shift = of(glyph.x_offset) ?? 0
        for (let i = 0; i < data.text.length; i++) {
            const place = (at(data.x[i]) - start) / length
            if (!data.text[i] || !(place <= 1)) continue
            const room = 1 - (widest(data.text[i], font, widthOf) * LEGIBLE / most + shift) / wide
            times = Math.max(times, place / Math.max(room, LEAST))
        }
    }
    // Two plots, one above the other, may have the same axis.
    range.times = (range.times ?? new Map()).set(figure, times)
    const longest = Math.max(...range.times.values())
    range.longer = longest > 1 ? back(start + longest * length) : range.reset_end
    if (range.end !== range.longer) range.setv({ end: range.longer }, { sync: false })
}

const widest = (/** @type {string} */ text, /** @type {string} */ font, /** @type {WidthOf} */ widthOf) =>
    Math.max(...text.split("\n").map((line) => widthOf(line, font)))

/**
 * Give names right of the data some room, and make the letters of texts, and of the titles of axes,
 * smaller where a plot would cut them, or is so low that they would lie on each other; and those of
 * names at its left where they leave too little of its width.
 *
 * @param {any} figure
 * @param {any[]} renderers of the texts
 * @param {{ most: number, smallest: number }} sizes of the letters, in pixels
 * @param {WidthOf} [widthOf] a text
 */
export function fit(figure, renderers, { most, smallest }, widthOf = measured) {
    if (figure.properties.inner_height.is_unset) return
    makeRoom(figure, renderers, most, widthOf)
    const { inner_width: wide, inner_height: high, x_range: { start, end }, x_scale } = figure
    const size = (/** @type {number} */ wanted) => Math.max(smallest, Math.min(most, Math.floor(wanted)))
    for (const [[axis], long] of /** @type {[any[], number][]} */ ([[figure.below, wide], [figure.left, high]])) {
        const width = widthOf(axis.axis_label ?? "", `${most}px ${axis.axis_label_text_font}`)
        axis.setv({ axis_label_text_font_size: `${size(most * (long + AROUND) / width)}px` }, { sync: false })
    }
    // Where the server has taken all names away, Bokeh makes a plain object of what was a Map.
    const [left] = figure.left, given = left.major_label_overrides, named = given instanceof Map ? [...given.values()] : []
    if (named.length) {
        const width = Math.max(...named.map((name) => widthOf(name, `${most}px ${left.major_label_text_font}`)))
        const letters = `${size(most * NAMES * figure.outer_width / width)}px`
        left.setv({ major_label_text_font_size: letters }, { sync: false })
    }
    const at = x_scale.type === "LogScale" ? Math.log10 : (/** @type {number} */ place) => place
    for (const { glyph, data_source: { data } } of renderers) {
        const align = of(glyph.text_align), font = `${most}px ${of(glyph.text_font)}`, shift = of(glyph.x_offset) ?? 0
        /** @type {Map<number, number>} */
        const columns = new Map()
        const places = Array.from(data.x, (x) => (at(x) - at(start)) / (at(end) - at(start)) * wide + shift)
        let share = 1
        for (let i = 0; i < data.text.length; i++) {
            const x = places[i]
            if (!data.text[i] || !(x >= 0 && x <= wide)) continue
            columns.set(data.x[i], (columns.get(data.x[i]) ?? 0) + 1)
            const next = Math.min(wide, ...places.filter((other, j) => other > x && data.y[j] === data.y[i]).map((other) => other - APART))
            const room = align === "left" ? next - x : align === "right" ? x : 2 * Math.min(x, wide - x)
            share = Math.min(share, room / widest(data.text[i], font, widthOf))
        }
        const rows = Math.max(...columns.values(), 1), row = rows > 1 ? high * Math.min(ROW, 1 / rows) : Infinity
        glyph.setv({ text_font_size: { value: `${size(Math.min(most * share, CLOSE * row))}px` } }, { sync: false })
    }
}

/** Does so now, and whenever texts change, or the axis below follows the data. @param {any} figure @param {{ most: number, smallest: number }} sizes @param {WidthOf} [widthOf] a text */
export default function keepFitting(figure, sizes, widthOf = measured) {
    const renderers = figure.renderers.filter((/** @type {any} */ { glyph }) => glyph?.type === "Text"), { x_range: held } = figure
    const again = () => keepFitting(figure, sizes, widthOf)
    for (const { data_source: source } of renderers) source.fitted ||= figure.connect(source.properties.data.change, again)
    // Its ends arrive one by one, and a hand that zooms makes no text cut in the whole plot.
    figure.fitted ||= figure.connect(held.change, () => isWhole(held) && again())
    fit(figure, renderers, sizes, widthOf)
}
