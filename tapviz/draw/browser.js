// Draws a picture, made by `picture_data` of browser.py, as SVG. No measure is computed here: places
// become pixels, and nothing else.

import { item } from "./columns.js"
import others from "./others.js"

const SVG = "http://www.w3.org/2000/svg"
const INK = "#333333", RULE = "#EEEEEE", GUTTER = "#F2F2F2", GHOST = "#B5B5B5", TICK = "#444444"
const TOUCH = 16, MOUSE = 8  // how far from its centre a dot is hit, in pixels
const NARROW = 480
const APART = 6  // between texts in a row, in pixels
const MANY = 50  // points of a layer; as many are drawn by few paths, which a browser moves at once
const PILES = 8  // so that points above each other look darker, as single ones do
const ALONG = /^(curve |mean|median|rest )/ // lines on which a threshold has a place of its own
const ALIGN = { left: "start", center: "middle", right: "end" }
const HEIGHT = { top: 0.95, middle: 0.35, bottom: -0.2 }  // from the baseline, in sizes of a letter
const SHAPES = {  // around a place at which the pen is
    circle: (r) => `m${-r},0a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0z`,
    triangle: (r) => `m${-r},${r * 0.577}h${2 * r}l${-r},${-r * 1.732}z`,
    inverted_triangle: (r) => `m${-r},${-r * 0.577}h${2 * r}l${-r},${r * 1.732}z`,
    square: (r) => `m${-r},${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
    diamond: (r) => `m0,${-r}l${r / 1.5},${r}l${-r / 1.5},${r}l${-r / 1.5},${-r}z`,
    dash: (r) => `m0,${-r}v${2 * r}`,
}

const paints = new Map([[null, "none"]])

/** A colour of a light page as that of the page at hand, which may set `--on-333333` and so on. */
function paint(color) {
    if (!paints.has(color)) {
        paints.set(color, `var(--on-${color.replace("#", "").toLowerCase()}, ${color})`)
    }
    return paints.get(color)
}

function element(name, attributes, parent) {
    const made = document.createElementNS(SVG, name)
    for (const key in attributes) made.setAttribute(key, attributes[key])
    parent?.append(made)
    return made
}

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

let pen
/** Width of a text in pixels. */
function widthOf(text, font) {
    pen ??= document.createElement("canvas").getContext("2d")
    if (pen.font !== font) pen.font = font
    return pen.measureText(text).width
}

/** Scale of an axis: a function from places to pixels. */
function scaled(axis, end, from, to) {
    const at = axis.log ? Math.log10 : (value) => value
    const first = at(axis.start), last = at(end === axis.start ? end + 1 : end)
    const factor = (to - from) / (last - first)
    return (value) => from + (at(value) - first) * factor
}

/** The finest level of ticks whose texts have room, or what of the coarsest has. */
function ticksWithRoom(levels, scale, width, gap) {
    const fits = (ticks) => ticks.every(([at], i) => {
        if (!i) return true
        const apart = Math.abs(scale(at) - scale(ticks[i - 1][0]))
        return apart >= (width(ticks[i][1]) + width(ticks[i - 1][1])) / 2 + gap
    })
    for (const level of [...levels].reverse()) if (level.length > 1 && fits(level)) return level
    const all = levels[0] ?? []
    const kept = all.length > 1 ? [all[0], all[all.length - 1]] : [...all]
    const clear = (one, other) => Math.abs(scale(one[0]) - scale(other[0]))
        >= (width(one[1]) + width(other[1])) / 2 + gap
    for (const tick of all.slice(1, -1)) {
        if (kept.every((other) => clear(tick, other))) kept.push(tick)
    }
    return kept.length === 2 && !clear(...kept) ? [all[0]] : kept
}

/** Move heights apart until neighbours are at least `gap` from each other, between two limits: as
 * little as they can, see `spread` in plots/names.py. */
function spread(heights, gap, low, high) {
    const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b] || a - b)
    const blocks = []
    order.forEach((i, place) => {
        let block = { mean: heights[i] - gap * place, size: 1 }
        while (blocks.length && blocks.at(-1).mean > block.mean) {
            const below = blocks.pop(), size = below.size + block.size
            block = { mean: (below.mean * below.size + block.mean * block.size) / size, size }
        }
        blocks.push(block)
    })
    const most = Math.max(low, high - gap * (heights.length - 1))
    const placed = blocks.flatMap(({ mean, size }) => Array(size).fill(Math.min(Math.max(mean, low), most)))
    const result = []
    order.forEach((i, place) => { result[i] = placed[place] + gap * place })
    return result
}

/** Words in lines of at most a width. */
function wrapped(text, width, font) {
    const lines = []
    for (const word of text.split(/\s+/)) {
        const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word
        if (!lines.length || widthOf(longer, font) > width) lines.push(word)
        else lines[lines.length - 1] = longer
    }
    return lines
}

/** HTML of an item's tooltip: `@column`, `@column{0.000}`, `@column{0,0}`, `@column{safe}`. */
function filled(layer, i) {
    const { columns } = layer
    return layer.tooltip.replace(/\$index\{others\}|@(\w+)(?:\{([^}]*)\})?/g, (all, name, format) => {
        if (!name) return escaped(others(columns, i, layer.size))
        if (!(name in columns)) return all
        const value = item(columns[name], i)
        if (format === "safe") return value
        if (format === "0,0") return Number(value).toLocaleString("en")
        if (/^0\.0+$/.test(format ?? "")) {
            return Number.isFinite(value) ? value.toFixed(format.length - 2) : "—"
        }
        return escaped(value)
    })
}

/**
 * Draw a picture into an element, and again whenever the element's width changes.
 *
 * options: `label`, what a screen reader says of the picture; `height` in pixels, or a function of
 * the width; `hidden`, a set of colours whose lines, points and names are left out;
 * `readout(text)`, what is shown of a read-out; `onthreshold(at)`, called with the place of the threshold
 * under the mouse on the axis of thresholds, NaN where there is none; `onpick(layer, i)`, called when an item with a
 * tooltip is clicked, or Enter pressed on it.
 *
 * Returns `update(layers, {x, y, label})`, which replaces the layers and axes that it is given and
 * leaves the others alone; `mark(threshold)`, which marks one until it is NaN; `hide(colours)`; `resize()`; `destroy()`; and the `picture` as it is.
 */
export function draw(host, picture, options = {}) {
    const shown = { ...picture, layers: picture.layers.map((layer) => ({ ...layer })) }
    const byName = new Map(shown.layers.map((layer) => [layer.name, layer]))
    const parts = new Map()
    const size = shown.fontSize
    let hidden = options.hidden ?? new Set()
    let frame = null  // where what is drawn: made by `layOut`
    let reached = null  // the item, or place of the read-out, whose text is seen: {layer, i}

    host.style.position ||= "relative"
    const svg = element("svg", { role: "img", "aria-label": options.label ?? "", tabindex: 0 })
    svg.style.cssText = "display:block;max-width:100%;height:auto;touch-action:pan-y;overflow:hidden"
    const back = element("g", {}, svg)
    const clip = element("clipPath", { id: `clip-${Math.random().toString(36).slice(2)}` }, svg)
    const clipBox = element("rect", {}, clip)
    const still = element("g", {}, svg)
    const moving = element("g", {}, svg)
    const pointer = element("line", { "stroke-width": 1, "stroke-dasharray": "2 3" }, svg)
    pointer.style.cssText = `stroke:${paint(INK)};display:none;pointer-events:none`
    const marks = element("g", { "data-marks": "" }, svg)
    marks.style.pointerEvents = "none"
    let marked = NaN
    const tooltip = document.createElement("div")
    tooltip.className = "tooltip"
    tooltip.setAttribute("role", "status")
    tooltip.style.cssText = "position:absolute;z-index:5;display:none;pointer-events:none;"
        + "box-sizing:border-box;padding:6px 9px;border-radius:4px;font-size:12px;line-height:1.4;"
        + `overflow-wrap:anywhere;color:${paint(INK)};background:${paint("white")};`
        + `border:1px solid ${paint(GHOST)};box-shadow:0 2px 8px rgba(0,0,0,.2)`
    host.append(svg, tooltip)

    for (const layer of shown.layers) {
        const group = element("g", { "data-layer": layer.name }, layer.moving ? moving : still)
        if (layer.kind !== "points" && layer.kind !== "texts") {
            group.setAttribute("clip-path", `url(#${clip.id})`)
        }
        parts.set(layer.name, { group, items: [], leaders: { group, items: [] } })
    }

    let width = 0, family = "sans-serif"  // of the host, which is not asked while things move

    /** End of the x axis that leaves room for the names right of the lines. */
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
        const { height: wanted } = options
        const usual = Math.round(Math.min(380, Math.max(240, width * 0.62)) * (shown.tall ?? 1))
        const height = typeof wanted === "function" ? wanted(width) : wanted ?? usual
        const { x, y } = shown
        const measure = (text) => widthOf(text, font)
        const top = 0.75 * size
        const xLabels = x.label && !x.hidden ? wrapped(x.label, width - 20, font) : []
        const hasTicks = !x.hidden && x.levels.some((level) => level.length)
        const below = x.hidden ? 6 : (hasTicks ? size + 9 : 6) + xLabels.length * size * 1.25 + 4
        const yScale = scaled(y, y.end, height - below, top)
        const yTicks = y.hidden ? [] : ticksWithRoom(y.levels, yScale, () => size, 3)
        const widest = Math.max(0, ...yTicks.map(([, text]) => measure(text)))
        const needed = y.hidden ? 4 : widest + 10 + (y.label ? 1.5 * size : 0)
        const left = width < NARROW ? needed : Math.max(needed, shown.left)
        const right = width - (y.hidden ? 4 : 8)
        const end = endOfX(right - left, font)
        const xScale = scaled(x, end, left, right)
        const xTicks = x.hidden ? [] : ticksWithRoom(x.levels, xScale, measure, 8)
        frame = { width, height, left, right, top, bottom: height - below, xScale, yScale, font, end }
        svg.setAttribute("width", width)
        svg.setAttribute("height", height)
        svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
        svg.setAttribute("font-size", size)
        for (const [key, value] of Object.entries({
            x: left, y: top - 2, width: Math.max(right - left, 0), height: frame.bottom - top + 4,
        })) clipBox.setAttribute(key, value)
        drawFrame(xTicks, yTicks, xLabels)
        for (const layer of shown.layers) drawLayer(layer)
        mark(marked)
        point()
    }

    function drawFrame(xTicks, yTicks, xLabels) {
        const { left, right, top, bottom, xScale, yScale, font } = frame
        const { x, y } = shown
        back.replaceChildren()
        const rule = (color, from, to, more = {}) => {
            const [x1, y1] = from, [x2, y2] = to
            element("line", { x1, y1, x2, y2, ...more }, back).style.stroke = paint(color)
        }
        const write = (text, at, anchor, more = {}) => {
            const [tx, ty] = at
            const made = element("text", { x: tx, y: ty, "text-anchor": anchor, ...more }, back)
            made.textContent = text
            made.style.fill = paint(TICK)
            return made
        }
        const inside = (at) => Math.min(right, Math.max(left, at))
        if (x.gutter) {
            const [from, to] = x.gutter.map((at) => inside(xScale(at)))
            const box = { x: Math.min(from, to), y: top, width: Math.abs(to - from), height: bottom - top }
            element("rect", box, back).style.fill = paint(GUTTER)
        }
        if (shown.grid) {
            if (!x.hidden) for (const [at] of xTicks) rule(RULE, [xScale(at), top], [xScale(at), bottom])
            if (!y.hidden) for (const [at] of yTicks) rule(RULE, [left, yScale(at)], [right, yScale(at)])
        }
        if (x.kink !== undefined && x.kink !== null) {
            const at = xScale(x.kink)
            rule(GHOST, [at, top], [at, bottom], { "stroke-dasharray": "2 4" })
        }
        if (!x.hidden) {
            rule(INK, [left, bottom], [right, bottom])
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
        }
        if (!y.hidden) {
            rule(INK, [left, top], [left, bottom])
            for (const [at, text] of yTicks) {
                rule(INK, [left - 4, yScale(at)], [left, yScale(at)])
                write(text, [left - 7, yScale(at) + 0.35 * size], "end", { "data-tick": "y" })
            }
            if (y.label) {
                const middle = (top + bottom) / 2
                const long = widthOf(y.label, font) > bottom - top
                const made = write(y.label, [0, 0], "middle", {
                    transform: `translate(${size}, ${middle}) rotate(-90)`,
                })
                if (long) made.setAttribute("textLength", bottom - top)
                if (long) made.setAttribute("lengthAdjust", "spacingAndGlyphs")
            }
        }
    }

    /** The first `count` elements of a layer, of which there may be more that are not seen. */
    function pool(part, count, make) {
        while (part.items.length < count) part.items.push(make(part.group))
        part.items.forEach((one, i) => { if (i >= count) one.style.display = "none" })
        return part.items
    }

    const seen = (x, y) => x >= frame.left - 7 && x <= frame.right + 7
        && y >= frame.top - 9 && y <= frame.bottom + 9

    const drawers = {
        line(layer, part) {
            const { columns: { x, y }, style } = layer
            const [path] = pool(part, 1, (group) => element("path", { fill: "none" }, group))
            const { xScale, yScale } = frame
            let d = "", pen = "M"
            for (let i = 0; i < layer.size; i++) {
                const px = xScale(item(x, i)), py = yScale(item(y, i))
                if (Number.isFinite(px) && Number.isFinite(py)) {
                    d += `${pen}${px.toFixed(1)} ${py.toFixed(1)}`
                    pen = "L"
                } else pen = "M"
            }
            path.setAttribute("d", d)
            path.style.display = hidden.has(style.color) ? "none" : ""
            stroke(path, style)
        },
        segments(layer, part) {
            const { x0, y0, x1, y1 } = layer.columns
            const [path] = pool(part, 1, (group) => element("path", { fill: "none" }, group))
            const { xScale, yScale } = frame
            let d = ""
            for (let i = 0; i < layer.size; i++) {
                const ends = [xScale(item(x0, i)), yScale(item(y0, i)), xScale(item(x1, i)), yScale(item(y1, i))]
                if (ends.every(Number.isFinite)) {
                    const [a, b, c, e] = ends.map((end) => end.toFixed(1))
                    d += `M${a} ${b}L${c} ${e}`
                }
            }
            path.setAttribute("d", d)
            path.style.display = hidden.has(layer.style.color) ? "none" : ""
            stroke(path, layer.style)
        },
        boxes(layer, part) {
            const { columns: { x0, y0, x1, y1 }, style } = layer
            const [path] = pool(part, 1, (group) => element("path", {}, group))
            const { xScale, yScale } = frame
            let d = ""
            for (let i = 0; i < layer.size; i++) {
                const [a, b] = [xScale(item(x0, i)), yScale(item(y0, i))]
                const [c, e] = [xScale(item(x1, i)), yScale(item(y1, i))]
                if ([a, b, c, e].every(Number.isFinite)) {
                    d += `M${a.toFixed(1)} ${b.toFixed(1)}H${c.toFixed(1)}V${e.toFixed(1)}H${a.toFixed(1)}Z`
                }
            }
            path.setAttribute("d", d)
            path.style.display = hidden.has(style.color) ? "none" : ""
            path.style.fill = paint(style.color)
            path.style.stroke = style.line_alpha ? paint(style.line_color) : "none"
            path.setAttribute("fill-opacity", style.fill_alpha)
            path.setAttribute("stroke-opacity", style.line_alpha)
            path.setAttribute("stroke-width", style.line_width)
        },
        points(layer, part) {
            const { columns: { x, y, color }, style } = layer
            const { marker } = layer.columns
            const circle = style.marker === "circle" && marker === undefined, r = style.size / 2
            if (!style.line_color && style.marker !== "dash" && layer.size > MANY) {
                piles(layer, part)
                return
            }
            part.piles?.forEach((path) => { path.style.display = "none" })
            const items = pool(part, layer.size, (group) => {
                const made = element(circle ? "circle" : "path", circle ? { r } : {}, group)
                if (!circle && marker === undefined) made.setAttribute("d", SHAPES[style.marker](r))
                made.setAttribute("fill-opacity", style.fill_alpha)
                made.setAttribute("stroke-width", style.line_width)
                if (style.marker !== "dash") made.style.stroke = paint(style.line_color)
                return made
            })
            for (let i = 0; i < layer.size; i++) {
                const px = frame.xScale(item(x, i)), py = frame.yScale(item(y, i))
                const one = items[i], of = item(color, i)
                const drawn = seen(px, py) && !hidden.has(of)
                if (drawn !== (one.drawn ?? true)) one.style.display = drawn ? "" : "none"
                else if (drawn && one.style.display) one.style.display = ""
                one.drawn = drawn
                if (!drawn) continue
                const at = `${px.toFixed(1)},${py.toFixed(1)}`
                if (one.at === at) {
                    // It has not moved.
                } else if (circle) {
                    const [cx, cy] = at.split(",")
                    one.setAttribute("cx", cx)
                    one.setAttribute("cy", cy)
                } else one.setAttribute("transform", `translate(${at})`)
                one.at = at
                if (marker !== undefined && one.marker !== item(marker, i)) {
                    one.marker = item(marker, i)
                    one.setAttribute("d", SHAPES[one.marker](r))
                }
                if (one.color !== of) {
                    one.style[style.marker === "dash" ? "stroke" : "fill"] = paint(of)
                    one.color = of
                }
            }
        },
        texts(layer, part) {
            const { columns, style } = layer
            const { x, y, text, color } = columns
            const items = pool(part, layer.size, (group) => {
                const made = element("text", { "text-anchor": ALIGN[style.align] }, group)
                made.style.paintOrder = "stroke"
                made.style.stroke = paint("white")
                made.setAttribute("stroke-width", 3)
                made.setAttribute("stroke-opacity", 0.75)
                made.setAttribute("stroke-linejoin", "round")
                if (style.font) made.style.fontFamily = style.font
                return made
            })
            const lines = pool(part.leaders, columns.from_x === undefined ? 0 : layer.size, (group) => {
                const made = element("line", { "stroke-width": 0.8 })
                group.prepend(made)
                return made
            })
            const places = []
            for (let i = 0; i < layer.size; i++) {
                const px = frame.xScale(item(x, i)) + style.shift, py = frame.yScale(item(y, i))
                const drawn = seen(px - style.shift, py) && !hidden.has(item(color, i))
                if (drawn) places.push({ i, px, py })
                items[i].style.display = drawn ? "" : "none"
                if (lines[i]) lines[i].style.display = "none"
            }
            // Names in one column are moved apart: on a low plot a line is higher than its share.
            // Where some are left out, the others have room at their own lines.
            const atLines = hidden.size && (!Array.isArray(x) || x.every((one) => one === x[0]))
            const columnsAt = new Set(style.align === "left" ? places.map(({ px }) => px) : [])
            for (const at of columnsAt) {
                const column = places.filter(({ px }) => px === at)
                if (column.length < 2 && !atLines) continue
                const own = column.map(({ i, py }) => {
                    const line = atLines ? frame.yScale(item(columns.from_y, i)) : NaN
                    return Number.isFinite(line) ? line : py
                })
                const heights = spread(own, size * 1.1, frame.top, frame.bottom - size / 2)
                column.forEach((place, j) => { place.py = heights[j] })
            }
            for (const place of places) place.width = widthOf(item(text, place.i), frame.font)
            // And those in one row: on a narrow plot a text is longer than its share.
            for (const at of new Set(style.align === "left" ? places.map(({ py }) => py) : [])) {
                const row = places.filter(({ py }) => py === at).sort((a, b) => a.px - b.px)
                for (let j = 1; j < row.length; j++) {
                    row[j].px = Math.max(row[j].px, row[j - 1].px + row[j - 1].width + APART)
                }
                for (let j = row.length - 1, end = frame.width - 1; row.length > 1 && j >= 0; j--) {
                    row[j].px = Math.min(row[j].px, end - row[j].width)
                    end = row[j].px - APART
                }
            }
            for (const { i, px, py, width } of places) {
                const one = items[i]
                // Nothing is cut at the edges of the picture.
                const before = { left: 0, center: width / 2, right: width }[style.align]
                const kept = Math.max(before + 1, Math.min(px, frame.width - 1 - (width - before)))
                one.setAttribute("x", kept.toFixed(1))
                one.setAttribute("y", (py + HEIGHT[style.baseline] * size).toFixed(1))
                if (one.textContent !== item(text, i)) one.textContent = item(text, i)
                one.style.fill = paint(item(color, i))
                const from = lines[i] && [
                    frame.xScale(item(columns.from_x, i)), frame.yScale(item(columns.from_y, i)),
                ]
                if (!from?.every(Number.isFinite)) continue
                const ends = { x1: from[0], y1: from[1], x2: kept - 2, y2: py }
                for (const [key, value] of Object.entries(ends)) {
                    lines[i].setAttribute(key, value.toFixed(1))
                }
                lines[i].style.stroke = paint(item(color, i))
                lines[i].style.display = ""
            }
        },
        readout() {},
    }

    function stroke(path, style) {
        path.style.stroke = paint(style.color)
        path.setAttribute("stroke-width", style.width)
        path.setAttribute("stroke-opacity", style.alpha)
        if (style.dash.length) path.setAttribute("stroke-dasharray", style.dash.join(" "))
        else path.removeAttribute("stroke-dasharray")
        path.setAttribute("stroke-linejoin", "round")
    }

    /** Many points: some paths for each colour and shape, in which they take turns. */
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
        part.items.forEach((one) => { one.style.display = "none" })
        part.piles ??= []
        let next = 0
        for (const { of, d } of ways.values()) {
            for (const way of d) {
                const path = part.piles[next++] ??= element("path", { "fill-opacity": style.fill_alpha }, part.group)
                path.setAttribute("d", way)
                path.style.fill = paint(of)
                path.style.display = ""
            }
        }
        part.piles.slice(next).forEach((path) => { path.style.display = "none" })
    }

    const drawLayer = (layer) => drawers[layer.kind](layer, parts.get(layer.name))

    // --- what the mouse, a finger or the keyboard is at ------------------------------------------

    const place = (layer, i) => ({
        x: frame.xScale(item(layer.columns.x, i)), y: frame.yScale(item(layer.columns.y, i)),
    })

    /** Lines on which thresholds have places: `at` is that of each point on the axis of thresholds. */
    const linesAlong = () => shown.layers.flatMap((layer) => {
        const { columns: { x, y, threshold }, style } = layer
        if (layer.kind !== "line" || hidden.has(style.color)) return []
        const at = threshold ?? (shown.x.threshold && ALONG.test(layer.name) ? x : null)
        return Array.isArray(at) ? [{ x, y, at, color: style.color, own: threshold !== undefined }] : []
    })

    /** The threshold at a place; NaN in a picture that knows of none. */
    function thresholdAt(px, py) {
        const { left, right, top, bottom, end } = frame, across = Boolean(shown.x.threshold)
        if (px < left || px > right || py < top || py > bottom) return NaN
        const lines = linesAlong()
        if (across && !lines.some(({ own }) => own)) {
            return shown.x.start + (px - left) / (right - left) * (end - shown.x.start)
        }
        let found = NaN, least = Infinity
        for (const { x, y, at } of lines) {
            at.forEach((threshold, i) => {
                if (threshold === null) return
                const away = across ? 0 : frame.yScale(item(y, i)) - py
                const far = Math.hypot(frame.xScale(item(x, i)) - px, away)
                if (far < least) [found, least] = [threshold, far]
            })
        }
        return found
    }

    /** Mark a threshold on all lines, and across the picture if its axis is one of thresholds. */
    function mark(threshold) {
        marked = threshold
        marks.replaceChildren()
        if (!Number.isFinite(threshold) || !frame) return
        const { left, right, top, bottom } = frame
        let across = NaN
        const lines = linesAlong()
        for (const { x, y, at, color, own } of lines) {
            const known = at.filter((one) => one !== null)
            const way = known.at(-1) < known[0] ? -1 : 1
            const i = known.filter((one) => way * (one - threshold) <= 1e-9).length - 1
            if (i < 0) continue
            const cx = frame.xScale(item(x, i)), cy = frame.yScale(item(y, i))
            across = own ? cx : frame.xScale(threshold)
            const beyond = !own && i === known.length - 1 && known[i] !== threshold
            if (beyond || !(cx >= left - 1 && cx <= right + 1 && cy >= top - 1 && cy <= bottom + 1)) continue
            const dot = element("circle", { cx, cy, r: 4.5, "stroke-width": 1.5 }, marks)
            dot.style.fill = paint(color)
            dot.style.stroke = paint("white")
        }
        if (!shown.x.threshold || !(across >= left && across <= right)) return
        const ends = { x1: across, x2: across, y1: top, y2: bottom, "stroke-dasharray": "2 3" }
        const rule = element("line", ends)
        rule.style.stroke = paint(INK)
        marks.prepend(rule)
    }

    /** The item with a tooltip at a place, or the nearest place of the read-out. */
    function at(px, py, reach) {
        for (const layer of [...shown.layers].reverse()) {
            if (!layer.tooltip) continue
            let best = null
            for (let i = 0; i < layer.size; i++) {
                if (layer.kind === "boxes") {
                    const { x0, y0, x1, y1 } = layer.columns
                    const [a, c] = [frame.xScale(item(x0, i)), frame.xScale(item(x1, i))]
                    const [b, e] = [frame.yScale(item(y0, i)), frame.yScale(item(y1, i))]
                    if ((px - a) * (px - c) <= 0 && (py - b) * (py - e) <= 0) return { layer, i }
                } else if (!hidden.has(item(layer.columns.color, i))) {
                    const { x, y } = place(layer, i)
                    const far = Math.hypot(x - px, y - py)
                    if (far <= Math.max(reach, layer.style.size / 2) && !(far >= best?.far)) {
                        best = { layer, i, far }
                    }
                }
            }
            if (best) return best
        }
        const layer = shown.layers.find((one) => one.kind === "readout")
        if (!layer?.size || px < frame.left || px > frame.right) return null
        let best = null
        for (let i = 0; i < layer.size; i++) {
            const far = Math.abs(frame.xScale(item(layer.columns.x, i)) - px)
            if (!(far >= best?.far)) best = { layer, i, far }
        }
        return best
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

    /** Show the text of what is reached beside it. */
    function point(mouse) {
        if (reached && reached.i >= reached.layer.size) reached = null
        pointer.style.display = "none"
        tooltip.style.display = reached ? "block" : "none"
        if (!reached) return
        const { layer, i } = reached
        let x, y
        if (layer.kind === "boxes") {
            const { x0, y0, x1, y1 } = layer.columns
            x = (frame.xScale(item(x0, i)) + frame.xScale(item(x1, i))) / 2
            y = (frame.yScale(item(y0, i)) + frame.yScale(item(y1, i))) / 2
            x = Math.min(frame.right, Math.max(frame.left, mouse?.x ?? x))
        } else ({ x, y } = place(layer, i))
        if (layer.kind === "readout") {
            for (const [key, value] of Object.entries({ x1: x, x2: x, y1: frame.top, y2: frame.bottom })) {
                pointer.setAttribute(key, value)
            }
            pointer.style.display = ""
        }
        const text = layer.kind === "readout" ? item(layer.columns.text, i) : filled(layer, i)
        tooltip.innerHTML = layer.kind === "readout" ? options.readout?.(text) ?? text : text
        tooltip.style.maxWidth = `${Math.min(layer.kind === "readout" ? 420 : 280, frame.width)}px`
        tooltip.style.left = "0"
        const width = tooltip.offsetWidth
        const beside = x + 14 + width <= frame.width ? x + 14 : x - 14 - width
        tooltip.style.left = `${Math.max(0, Math.min(beside, frame.width - width))}px`
        const high = Math.min(mouse?.y ?? y, frame.height) - tooltip.offsetHeight / 2
        tooltip.style.top = `${Math.max(0, high)}px`
    }

    function onPointer(event) {
        const box = svg.getBoundingClientRect()
        const factor = frame.width / (box.width || 1)
        const mouse = { x: (event.clientX - box.x) * factor, y: (event.clientY - box.y) * factor }
        tooltip.setAttribute("aria-live", "off")
        reached = at(mouse.x, mouse.y, event.pointerType === "touch" ? TOUCH : MOUSE)
        options.onthreshold?.(thresholdAt(mouse.x, mouse.y))
        svg.style.cursor = reached?.layer.tooltip && options.onpick ? "pointer" : ""
        point(mouse)
        return reached
    }

    function leave() {
        reached = null
        options.onthreshold?.(NaN)
        point()
    }

    function onKey(event) {
        const all = stops()
        const here = all.findIndex((one) => one.layer === reached?.layer && one.i === reached.i)
        const steps = { ArrowRight: here + 1, ArrowLeft: here < 0 ? all.length - 1 : here - 1,
            Home: 0, End: all.length - 1 }
        if (event.key === "Escape" && reached) leave()
        else if (event.key === "Enter" && reached?.layer.tooltip) options.onpick?.(reached.layer, reached.i)
        else if (event.key in steps && all.length && !event.altKey && !event.ctrlKey && !event.metaKey) {
            tooltip.setAttribute("aria-live", "polite")
            reached = all[Math.max(0, Math.min(steps[event.key], all.length - 1))]
            if (reached.layer.kind === "readout") {
                const { x, y } = place(reached.layer, reached.i)
                options.onthreshold?.(thresholdAt(x, y))
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
        element: svg,
        picture: shown,
        update(layers, { x, y, label } = {}) {
            for (const layer of layers) Object.assign(byName.get(layer.name), layer)
            if (label !== undefined) svg.setAttribute("aria-label", label)
            const moved = x || y
            if (x) shown.x = x
            if (y) shown.y = y
            if (!frame) return
            const named = layers.some(({ name }) => {
                const { kind, moving: follows } = byName.get(name)
                return kind === "texts" && !follows
            })
            if (moved || (named && endOfX(frame.right - frame.left, frame.font) !== frame.end)) layOut()
            else for (const { name } of layers) drawLayer(byName.get(name))
            if (!moved && reached) point()
        },
        mark,
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
