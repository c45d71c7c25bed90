// Rows of which the server sends those that are seen: windows, keys, scrolling.
import assert from "node:assert/strict"
import { test } from "node:test"
import { oncePerFrame, paced } from "../../tapviz/live/paced.js"
import { inSight, missing, rowAt } from "../../tapviz/page/rows.js"

test("a window of rows is asked for around those that are seen", () => {
    const sent = { from: 0, rows: Array(40) }
    assert.equal(missing(sent, 0, 12, 40), undefined)
    assert.equal(missing(sent, 27, 39, 40), undefined)
    // Rows 28 to 40 are 13, of 40 rows 13 come before them.
    assert.equal(missing(sent, 28, 40, 40), 15)
    assert.equal(missing({ from: 100, rows: Array(40) }, 3, 15, 40), 0)
    assert.equal(missing(sent, 50, 149, 40), 50) // more are seen than are sent at a time
})

test("nothing is asked for where nothing is seen", () => {
    assert.equal(missing({ from: 0, rows: [] }, 0, -1, 40), undefined)
})

test("keys lead from row to row, from page to page and to the ends", () => {
    const from = (/** @type {string} */ key, now = 5) => rowAt(key, now, 10, 100)
    assert.deepEqual(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"].map((key) => from(key)), [6, 4, 15, 0, 0, 99])
    assert.equal(from("ArrowDown", -1), 0)
    assert.equal(from("ArrowDown", 99), 99)
    assert.equal(from("Enter"), undefined)
    assert.equal(rowAt("Home", -1, 10, 0), undefined)
})

test("a row is scrolled into sight no further than needed", () => {
    const scroller = { scrollTop: 100, clientHeight: 50 }
    assert.deepEqual([60, 110, 126, 140].map((top) => inSight(scroller, top, 24)), [60, 100, 100, 114])
})

test("what is asked for many times in a frame is done once", () => {
    /** @type {(() => void)[]} */
    const frames = []
    globalThis.requestAnimationFrame = (act) => frames.push(() => act(0))
    let done = 0
    const soon = oncePerFrame(() => { done += 1 })
    soon()
    soon()
    assert.deepEqual([frames.length, done], [1, 0])
    frames[0]()
    assert.equal(done, 1)
    soon()
    assert.equal(frames.length, 2)
})

test("of what is given in a pause only the latest is done, unless it is dropped", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] })
    /** @type {number[]} */
    const done = []
    const give = paced(() => 100, (/** @type {number} */ given) => { done.push(given) })
    for (const given of [1, 2, 3]) give(given)
    assert.deepEqual(done, [1])
    context.mock.timers.tick(100)
    assert.deepEqual(done, [1, 3])
    give(4)
    give(undefined)
    context.mock.timers.tick(100)
    assert.deepEqual(done, [1, 3])
    give(5)
    assert.deepEqual(done, [1, 3, 5])
})
