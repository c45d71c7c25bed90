// The lesson as Python made it, and what a reader has done.
import { keep, kept } from "../live/storage.js"

/**
 * What Python says of the lesson: see `content` and scene.py.
 *
 * @typedef {{ name: string, label: string, texts: string[], start: number, goal: number | null, asked: boolean,
 *     stops: number[], play: boolean }} Control
 * @typedef {{ question: string, name: string, label: string, options: Record<string, string>, low: number,
 *     high: number, marks: [string, number][], truth: any, answer: string }} Ask
 * @typedef {{ over: string[], columns: Record<string, string[]> }} Table
 * @typedef {import("../draw/browser.js").Layer} Layer
 * @typedef {[control: string, take: "all" | "upto" | "at"]} Follow
 * @typedef {{ title: string, words: string, told: string, height: number, picture: import("../draw/browser.js").Picture,
 *     follows: Record<string, Follow>, known: string[], before: Record<string, Layer> }} Chart
 * @typedef {{ name: string, title: string, minutes: number, call: string[], blocks: [when: string, words: string][],
 *     asks: Ask[], controls: Control[], tables: Table[], charts: Chart[], lanes: import("./lanes.js").Spec[],
 *     check: { question: string, options: [words: string, right: boolean, why: string][] } | null,
 *     explorer: string, extra: any, movesFirst: boolean, more: boolean, open: boolean }} Scene
 * @typedef {{ title: string, scenes: Scene[], glossary: Record<string, string>,
 *     codes: { edition: string, questions: import("./codes.js").Question[] } }} Lesson
 * @typedef {{ place: number, furthest: number, at: Record<string, number>, answers: Record<string, any>,
 *     why: Record<string, string>, revealed: string[], moved: string[], reached: Record<string, number>,
 *     skipped: string[], checks: Record<string, string>, dark: boolean | null }} State of a reader
 */

/** Where a state is kept: a page of own files asks nothing that a class does. @param {Lesson} lesson */
const keyOf = ({ codes }) => codes.questions.length ? "tapviz-lesson" : "tapviz-own"

/** What travels encoded, lest somebody stumbles over an answer. @param {string} text @returns {Lesson} */
export const decoded = (text) => JSON.parse(
    new TextDecoder().decode(Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0))),
)

/** What a state belongs to: another lesson, or another version of it, begins anew. @param {Lesson} lesson */
const made = (lesson) => `${lesson.codes.edition} ${lesson.scenes.map(({ name }) => name)}`

/** Whether what was kept is whole. @param {any} before @param {State} fresh @param {Lesson} lesson */
function sound(before, fresh, lesson) {
    const { scenes, codes } = lesson, kind = (/** @type {any} */ one) => Array.isArray(one) ? "list" : one === null ? "null" : typeof one
    if (before?.made !== made(lesson)) return false
    const like = Object.entries(fresh).every(([name, one]) => kind(before[name]) === kind(one) || (name === "dark" && kind(before.dark) === "boolean"))
    return like && [before.place, before.furthest].every((place) => place in scenes)
        && scenes.every(({ controls }) => controls.every(({ name, texts }) => !(name in before.at) || before.at[name] in texts))
        && codes.questions.every(({ name, options, low, high }) => {
            const one = before.answers[name]
            return one == null || one === "" || (options.length ? options.some(([value]) => value === one) : one >= low && one <= high)
        })
}

/** The state of a reader, kept by the browser where it may be. @param {Lesson} lesson */
export function remembered(lesson, { anew = false } = {}) {
    /** @type {State} */
    const fresh = {
        place: 0, furthest: 0, at: {}, answers: {}, why: {}, revealed: [], moved: [], reached: {},
        skipped: [], checks: {}, dark: null,
    }
    for (const scene of lesson.scenes) for (const one of scene.controls) fresh.at[one.name] = one.start
    try {
        const before = anew ? null : JSON.parse(kept(keyOf(lesson)) ?? "null")
        if (sound(before, fresh, lesson)) Object.assign(fresh, before, { at: { ...fresh.at, ...before.at } })
    } catch { /* what is kept is something else */ }
    return fresh
}

/** @param {State} state @param {Lesson} lesson */
export const remember = (state, lesson) => keep(keyOf(lesson), JSON.stringify({ ...state, made: made(lesson) }))

/** A prediction in words. @param {Ask} ask @param {any} value */
export function inWords(ask, value) {
    if (value === null) return "skipped"
    if (value === undefined) return "—"
    if (Object.keys(ask.options).length) return ask.options[value]
    if (typeof value === "string") return value
    return ask.high <= 1 ? value.toFixed(2) : value.toLocaleString("en")
}
