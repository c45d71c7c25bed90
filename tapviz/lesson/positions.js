// What a scene shows where its controls are: texts of its tables, and items of its pictures.

/**
 * @import { Chart, Control, Follow, Scene, Table } from "./reader.js"
 * @import { Layer } from "../draw/browser.js"
 * @typedef {Record<string, number>} At position of each control
 */

/** @param {Scene} scene @param {string} name */
const controlOf = (scene, name) => /** @type {Control} */ (scene.controls.find((control) => control.name === name))

/** A text of the scene's tables. @param {Scene} scene @param {At} at @param {string} name */
export function textAt(scene, at, name) {
    for (const table of scene.tables) {
        if (!(name in table.columns)) continue
        return table.columns[name][table.over.reduce((sum, over) => sum * controlOf(scene, over).texts.length + at[over], 0)]
    }
    return ""
}

/** Numbers of a table at all positions of a control, where the others are. @param {Scene} scene @param {At} at @param {string} name @param {string} control */
function along(scene, at, name, control) {
    const table = /** @type {Table} */ (scene.tables.find((one) => name in one.columns))
    let first = 0, step = 1, apart = 0
    for (const over of [...table.over].reverse()) {
        if (over === control) apart = step
        else first += at[over] * step
        step *= controlOf(scene, over).texts.length
    }
    return controlOf(scene, control).texts.map((_, i) => +table.columns[name][first + i * apart])
}

/** Items of a layer up to the position of a control, that at it alone, or all. @param {Layer} layer @param {Follow} follow @param {Scene} scene @param {At} at */
function part(layer, [control, take], scene, at) {
    /** @type {Record<string, any>} */
    const columns = {}
    for (const [name, given] of Object.entries(layer.columns)) {
        const slot = typeof given === "string" && given.match(/^\{(\w+)\}$/)
        const column = slot ? along(scene, at, slot[1], control) : given
        columns[name] = !Array.isArray(column) || take === "all" ? column : take === "upto" ? column.slice(0, at[control] + 1) : [column[at[control]]]
    }
    return { ...layer, columns, size: take === "all" ? layer.size : take === "upto" ? Math.min(at[control] + 1, layer.size) : 1 }
}

const nothing = (/** @type {Layer} */ layer) => ({
    ...layer, size: 0, columns: Object.fromEntries(Object.keys(layer.columns).map((name) => [name, []])),
})

/**
 * The layers of a chart.
 *
 * @param {Chart} chart @param {Scene} scene @param {At} at @param {boolean} known whether the answer is
 * @param {boolean} shown whether the controls are
 */
export function layersAt(chart, scene, at, known, shown) {
    return chart.picture.layers.map((layer) => {
        const follow = chart.follows[layer.name], before = chart.before[layer.name]
        if (chart.known.includes(layer.name) && !known) return before ?? nothing(layer)
        if (follow) return shown ? part(layer, follow, scene, at) : nothing(layer)
        return before && !known ? before : layer
    })
}
