// What Bokeh calls: ticks and their texts, tooltips, the size of names.
import assert from "node:assert/strict"
import { test } from "node:test"
import { item } from "../../tapviz/draw/columns.js"
import keepFitting, { fit, isWhole } from "../../tapviz/draw/fit.js"
import others from "../../tapviz/draw/others.js"
import plain from "../../tapviz/draw/plain.js"
import power from "../../tapviz/draw/power.js"
import ticker from "../../tapviz/draw/ticker.js"

const LOGARITHMIC = { zero: null, compressed: false, kink: -2, squeeze: 4 }

test("ticks are those of the first level of which enough are seen", () => {
    const levels = [[0, 5, 10], [0, 2, 4, 6, 8, 10]]
    assert.deepEqual(ticker(levels, { start: 0, end: 10 }, 3), [0, 5, 10])
    assert.deepEqual(ticker(levels, { start: 1, end: 7 }, 3), [2, 4, 6])
    assert.deepEqual(ticker(levels, { start: 1, end: 3 }, 3), [0, 2, 4, 6, 8, 10]) // Bokeh shows what it sees
})

test("a number is written out, not as a power of ten", () => {
    assert.deepEqual([140000, 0.0002, -5, 0].map(plain), ["140,000", "0.0002", "−5", "0"])
})

test("a place on a scale of powers has the text of its value", () => {
    const texts = [-3, -2, -1, Math.log10(0.5), 0, Math.log10(20), 3, 4, Math.log10(2e5), -10]
        .map((tick) => power(tick, LOGARITHMIC))
    assert.deepEqual(texts, ["10⁻³", "0.01", "0.1", "0.5", "1", "20", "1000", "10⁴", "2·10⁵", "10⁻¹⁰"])
})

test("the place of zero is called so, and what is squeezed below the kink has its own value", () => {
    assert.equal(power(-4, { ...LOGARITHMIC, zero: -4 }), "0")
    // Below the kink at -2 a place x is for the decade -2 - 4 (exp((-2 - x) / 4) - 1).
    const x = -2 - 4 * Math.log1p(8 / 4)
    assert.equal(power(x, { ...LOGARITHMIC, compressed: true }), "10⁻¹⁰")
})

test("an item of a column is that of an array, or the one value of all", () => {
    assert.deepEqual([item([1, 2], 1), item(new Float64Array([1, 2]), 1), item(7, 1), item("red", 3)], [2, 2, 7, "red"])
    assert.ok(Number.isNaN(item([1, null], 1)))
})

test("a tooltip names the other queries at a place, and counts what is too many", () => {
    const columns = { x: [0, 0, 1, 0], y: [0, 0, 0, 0], query: ["a", "b", "c", "d"], total: [1, 2000, 3, 4] }
    assert.equal(others(columns, 0), "b, T(q) = 2,000\nd, T(q) = 4")
    assert.equal(others(columns, 2), "")
    const six = { x: 0, y: 0, query: [..."abcdef"], total: 1 }
    assert.match(others(six, 0, 6), /e, T\(q\) = 1\nand 1 more query here$/)
    assert.match(others({ ...six, query: [..."abcdefg"] }, 0, 7), /and 2 more queries here$/)
})

test("letters become smaller where a plot would cut them, or is low, down to the smallest", () => {
    const sizes = (/** @type {number} */ wide, { x = [0.5], y = [...Array(20).keys()], text = ["0123456789"], align = "left", high = 300, log = false } = {}) => {
        /** @type {string[]} */
        const set = []
        const axis = (/** @type {string} */ axis_label) => ({ axis_label, setv: (/** @type {any} */ { axis_label_text_font_size: size }) => set.push(size) })
        const glyph = { text_align: { value: align }, x_offset: { value: 0 }, setv: (/** @type {any} */ { text_font_size: { value } }) => set.push(value) }
        const x_range = log ? { start: 1, end: 100 } : { start: 0, end: 1 }, x_scale = { type: log ? "LogScale" : "LinearScale" }
        const figure = { properties: { inner_height: { is_unset: !wide } }, inner_width: wide, inner_height: high, x_range, x_scale, below: [axis("a".repeat(20))], left: [axis("")] }
        fit(figure, [{ glyph, data_source: { data: { x, y, text } } }], { most: 12, smallest: 7 }, (one) => 10 * one.length)
        return set.map(parseFloat)
    }
    // Of a plot of 200 pixels half are right of the text, which takes 100.
    assert.deepEqual(sizes(200), [12, 12, 12])
    assert.deepEqual(sizes(160), [10, 12, 9]) // 176 of 200 pixels for the title, 80 of 100 for the text
    assert.deepEqual(sizes(20), [7, 12, 7])
    assert.deepEqual(sizes(160, { align: "center" })[2], 12)
    assert.deepEqual(sizes(160, { x: [0.25], align: "right" })[2], 7)
    assert.deepEqual(sizes(160, { x: [10], log: true })[2], 9)
    assert.deepEqual(sizes(400, { x: [NaN, 2, 0.5], text: ["0".repeat(99), "0".repeat(99), ""] })[2], 12)
    // 160 pixels to the next text of the row, less 6.
    assert.deepEqual(sizes(400, { x: [0.2, 0.6], y: [1, 1], text: ["0".repeat(20), "0"] })[2], 9)
    // Twenty rows of 10 pixels; three that may be as close as names are.
    assert.deepEqual(sizes(400, { x: Array(20).fill(0.5), text: Array(20).fill("a"), high: 160 })[2], 8)
    assert.deepEqual(sizes(400, { x: [0.5, 0.5, 0.5], text: ["a", "b", "c"], high: 100 })[2], 9)
    assert.deepEqual(sizes(0), [])
})

test("an axis goes on for names right of the data that would be illegible, unless somebody has zoomed", () => {
    const range = (/** @type {object} */ ends = {}) => {
        /** @type {any} */
        const made = { start: 0, end: 2, reset_start: 0, reset_end: 2, setv: (/** @type {object} */ values) => Object.assign(made, values), ...ends }
        return made
    }
    const letters = (/** @type {any} */ x_range, { wide = 200, text = "0123456789", place = 1.5, bounds = /** @type {any} */ ([0, 1]), log = false } = {}) => {
        let set = ""
        const glyph = { text_align: "left", x_offset: 0, setv: (/** @type {any} */ { text_font_size: { value } }) => set = value }
        const axis = { axis_label: "", setv: () => {}, bounds }, data = { x: [place], y: [0], text: [text] }
        const figure = {
            properties: { inner_height: { is_unset: false } }, inner_width: wide, inner_height: 300, x_range,
            x_scale: { type: log ? "LogScale" : "LinearScale" }, below: [axis], left: [axis],
        }
        fit(figure, [{ glyph, data_source: { data } }], { most: 10, smallest: 7 }, (one) => 8 * one.length)
        return [x_range.end, set]
    }
    // It takes 80 of 200 pixels, and had 50: of the 120 before it, 1.5 of the axis.
    const narrow = range()
    assert.deepEqual(letters(narrow), [2.5, "10px"])
    assert.deepEqual(letters(narrow), [2.5, "10px"]) // and not further each time
    assert.equal(isWhole(narrow), true)
    assert.deepEqual(letters(range(), { wide: 400 }), [2, "10px"])
    assert.deepEqual(letters(range(), { text: "0".repeat(15) }), [3, "8px"]) // half of it is left to the data
    assert.deepEqual(letters(range(), { bounds: "auto" }), [2, "7px"])
    assert.deepEqual(letters(range({ end: 1.9 })), [1.9, "7px"])
    assert.deepEqual(letters(range({ start: 1, end: 100, reset_start: 1, reset_end: 100 }), { place: 10 ** 1.5, log: true }), [10 ** 2.5, "10px"])
    // Of two plots with the same axis it is the one whose names need more.
    assert.deepEqual(letters(narrow, { text: "0" })[0], 2.5)
    narrow.reset_end = narrow.end = 4 // as the data say
    assert.deepEqual(letters(narrow, { place: 3 }), [5, "10px"])
})

test("names at the left become smaller where they leave too little of the width", () => {
    const called = (/** @type {string[]} */ names) => new Map(names.map((name, i) => [i, name]))
    const size = (/** @type {number} */ outer_width, /** @type {object} */ names) => {
        /** @type {any} */
        let set = {}
        const setv = (/** @type {object} */ values) => set = { ...set, ...values }
        const left = { axis_label: "", setv, major_label_overrides: names }
        const figure = {
            properties: { inner_height: { is_unset: false } }, inner_width: 100, inner_height: 300, outer_width,
            x_range: { start: 0, end: 1 }, x_scale: {}, below: [{ axis_label: "", setv: () => {} }], left: [left],
        }
        fit(figure, [], { most: 12, smallest: 7 }, (one) => 10 * one.length)
        return set.major_label_text_font_size
    }
    // 42 % of the width is theirs, of which the longest takes 100 pixels.
    assert.equal(size(500, called(["short", "0123456789"])), "12px")
    assert.equal(size(200, called(["short", "0123456789"])), "10px")
    assert.equal(size(50, called(["short", "0123456789"])), "7px")
    assert.equal(size(50, called([])), undefined)
    assert.equal(size(50, {}), undefined) // as Bokeh reads a mapping that the server has emptied
})

test("letters are as large as the axis that follows the data allows, whatever arrives first", () => {
    /** @type {string[]} */
    const set = []
    /** @type {Map<object, () => unknown>} */
    const told = new Map()
    const changes = { data: {}, range: {} }
    const text_font_size = (/** @type {any} */ { text_font_size: { value } }) => set.push(value)
    const glyph = { type: "Text", text_align: { value: "left" }, x_offset: { value: 0 }, setv: text_font_size }
    const data_source = { data: { x: [0.5], y: [0], text: ["0123456789"] }, properties: { data: { change: changes.data } } }
    const axis = { axis_label: "", setv: () => {} }
    const x_range = { start: 0, end: 0.6, reset_start: 0, reset_end: 0.6, change: changes.range }
    const figure = {
        properties: { inner_height: { is_unset: false } }, inner_width: 200, inner_height: 300, x_range, x_scale: {}, below: [axis], left: [axis],
        renderers: [{ glyph, data_source }],
        connect: (/** @type {object} */ change, /** @type {() => unknown} */ act) => Boolean(told.set(change, act)),
    }
    keepFitting(figure, { most: 12, smallest: 7 }, (one) => 10 * one.length)
    assert.deepEqual([...told.keys()], [changes.data, changes.range])
    for (const change of [{ reset_end: 1 }, { end: 1 }, { start: 0.4 }, { start: 0 }]) {
        Object.assign(x_range, change)
        told.get(changes.range)?.()
    }
    assert.deepEqual(set, ["7px", "12px", "12px"]) // at first, once both ends are there, and of what is zoomed when it is whole again
    assert.equal(told.size, 2)
})
