// What a class predicted: codes of lines, and the bins of a question.
import { decode } from "./codes.js"

/**
 * @typedef {import("./codes.js").Question} Question
 * @typedef {{ label: string, from?: number, holds: (value: any) => boolean }} Bin what it is called, where it
 *     begins, and whether a value belongs to it
 */

/** Bins of numbers that do not span decades. */
export const BINS = 20

/** A number in words, with three decimals at most. @param {number} value */
export const shown = (value) => value.toLocaleString("en", { maximumFractionDigits: 3 })

/**
 * Predictions of each line that is a code, and what is to be said of the others.
 *
 * @param {Question[]} questions
 * @param {string} edition
 * @param {string} text lines; a name before a code ends in a colon
 */
export function read(questions, edition, text) {
    /** @type {ReturnType<typeof decode>[]} */
    const read = []
    /** @type {string[]} */
    const problems = []
    const seen = new Map()
    text.split(/\r\n|\r|\n/).forEach((line, i) => {
        const name = line.slice(0, line.lastIndexOf(":") + 1), code = line.slice(name.length).trim()
        if (!code) {
            if (name) problems.push(`Line ${i + 1}: “${line.trim()}” has no code after the colon.`)
            return
        }
        try {
            read.push(decode(questions, edition, code))
        } catch (error) {
            const { message } = /** @type {Error} */ (error)
            problems.push(`Line ${i + 1}, “${line.trim()}”, is not counted: ${message}.`)
            return
        }
        const first = seen.get(line.trim())
        if (first) problems.push(`Line ${i + 1} is the same as line ${first}; both are counted.`)
        else seen.set(line.trim(), i + 1)
    })
    return { read, problems }
}

/**
 * Bins of a question.
 *
 * @param {Question} question
 * @returns {Bin[]}
 */
export function bins({ low, high, step, options }) {
    if (options.length) {
        return options.map(([value, words]) => ({ label: words, holds: (one) => one === value }))
    }
    if ((high - low) / step > 1000) {
        // Counts that span decades: 0, below 1, below 10, ...
        /** @type {Bin[]} */
        const found = [{ label: "0", holds: (one) => one === 0 }]
        for (let from = 0, to = 1; from < high; from = to, to *= 10) {
            const start = from
            const end = to
            const label = start === 0 ? `above 0, below ${end}` : `${shown(start)} to below ${shown(end)}`
            found.push({ label, from: start, holds: (one) => one >= start && one < end && one !== 0 })
        }
        return found
    }
    const width = (high - low) / BINS
    // A value on an edge belongs to the bin that it begins, whatever the last bit of a quotient.
    const place = (/** @type {number} */ value) => Math.min(BINS - 1, Math.floor((value - low) / width + 1e-9))
    return Array.from({ length: BINS }, (_, i) => ({
        label: `${shown(low + i * width)} to ${i === BINS - 1 ? "" : "below "}${shown(low + (i + 1) * width)}`,
        from: low + i * width,
        holds: (one) => place(one) === i,
    }))
}

/** The median. @param {number[]} values */
export function middle(values) {
    const sorted = [...values].sort((a, b) => a - b), half = sorted.length >> 1
    return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

/** The exponent of a power of ten, raised. @param {number} value */
export const exponent = (value) =>
    [...String(Math.round(Math.log10(value)))].map((one) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(one)]).join("")
