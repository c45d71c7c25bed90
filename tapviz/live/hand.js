// What follows a hand that moves a slider. What the page shows at every position has been computed and is
// here as views: it is moved at once, without the server, which is told now and then where the hand
// is, the more seldom the more hands move. What the server shows it answers each frame, by its number,
// when it has been painted.
import { isWhole } from "../draw/fit.js"
import { isTrack, valueAt, whole } from "../draw/tracks.js"
import { figuresNamed, isMoving, paintAtOnce, paintLater, quicken, sayAtPace, sliderOf } from "./compat.js"
import { paced } from "./paced.js"
import { turnIntoHtml } from "./turn_into.js"
import { turnRows } from "./turn_rows.js"

/** @typedef {import("../draw/tracks.js").Track} Track */
/** @typedef {{ start: number, step: number, size: number, figure?: string, layers?: Record<string, Record<string, Track>>, axes?: Record<string, Record<string, Track>>, [name: string]: any }} View */

/**
 * @typedef {object} Page what is moved: one that is served, or of several in a notebook the one in a cell
 * @property {any} model part of it
 * @property {any} document of Bokeh
 * @property {Record<string, Record<string, View>>} views of its parts, by setting and part
 * @property {Record<string, number>} places the position that each setting is to be shown at
 * @property {Set<string>} asked settings to be shown in the next frame
 * @property {Set<string>} unsaid settings that plots show, and texts do not yet
 * @property {(page: Page) => void} say has texts show these: at once, or when the last have been there for a while
 * @property {string[]} told what the server was told, and has not answered yet, as `toldOf` writes it
 * @property {Map<any, Record<string, { known: any, shown: any }>>} moved columns of sources: what the server knows, and what is there
 * @property {Map<any, Record<string, { known: any, shown: any }>>} turned the same of properties of models
 * @property {Record<string, any>} sliders the view of each setting's slider, which takes a while to find
 */

const BLANK = /** @type {Record<string, unknown>} */ ({ text: "", color: "black", of: "" })
const READING = 100 // milliseconds between two positions of texts in a drag: nobody reads more, and plots get the time
const SOON = 100 // milliseconds in which a page in a cell may have been drawn

/** What follows the sliders of a page, by its document. @type {WeakMap<object, import("./compat.js").Follower>} */
const followers = new WeakMap()

/** A setting and its value at a place: neighbouring places may stand for the same. @param {Page} page @param {string} setting @param {number} place */
const toldOf = ({ views }, setting, place) => `${setting} ${views[setting]?.table?.boxes[place] ?? place}`

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

/** Tells the other parts of a page. @param {Page} page @param {string} event @param {object} detail */
const tell = (page, event, detail) => document.dispatchEvent(new CustomEvent(event, { detail: { of: page.document, ...detail } }))

/** Changes the HTML of the part of the page that has a slot. @param {Page} page @param {string} slot @param {(element: HTMLElement) => void} turn */
const turn = (page, slot, turn) => tell(page, "tapviz-turn", { slot, turn })

/** A column as Bokeh has it: undefined is NaN; one of texts does not become shorter. @param {string} name @param {any[]} values @param {any} held @param {Record<string, string>} shades */
const column = (name, values, held, shades) => {
    let found = values.map((value) => (value === null ? NaN : value))
    if (name === "color") found = found.map((color) => shades[color] ?? color)
    const missing = held.text ? held.text.length - values.length : 0
    return missing > 0 ? found.concat(Array(missing).fill(BLANK[name] ?? NaN)) : found
}

/** Notes what a page alone is shown of something. @param {Page["moved"]} notes @param {any} of @param {string} name @param {any} held @param {any} shown */
const note = (notes, of, name, held, shown) => {
    const noted = notes.get(of) ?? {}
    noted[name] = { known: noted[name] ? noted[name].known : held, shown }
    notes.set(of, noted)
}

/** Gives models properties of which the server is not told. @param {Page} page @param {any} model @param {Record<string, any>} values */
const turnModel = ({ turned }, model, values) => {
    for (const [name, value] of Object.entries(values)) note(turned, model, name, model[name], value)
    model.setv(values, { sync: false })
}

/** Lets an axis follow, its ends unless the person has zoomed. @param {Page} page @param {any} range @param {any} axis @param {Record<string, any>} shown @param {any[]} grids */
const moveAxis = (page, range, axis, { ends: [start, end], label, ticks, dataEnd }, grids) => {
    const zoomed = !isWhole(range)
    if (range.reset_start !== start || range.reset_end !== end) {
        // What the server knows, without what names take.
        if (!zoomed) range.setv({ end: range.reset_end }, { sync: false, silent: true })
        turnModel(page, range, { reset_start: start, reset_end: end, ...zoomed ? {} : { start, end } })
    }
    if (axis.axis_label !== label) turnModel(page, axis, { axis_label: label })
    if (dataEnd !== null) {
        const bounds = [start, dataEnd]
        turnModel(page, axis, { bounds })
        for (const grid of grids) turnModel(page, grid, grid.dimension ? { cross_bounds: bounds } : { bounds })
    }
    if (!ticks) return
    turnModel(page, axis, { major_label_overrides: new Map(ticks) })
    if (axis.ticker.ticks) turnModel(page, axis.ticker, { ticks: ticks.map((/** @type {any[]} */ [at]) => at) })
}

/** @param {Page} page @param {View} view @param {number} place @param {any[]} figures */
const moveFigure = (page, { figure = "", layers = {}, axes }, place, figures) => {
    const at = () => place, { moved, model: { shades } } = page
    /** @param {Record<string, Track>} tracks */
    const shown = (tracks) => Object.fromEntries(Object.entries(tracks).map(([name, track]) => [name, valueAt(track, at)]))
    for (const view of figures.filter(({ model }) => model.name === figure)) {
        paintLater(view, !axes)
        const { model } = view
        if (axes) {
            const grids = model.center.filter((/** @type {any} */ { type }) => type === "Grid")
            moveAxis(page, model.x_range, model.below[0], shown(axes.x), grids)
            moveAxis(page, model.y_range, model.left[0], shown(axes.y), grids)
        }
        // What no layer draws is read out from a tag.
        const told = model.tags.findIndex((/** @type {any} */ { text }) => text)
        if (layers.readout && told >= 0) turnModel(page, model, { tags: model.tags.with(told, shown(layers.readout)) })
        for (const renderer of model.renderers) {
            const source = renderer.data_source, { data } = source
            let changed = false
            /** @param {string} name @param {any} values */
            const set = (name, values) => {
                note(moved, source, name, data[name], values)
                data[name] = values
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

/** Shows again what the server knows: what it sends next is the difference from that. @param {Page} page */
const settle = ({ moved, turned, asked, unsaid }) => {
    for (const [source, columns] of moved) {
        for (const [name, { known, shown }] of Object.entries(columns)) {
            if (source.data[name] === shown) source.data[name] = known
        }
        source.change.emit()
    }
    for (const [model, properties] of turned) {
        const back = Object.entries(properties).filter(([name, { shown }]) => model[name] === shown)
        model.setv(Object.fromEntries(back.map(([name, { known }]) => [name, known])), { sync: false })
    }
    moved.clear()
    turned.clear()
    asked.clear()
    unsaid.clear()
    document.dispatchEvent(new Event("tapviz-settle"))
}

/** @param {Page} page @param {View} view @param {number} place */
const moveCaption = (page, { figure = "", caption }, place) => {
    if (!caption.control) return
    turn(page, figure, (element) => {
        const words = element.querySelector(".caption")
        if (words) turnIntoHtml(words, valueAt(caption, () => place))
    })
}

/** @param {Page} page @param {View} view @param {number} place */
const moveTable = (page, view, place) => {
    turn(page, "words", ({ children }) => { for (const part of children) part.setAttribute("aria-busy", "true") })
    turn(page, "table", (element) => {
        element.querySelector(".below")?.setAttribute("aria-busy", "true")
        turnRows(element, view, (track) => valueAt(track, () => place))
    })
    if (!view.verdict) return
    const verdict = valueAt(view.verdict, () => place)
    turn(page, "verdict", (element) => {
        if (verdict === null) element.querySelector(".verdict")?.setAttribute("aria-busy", "true")
        else turnIntoHtml(element, verdict)
    })
}

/** @param {Page} page @param {View} view @param {number} place */
const moveQueries = (page, { queries, cells }, place) => {
    const shown = Object.fromEntries(Object.entries(queries).map(([name, track]) => [name, valueAt(track, () => place)]))
    const rows = shown.rows.map((/** @type {number[]} */ row) => row.map((cell) => cells[cell]))
    tell(page, "tapviz-queries", { shown: { ...shown, rows, from: 0 } })
}

/** Views of the present of what a setting moves, by part. @param {Page} page @param {string} setting */
const viewsOf = ({ views, model }, setting) => Object.entries(views[setting] ?? {})
    .filter(([part]) => model.moving.includes(`${setting} ${part}`)).map(([, view]) => view)

/** The position of a slider in the views of its setting; -1 if it is in none. @param {Page} page @param {any} slider @param {number} value */
const placeOf = (page, slider, value) => {
    const [view] = viewsOf(page, slider.tags[0])
    const place = view ? Math.round((value - view.start) / view.step) : -1
    return place < (view?.size ?? 0) ? place : -1
}

/** What a hand at a place is shown at once, and how long the server need not know; 0 if it shows it. @param {Page} page @param {any} slider @param {number} value */
const follow = (page, slider, value) => {
    const [setting] = slider.tags, place = placeOf(page, slider, value)
    if (place < 0) return 0
    show(page, setting, place)
    return page.model.alone.includes(setting) ? page.model.pace : 0
}

/** @param {Page} page @param {string} setting @param {number} place */
const show = (page, setting, place) => {
    const { places, asked } = page
    places[setting] = place
    if (!asked.size) {
        requestAnimationFrame(() => moveFigures(page))
        // In the same frame, once the plots have taken in what they were given.
        requestAnimationFrame(() => {
            paintAtOnce()
            for (const setting of asked) page.unsaid.add(setting)
            asked.clear()
            page.say(page)
            setTimeout(() => document.dispatchEvent(new Event("tapviz-moved")))
        })
    }
    asked.add(setting)
}

/** What is to be shown of some settings. @param {Page} page @param {Set<string>} settings */
const movesOf = (page, settings) => [...settings].flatMap((setting) =>
    viewsOf(page, setting).map((view) => ({ setting, view, place: page.places[setting] })))

/** @param {Page} page */
const moveFigures = (page) => {
    quicken()
    const moves = movesOf(page, page.asked)
    const figures = figuresNamed(page.document, new Set(moves.map(({ view }) => view.figure)))
    for (const { setting, view, place } of moves) {
        if (view.figure) moveFigure(page, view, place, figures)
        if (view.boxes) writeBox(page, setting, view.boxes[place])
    }
}

/** After the plots: they are painted with the styles that the browser has worked out. @param {Page} page */
const moveTexts = (page) => {
    for (const { view, place } of movesOf(page, page.unsaid)) {
        if (view.figure) moveCaption(page, view, place)
        else if (view.queries) moveQueries(page, view, place)
        else moveTable(page, view, place)
    }
    page.unsaid.clear()
}

/** Writes into the box beside a slider. @param {Page} page @param {string} setting @param {string} text */
const writeBox = ({ sliders, document }, setting, text) => {
    if (!sliders[setting]?.el?.isConnected) sliders[setting] = sliderOf(document, setting)
    const box = sliders[setting]?.el?.nextElementSibling?.shadowRoot?.querySelector("input")
    if (box) box.value = text
}

/** @param {{ model: any, view: any }} component of Panel */
export function render({ model, view }) {
    /** @type {Page} */
    const page = {
        model, document: view.model.document, views: {}, places: {}, asked: new Set(), unsaid: new Set(), told: [], moved: new Map(), turned: new Map(), sliders: {},
        say: paced(() => READING, moveTexts),
    }
    const inCell = Object.keys(model.views).length > 0 // where nobody may answer
    const hold = () => { model.held = isMoving() }
    followers.set(page.document, {
        show: (slider, value) => follow(page, slider, value),
        said: (slider, value) => {
            if (!inCell) page.told.push(toldOf(page, slider.tags[0], placeOf(page, slider, value)))
            hold()
        },
        patience: inCell ? 0 : undefined,
    })
    const begin = () => {
        quicken()
        sayAtPace((slider) => followers.get(slider.document))
    }
    const answer = () => {
        const frame = model.frame
        begin()
        requestAnimationFrame(() => setTimeout(() => {
            document.dispatchEvent(new Event("tapviz-painted"))
            model.painted = frame
        }, 0))
    }
    model.on("frame", answer)
    if (model.frame) answer() // to what came with the page
    const take = async () => {
        const come = Object.entries(model.views)
        const found = await Promise.all(come.map(([, bytes]) => unpacked(bytes)))
        for (const [i, [name]] of come.entries()) {
            const [setting, part] = name.split(" ")
            page.views[setting] = { ...page.views[setting], [part]: found[i] }
        }
    }
    // Sliders may come after the last frame that the server asked about.
    const beginSoon = () => { if (sliderOf(page.document, "n")) begin(); else setTimeout(beginSoon, SOON) }
    model.on("views", () => { take().then(beginSoon) })
    if (inCell) take().then(beginSoon)
    model.on("settled", () => settle(page))
    model.on("place", () => {
        const [setting, place] = model.place, answered = page.told.indexOf(toldOf(page, setting, place))
        page.told = page.told.slice(answered + 1)
        if (answered < 0) show(page, setting, place)
    })
    document.addEventListener("tapviz-moved", hold)
    for (const type of ["pointerup", "pointercancel"]) {
        // After the last place has been told, which is still of the same drag.
        document.addEventListener(type, () => setTimeout(hold), true)
    }
    return document.createElement("div")
}
