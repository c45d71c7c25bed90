// What a class predicted: codes of lines, and the bins of a question.
import { decode, decodeOne, encode } from "./codes.js"

/**
 * @typedef {import("./codes.js").Question} Question
 * @typedef {{ label: string, from?: number, holds: (value: any) => boolean }} Bin what it is called, where it
 *     begins, and whether a value belongs to it
 */

/** Bins of numbers that do not span decades. */
export const BINS = 20
const MOST = 500  // values of which bins do not span decades

/** A number in words, with three decimals at most. @param {number} value */
export const shown = (value) => value.toLocaleString("en", { maximumFractionDigits: 3 })

const DASHES = /[‐‑‒–—−]/g

/**
 * Codes in a line: what is nearest to its end, whatever stands before and between them.
 *
 * @param {string} line @param {string} edition which codes begin with @param {number} length of a code
 */
function codesIn(line, edition, length) {
    // The letters that are read as digits may stand for these in the edition, too.
    const begins = [...edition].map((one) => ({ 0: "[0O]", 1: "[1IL]" })[one] ?? one).join("[ -]?")
    return line.toUpperCase().replace(DASHES, "-").match(new RegExp(`(?<![0-9A-Z])${begins}(?:[ -]?[0-9A-Z]){${length - 2}}(?![0-9A-Z])`, "g")) ?? []
}

/**
 * Predictions of each line that holds codes, and what is to be said of the others. A code counts once.
 *
 * @param {Question[]} questions
 * @param {string} edition
 * @param {string} text lines; whatever else stands on a line, such as a name, is not part of a code
 */
export function read(questions, edition, text) {
    /** @type {ReturnType<typeof decode>[]} */
    const read = []
    /** @type {string[]} */
    const problems = []
    const seen = new Map(), length = encode(questions, edition, {}).replaceAll("-", "").length
    text.split(/\r\n|\r|\n/).forEach((line, i) => {
        const name = line.slice(0, line.lastIndexOf(":") + 1), rest = line.slice(name.length).trim()
        const found = codesIn(line, edition, length)
        if (!rest && name && !found.length) problems.push(`Line ${i + 1}: “${line.trim()}” has no code after the colon.`)
        for (const code of found.length || !rest ? found : [rest]) {
            try {
                const one = decode(questions, edition, code), same = JSON.stringify(one), first = seen.get(same)
                if (first) problems.push(`Line ${i + 1} has the code of line ${first}, which counts once.`)
                else {
                    seen.set(same, i + 1)
                    read.push(one)
                }
            } catch (error) {
                const { message } = /** @type {Error} */ (error)
                problems.push(`Line ${i + 1}, “${line.trim()}”, is not counted: ${message}.`)
            }
        }
    })
    return { read, problems }
}

/**
 * Predictions of codes of three characters, which say what was predicted and not by whom: each is a student's.
 *
 * @param {Question[]} questions @param {string} name of the question @param {string} text codes, each with a name before a colon if need be
 */
export function oneByOne(questions, name, text) {
    const codes = text.replace(/[^\s,;]*:/g, " ").split(/[^0-9A-Za-z]+/).filter(Boolean)
    const all = codes.map((code) => ({ code, answer: decodeOne(questions, name, code) }))
    return { read: all.flatMap(({ answer }) => answer === undefined ? [] : [answer]), wrong: all.filter(({ answer }) => answer === undefined).map(({ code }) => code) }
}

/**
 * Bins of a question.
 *
 * @param {Question} question
 * @returns {Bin[]}
 */
export function bins({ low, high, step, options }) {
    if (options.length) return options.map(([value, words]) => ({ label: words, holds: (one) => one === value }))
    if ((high - low) / step > MOST) {
        // Counts that span decades: 0, below 1, below 10, ...
        /** @type {Bin[]} */
        const found = [{ label: "0", holds: (one) => one === 0 }]
        for (let from = step < 1 ? 0 : 1, to = from ? 10 : 1; from < high; from = to, to *= 10) {
            const label = from === 0 ? `above 0, below ${to}` : `${shown(from)} to below ${shown(to)}`
            found.push({ label, from, holds: (one) => one >= from && one < to && one !== 0 })
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
