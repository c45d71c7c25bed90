// Records that queue by E-value before a door, and the seats that their errors take.
import { make } from "../draw/elements.js"
import { placed, scaled } from "../draw/layout.js"
import { draggable, nearest } from "./drag.js"

const LENS = 20 // records that are magnified on either side of the present one
const SEATS = 50
const ROOM = 3 // decades free on either side of the records
const SPREAD = 0.618 // of the height, from one record to the next: neighbours keep apart

/** Milliseconds in which the lists merge. */
export const RUN_TIME = 2600

/**
 * @import { Drag } from "./drag.js"
 * @typedef {{ name: string, records: string, e: string[], exponent: number[], id?: string[] }} List records are
 *     a letter each, R or I
 * @typedef {{ title: string, mode: "each" | "exponent" | "merging" | "merged" | "many", lists: List[], order: string,
 *     control: string[], line: number[], scale: number[], seats: string[], taken: number[][], door: number[],
 *     ticks: [at: number, text: string][], unit: string, magnified: boolean }} Spec see `Lanes` of scene.py
 * @typedef {{ ink: string, rule: string, a: string, b: string, door: string, stage: string, font: string }} Colors
 * @typedef {{ owners: number[], read: number[], doors: number[], factor: number }} Now of each seat that is taken the
 *     place of the list; how many records of each list are read, and how far: an exponent for each list, or for both
 */

/** Whether nothing is to move. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches

/**
 * Number of records up to each error, first up to none.
 *
 * @param {Iterable<string>} records
 */
export const upTo = (records) => [0, ...[...records].flatMap((kind, i) => (kind === "I" ? [i + 1] : []))]

/** A list in words: where its errors are. @param {string} records */
export function runs(records) {
    const all = records.match(/R+|I+/g) ?? [], more = all.length > 6 ? " and so on" : ""
    return all.slice(0, 6).map((one) => `${one.length} ${one[0] === "R" ? "relevant" : "irrelevant"}`).join(", ") + more
}

/** Side of the largest squares of which so many fit into a box. @param {number} count @param {number} width @param {number} height */
export function side(count, width, height) {
    let size = Math.min(width / SEATS, height)
    while (Math.floor(width / size) * Math.floor(height / size) < count) size *= 0.98
    return size
}

/** A filled box. @param {CanvasRenderingContext2D} pen @param {string} color @param {number[]} box left, top, width and height */
function fill(pen, color, [x, y, width, height]) {
    pen.fillStyle = color
    pen.fillRect(x, y, width, height)
}

/** @param {CanvasRenderingContext2D} pen @param {string} color @param {string} text @param {number} x @param {number} y @param {CanvasTextAlign} align */
function write(pen, color, text, x, y, align = "left") {
    pen.fillStyle = color
    pen.textAlign = align
    pen.fillText(text, x, y)
}

/** Queues and seats on a canvas, with a part of the records magnified below. */
export class Lanes {
    /** @param {Spec} spec @param {() => Colors} colors of the page @param {(control: number, at: number) => void} move */
    constructor(spec, colors, move) {
        this.spec = spec
        this.colors = colors
        this.canvas = make("canvas", { role: "img" })
        this.lens = make("div", { class: "lens", hidden: true })
        this.element = make("figure", { class: "lanes" }, make("figcaption", {}, spec.title), this.canvas, this.lens)
        /** @type {number[]} row of each control */
        this.at = []
        this.known = this.enabled = false
        /** @type {[list: number, until: number] | null} what of one list is read where nothing is to be moved yet */
        this.peek = null
        this.time = 1  // how far the lists have merged
        const next = spec.lists.map(() => 0)
        this.merged = [...spec.order].map((q) => ({ q: +q, i: next[+q]++ }))
        // Number of records up to each error, of each list and of the merged one.
        this.upTo = spec.lists.map((list) => upTo(list.records))
        this.mergedUpTo = upTo(this.merged.map(({ q, i }) => spec.lists[q].records[i]))
        const all = spec.lists.flatMap((list) => list.exponent)
        this.range = [Math.min(...all) - ROOM, Math.max(...all) + ROOM]
        draggable(this.canvas, (x, y) => this.grab(x, y, move))
        draggable(this.lens, (begun) => {
            const from = this.records(), wide = this.lens.querySelector("i")?.clientWidth || 1
            return (x) => this.readTo(from + Math.round((begun - x) / wide), move)
        })
    }

    /** Show positions: the row of each control. @param {number[]} at @param {boolean} known whether merged @param {boolean} enabled whether it can be dragged */
    show(at, known, enabled) {
        Object.assign(this, { at, known, enabled, peek: null })
        this.paint()
        if (this.spec.magnified && known) this.magnify()
    }

    /** Have the lists merge, and then do something. @param {() => void} done */
    run(done) {
        const begun = performance.now()
        const step = (/** @type {number} */ now) => {
            Object.assign(this, { time: Math.min(1, (now - begun) / RUN_TIME), known: true, peek: null })
            this.paint()
            if (!this.canvas.isConnected) return
            if (this.time < 1) requestAnimationFrame(step)
            else done()
        }
        requestAnimationFrame(step)
    }

    /** What is read, and who has taken the seats. @returns {Now} */
    now() {
        const { spec, at, upTo } = this, { lists } = spec
        const factor = spec.scale.length ? spec.scale[at[0]] : 1, all = lists.map((list) => list.records.length)
        const place = (/** @type {number} */ q, /** @type {number} */ i) => lists[q].exponent[i] * (q ? factor : 1)
        const until = (/** @type {number} */ end) => lists.map((list, q) => list.exponent.filter((_, i) => place(q, i) <= end).length)
        if (this.peek) {
            const [row, end] = this.peek
            return { owners: [], read: all.map((count, q) => q === row ? until(end)[q] : count), doors: lists.map((_, q) => q === row ? end : NaN), factor }
        }
        if (spec.mode === "each") {
            const read = all.map((count, q) => upTo[q][at[0] + 1] ?? count)
            return { owners: [], read, doors: read.map((count, q) => place(q, count - 1)), factor }
        }
        if (spec.mode === "exponent") {
            const owners = [...spec.seats[at[0]] ?? ""].map(Number), end = spec.line[at[at.length - 1]]
            if (!owners.length) return { owners, read: until(end), doors: [], factor }
            const door = Math.max(...lists.map((_, q) => place(q, upTo[q][owners.filter((one) => one === q).length] - 1)).filter((one) => !isNaN(one)))
            return { owners, read: until(door), doors: [door], factor }
        }
        if (!this.known) return { owners: [], read: all, doors: [], factor }
        const records = this.records(), seen = this.merged.slice(0, records)
        const { q, i } = seen[records - 1] ?? { q: 0, i: -1 }
        return {
            owners: seen.filter((one) => lists[one.q].records[one.i] === "I").map((one) => one.q),
            read: lists.map((_, one) => seen.filter((record) => record.q === one).length),
            doors: records ? [place(q, i)] : [], factor,
        }
    }

    /** How many of the merged records are read. */
    records() {
        const { spec: { mode, control }, at, mergedUpTo } = this
        if (mode === "merged") return mergedUpTo[at[0] + 1]
        return this.time === 1 && control.length ? at[0] + 1 : mergedUpTo[Math.round(SEATS * this.time)]
    }

    /** What a drag does that begins somewhere. @param {number} x @param {number} y @param {(control: number, at: number) => void} move @returns {Drag | null} */
    grab(x, y, move) {
        const { spec, canvas, at } = this, { lists } = spec, size = this.sizes()
        const width = canvas.clientWidth
        if (spec.mode === "many") {
            if (y < size.queues) return (x) => move(1, Math.round((x / width) * (spec.door.length - 1)))
            const { columns, step } = this.many()
            return (x, y) => move(0, Math.max(0, Math.floor((y - size.queues - 14) / step)) * columns + Math.floor(x / step))
        }
        const [start, end] = this.range, exponent = placed({ start }, end, 0, width)
        const row = Math.max(0, Math.min(lists.length - 1, Math.floor((y - size.queues) / size.lane)))
        if (!this.enabled) {
            return (x) => {
                this.peek = [row, exponent(x)]
                this.paint()
            }
        }
        if (spec.mode === "each") {
            return (x) => move(0, this.upTo[row].filter((count) => count && lists[row].exponent[count - 1] <= exponent(x)).length - 1)
        }
        if (spec.order) {
            return (x) => this.readTo(this.merged.filter(({ q, i }) => lists[q].exponent[i] <= exponent(x)).length, move)
        }
        if (spec.scale.length && row === 1 && y > size.queues) {
            // The records that were grabbed stay under the pointer, the first where there are none; those near E = 1 hardly move.
            const grabbed = Math.min(-15, Math.max(Math.min(...lists[row].exponent), exponent(x) / spec.scale[at[0]]))
            return (x) => move(0, nearest(spec.scale, exponent(x) / grabbed))
        }
        return spec.line.length ? (x) => move(at.length - 1, nearest(spec.line, exponent(x))) : null
    }

    /** Read so many of the merged records. @param {number} records @param {(control: number, at: number) => void} move */
    readTo(records, move) {
        const { spec } = this, errors = this.mergedUpTo.filter((count) => count && count <= records).length
        if (spec.control.length) return move(0, (spec.mode === "merged" ? errors : records) - 1)
        this.time = Math.min(1, errors / SEATS)
        this.paint()
    }

    /** Heights, and where the queues begin. */
    sizes() {
        const narrow = innerWidth < 760 || innerHeight < 640, { mode, order, seats: { length } } = this.spec
        const seats = mode === "many" ? 44 : narrow ? 22 : 34, high = narrow ? 15 : 26
        return { seats, high, lane: 2 * high + 20, queues: mode === "many" || order || length ? seats + 24 : 0 }
    }

    /** How lists stand as squares. */
    many() {
        const step = innerWidth < 600 ? 11 : 19, columns = Math.floor(this.canvas.clientWidth / step)
        return { step, columns, rows: Math.ceil((this.spec.taken.length / this.spec.door.length + 1) / columns) }
    }

    paint() {
        const { canvas, spec } = this, { queues, lane } = this.sizes(), many = spec.mode === "many" ? this.many() : null
        const width = canvas.clientWidth || 600, height = queues + (many ? 14 + many.rows * many.step : spec.lists.length * lane + 18)
        const ratio = devicePixelRatio || 1, pen = canvas.getContext("2d"), colors = this.colors()
        canvas.width = Math.round(width * ratio)
        canvas.height = Math.round(height * ratio)
        canvas.style.height = `${height}px`
        if (!pen) return
        pen.setTransform(ratio, 0, 0, ratio, 0, 0)
        pen.font = `12px ${colors.font}`
        const words = many ? this.paintMany(pen, colors, width) : this.paintQueues(pen, colors, width)
        canvas.setAttribute("aria-label", `${spec.title}. ${words}`)
    }

    /** @param {CanvasRenderingContext2D} pen @param {Colors} colors @param {number} width */
    paintQueues(pen, colors, width) {
        const { spec, range: [start, end] } = this, { queues, high, lane } = this.sizes(), now = this.now()
        const scale = scaled({ start }, end, 0, width), inks = [colors.a, colors.b], words = []
        if (queues) words.push(this.paintSeats(pen, colors, width, now.owners, Math.max(SEATS, now.owners.length)))
        spec.lists.forEach((list, q) => {
            const y = queues + q * lane + 14 + high, title = list.name.length === 1 ? `list ${list.name}` : `${q + 1}, ${list.name}`
            const seen = list.records.slice(0, now.read[q]), relevant = seen.split("R").length - 1
            const told = `${title}: ${relevant} relevant, ${seen.length - relevant} irrelevant`
            words.push(`${told} read; in its order ${runs(list.records)}`)
            fill(pen, colors.rule, [0, y - 0.5, width, 1])
            for (const [kind, up] of /** @type {const} */ ([["R", -1], ["I", 1]])) {
                const ways = [new Path2D(), new Path2D()], r = high > 20 ? 2 : 1.6
                list.exponent.forEach((exponent, i) => {
                    if (list.records[i] !== kind) return
                    const x = scale(exponent * (q ? now.factor : 1)), at = y + up * (4 + ((i * SPREAD) % 1) * (high - 6))
                    const way = ways[i < now.read[q] ? 0 : 1]
                    if (kind === "R") {
                        way.moveTo(x + r, at)
                        way.arc(x, at, r, 0, 7)
                    } else {
                        way.moveTo(x - r, at - r)
                        way.lineTo(x + r, at + r)
                        way.moveTo(x + r, at - r)
                        way.lineTo(x - r, at + r)
                    }
                })
                ways.forEach((way, faint) => {
                    pen.fillStyle = pen.strokeStyle = faint ? `color-mix(in srgb, ${inks[q]} 32%, ${colors.stage})` : inks[q]
                    pen.lineWidth = 1.1
                    if (kind === "R") pen.fill(way)
                    else pen.stroke(way)
                })
            }
            write(pen, inks[q], told, 2, y - high - 3)
        })
        this.paintLines(pen, colors, width, scale, now)
        return `${words.join(". ")}.`
    }

    /** Where reading has come to, the threshold, and E-values. @param {CanvasRenderingContext2D} pen @param {Colors} colors @param {number} width @param {(at: number) => number} scale @param {Now} now */
    paintLines(pen, colors, width, scale, { doors }) {
        const { spec, at } = this, { queues, lane } = this.sizes(), bottom = queues + spec.lists.length * lane
        const high = bottom - queues - 14, line = scale(spec.line[at[at.length - 1]]), atEnd = line > width - 30
        doors.forEach((door, q) => fill(pen, colors.door, [scale(door) + 1.5, queues + q * lane + 14, 2, doors.length > 1 ? lane - 16 : high]))
        if (spec.line.length) {
            fill(pen, colors.ink, [line - 1, queues + 14, 2, high])
            write(pen, colors.ink, "E₀", line + (atEnd ? -4 : 4), bottom - 4, atEnd ? "right" : "left")
        }
        for (const [at, text] of spec.ticks) write(pen, colors.ink, text, Math.max(12, Math.min(scale(at), width - 12)), bottom + 13, "center")
    }

    /** Seats before the door, each in the colour of the list whose error has it. @param {CanvasRenderingContext2D} pen @param {Colors} colors @param {number} width @param {number[]} owners @param {number} count */
    paintSeats(pen, colors, width, owners, count) {
        const { spec } = this, size = side(count, width, this.sizes().seats), columns = Math.floor(width / size + 1e-9) // fifty seats are one row
        const inks = [colors.a, colors.b], gap = size > 4 ? 1.5 : 0
        const letters = spec.mode === "many" ? ["A", "B"] : spec.lists.map(({ name }, q) => name.length === 1 ? name : `${q + 1}`)
        for (let i = 0; i < count; i++) {
            const x = (i % columns) * size, y = 17 + Math.floor(i / columns) * size, q = owners[i], wide = size - gap
            fill(pen, inks[q] ?? colors.rule, [x, y, wide, wide])
            if (q === undefined && gap) fill(pen, colors.stage, [x + 1, y + 1, wide - 2, wide - 2])
            if (q !== undefined && size > 12) write(pen, colors.stage, letters[q], x + wide / 2, y + size / 2 + 3.5, "center")
        }
        const taken = letters.map((letter, q) => `${letter} ${owners.filter((one) => one === q).length.toLocaleString("en")}`)
        const words = `${count.toLocaleString("en")} seats for errors; taken by ${taken.join(", by ")}`
        write(pen, colors.ink, words, 2, 11)
        return words
    }

    /** Many lists as squares, and the seats that those like B have taken. @param {CanvasRenderingContext2D} pen @param {Colors} colors @param {number} width */
    paintMany(pen, colors, width) {
        const { spec, at: [copies, door] } = this, { queues } = this.sizes(), { step, columns } = this.many()
        const taken = spec.taken[(door * spec.taken.length) / spec.door.length + copies]
        const owners = [1, 0].flatMap((q) => Array(taken[q]).fill(q)), lists = copies + 1
        const words = `Lists like A: ${lists}; like B: 1`
        const seats = this.paintSeats(pen, colors, width, owners, spec.door[door])
        write(pen, colors.ink, words, 2, queues + 8)
        for (let i = 0; i <= lists; i++) {
            const x = (i % columns) * step, y = queues + 14 + Math.floor(i / columns) * step
            fill(pen, i < lists ? colors.a : colors.b, [x, y, step - 3, step - 3])
            if (step > 14) write(pen, colors.stage, i < lists ? "A" : "B", x + (step - 3) / 2, y + step / 2 + 3, "center")
        }
        return `${seats}. ${words}.`
    }

    /** The records around the present one. */
    magnify() {
        const { spec: { lists, unit }, merged } = this
        const present = this.records() - 1, around = innerWidth < 600 ? LENS / 2 : LENS
        const first = Math.max(0, Math.min(present - around, merged.length - 2 * around - 1))
        const signs = merged.slice(first, first + 2 * around + 1).map(({ q, i }, step) => make("i",
            { class: `${lists[q].records[i] === "R" ? "rel" : "irr"} ${q ? "b" : "a"}${first + step === present ? " here" : ""}` },
            lists[q].records[i] === "R" ? "●" : "×", make("small", {}, lists[q].name.length === 1 ? lists[q].name : `${q + 1}`)))
        const { q, i } = merged[present], list = lists[q]
        const words = `Record ${(present + 1).toLocaleString("en")}${list.id ? ` (${list.id[i]})` : ""}`
            + `${list.name.length === 1 ? ` of list ${list.name}` : `, query ${list.name}`}: `
            + `${list.records[i] === "R" ? "relevant" : "irrelevant"}, ${unit} = ${list.e[i]}`
        this.lens.hidden = false
        this.lens.replaceChildren(make("div", { class: "letters", "aria-hidden": "true" }, ...signs), make("p", {}, words))
    }
}
