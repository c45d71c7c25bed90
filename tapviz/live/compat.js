// What leans on names of BokehJS and Panel that are not public: a function for each of them, and the
// classes of their elements. Each says what it buys and what happens without it. None throws if
// a release takes a name away: the page is then slower or less exact. A test asks a loaded page for
// every one of NAMES and CLASSES. `compat.py` does the same in Python.
export const CLASSES = {
    // Without these, controls lack the names and roles that accessibility.js gives them, and boxes of
    // numbers refuse one that is pasted with a blank.
    activeTool: ".bk-OnOffButton.bk-active",
    buttonGroup: ".bk-btn-group",
    checkboxLabel: ".bk-label",
    clickTool: ".bk-ClickButton",
    // Without this no dropped file is taken.
    dropper: ".filepond--root",
    inputGroup: ".bk-input-group",
    numberBox: ".bk-spin-wrapper",
    plotFrame: ".bk-CartesianFrame",
    plotLayer: "canvas.bk-layer",
    pressedButton: ".bk-btn-group > .bk-active",
    sliderHandle: ".noUi-handle",
    sliderTitle: ".bk-slider-title",
    toggleTool: ".bk-OnOffButton",
    toolbar: ".bk-Toolbar",
    // Without this the arrow keys do not read a plot out.
    plotEvents: ".bk-events",
    // Without this what the arrow keys point at is not announced.
    tooltip: ".bk-Tooltip",
}

/** @typedef {any} View of BokehJS: none of its types are looked at here, since all may change */

const bokeh = () => /** @type {any} */ (globalThis).Bokeh
/** Views of what is in the page. @param {(view: View) => unknown} condition @returns {View[]} */
const views = (condition) => [...bokeh()?.index?.query?.(condition) ?? []]
/** Of one page alone: a notebook may have several. @param {any} document of Bokeh @param {(view: View) => unknown} condition */
const viewsIn = (document, condition) => views((one) => one.model.document === document && condition(one))
/** The first view that is found. @param {(view: View) => unknown} condition @returns {View} */
const view = (condition) => {
    for (const found of bokeh()?.index?.query?.(condition) ?? []) return found
}
const isLayer = (/** @type {View} */ { model }) => model.type === "GlyphRenderer"
const isOverlay = (/** @type {View} */ one) => isLayer(one) && one.model.level === "overlay"
/** Whether a layer is one of ours, which alone have elements that are not shown: a notebook may have others. */
const isOurs = (/** @type {View} */ { model }) => model.styles?.display === "none"
const viewOf = (/** @type {string} */ type) => view(({ model }) => model.type === type)
const figureClass = () => bokeh()?.Models?.get?.("Figure")?.prototype.default_view?.prototype
/** Paths from a view of a type; for what has none, from its prototype; and from the page. @type {Record<string, string[]>} */
export const NAMES = {
    GlyphRenderer: [
        "glyph.sx", "map_data", "needs_clip", "position._update", "position.css", "request_paint", "update_position",
        "selection_glyph", "nonselection_glyph", "muted_glyph", "plot_view.canvas_view.overlays.ctx.clearRect",
    ],
    Figure: [
        "_measure_layout", "_after_layout", "pause", "unpause", "paint", "_range_manager.invalidate_dataranges",
        "frame.bbox", "frame.x_scale.compute", "frame.x_scale.invert", "canvas_view.events_el",
    ],
    Slider: ["_change", "_slide", "_calc_from"],
    "panel.models.comm_manager.CommManager": ["_document_changed", "client_comm_id"],
    page: ["__framePainter.readers.0"],
}

let pressed = false
/** The latest value of a slider, which has not been said yet. @type {{ model: any, value: number, say: () => void } | undefined} */
let held
/** Whether a hand is down, or has gone on from what was said: since `sayAtPace` was called it is known. */
export const isMoving = () => pressed || held !== undefined

/** What replaces a method, given the usual one. @typedef {(usual: Function) => (this: View, ...given: any[]) => void} Maker */
/** Replaces a method for all views of a class, once. @param {any} object @param {string} name @param {Maker} make */
const replace = (object, name, make) => {
    if (typeof object?.[name] !== "function" || object[name].replaced) return
    while (!Object.hasOwn(object, name)) object = Object.getPrototypeOf(object)
    object[name] = Object.assign(make(object[name]), { replaced: true })
}

// Each layer writes a style sheet about where it is, as do the boxes of tools that nobody draws. Written
// again, the same text makes the browser go through the styles of the page, as does a place of what is not
// shown. Without these it does, for each of each change.
const skipEqualStyles = (/** @type {View} */ layer) =>
    replace(layer.position, "_update", (usual) => function (css) {
        if (css !== this.css) usual.call(this, css)
    })
const skipUnseenPlaces = (/** @type {View} */ layer) =>
    replace(layer, "update_position", (usual) => function () {
        if (!isOurs(this)) usual.call(this)
    })

// If something changes its size, Bokeh measures the page anew, and fails at a plot that has been added
// but not laid out yet. Without this the console says so; the plot is drawn all the same.
export const skipPlotsNotLaidOut = () => {
    for (const name of ["_measure_layout", "_after_layout"]) {
        replace(figureClass(), name, (usual) => function () { if (this.layout) usual.call(this) })
    }
}

// Bokeh paints a plot in the frame after the one in which its data have changed, not within 17 ms of the
// last time, and measures the labels of its axes anew, for which the browser must work out all styles. What
// a hand moves is painted in the same frame, and where it moves no axis nothing is measured. Without the
// names it takes two, and labels are measured.
/** Figures, and whether their axes stay. @type {Map<View, boolean>} */
const waiting = new Map()
/** @param {View} figure @param {boolean} still whether its axes stay */
export const paintLater = (figure, still) => {
    if (!figure.pause || !figure.unpause || !figure.paint) return
    if (!waiting.has(figure)) figure.pause()
    waiting.set(figure, still && waiting.get(figure) !== false)
}
export const paintAtOnce = () => {
    for (const [figure, still] of waiting) {
        if (still && figure._range_manager) figure._range_manager.invalidate_dataranges = false // none follows the data
        figure.unpause(true)
        figure.paint()
    }
    waiting.clear()
}

// While a slider is dragged, Bokeh says each of its values, and the last once more, as value_throttled,
// which nothing of ours reads, when it is let go of. A server that is busy with the pages of others gets
// more than it can answer, and answers each later than the one before. Here the latest is said when the
// one before is on the screen, which `FrameGate` (`turns.py`) tells, after some patience, or when the hand
// lets go or takes another slider. What `show` shows without the server is said at its pace. Without the
// names all are said. Sliders of a notebook that are not ours are left as they are.
/** @typedef {object} Follower
 * @property {(slider: any, value: number) => number} [show] shows a value; the milliseconds until the next is said, 0 if the server shows it
 * @property {(slider: any, value: number) => void} [said]
 * @property {number} [patience] milliseconds
 */
/** @param {(slider: any) => Follower | undefined} followerOf the one of a slider, if it is ours */
export const sayAtPace = (followerOf = () => ({})) => {
    const slider = viewOf("Slider")
    if (typeof slider?._slide !== "function" || typeof slider._calc_from !== "function") return
    if (slider._slide.replaced) return
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer
    let paced = false
    const release = () => {
        clearTimeout(timer)
        timer = undefined
        held?.say()
    }
    replace(slider, "_slide", (usual) => function (values) {
        const { model } = this, follower = followerOf(model)
        if (!follower) return usual.call(this, values)
        const { show = () => 0, said = () => {}, patience = 4000 } = follower, value = this._calc_from(values)
        if (held && held.model !== model) release()
        if (value === (held ?? model).value) return
        const pace = show(model, value)
        const say = () => {
            clearTimeout(timer)
            held = undefined // or an older value would be said after this one
            model.setv({ value }, { check_eq: false }) // the page may have it, and not the server
            said(model, value)
            paced = pace > 0
            timer = setTimeout(release, pace || patience)
        }
        if (!timer || !(pressed || pace)) return say()
        held = { model, value, say }
        if (pace) model.setv({ value }, { sync: false })
    })
    replace(slider, "_change", (usual) => function (values) {
        if (followerOf(this.model)) this._slide(values)
        else usual.call(this, values)
    })
    document.addEventListener("tapviz-painted", () => { if (!paced) release() })
    for (const type of ["pointerdown", "pointerup", "pointercancel"]) {
        document.addEventListener(type, () => {
            pressed = type === "pointerdown"
            release()
        }, true)
    }
}

// Marks of a threshold glide to their next place, so that the eye can follow. Under a hand that drags,
// or keys that step, they are where the slider says at once, as they are if motion is to be reduced.
// Places in the data are the new ones from the first: this is about pixels alone. Without the names
// marks jump.
const GLIDE = 120 // ms
const stillness = matchMedia("(prefers-reduced-motion: reduce)")
const glides = new WeakMap() // by view: where its marks are going, and since when
const isSliding = () => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    return pressed || Boolean(element?.matches(CLASSES.sliderHandle))
}
const glide = (/** @type {View} */ view) => {
    const { sx, sy } = view.glyph ?? {}, { x_range: x, y_range: y } = view.plot_view?.model ?? {}
    if (!sx?.slice || !sy?.slice || !x || !y) return
    const { width, height } = view.plot_view.frame?.bbox ?? {}
    const frame = [x.start, x.end, y.start, y.end, width, height, sx.length].join()
    const to = [sx.slice(), sy.slice()], last = glides.get(view), now = performance.now()
    const same = last?.frame === frame && last.to.every((/** @type {number[]} */ old, /** @type {number} */ i) => old.every((at, j) => Object.is(at, to[i][j])))
    const goes = last?.frame === frame && !same && !stillness.matches && !isSliding()
    const { from, since } = same ? last : { from: goes ? last.shown : null, since: now }
    const part = from ? Math.min((now - since) / GLIDE, 1) : 1
    if (part < 1) {
        const along = 1 - (1 - part) ** 3
        for (const [i, shown] of [sx, sy].entries()) {
            for (const [j, at] of to[i].entries()) {
                if (Number.isFinite(from[i][j])) shown[j] = from[i][j] + along * (at - from[i][j])
            }
        }
        requestAnimationFrame(() => view.request_paint?.())
    }
    glides.set(view, { frame, to, since, from: part < 1 ? from : null, shown: [sx.slice(), sy.slice()] })
}
const glideMarks = (/** @type {View} */ layer) => {
    if (!layer.map_data) return
    // Where they are now: the first change is on its way.
    views(isOverlay).forEach(glide)
    replace(layer, "map_data", (usual) => function () {
        usual.call(this)
        if (isOverlay(this)) glide(this)
    })
}

let quick = false
/** Spares style sheets and lets marks glide, from when there is a plot. */
export const quicken = () => {
    const layer = quick ? null : viewOf("GlyphRenderer")
    if (!layer) return
    quick = true
    skipEqualStyles(layer)
    skipUnseenPlaces(layer)
    glideMarks(layer)
}

// Bokeh works out each change of a layer for its marks, and for how they look when selected, not selected
// and muted, which ours never are. Without the names it does, and a step takes longer.
const NOTHING = () => {}
const UNUSED = {
    model: {}, children: () => [], children_views: () => [], remove: NOTHING, set_data: NOTHING, set_visuals: NOTHING,
    after_visuals: NOTHING, after_lazy_visuals: NOTHING, map_data: NOTHING,
}
/** @param {View} layer */
const keepOneLook = (layer) => {
    if (!isOurs(layer)) return
    for (const name of ["selection_glyph", "nonselection_glyph", "muted_glyph"]) {
        if (!layer[name]?.set_data) continue
        layer[name].remove()
        layer[name] = UNUSED
    }
}

// Bokeh clips annotations, but no glyph, at the overlay level to the frame. Without this, marks
// of a zoomed plot are drawn outside it.
export const clipOverlays = () => {
    for (const renderer of views(isOverlay)) {
        if (renderer.needs_clip) continue
        Object.defineProperty(renderer, "needs_clip", { value: true })
        keepOneLook(renderer)
        // What has been drawn already: Bokeh's own clearing leaves half a pixel at the edge.
        renderer.plot_view?.canvas_view?.overlays?.ctx?.clearRect(-1, -1, 1e4, 1e4)
        renderer.request_paint?.()
    }
}

// Where the dot of a query is: the element over its plot, and its place in it; null if there is none in
// sight. Without the names a row of the table of queries does not point to its dot.
const isDots = (/** @type {View} */ one) => isLayer(one) && one.model.data_source.data.query
/** @param {any} document of Bokeh: of one page in a notebook @param {string} query */
export const dotOf = (document, query) => {
    for (const { model, plot_view } of viewsIn(document, isDots)) {
        const { x, y, query: ids } = model.data_source.data
        const at = x && y ? Array.prototype.indexOf.call(ids, query) : -1
        const { frame, canvas_view } = plot_view ?? {}
        const place = canvas_view?.events_el
        if (at < 0 || !place?.clientWidth || !frame?.x_scale?.compute) continue
        return { place, x: frame.x_scale.compute(x[at]), y: frame.y_scale.compute(y[at]) }
    }
    return null
}

/** The query whose dot is under the mouse, or null. @param {any} document of Bokeh @returns {string | null} */
export const dotUnderMouse = (document) => {
    for (const { model } of viewsIn(document, isDots)) {
        const { data, inspected } = model.data_source
        const [at] = inspected?.indices ?? []
        if (at !== undefined) return data.query[at] ?? null
    }
    return null
}

// The figure whose mouse events an element takes; Bokeh says it nowhere. Without this the keys that
// zoom do nothing.
/** @param {Element} events */
export const figureOf = (events) => view(({ canvas_view }) => canvas_view?.events_el === events)

// Not what is within a figure: most views of a page are.
/** @param {View} view @returns {View[]} */
const figuresIn = (view) => (view.model.type === "Figure" ? [view] : [...view.children_views()].flatMap(figuresIn))
/** @param {any} document of Bokeh */
const figuresOf = (document) => [...bokeh()?.index?.roots ?? []].filter(({ model }) => model.document === document).flatMap(figuresIn)

// The figures of a page that have some names. Without the names no view moves them, and the server does.
/** @param {any} document of Bokeh @param {Set<string | undefined>} names */
export const figuresNamed = (document, names) =>
    figuresOf(document).filter(({ model }) => names.has(model.name))

// The figures that have a place in the page. Without the names no plot marks the threshold that is under
// the mouse in another.
/** @param {any} document of Bokeh */
export const figuresInSight = (document) => figuresOf(document)
    .filter(({ frame, canvas_view }) => frame?.x_scale?.compute && canvas_view?.events_el?.clientWidth)

/** The sources of all layers. */
export const sourcesOfLayers = () => views(isLayer).map(({ model }) => model.data_source)

/** The text of a figure at a place of its canvas; null if there is none. @param {View} figure @param {number} sx @param {number} sy */
export const textAt = (figure, sx, sy) => {
    for (const { glyph, model } of figure.renderer_views.values()) {
        if (glyph?.model.type !== "Text" || !model.visible) continue
        const [at] = glyph.hit_test({ type: "point", sx, sy })?.indices ?? []
        if (at !== undefined) return model.data_source.data.text[at]
    }
    return null
}

/** The slider of a choice, by its tag. @param {any} document of Bokeh @param {string} choice */
export const sliderOf = (document, choice) =>
    viewsIn(document, ({ model }) => /Slider$/.test(model.type) && model.tags.includes(choice))[0]

// Moves a slider as a hand does that drags it. Without the name each value is said, at any time.
/** @param {View} slider @param {number} [to] */
export const moveSlider = (slider, to) => {
    if (!slider || to === undefined || !Number.isFinite(to)) return
    const { start, end } = slider.model
    const value = Math.min(Math.max(to, start), end)
    if (typeof slider._slide === "function") slider._slide([value])
    else slider.model.value = value
}

// Whether the page is in a cell. Panel's page tells Python each value that Python has just set. By
// then Python may have another, and would take the old one for a choice of the person. Without this
// it does; here only changes that are the page's own are told.
/** @param {View} root */
export const forwardOnlyOwnChanges = (root) => {
    const isManager = (/** @type {View} */ one) => /\bCommManager$/.test(one.type) || one.client_comm_id
    const manager = root.document.roots().find(isManager)
    const forward = manager?._document_changed
    if (typeof forward === "function") {
        manager._document_changed = function (/** @type {any} */ event) { if (event.sync) forward.call(this, event) }
    }
    return manager !== undefined
}

// What takes dropped files looks after its state sixty times a second from when its script is there, in each
// page. Put to rest before, it does from when it is in the page itself. Without the name it does from the
// first on, as in a notebook.
export const restDroppers = () => {
    /** @type {any} */ (globalThis).__framePainter ??= { readers: [], writers: [], rests: true }
}
/** @param {Element} dropper */
export const rouseDropper = (dropper) => {
    const { readers = [], writers = [], rests = false } = /** @type {any} */ (globalThis).__framePainter ?? {}
    const timer = rests && setInterval(() => {
        if (!dropper.isConnected) return clearInterval(timer)
        for (const act of [...readers, ...writers]) act(performance.now())
    }, 1000 / 60)
}

// The view of what has a tag, or undefined if it is not in the page. Without the names the plot of the tab
// before stays until the next is there.
/** @param {string} tag @param {any} document of Bokeh */
export const tagged = (tag, document) => view(({ model }) => model.document === document && model.tags?.includes(tag))
