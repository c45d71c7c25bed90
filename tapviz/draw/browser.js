// Draws a picture, made by `picture_data` of browser.py, as SVG. No measure is computed here: places
// become pixels, and nothing else.

import { NAMES } from "./fit.js"
import { item } from "./columns.js"
import { drawn, make, setAttributes } from "./elements.js"
import { filled, inked, paint, setPlaces, SHAPES, widthOf } from "./ink.js"
import { linePath, moveApart, scaled, ticksWithRoom, wrapped } from "./layout.js"
import { ALONG, marksOf, nearest, thresholdAt } from "./thresholds.js"

/**
 * @typedef {{ name: string, kind: string, columns: Record<string, any>, size: number, style: any,
 *     moving?: boolean, tooltip?: string }} Layer
 * @typedef {{ label: string, start: number, end: number, levels: import("./layout.js").Tick[][], log?: boolean,
 *     threshold?: boolean, dataEnd?: number, gutter?: [number, number] | null, kink?: number | null }} Axis
 * @typedef {{ layers: Layer[], x: Axis, y: Axis, left: number, fontSize: number, grid: boolean, tall?: number }} Picture
 * @typedef {{ label?: string, height?: (width: number) => number, hidden?: Set<string>,
 *     readout?: (text: string) => string, onthreshold?: (at: number) => void,
 *     onpick?: (layer: Layer, i: number) => void }} Options
 * @typedef {{ group: SVGElement, items: any[] }} Pool elements of a layer
 * @typedef {Pool & { leaders: Pool, piles: Pool }} Part
 * @typedef {{ layer: Layer, i: number }} Item
 * @typedef {{ width: number, height: number, left: number, right: number, top: number, bottom: number,
 *     xScale: (at: number) => number, yScale: (at: number) => number, font: string, end: number }} Frame
 */

const INK = "#333333", RULE = "#EEEEEE", GUTTER = "#F2F2F2", GHOST = "#B5B5B5", TICK = "#444444"
const TOUCH = 16, MOUSE = 8  // how far from its centre a dot is hit, in pixels
const NARROW = 480, SMALLEST = 8
const MANY = 50  // points of a layer; as many are drawn by few paths, which a browser moves at once
const PILES = 8  // so that points above each other look darker, as single ones do
/** @type {Record<string, string>} */
const ALIGN = { left: "start", center: "middle", right: "end" }
/** @type {Record<string, number>} */
const HEIGHT = { top: 0.95, middle: 0.35, bottom: -0.2 }  // from the baseline, in sizes of a letter

/**
 * Draw a picture into an element, and again whenever the element's width changes.
 *
 * options: `label`, what a screen reader says of the picture; `height` in pixels, a function of
 * the width; `hidden`, a set of colours whose lines, points and names are left out;
 * `readout(text)`, what is shown of a read-out; `onthreshold(at)`, called with the place of the threshold
 * under the mouse on the axis of thresholds, NaN where there is none; `onpick(layer, i)`, called when an item with a
 * tooltip is clicked, or Enter pressed on it.
 *
 * Returns `update(layers, {x, y, label})`, which replaces the layers and axes that it is given and
 * leaves the others alone; `mark(threshold)`, which marks one until it is NaN; `hide(colours)`; `resize()`; and `destroy()`.
 *
 * @param {HTMLElement} host
 * @param {Picture} picture
 * @param {Options} options
 */
export function draw(host, picture, options = {}) {
    const shown = { ...picture, layers: picture.layers.map((layer) => ({ ...layer })) }
    const byName = new Map(shown.layers.map((layer) => [layer.name, layer]))
    /** @type {Map<string, Part>} */
    const parts = new Map()
    const size = shown.fontSize
    let hidden = options.hidden ?? new Set()
    /** @type {Frame} where what is drawn: made by `layOut` as soon as there is room */
    let frame
    /** @type {Item | null} the item, or place of the read-out, whose text is seen */
    let reached = null

    host.style.position ||= "relative"
    const svg = drawn("svg", { role: "img", "aria-label": options.label ?? "", tabindex: 0 })
    svg.style.cssText = "display:block;max-width:100%;height:auto;touch-action:pan-y;overflow:hidden"
    const back = drawn("g", {}, svg)
    const clip = drawn("clipPath", { id: `clip-${Math.random().toString(36).slice(2)}` }, svg)
    const clipBox = drawn("rect", {}, clip)
    const still = drawn("g", {}, svg)
    const moving = drawn("g", {}, svg)
    const pointer = drawn("line", { "stroke-width": 1, "stroke-dasharray": "2 3" }, svg)
    pointer.style.cssText = `stroke:${paint(INK)};display:none;pointer-events:none`
    const marks = drawn("g", { "data-marks": "" }, svg)
    marks.style.pointerEvents = "none"
    let marked = NaN
    const tooltip = make("div", { class: "tooltip", role: "status" })
    tooltip.style.cssText = "position:absolute;z-index:5;display:none;pointer-events:none;"
        + "box-sizing:border-box;padding:6px 9px;border-radius:4px;font-size:12px;line-height:1.4;"
        + `overflow-wrap:anywhere;color:${paint(INK)};background:${paint("white")};`
        + `border:1px solid ${paint(GHOST)};box-shadow:0 2px 8px rgba(0,0,0,.2)`
    host.append(svg, tooltip)

    for (const layer of shown.layers) {
        const group = drawn("g", { "data-layer": layer.name }, layer.moving ? moving : still)
        if (layer.kind !== "points" && layer.kind !== "texts") {
            group.setAttribute("clip-path", `url(#${clip.id})`)
        }
        parts.set(layer.name, { group, items: [], leaders: { group, items: [] }, piles: { group, items: [] } })
    }

    let width = 0, family = "sans-serif"  // of the host, which is not asked while things move

    /** End of the x axis that leaves room for the names right of the lines. @param {number} width @param {string} font */
    function endOfX(width, font) {
        const { x } = shown
        if (x.log || x.end <= x.start) return x.end
        let end = x.end
        for (const layer of shown.layers) {
            if (layer.kind !== "texts" || layer.moving || layer.style.align !== "left") continue
            for (let i = 0; i < layer.size; i++) {
                if (hidden.has(item(layer.columns.color, i))) continue
                const at = item(layer.columns.x, i)
                const room = widthOf(item(layer.columns.text, i), font) + layer.style.shift + 3
                if (at > x.start && at <= x.end && room < 0.6 * width) {
                    end = Math.max(end, x.start + (at - x.start) / (1 - room / width))
                }
            }
        }
        return end
    }

    function layOut() {
        const font = `${size}px ${family}`
        const usual = Math.round(Math.min(380, Math.max(240, width * 0.62)) * (shown.tall ?? 1))
        const height = options.height?.(width) ?? usual
        const { x, y } = shown
        const measure = (/** @type {string} */ text) => widthOf(text, font)
        const top = 0.75 * size
        const xLabels = x.label ? wrapped(x.label, width - 20, measure) : []
        const hasTicks = x.levels.some((level) => level.length)
        const below = (hasTicks ? size + 9 : 6) + xLabels.length * size * 1.25 + 4
        const yScale = scaled(y, y.end, height - below, top)
        const yTicks = ticksWithRoom(y.levels, yScale, () => size, 3)
        const longest = Math.max(0, ...yTicks.map(([, text]) => measure(text)))
        // Names of rows leave the data their room.
        const letters = Math.max(SMALLEST, size * Math.min(1, NAMES * width / longest))
        const widest = longest * letters / size
        const yLabels = y.label ? wrapped(y.label, height - below - top, measure) : []
        const needed = widest + 10 + (yLabels.length && (yLabels.length * 1.25 + 0.25) * size)
        const left = width < NARROW ? needed : Math.max(needed, shown.left)
        const right = width - 8
        const end = endOfX(right - left, font)
        const xScale = scaled(x, end, left, right)
        const xTicks = ticksWithRoom(x.levels, xScale, measure, 8)
        frame = { width, height, left, right, top, bottom: height - below, xScale, yScale, font, end }
        setAttributes(svg, { width, height, viewBox: `0 0 ${width} ${height}`, "font-size": size })
        setPlaces(clipBox, { x: left, y: top - 2, width: Math.max(right - left, 0), height: frame.bottom - top + 4 })
        drawFrame(xTicks, yTicks, xLabels, yLabels, letters)
        for (const layer of shown.layers) drawLayer(layer)
        mark(marked)
        point()
    }

    /** @param {import("./layout.js").Tick[]} xTicks @param {import("./layout.js").Tick[]} yTicks @param {string[]} xLabels @param {string[]} yLabels @param {number} letters of the ticks at the left */
    function drawFrame(xTicks, yTicks, xLabels, yLabels, letters) {
        const { left, right, top, bottom, xScale, yScale, font } = frame
        const { x } = shown
        back.replaceChildren()
        /** @param {string} color @param {number[]} from @param {number[]} to @param {object} more */
        const rule = (color, [x1, y1], [x2, y2], more = {}) => {
            drawn("line", { x1, y1, x2, y2, ...more }, back).style.stroke = paint(color)
        }
        /** @param {string} text @param {number[]} at @param {string} anchor @param {object} more */
        const write = (text, [tx, ty], anchor, more = {}) => {
            const made = drawn("text", { x: tx, y: ty, "text-anchor": anchor, ...more }, back)
            made.textContent = text
            made.style.fill = paint(TICK)
            return made
        }
        const inside = (/** @type {number} */ at) => Math.min(right, Math.max(left, at))
        const dataEnd = inside(xScale(x.dataEnd ?? frame.end))
        if (x.gutter) {
            const [from, to] = x.gutter.map((at) => inside(xScale(at)))
            const box = { x: Math.min(from, to), y: top, width: Math.abs(to - from), height: bottom - top }
            drawn("rect", box, back).style.fill = paint(GUTTER)
        }
        if (shown.grid) {
            for (const [at] of xTicks) rule(RULE, [xScale(at), top], [xScale(at), bottom])
            for (const [at] of yTicks) rule(RULE, [left, yScale(at)], [dataEnd, yScale(at)])
        }
        if (x.kink !== undefined && x.kink !== null) {
            const at = xScale(x.kink)
            rule(GHOST, [at, top], [at, bottom], { "stroke-dasharray": "2 4" })
        }
        rule(INK, [left, bottom], [dataEnd, bottom])
        for (const [at, text] of xTicks) {
            const place = xScale(at), half = widthOf(text, font) / 2
            rule(INK, [place, bottom], [place, bottom + 4])
            const kept = Math.min(frame.width - half, Math.max(half, place))
            write(text, [kept, bottom + size + 5], "middle", { "data-tick": "x" })
        }
        const first = frame.height - 5 - (xLabels.length - 1) * size * 1.25
        xLabels.forEach((text, i) => {
            const middle = (left + right) / 2, half = widthOf(text, font) / 2
            const kept = Math.max(half + 2, Math.min(middle, frame.width - half - 2))
            write(text, [kept, first + i * size * 1.25], "middle")
        })
        rule(INK, [left, top], [left, bottom])
        for (const [at, text] of yTicks) {
            rule(INK, [left - 4, yScale(at)], [left, yScale(at)])
            write(text, [left - 7, yScale(at) + 0.35 * letters], "end", { "data-tick": "y", "font-size": letters })
        }
        const middle = (top + bottom) / 2
        yLabels.forEach((text, i) => write(text, [0, 0], "middle", {
            transform: `translate(${size * (1 + 1.25 * i)}, ${middle}) rotate(-90)`,
        }))
    }

    /** @param {Pool} part @param {number} count */
    const hideFrom = (part, count) => part.items.slice(count).forEach((one) => { one.style.display = "none" })

    /**
     * The first `count` elements of a layer, of which there may be more that are not seen.
     *
     * @param {Pool} part @param {number} count @param {(group: SVGElement) => SVGElement} create
     */
    function pool(part, count, create) {
        while (part.items.length < count) part.items.push(create(part.group))
        hideFrom(part, count)
        return part.items
    }

    const seen = (/** @type {number} */ x, /** @type {number} */ y) => x >= frame.left - 7 && x <= frame.right + 7
        && y >= frame.top - 9 && y <= frame.bottom + 9

    /** A layer that is one path. @param {Layer} layer @param {Part} part @param {string} d */
    function onePath({ style }, part, d) {
        const [path] = pool(part, 1, (group) => drawn("path", { fill: "none" }, group))
        path.setAttribute("d", d)
        path.style.display = hidden.has(style.color) ? "none" : ""
        return path
    }

    /** Two opposite corners of an item. @param {Layer} layer @param {number} i */
    const cornersOf = ({ columns: { x0, y0, x1, y1 } }, i) => [
        frame.xScale(item(x0, i)), frame.yScale(item(y0, i)), frame.xScale(item(x1, i)), frame.yScale(item(y1, i)),
    ]

    /** The same of each item of a layer, as text. @param {Layer} layer */
    const corners = (layer) => Array.from({ length: layer.size }, (_, i) => cornersOf(layer, i))
        .filter((ends) => ends.every(Number.isFinite)).map((ends) => ends.map((end) => end.toFixed(1)))

    /** @type {Record<string, (layer: Layer, part: Part) => void>} */
    const drawers = {
        line(layer, part) {
            const { x, y } = layer.columns, { xScale, yScale } = frame
            stroke(onePath(layer, part, linePath(layer.size, (i) => xScale(item(x, i)), (i) => yScale(item(y, i)))), layer.style)
        },
        segments(layer, part) {
            stroke(onePath(layer, part, corners(layer).map(([a, b, c, e]) => `M${a} ${b}L${c} ${e}`).join("")), layer.style)
        },
        boxes(layer, part) {
            const { style } = layer
            const path = onePath(layer, part, corners(layer).map(([a, b, c, e]) => `M${a} ${b}H${c}V${e}H${a}Z`).join(""))
            path.style.fill = paint(style.color)
            path.style.stroke = style.line_alpha ? paint(style.line_color) : "none"
            const { fill_alpha, line_alpha, line_width } = style
            setAttributes(path, { "fill-opacity": fill_alpha, "stroke-opacity": line_alpha, "stroke-width": line_width })
        },
        points(layer, part) {
            const { columns: { x, y, color, marker }, style } = layer
            const isDash = style.marker === "dash"
            if (!style.line_color && !isDash && layer.size > MANY) {
                piles(layer, part)
                return
            }
            hideFrom(part.piles, 0)
            const items = pool(part, layer.size, (group) => {
                const made = drawn("path", { "fill-opacity": style.fill_alpha, "stroke-width": style.line_width }, group)
                if (!isDash) made.style.stroke = paint(style.line_color)
                return made
            })
            for (let i = 0; i < layer.size; i++) {
                const px = frame.xScale(item(x, i)), py = frame.yScale(item(y, i))
                const one = items[i], of = item(color, i), shape = marker === undefined ? style.marker : item(marker, i)
                const display = seen(px, py) && !hidden.has(of) ? "" : "none"
                if (one.style.display !== display) one.style.display = display
                if (display) continue
                const at = `translate(${px.toFixed(1)},${py.toFixed(1)})`
                if (one.at !== at) one.setAttribute("transform", at)
                if (one.shape !== shape) one.setAttribute("d", SHAPES[shape](style.size / 2))
                if (one.color !== of) one.style[isDash ? "stroke" : "fill"] = paint(of)
                Object.assign(one, { at, shape, color: of })
            }
        },
        texts(layer, part) {
            const { columns, style } = layer
            const { x, y, text, color } = columns
            const items = pool(part, layer.size, (group) => {
                const made = drawn("text", {
                    "text-anchor": ALIGN[style.align], "stroke-width": 3, "stroke-opacity": 0.75, "stroke-linejoin": "round",
                }, group)
                made.style.paintOrder = "stroke"
                made.style.stroke = paint("white")
                return made
            })
            const lines = pool(part.leaders, columns.from_x === undefined ? 0 : layer.size, (group) => {
                const made = drawn("line", { "stroke-width": 0.8 })
                group.prepend(made)
                return made
            })
            /** @type {import("./layout.js").Placed[]} */
            const places = []
            for (let i = 0; i < layer.size; i++) {
                const px = frame.xScale(item(x, i)) + style.shift, py = frame.yScale(item(y, i))
                const inside = seen(px - style.shift, py) && !hidden.has(item(color, i))
                if (inside) places.push({ i, px, py, width: widthOf(item(text, i), frame.font) })
                items[i].style.display = inside ? "" : "none"
                if (lines[i]) lines[i].style.display = "none"
            }
            // Where some names are left out, the others have room at their own lines.
            const atLines = hidden.size && (!Array.isArray(x) || x.every((/** @type {number} */ one) => one === x[0]))
            const lineOf = (/** @type {number} */ i) => frame.yScale(item(columns.from_y, i))
            if (style.align === "left") moveApart(places, atLines ? lineOf : null, size, frame)
            for (const { i, px, py, width } of places) {
                const one = items[i]
                // Nothing is cut at the edges of the picture.
                const before = { left: 0, center: width / 2, right: width }[/** @type {"left"} */ (style.align)]
                const kept = Math.max(before + 1, Math.min(px, frame.width - 1 - (width - before)))
                setPlaces(one, { x: kept, y: py + HEIGHT[style.baseline] * size })
                if (one.textContent !== item(text, i)) one.textContent = item(text, i)
                one.style.fill = inked(item(color, i))
                const from = lines[i] && [
                    frame.xScale(item(columns.from_x, i)), frame.yScale(item(columns.from_y, i)),
                ]
                if (!from?.every(Number.isFinite)) continue
                setPlaces(lines[i], { x1: from[0], y1: from[1], x2: kept - 2, y2: py })
                lines[i].style.stroke = paint(item(color, i))
                lines[i].style.display = ""
            }
        },
        readout() {},
    }

    /** @param {SVGElement} path @param {any} style */
    function stroke(path, style) {
        path.style.stroke = paint(style.color)
        setAttributes(path, { "stroke-width": style.width, "stroke-opacity": style.alpha, "stroke-linejoin": "round" })
        if (style.dash.length) path.setAttribute("stroke-dasharray", style.dash.join(" "))
        else path.removeAttribute("stroke-dasharray")
    }

    /** Many points: some paths for each colour and shape, in which they take turns. @param {Layer} layer @param {Part} part */
    function piles({ columns: { x, y, color, marker }, style, size: count }, part) {
        const ways = new Map(), { xScale, yScale } = frame
        for (let i = 0; i < count; i++) {
            const px = xScale(item(x, i)), py = yScale(item(y, i)), of = item(color, i)
            if (!seen(px, py) || hidden.has(of)) continue
            const mark = marker === undefined ? style.marker : item(marker, i), key = `${of} ${mark}`
            if (!ways.has(key)) {
                const shape = SHAPES[mark](style.size / 2)
                ways.set(key, { of, shape, d: Array(PILES).fill(""), next: 0 })
            }
            const way = ways.get(key)
            way.d[way.next] += `M${Math.round(px * 10) / 10} ${Math.round(py * 10) / 10}${way.shape}`
            way.next = (way.next + 1) % PILES
        }
        hideFrom(part, 0)
        const paths = pool(part.piles, ways.size * PILES, (group) => drawn("path", { "fill-opacity": style.fill_alpha }, group))
        let next = 0
        for (const { of, d } of ways.values()) {
            for (const way of d) {
                const path = paths[next++]
                path.setAttribute("d", way)
                path.style.fill = paint(of)
                path.style.display = ""
            }
        }
    }

    /** Layers have names of their own, and parts. @template T @param {Map<string, T>} map @param {string} name */
    const named = (map, name) => /** @type {T} */ (map.get(name))
    const drawLayer = (/** @type {Layer} */ layer) => drawers[layer.kind](layer, named(parts, layer.name))

    // --- what the mouse, a finger or the keyboard is at ------------------------------------------

    const placeOf = (/** @type {Item} */ { layer, i }) => ({
        x: frame.xScale(item(layer.columns.x, i)), y: frame.yScale(item(layer.columns.y, i)),
    })

    /** @returns {import("./thresholds.js").Line[]} */
    const linesAlong = () => shown.layers.flatMap((layer) => {
        const { columns: { x, y, threshold }, style } = layer
        if (layer.kind !== "line" || hidden.has(style.color)) return []
        const at = threshold ?? (shown.x.threshold && ALONG.test(layer.name) ? x : null)
        if (!Array.isArray(at)) return []
        return [{ x, y, at: at.map((one) => one ?? NaN), color: style.color, own: threshold !== undefined }]
    })

    /** The threshold at a place; NaN in a picture that knows of none. @param {number} px @param {number} py */
    function thresholdUnder(px, py) {
        const { left, right, top, bottom, end, xScale, yScale } = frame, across = Boolean(shown.x.threshold)
        if (px < left || px > right || py < top || py > bottom) return NaN
        const lines = linesAlong()
        if (across && !lines.some(({ own }) => own)) {
            return shown.x.start + (px - left) / (right - left) * (end - shown.x.start)
        }
        return thresholdAt(lines, (x, y) => Math.hypot(xScale(x) - px, across ? 0 : yScale(y) - py))
    }

    /** Mark a threshold on all lines, and across the picture if its axis is one of thresholds. @param {number} threshold */
    function mark(threshold) {
        marked = threshold
        marks.replaceChildren()
        if (!Number.isFinite(threshold) || !frame) return
        const { left, right, top, bottom, xScale, yScale } = frame
        const { dots, across } = marksOf(linesAlong(), threshold, { left, right, top, bottom, x: xScale, y: yScale })
        if (shown.x.threshold && across >= left && across <= right) {
            const ends = { x1: across, x2: across, y1: top, y2: bottom, "stroke-dasharray": "2 3" }
            drawn("line", ends, marks).style.stroke = paint(INK)
        }
        for (const { x, y, color } of dots) {
            const dot = drawn("circle", { cx: x, cy: y, r: 4.5, "stroke-width": 1.5 }, marks)
            dot.style.fill = paint(color)
            dot.style.stroke = paint("white")
        }
    }

    /**
     * The item with a tooltip at a place, or the nearest place of the read-out.
     *
     * @param {number} px @param {number} py @param {number} reach how far from its centre a dot is hit
     * @returns {Item | null}
     */
    function at(px, py, reach) {
        for (const layer of [...shown.layers].reverse()) {
            if (!layer.tooltip) continue
            const distance = (/** @type {number} */ i) => {
                if (layer.kind === "boxes") {
                    const [a, b, c, e] = cornersOf(layer, i)
                    return (px - a) * (px - c) <= 0 && (py - b) * (py - e) <= 0 ? 0 : NaN
                }
                if (hidden.has(item(layer.columns.color, i))) return NaN
                const { x, y } = placeOf({ layer, i }), far = Math.hypot(x - px, y - py)
                return far <= Math.max(reach, layer.style.size / 2) ? far : NaN
            }
            const { best } = nearest(layer.size, distance)
            if (best >= 0) return { layer, i: best }
        }
        const layer = shown.layers.find((one) => one.kind === "readout")
        if (!layer?.size || px < frame.left || px > frame.right) return null
        const { best } = nearest(layer.size, (i) => Math.abs(frame.xScale(item(layer.columns.x, i)) - px))
        return best < 0 ? null : { layer, i: best }
    }

    /** All that can be reached with the keyboard, from left to right. */
    function stops() {
        const layers = shown.layers.filter((layer) => layer.tooltip || layer.kind === "readout")
        const layer = layers[layers.length - 1]
        if (!layer) return []
        const order = [...Array(layer.size).keys()]
        if (layer.kind === "boxes") return order.map((i) => ({ layer, i }))
        return order
            .filter((i) => !hidden.has(item(layer.columns.color, i)))
            .sort((a, b) => item(layer.columns.x, a) - item(layer.columns.x, b) || a - b)
            .map((i) => ({ layer, i }))
    }

    /** Show the text of what is reached beside it. @param {{ x: number, y: number }} [mouse] */
    function point(mouse) {
        if (reached && reached.i >= reached.layer.size) reached = null
        pointer.style.display = "none"
        tooltip.style.display = reached ? "block" : "none"
        if (!reached) return
        const { layer, i } = reached
        let { x, y } = placeOf(reached)
        if (layer.kind === "boxes") {
            const [a, b, c, e] = cornersOf(layer, i)
            x = Math.min(frame.right, Math.max(frame.left, mouse?.x ?? (a + c) / 2))
            y = (b + e) / 2
        }
        let text = filled(layer, i)
        if (layer.kind === "readout") {
            setPlaces(pointer, { x1: x, x2: x, y1: frame.top, y2: frame.bottom })
            pointer.style.display = ""
            text = item(layer.columns.text, i)
            text = options.readout?.(text) ?? text
        }
        tooltip.innerHTML = text
        tooltip.style.maxWidth = `${Math.min(layer.kind === "readout" ? 420 : 280, frame.width)}px`
        tooltip.style.left = "0"
        const width = tooltip.offsetWidth
        const beside = x + 14 + width <= frame.width ? x + 14 : x - 14 - width
        tooltip.style.left = `${Math.max(0, Math.min(beside, frame.width - width))}px`
        const high = Math.min(mouse?.y ?? y, frame.height) - tooltip.offsetHeight / 2
        tooltip.style.top = `${Math.max(0, high)}px`
    }

    /** @param {PointerEvent | MouseEvent} event */
    function onPointer(event) {
        const box = svg.getBoundingClientRect()
        const factor = frame.width / (box.width || 1)
        const mouse = { x: (event.clientX - box.x) * factor, y: (event.clientY - box.y) * factor }
        tooltip.setAttribute("aria-live", "off")
        reached = at(mouse.x, mouse.y, "pointerType" in event && event.pointerType === "touch" ? TOUCH : MOUSE)
        options.onthreshold?.(thresholdUnder(mouse.x, mouse.y))
        svg.style.cursor = reached?.layer.tooltip && options.onpick ? "pointer" : ""
        point(mouse)
        return reached
    }

    function leave() {
        reached = null
        options.onthreshold?.(NaN)
        point()
    }

    /** @param {KeyboardEvent} event */
    function onKey(event) {
        const all = stops()
        const here = all.findIndex((one) => one.layer === reached?.layer && one.i === reached.i)
        const step = { ArrowRight: here + 1, ArrowLeft: here < 0 ? all.length - 1 : here - 1,
            Home: 0, End: all.length - 1 }[event.key]
        if (event.key === "Escape" && reached) leave()
        else if (event.key === "Enter" && reached?.layer.tooltip) options.onpick?.(reached.layer, reached.i)
        else if (step !== undefined && all.length && !event.altKey && !event.ctrlKey && !event.metaKey) {
            tooltip.setAttribute("aria-live", "polite")
            reached = all[Math.max(0, Math.min(step, all.length - 1))]
            if (reached.layer.kind === "readout") {
                const { x, y } = placeOf(reached)
                options.onthreshold?.(thresholdUnder(x, y))
            }
            point()
        } else return
        event.preventDefault()
    }

    svg.addEventListener("pointermove", onPointer)
    svg.addEventListener("pointerdown", onPointer)
    svg.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") leave() })
    svg.addEventListener("blur", leave)
    svg.addEventListener("keydown", onKey)
    svg.addEventListener("click", (event) => {
        const found = onPointer(event)
        if (found?.layer.tooltip) options.onpick?.(found.layer, found.i)
    })

    let room = 0
    function resize() {
        if (!host.clientWidth) return  // not seen: there is no room to measure
        room = host.clientWidth
        width = Math.max(room, 160)
        family = getComputedStyle(host).fontFamily || family
        layOut()
    }
    const watcher = new ResizeObserver(() => { if (host.clientWidth !== room) resize() })
    watcher.observe(host)
    resize()

    return {
        /** @param {(Partial<Layer> & { name: string })[]} layers @param {{ x?: Axis, y?: Axis, label?: string }} more */
        update(layers, { x, y, label } = {}) {
            for (const layer of layers) Object.assign(named(byName, layer.name), layer)
            if (label !== undefined) svg.setAttribute("aria-label", label)
            const moved = x || y
            if (x) shown.x = x
            if (y) shown.y = y
            if (!frame) return
            const changed = layers.map(({ name }) => named(byName, name))
            const names = changed.some(({ kind, moving: follows }) => kind === "texts" && !follows)
            if (moved || (names && endOfX(frame.right - frame.left, frame.font) !== frame.end)) layOut()
            else changed.forEach(drawLayer)
            if (!moved && reached) point()
        },
        mark,
        /** @param {Iterable<string>} colors */
        hide(colors) {
            hidden = new Set(colors)
            if (reached && hidden.has(item(reached.layer.columns.color ?? "", reached.i))) reached = null
            if (frame) layOut()
        },
        resize,
        destroy() {
            watcher.disconnect()
            svg.remove()
            tooltip.remove()
        },
    }
}
