import assert from "node:assert/strict"
import { test } from "node:test"
import { nearest } from "../../tapviz/lesson/drag.js"
import { runs, side, upTo } from "../../tapviz/lesson/lanes.js"

test("a list in words says where its errors are", () => {
    assert.equal(runs("RRIIIR"), "2 relevant, 3 irrelevant, 1 relevant")
    assert.equal(runs("RIRIRIR"), `${"1 relevant, 1 irrelevant, ".repeat(3).slice(0, -2)} and so on`)
    assert.equal(runs(""), "")
})

test("records up to each error, first up to none", () => {
    assert.deepEqual(upTo("RRIRI"), [0, 3, 5])
    assert.deepEqual(upTo(""), [0])
})

test("seats fit into their box, fifty in one row", () => {
    assert.equal(side(50, 800, 40), 16)
    for (const [count, width, height] of [[50, 350, 22], [300, 350, 22], [300, 800, 34], [5000, 350, 44]]) {
        const size = side(count, width, height)
        assert.ok(Math.floor(width / size) * Math.floor(height / size) >= count)
    }
})

test("the nearest of several values", () => {
    assert.equal(nearest([1, 0.5, 0.02], 0.7), 1)
    assert.equal(nearest([-180, -178], -500), 0)
})
