// What follows a hand that moves a slider. What the page shows at every position has been computed and is
// here as views: it is moved at once, without the server, which is told now and then where the hand
// is, the more seldom the more hands move. What the server shows it answers each frame, by its number,
// when it has been painted.
import { isTrack, valueAt, whole } from "../draw/tracks.js"
import { figuresNamed, isMoving, paintAtOnce, paintLater, quicken, sayAtPace, sliderOf } from "./compat.js"
import { turnRows } from "./turn_rows.js"

/** @typedef {import("../draw/tracks.js").Track} Track */
/** @typedef {{ start: number, step: number, size: number, figure?: string, layers?: Record<string, Record<string, Track>>, [name: string]: any }} View */

const BLANK = /** @type {Record<string, unknown>} */ ({ text: "", color: "black" })

/** @type {Record<string, Record<string, View>>} views of parts of the page, by setting and part */
const views = {}
/** @type {Record<string, number>} the position that each setting is to be shown at */
const places = {}
/** @type {Set<string>} settings to be shown in the next frame */
const asked = new Set()
/** @type {string[]} what the server was told, and has not answered yet, as `toldOf` writes it */
let told = []

/** A setting and its value at a place: neighbouring places may stand for the same. @param {string} setting @param {number} place */
const toldOf = (setting, place) => `${setting} ${views[setting]?.table?.boxes[place] ?? place}`

/** Columns of sources that have been moved: what the server knows, and what is there. @type {Map<any, Record<string, { known: any, shown: any }>>} */
const moved = new Map()

/** Tracks within a value, with their values in full. @param {any} value @returns {any} */
const inFull = (value) => {
    if (value === null || typeof value !== "object") return value
    if (Array.isArray(value)) return value.map(inFull)
    if (isTrack(value) && "values" in value) return whole(/** @type {Track} */ (value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inFull(one)]))
}

/** @param {ArrayBuffer} bytes @returns {Promise<View>} */
const unpacked = async (bytes) => {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))
    return inFull(await new Response(stream).json())
}

/** Changes the HTML of the part of the page that has a slot. @param {string} slot @param {(element: HTMLElement) => void} turn */
const turn = (slot, turn) => document.dispatchEvent(new CustomEvent("tapviz-turn", { detail: { slot, turn } }))

/** A column as Bokeh has it: undefined is NaN; one of texts does not become shorter. @param {string} name @param {any[]} values @param {any} held @param {Record<string, string>} shades */
const column = (name, values, held, shades) => {
    let found = values.map((value) => (value === null ? NaN : value))
    if (name === "color") found = found.map((color) => shades[color] ?? color)
    const missing = held.text ? held.text.length - values.length : 0
    return missing > 0 ? found.concat(Array(missing).fill(BLANK[name] ?? NaN)) : found
}

/** @param {View} view @param {number} place @param {Record<string, string>} shades @param {any[]} figures */
const moveFigure = ({ figure = "", layers = {}, caption }, place, shades, figures) => {
    const at = () => place
    if (caption.control) {
        turn(figure, (element) => {
            const words = element.querySelector(".caption")
            if (words) words.innerHTML = valueAt(caption, at)
        })
    }
    for (const view of figures.filter(({ model }) => model.name === figure)) {
        paintLater(view)
        for (const renderer of view.model.renderers) {
            const source = renderer.data_source, { data } = source
            let changed = false
            /** @param {string} name @param {any} shown */
            const set = (name, shown) => {
                const columns = moved.get(source) ?? {}
                columns[name] = { known: columns[name] ? columns[name].known : data[name], shown }
                moved.set(source, columns)
                data[name] = shown
            }
            for (const [layer, tracks] of Object.entries(layers)) {
                const line = data.layer?.indexOf(layer) ?? -1
                if (line < 0 && renderer.name !== layer) continue
                changed = true
                for (const [name, track] of Object.entries(tracks)) {
                    const values = column(name, valueAt(track, at), data, shades)
                    if (line < 0) set(name, values)
                    else set(`${name}s`, Object.assign([...data[`${name}s`]], { [line]: values }))
                }
            }
            if (changed) source.change.emit() // seen by the plot, not sent to the server
        }
    }
}

/** Shows again what the server knows: what it sends next is the difference from that. */
const settle = () => {
    for (const [source, columns] of moved) {
        for (const [name, { known, shown }] of Object.entries(columns)) {
            if (source.data[name] === shown) source.data[name] = known
        }
        source.change.emit()
    }
    moved.clear()
    asked.clear()
    document.dispatchEvent(new Event("tapviz-settle"))
}

/** @param {View} view @param {number} place */
const moveTable = (view, place) => {
    for (const slot of ["cautions", "status"]) {
        turn(slot, (element) => element.firstElementChild?.setAttribute("aria-busy", "true"))
    }
    turn("table", (element) => turnRows(element, view, (track) => valueAt(track, () => place)))
    if (!view.verdict) return
    const verdict = valueAt(view.verdict, () => place)
    turn("verdict", (element) => {
        if (verdict === null) element.querySelector(".verdict")?.setAttribute("aria-busy", "true")
        else element.innerHTML = verdict
    })
}

/** @param {View} view @param {number} place */
const moveQueries = ({ queries, cells }, place) => {
    const shown = Object.fromEntries(Object.entries(queries).map(([name, track]) => [name, valueAt(track, () => place)]))
    const rows = shown.rows.map((/** @type {number[]} */ row) => row.map((cell) => cells[cell]))
    document.dispatchEvent(new CustomEvent("tapviz-queries", { detail: { ...shown, rows, from: 0 } }))
}

/** Views of the present of what a setting moves, by part. @param {any} model @param {string} setting */
const viewsOf = (model, setting) => Object.entries(views[setting] ?? {})
    .filter(([part]) => model.moving.includes(`${setting} ${part}`)).map(([, view]) => view)

/** The position of a slider in the views of its setting; -1 if it is in none. @param {any} model @param {any} slider @param {number} value */
const placeOf = (model, slider, value) => {
    const [view] = viewsOf(model, slider.tags[0])
    const place = view ? Math.round((value - view.start) / view.step) : -1
    return place < (view?.size ?? 0) ? place : -1
}

/** What a hand at a place is shown at once, and how long the server need not know; 0 if it shows it. @param {any} model @param {any} slider @param {number} value */
const follow = (model, slider, value) => {
    const [setting] = slider.tags, place = placeOf(model, slider, value)
    if (place < 0) return 0
    show(model, setting, place)
    return model.alone.includes(setting) ? model.pace : 0
}

/** @param {any} model @param {string} setting @param {number} place */
const show = (model, setting, place) => {
    places[setting] = place
    if (!asked.size) {
        requestAnimationFrame(() => draw(model))
        // In the same frame, once the plots have taken in what they were given.
        requestAnimationFrame(paintAtOnce)
    }
    asked.add(setting)
}

/** @param {any} model */
const draw = (model) => {
    quicken()
    const moves = [...asked].flatMap((setting) => viewsOf(model, setting).map((view) => ({ setting, view })))
    const figures = figuresNamed(new Set(moves.map(({ view }) => view.figure)))
    for (const { setting, view } of moves) {
        const place = places[setting]
        if (view.figure) moveFigure(view, place, model.shades, figures)
        else if (view.queries) moveQueries(view, place)
        else moveTable(view, place)
        if (view.boxes) writeBox(setting, view.boxes[place])
    }
    asked.clear()
    setTimeout(() => document.dispatchEvent(new Event("tapviz-moved")))
}

/** The view of each setting's slider, which takes a while to find. @type {Record<string, any>} */
const sliders = {}

/** Writes into the box beside a slider. @param {string} setting @param {string} text */
const writeBox = (setting, text) => {
    if (!sliders[setting]?.el?.isConnected) sliders[setting] = sliderOf(setting)
    const box = sliders[setting]?.el?.nextElementSibling?.shadowRoot?.querySelector("input")
    if (box) box.value = text
}

/** @param {{ model: any }} component of Panel */
export function render({ model }) {
    const answer = () => {
        const frame = model.frame
        quicken()
        sayAtPace(
            (slider, value) => follow(model, slider, value),
            (slider, value) => {
                told.push(toldOf(slider.tags[0], placeOf(model, slider, value)))
                model.held = isMoving()
            },
        )
        requestAnimationFrame(() => setTimeout(() => {
            document.dispatchEvent(new Event("tapviz-painted"))
            model.painted = frame
        }, 0))
    }
    model.on("frame", answer)
    if (model.frame) answer() // to what came with the page
    model.on("views", async () => {
        const come = Object.entries(model.views)
        const found = await Promise.all(come.map(([, bytes]) => unpacked(bytes)))
        for (const [i, [name]] of come.entries()) {
            const [setting, part] = name.split(" ")
            views[setting] = { ...views[setting], [part]: found[i] }
        }
    })
    model.on("settled", settle)
    model.on("place", () => {
        const [setting, place] = model.place, answered = told.indexOf(toldOf(setting, place))
        told = told.slice(answered + 1)
        if (answered < 0) show(model, setting, place)
    })
    document.addEventListener("tapviz-moved", () => { model.held = isMoving() })
    for (const type of ["pointerup", "pointercancel"]) {
        // After the last place has been told, which is still of the same drag.
        document.addEventListener(type, () => setTimeout(() => { model.held = isMoving() }), true)
    }
    return document.createElement("div")
}
