// Result lists as bars.
import { make } from "../draw/elements.js"
import { scaled } from "../draw/layout.js"

const LENS = 20 // records that are magnified on either side of the present one
const MERGE_TIME = 2600 // milliseconds
const EXPONENTS = [-183, 4]

/**
 * @typedef {{ name: string, records: string, e: string[], exponent: number[], id?: string[] }} List records are
 *     a letter each, R or I
 * @typedef {{ title: string, mode: "rank" | "exponent" | "merging" | "merged", lists: List[], order: string,
 *     control: string[], line: number[], scale: number[], errors: boolean, magnified: boolean }} Spec see `Lanes` of
 *     scene.py
 * @typedef {NonNullable<ReturnType<Lanes["sheet"]>>} Sheet
 * @typedef {{ ink: string, soft: string, rule: string, relevant: string, irrelevant: string, stage: string, font: string }} Colors
 */

/** Whether nothing is to move. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches

/**
 * Number of records up to each error, first up to none.
 *
 * @param {Iterable<string>} records
 */
export const upTo = (records) => [0, ...[...records].flatMap((kind, i) => (kind === "I" ? [i + 1] : []))]

/** Lists as bars on a canvas, with a part of them magnified below. */
export class Lanes {
    /** @param {Spec} spec @param {() => Colors} colors of the page */
    constructor(spec, colors) {
        this.spec = spec
        this.colors = colors
        this.canvas = make("canvas", { role: "img" })
        /** @type {HTMLElement[]} */
        this.lenses = []
        /** @type {number[]} row of each control */
        this.at = []
        this.known = false
        this.frame = 0
        this.element = make("figure", { class: "lanes" }, make("figcaption", {}, spec.title), this.canvas)
        this.time = 1  // how far the lists have merged
        /** @type {number[][]} ranks of the records of each list in the merged one */
        this.places = spec.lists.map(() => [])
        ;[...spec.order].forEach((q, rank) => this.places[+q].push(rank))
        this.longest = Math.max(...spec.lists.map((list) => list.records.length))
        if (spec.order) this.longest = spec.order.length
        // Number of records up to each error, of each list and of the merged one.
        this.upTo = spec.lists.map((list) => upTo(list.records))
        const next = spec.lists.map(() => 0)
        this.merged = [...spec.order].map((q) => ({ q: +q, i: next[+q]++ }))
        this.mergedUpTo = upTo(this.merged.map(({ q, i }) => spec.lists[q].records[i]))
        if (spec.magnified) {
            const count = spec.order ? 1 : spec.lists.length
            for (let q = 0; q < count; q++) {
                const lens = make("div", { class: "lens" })
                this.lenses.push(lens)
                this.element.append(lens)
            }
        }
    }

    /** Show positions: the row of each control; `known` whether the lists may be seen merged. @param {number[]} at @param {boolean} known */
    show(at, known) {
        this.at = at
        this.known = known
        this.paint()
        this.lenses.forEach((lens, q) => this.magnify(lens, q))
    }

    merge() {
        cancelAnimationFrame(this.frame)
        if (still()) return this.paint()
        const begun = performance.now()
        const step = (/** @type {number} */ now) => {
            this.time = Math.min(1, (now - begun) / MERGE_TIME)
            this.paint()
            if (this.time < 1 && this.canvas.isConnected) this.frame = requestAnimationFrame(step)
        }
        this.time = 0
        this.frame = requestAnimationFrame(step)
    }

    /** How many records of each list are read; and of the merged one. @returns {{ records: number, of: number[] }} */
    read() {
        const { spec, at } = this
        if (spec.mode === "merged") {
            const records = this.mergedUpTo[at[0] + 1] ?? this.merged.length
            return { records, of: spec.lists.map((_, q) => this.places[q].filter((rank) => rank < records).length) }
        }
        if (spec.mode === "rank" && spec.errors) {
            return { records: 0, of: spec.lists.map((list, q) => this.upTo[q][at[0] + 1] ?? list.records.length) }
        }
        return { records: 0, of: spec.lists.map((list) => list.records.length) }
    }

    paint() {
        const sheet = this.sheet()
        if (!sheet) return
        const { spec } = this, read = this.read()
        spec.lists.forEach((_, q) => this.paintList(sheet, q, read.of[q]))
        if (spec.mode === "merging") this.paintMerged(sheet)
        if (spec.mode === "merged") spec.lists.forEach((_, q) => sheet.cursor(read.records, sheet.middle(q)))
        sheet.pen.globalAlpha = 1
        sheet.pen.fillStyle = sheet.colors.soft
        if (spec.mode === "exponent") this.paintExponents(sheet)
        else if (spec.mode !== "merging" || !this.known || this.time === 0) {
            sheet.write(`rank ${this.longest.toLocaleString("en")}`, sheet.width - 2, sheet.height - 5, "right")
            sheet.write("rank 1", 2, sheet.height - 5, "left")
        }
        this.canvas.setAttribute("aria-label", `${spec.title}. ${sheet.words.join("; ")}.`)
    }

    /** An empty canvas in the size that there is, its scales, and what is painted often. */
    sheet() {
        const { spec, canvas } = this, width = canvas.clientWidth || 600
        const rows = spec.lists.length + (spec.mode === "merging" ? 1 : 0)
        const high = width < 500 ? 17 : 21, lane = 2 * high + 18, height = rows * lane + 20
        const ratio = devicePixelRatio || 1
        if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
            canvas.width = Math.round(width * ratio)
            canvas.height = Math.round(height * ratio)
            canvas.style.height = `${height}px`
        }
        const pen = canvas.getContext("2d"), colors = this.colors()
        if (!pen) return null
        pen.setTransform(ratio, 0, 0, ratio, 0, 0)
        pen.clearRect(0, 0, width, height)
        pen.font = "12px " + colors.font
        const exponent = spec.mode === "exponent"
        const scale = exponent ? scaled({ start: EXPONENTS[0] }, EXPONENTS[1], 0, width)
            : scaled({ start: 0 }, this.longest, 0, width)
        const bar = Math.max(exponent ? 1.2 : width / this.longest, 0.6)
        /** @param {string} color @param {number} x @param {number} y @param {number} wide @param {number} tall */
        const fill = (color, x, y, wide, tall) => {
            pen.globalAlpha = 1
            pen.fillStyle = color
            pen.fillRect(x, y, wide, tall)
        }
        /** @param {string} text @param {number} x @param {number} y @param {CanvasTextAlign} align */
        const write = (text, x, y, align) => {
            pen.textAlign = align
            pen.fillText(text, x, y)
        }
        /** @type {string[]} */
        const words = []
        return {
            pen, colors, width, height, high, scale, fill, write, words,
            middle: (/** @type {number} */ row) => row * lane + 16 + high,
            name: (/** @type {number} */ row, /** @type {string} */ text) => {
                pen.globalAlpha = 1
                pen.fillStyle = colors.ink
                write(text, 2, row * lane + 11, "left")
                words.push(text)
            },
            /** A record. @param {string} kind @param {number} x @param {number} y @param {boolean} faint */
            one: (kind, x, y, faint) => {
                // Mixed, and not transparent: where bars share a pixel it would be darker.
                const color = kind === "R" ? colors.relevant : colors.irrelevant
                pen.fillStyle = faint ? `color-mix(in srgb, ${color} 25%, ${colors.stage})` : color
                // Whole pixels of the screen: neighbours touch without a seam.
                const left = Math.round(x * ratio) / ratio, right = Math.round((x + bar) * ratio) / ratio
                pen.fillRect(left, kind === "R" ? y - high : y, Math.max(right - left, 1 / ratio), high)
            },
            line: (/** @type {number} */ y) => fill(colors.rule, 0, y - 0.5, width, 1),
            cursor: (/** @type {number} */ at, /** @type {number} */ y) =>
                fill(colors.ink, scale(at) - 0.75, y - high - 3, 1.5, 2 * high + 6),
        }
    }

    /** @param {Sheet} sheet @param {number} q @param {number} read how many of its records are */
    paintList({ middle, line, one, name, cursor, scale }, q, read) {
        const { spec } = this, list = spec.lists[q], y = middle(q)
        line(y)
        const factor = q === 1 && spec.scale.length ? spec.scale[this.at[0]] : 1
        const away = spec.mode === "merging" && this.known && this.time > 0
        const place = {
            exponent: (/** @type {number} */ i) => list.exponent[i] * factor,
            merged: (/** @type {number} */ i) => this.places[q][i],
            merging: (/** @type {number} */ i) => i,
            rank: (/** @type {number} */ i) => i,
        }[spec.mode]
        for (let i = 0; i < list.records.length; i++) {
            one(list.records[i], scale(place(i)), y, i >= read || away)
        }
        const seen = list.records.slice(0, read)
        const relevant = seen.split("R").length - 1
        const title = list.name.length === 1 ? `list ${list.name}` : list.name
        name(q, `${title}: ${relevant} relevant, ${seen.length - relevant} irrelevant`)
        if (spec.mode === "rank" && !spec.errors && spec.control.length) cursor(this.at[q] + 0.5, y)
    }

    /** @param {Sheet} sheet */
    paintMerged({ middle, line, one, name, cursor, fill, write, scale, words, colors, pen, width, high }) {
        const { spec } = this, row = spec.lists.length, y = middle(row)
        line(y)
        if (!this.known) {
            name(row, "merged by E-value: predict first")
            return
        }
        const eased = this.time * this.time * (3 - 2 * this.time)
        this.merged.forEach(({ q, i }, rank) => {
            const kind = spec.lists[q].records[i]
            one(kind, scale(i + (rank - i) * eased), middle(q) + (y - middle(q)) * eased, false)
        })
        name(row, "merged by E-value")
        if (this.time !== 1) return
        const last = this.mergedUpTo[50] // records up to the 50th error
        if (last !== undefined) {
            const x = scale(last), text = "50th error"
            fill(colors.ink, x, y - high - 4, 1.5, 2 * high + 8)
            const before = x + pen.measureText(text).width + 8 > width
            write(text, x + (before ? -4 : 5), y + high + 14, before ? "right" : "left")
            words.push(`the 50th error of the merged list is its record ${last}`)
        }
        if (spec.control.length) cursor(this.at[0] + 0.5, y)
    }

    /** @param {Sheet} sheet */
    paintExponents({ fill, write, scale, colors, width, height, high }) {
        for (const value of [-150, -100, -50, 0]) write(value ? `1e${value}` : "1", scale(value), height - 5, "center")
        if (!this.spec.line.length) return
        const x = scale(this.spec.line[this.at[this.at.length - 1]])
        fill(colors.ink, x - 1, 14, 2, height - 32)
        const atEnd = x > width - 30  // where bars are, beside it: above them then
        write("E₀", x + (atEnd ? 2 : 5), atEnd ? 11 : 24 + high, atEnd ? "right" : "left")
    }

    /** The records around the present one, each with its letter. @param {HTMLElement} lens @param {number} place */
    magnify(lens, place) {
        const { spec, at } = this
        const whole = Boolean(spec.order)
        lens.hidden = whole && !this.known
        if (lens.hidden) return
        const records = whole ? this.merged : [...spec.lists[place].records].map((_, i) => ({ q: place, i }))
        const present = spec.errors ? this.read().records - 1 : at[place]
        const side = innerWidth < 600 ? LENS / 2 : LENS
        const first = Math.max(0, Math.min(present - side, records.length - 2 * side - 1))
        const end = spec.errors ? present + 1 : records.length
        const shown = records.slice(first, Math.min(first + 2 * side + 1, end))
        const letters = shown.map(({ q, i }, step) => {
            const kind = spec.lists[q].records[i]
            const here = first + step === present
            const of = whole ? make("small", {}, spec.lists[q].name.length === 1 ? spec.lists[q].name : `${q + 1}`) : null
            return make("i", { class: `${kind === "R" ? "rel" : "irr"}${here ? " here" : ""}` }, kind, of)
        })
        const { q, i } = records[present]
        const list = spec.lists[q]
        const id = list.id ? ` (${list.id[i]})` : ""
        const of = list.name.length === 1 ? ` of list ${list.name}` : `, query ${list.name}`
        const words = `Record ${(present + 1).toLocaleString("en")}${id}${of}: `
            + `${list.records[i] === "R" ? "relevant" : "irrelevant"}, E = ${list.e[i]}`
        lens.replaceChildren(make("div", { class: "letters", "aria-hidden": "true" }, ...letters), make("p", {}, words))
    }
}
