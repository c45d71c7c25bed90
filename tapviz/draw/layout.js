// Places in a picture, in pixels.

const APART = 6 // between texts in a row

/**
 * Scale of an axis: a function from places to pixels.
 *
 * @param {{ start: number, log?: boolean }} axis
 * @param {number} end where the axis ends
 * @param {number} from pixel of its start
 * @param {number} to pixel of its end
 */
export function scaled(axis, end, from, to) {
    const at = axis.log ? Math.log10 : (/** @type {number} */ value) => value
    const first = at(axis.start), last = at(end === axis.start ? end + 1 : end)
    const factor = (to - from) / (last - first)
    return (/** @type {number} */ value) => from + (at(value) - first) * factor
}

/**
 * Place on an axis of each pixel, see `scaled`; in decades if the axis is logarithmic.
 *
 * @param {{ start: number, log?: boolean }} axis
 * @param {number} end
 * @param {number} from
 * @param {number} to
 */
export function placed(axis, end, from, to) {
    const at = axis.log ? Math.log10 : (/** @type {number} */ value) => value
    const first = at(axis.start)
    return (/** @type {number} */ pixel) => first + (pixel - from) / (to - from) * (at(end) - first)
}

/** @typedef {[at: number, text: string]} Tick */

/**
 * The finest level of ticks whose texts have room, or what of the coarsest has.
 *
 * @param {Tick[][]} levels from coarse to fine
 * @param {(at: number) => number} scale
 * @param {(text: string) => number} width of a text along the axis
 * @param {number} gap between texts
 */
export function ticksWithRoom(levels, scale, width, gap) {
    const clear = (/** @type {Tick} */ one, /** @type {Tick} */ other) =>
        Math.abs(scale(one[0]) - scale(other[0])) >= (width(one[1]) + width(other[1])) / 2 + gap
    const fits = (/** @type {Tick[]} */ ticks) => ticks.every((tick, i) => !i || clear(tick, ticks[i - 1]))
    for (const level of [...levels].reverse()) if (level.length > 1 && fits(level)) return level
    const all = levels[0] ?? []
    const kept = all.length > 1 ? [all[0], all[all.length - 1]] : [...all]
    for (const tick of all.slice(1, -1)) {
        if (kept.every((other) => clear(tick, other))) kept.push(tick)
    }
    return kept.length === 2 && !clear(kept[0], kept[1]) ? [all[0]] : kept
}

/**
 * Move heights apart until neighbours are at least `gap` from each other, between two limits: as
 * little as they can, see `spread` in plots/names.py.
 *
 * @param {number[]} heights
 * @param {number} gap
 * @param {number} low
 * @param {number} high
 */
export function spread(heights, gap, low, high) {
    const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b] || a - b)
    /** @type {{ mean: number, size: number }[]} */
    const blocks = []
    order.forEach((i, place) => {
        let block = { mean: heights[i] - gap * place, size: 1 }
        for (let below = blocks.at(-1); below && below.mean > block.mean; below = blocks.at(-1)) {
            const size = below.size + block.size
            block = { mean: (below.mean * below.size + block.mean * block.size) / size, size }
            blocks.pop()
        }
        blocks.push(block)
    })
    const most = Math.max(low, high - gap * (heights.length - 1))
    const placed = blocks.flatMap(({ mean, size }) => Array(size).fill(Math.min(Math.max(mean, low), most)))
    /** @type {number[]} */
    const result = []
    order.forEach((i, place) => { result[i] = placed[place] + gap * place })
    return result
}

/**
 * Starts of texts in a row, moved apart from left to right, and back where they would leave it.
 *
 * @param {{ start: number, width: number }[]} texts from left to right
 * @param {number} gap
 * @param {number} end of the row
 */
export function inRow(texts, gap, end) {
    const starts = texts.map(({ start }) => start)
    for (let i = 1; i < texts.length; i++) {
        starts[i] = Math.max(starts[i], starts[i - 1] + texts[i - 1].width + gap)
    }
    for (let i = texts.length - 1; i >= 0; i--) {
        starts[i] = Math.min(starts[i], end - texts[i].width)
        end = starts[i] - gap
    }
    return starts
}

/** @typedef {{ i: number, px: number, py: number, width: number }} Placed a text, by its place in the layer */

/**
 * Move texts apart: those of one column up and down, since on a low plot a line is higher than its
 * share; and then those of one row along it, since on a narrow plot a text is longer than its share.
 *
 * @param {Placed[]} places
 * @param {((i: number) => number) | null} lineOf height of the line of a text, if it is to be there
 * @param {number} size of the letters
 * @param {{ top: number, bottom: number, width: number }} frame
 */
export function moveApart(places, lineOf, size, { top, bottom, width }) {
    for (const at of new Set(places.map(({ px }) => px))) {
        const column = places.filter(({ px }) => px === at)
        if (column.length < 2 && !lineOf) continue
        const own = column.map(({ i, py }) => {
            const line = lineOf ? lineOf(i) : NaN
            return Number.isFinite(line) ? line : py
        })
        const heights = spread(own, size * 1.1, top, bottom - size / 2)
        column.forEach((one, j) => { one.py = heights[j] })
    }
    for (const at of new Set(places.map(({ py }) => py))) {
        const row = places.filter(({ py }) => py === at).sort((a, b) => a.px - b.px)
        const starts = inRow(row.map((one) => ({ start: one.px, width: one.width })), APART, width - 1)
        row.forEach((one, j) => { one.px = starts[j] })
    }
}

/**
 * Path of a line, with a gap where a point is undefined.
 *
 * @param {number} n
 * @param {(i: number) => number} x pixel of a point
 * @param {(i: number) => number} y
 */
export function linePath(n, x, y) {
    let path = "", pen = "M"
    for (let i = 0; i < n; i++) {
        const px = x(i), py = y(i)
        if (Number.isFinite(px) && Number.isFinite(py)) {
            path += `${pen}${px.toFixed(1)} ${py.toFixed(1)}`
            pen = "L"
        } else pen = "M"
    }
    return path
}

/**
 * Words in lines of at most a width; a word that is wider stands alone.
 *
 * @param {string} text
 * @param {number} width
 * @param {(text: string) => number} widthOf
 */
export function wrapped(text, width, widthOf) {
    /** @type {string[]} */
    const lines = []
    for (const word of text.split(/\s+/)) {
        const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word
        if (!lines.length || widthOf(longer) > width) lines.push(word)
        else lines[lines.length - 1] = longer
    }
    return lines
}

/**
 * A number as the braces of a tooltip's `@column{…}` ask: "0,0" with separators, "0.000" with so many
 * digits; otherwise as it is.
 *
 * @param {any} value
 * @param {string} [format]
 */
export function formatted(value, format = "") {
    if (format === "0,0") return Number(value).toLocaleString("en")
    if (!/^0\.0+$/.test(format)) return String(value)
    return Number.isFinite(value) ? value.toFixed(format.length - 2) : "—"
}
