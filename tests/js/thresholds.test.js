// Where a threshold is on the lines of a picture.
import assert from "node:assert/strict"
import { test } from "node:test"
import { marksOf, nearest, reached, thresholdAt } from "../../tapviz/draw/thresholds.js"

const FRAME = { left: 0, right: 100, top: 0, bottom: 100, x: (/** @type {number} */ at) => 10 * at, y: (/** @type {number} */ at) => 100 * at }
const CURVE = { x: [1, 2, 4], y: [0.1, 0.2, 0.4], at: [1, 2, 4], own: false, color: "red" }
const OWN = { x: [0, 0.5, 1], y: [0, 0.5, 1], at: [100, 10, 1], own: true, color: "blue" }

test("the last point at or before a threshold is found, on rising and falling lines", () => {
    const rising = [1, 2, 2, 4], falling = [4, 2, 1]
    assert.deepEqual([0, 1, 2, 3, 9].map((at) => reached(rising, at)), [-1, 0, 2, 2, 3])
    assert.deepEqual([9, 4, 3, 1, 0].map((at) => reached(falling, at)), [-1, 0, 0, 2, 2])
    assert.equal(reached([], 1), -1)
    assert.deepEqual([3, 1].map((at) => reached([4, 2, NaN], at)), [0, 1]) // what is undefined does not count
})

test("it is that of a search one by one", () => {
    const at = [0.001, 0.01, 0.01, 0.5, 3, 3, 3, 10]
    for (const threshold of [0, ...at, 0.3, 5, 20]) {
        assert.equal(reached(at, threshold), at.filter((one) => one <= threshold).length - 1)
    }
})

test("the nearest item is the first of those that are equally near, and undefined ones are none", () => {
    assert.deepEqual(nearest(4, (i) => [NaN, 3, 1, 1][i]), { best: 2, least: 1 })
    assert.equal(nearest(2, () => NaN).best, -1)
})

test("the threshold under the mouse is that of the nearest point of all lines", () => {
    const from = (/** @type {number} */ px, /** @type {number} */ py) => (/** @type {number} */ x, /** @type {number} */ y) =>
        Math.hypot(10 * x - px, 100 * y - py)
    assert.equal(thresholdAt([CURVE, OWN], from(21, 19)), 2)
    assert.equal(thresholdAt([CURVE, OWN], from(5, 50)), 10)
    assert.ok(Number.isNaN(thresholdAt([], from(0, 0))))
})

test("a line has its dot at the last point before the threshold, and the rule is at the threshold", () => {
    assert.deepEqual(marksOf([CURVE], 3, FRAME), { dots: [{ x: 20, y: 20, color: "red" }], across: 30 })
})

test("on a line with thresholds of its own the rule is at the dot", () => {
    assert.deepEqual(marksOf([OWN], 10, FRAME), { dots: [{ x: 5, y: 50, color: "blue" }], across: 5 })
})

test("there is no dot before a line begins, after it ends, or outside the frame", () => {
    assert.deepEqual(marksOf([CURVE], 0.5, FRAME).dots, [])
    assert.deepEqual(marksOf([CURVE], 5, FRAME).dots, [])
    assert.equal(marksOf([CURVE], 4, FRAME).dots.length, 1) // its end is still on it
    assert.deepEqual(marksOf([{ ...CURVE, y: [2, 2, 2] }], 2, FRAME).dots, [])
})
