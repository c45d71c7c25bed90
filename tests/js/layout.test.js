// Places in a picture: scales, ticks, texts that make room for each other, paths.
import assert from "node:assert/strict"
import { test } from "node:test"
import {
    formatted, inRow, linePath, moveApart, placed, scaled, spread, ticksWithRoom, wrapped,
} from "../../tapviz/draw/layout.js"

test("a scale is a straight line from the start of its axis to its end", () => {
    const scale = scaled({ start: 0 }, 10, 40, 240)
    assert.deepEqual([0, 2.5, 10].map(scale), [40, 90, 240])
    const falling = scaled({ start: 0 }, 1, 300, 0) // heights are counted from above
    assert.deepEqual([0, 0.25, 1].map(falling), [300, 225, 0])
})

test("on a logarithmic axis every decade is as long as the next", () => {
    const scale = scaled({ start: 0.01, log: true }, 100, 0, 400)
    assert.deepEqual([0.01, 0.1, 1, 10, 100].map((at) => Math.round(scale(at))), [0, 100, 200, 300, 400])
})

test("an axis that ends where it starts has a scale", () => {
    assert.equal(scaled({ start: 3 }, 3, 0, 100)(3), 0)
})

test("a pixel has the place that is drawn there, in decades on a logarithmic axis", () => {
    assert.deepEqual([40, 90, 240].map(placed({ start: 0 }, 10, 40, 240)), [0, 2.5, 10])
    assert.deepEqual([0, 100, 400].map(placed({ start: 0.01, log: true }, 100, 0, 400)), [-2, -1, 2])
})

test("of the levels of ticks the finest is taken whose texts have room", () => {
    /** @type {[number, string][][]} */
    const levels = [[[0, "0"], [10, "10"]], [[0, "0"], [5, "5"], [10, "10"]]]
    const width = (/** @type {string} */ text) => 6 * text.length
    assert.equal(ticksWithRoom(levels, (at) => 10 * at, width, 8), levels[1])
    // From 0 to 5 there are 15 pixels, 3 + 3 for the texts and 9 between them; from 5 to 10, 3 + 6 and 6.
    assert.equal(ticksWithRoom(levels, (at) => 3 * at, width, 6), levels[1])
    assert.equal(ticksWithRoom(levels, (at) => 3 * at, width, 8), levels[0])
})

test("where no level has room, its ends are kept, and what fits between them", () => {
    /** @type {[number, string][][]} */
    const levels = [[[0, "0"], [1, "1"], [5, "5"], [10, "10"]]]
    const kept = ticksWithRoom(levels, (at) => 4 * at, () => 6, 4)
    assert.deepEqual(kept.map(([at]) => at), [0, 10, 5])
    assert.deepEqual(ticksWithRoom([[[0, "0"], [1, "1"]]], (at) => at, () => 6, 4).map(([at]) => at), [0])
    assert.deepEqual(ticksWithRoom([], (at) => at, () => 6, 4), [])
})

test("heights that are far enough apart stay", () => {
    assert.deepEqual(spread([30, 10, 20], 10, 0, 100), [30, 10, 20])
})

test("heights that are too near share their mean", () => {
    // 50 and 50, 10 apart: the sum of squares is least at 45 and 55.
    assert.deepEqual(spread([50, 50], 10, 0, 100), [45, 55])
    // With 58 they are three: less their gaps 50, 40 and 38, whose mean is 128 / 3.
    const [a, b, c] = spread([50, 50, 58], 10, 0, 100)
    assert.ok(Math.abs(a - 128 / 3) < 1e-9)
    assert.ok(Math.abs(b - a - 10) < 1e-9 && Math.abs(c - b - 10) < 1e-9)
})

test("heights stay between the limits, and keep their order", () => {
    assert.deepEqual(spread([1, 2], 10, 0, 100), [0, 10])
    assert.deepEqual(spread([99, 98], 10, 0, 100), [100, 90])
})

test("texts of a row are moved to the right, and back where they would leave it", () => {
    assert.deepEqual(inRow([{ start: 0, width: 20 }, { start: 10, width: 20 }], 6, 100), [0, 26])
    assert.deepEqual(inRow([{ start: 60, width: 20 }, { start: 70, width: 30 }], 6, 100), [44, 70])
    assert.deepEqual(inRow([], 6, 100), [])
})

test("names of a column are moved apart, and those of a row too", () => {
    const frame = { top: 0, bottom: 110, width: 200 }
    const text = (/** @type {number} */ i, /** @type {number} */ px, /** @type {number} */ py) => ({ i, px, py, width: 30 })
    const column = [text(0, 100, 50), text(1, 100, 50)]
    moveApart(column, null, 10, frame)
    assert.deepEqual(column.map(({ py }) => py), [44.5, 55.5]) // 1.1 letters apart
    const row = [text(0, 10, 50), text(1, 20, 50)]
    moveApart(row, null, 10, frame)
    assert.deepEqual(row.map(({ px }) => px), [10, 46])
})

test("names whose neighbours are left out go to their own lines", () => {
    const places = [{ i: 4, px: 100, py: 20, width: 30 }, { i: 7, px: 100, py: 30, width: 30 }]
    moveApart(places, (i) => (i === 4 ? 60 : NaN), 10, { top: 0, bottom: 110, width: 200 })
    assert.deepEqual(places.map(({ py }) => py), [60, 30])
})

test("a line has a gap where a point is undefined", () => {
    const x = [0, 1, NaN, 3, 4], y = [5, 6, 7, 8.25, 9]
    assert.equal(linePath(5, (i) => x[i], (i) => y[i]), "M0.0 5.0L1.0 6.0M3.0 8.3L4.0 9.0")
    assert.equal(linePath(0, () => 0, () => 0), "")
})

test("words are put into lines, and a long one stands alone", () => {
    const lines = wrapped("a short and an extraordinarily long text", 12, (text) => text.length)
    assert.deepEqual(lines, ["a short and", "an", "extraordinarily", "long text"])
})

test("numbers of a tooltip are written as its braces ask", () => {
    assert.equal(formatted(1234567, "0,0"), "1,234,567")
    assert.equal(formatted(0.12345, "0.000"), "0.123")
    assert.equal(formatted(NaN, "0.000"), "—")
    assert.equal(formatted(null, "0.000"), "—")
    assert.equal(formatted("d1abc"), "d1abc")
    assert.equal(formatted(0.5), "0.5")
})
