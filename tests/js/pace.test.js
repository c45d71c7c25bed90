// What a server is told of a hand that moves sliders: the latest value of each, and none after a later one.
import assert from "node:assert/strict"
import { test } from "node:test"

/** @typedef {{ name: string, value: number, setv: (changed: { value: number }, options: { sync?: boolean }) => void }} Model */

/** @type {Record<string, (() => void)[]>} */
const listeners = {}
const page = { addEventListener: (/** @type {string} */ type, /** @type {() => void} */ act) => (listeners[type] ??= []).push(act) }
Object.assign(globalThis, { document: page, matchMedia: () => ({ matches: false }) })

/** @type {[string, number][]} what the server was told */
let told = []
/** How long a value that is shown need not be told; 0 if the server shows it. @type {number} */
let pace = 0

class Slider {
    /** @param {string} name @param {number} value */
    constructor(name, value) {
        this.model = /** @type {Model} */ ({
            name, value,
            setv({ value }, { sync = true }) {
                this.value = value
                if (sync) told.push([name, value])
            },
        })
    }
    /** @param {number[]} values */
    _calc_from([value]) { return value }
    /** @param {number[]} _values */
    _slide(_values) { throw Error("replaced") }
    /** @param {number[]} _values */
    _change(_values) { throw Error("replaced") }
}

const first = Object.assign(new Slider("any", 0), {})
Object.assign(first.model, { type: "Slider" })
Object.assign(globalThis, { Bokeh: { index: { query: (/** @type {(one: any) => boolean} */ condition) => [first].filter(condition) } } })
const { isMoving, sayAtPace } = await import("../../tapviz/live/compat.js")
sayAtPace(() => ({ show: () => pace }))

/** Lets the time pass after which all has been told. @param {import("node:test").TestContext} context */
const beginning = (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] })
    context.after(() => context.mock.timers.tick(10_000))
    told = []
    return { k: new Slider("k", 20), n: new Slider("n", 50), wait: (/** @type {number} */ ms) => context.mock.timers.tick(ms) }
}
const dispatch = (/** @type {string} */ type) => listeners[type].forEach((act) => act())

test("of quick steps the first is told at once, and then the last", (context) => {
    const { k, wait } = beginning(context)
    pace = 1000
    for (const value of [19, 18, 17]) k._slide([value])
    assert.equal(k.model.value, 17)
    assert.deepEqual(told, [["k", 19]])
    assert.ok(isMoving()) // so that the server does not take 19 for where the hand rests
    wait(1000)
    assert.deepEqual(told, [["k", 19], ["k", 17]])
    assert.ok(!isMoving())
})

test("the last step of a slider is told when the hand takes another", (context) => {
    const { k, n, wait } = beginning(context)
    pace = 1000
    for (const value of [49, 42]) n._slide([value])
    for (const value of [19, 18]) k._slide([value])
    wait(2000)
    assert.deepEqual(told.filter(([name]) => name === "n"), [["n", 49], ["n", 42]])
    assert.deepEqual(told.at(-1), ["k", 18])
})

test("no older value is told after one that the server has to show at once", (context) => {
    const { k, wait } = beginning(context)
    pace = 1000
    for (const value of [19, 18]) k._slide([value])
    pace = 0 // the page has lost its views: other queries were chosen, say
    k._slide([17])
    wait(5000)
    assert.deepEqual(told, [["k", 19], ["k", 17]])
})

test("a hand that goes back to what was told stays there", (context) => {
    const { k, wait } = beginning(context)
    pace = 0
    dispatch("pointerdown")
    for (const value of [19, 18, 19]) k._slide([value])
    wait(5000)
    assert.equal(told.at(-1)?.[1], 19)
    assert.ok(told.every(([, value]) => value !== 18))
    dispatch("pointerup")
})
