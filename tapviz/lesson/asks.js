// What a prediction is made with, and the line from 0 to 1 that shows it.
import { make } from "../draw/elements.js"
import { inRow } from "../draw/layout.js"

const APART = 10 // pixels between labels

/**
 * @import { Ask, State } from "./reader.js"
 * @typedef {{ name: string, at: number, text: string, kind: string }} Mark
 */

/**
 * Fields for a prediction.
 *
 * @param {Ask} ask @param {State} state
 * @param {{ set: (value: any) => void, noted: () => void, enter: () => void }} does what is done with a value, undefined
 *     for none; when a reason was written; and when Enter was pressed
 */
export function askField(ask, state, { set, noted, enter }) {
    const value = state.answers[ask.question]
    if (Object.keys(ask.options).length) {
        return make("fieldset", {}, make("legend", {}, ask.label),
            ...Object.entries(ask.options).map(([option, words]) => make("label", { class: "option" },
                make("input", { type: "radio", name: ask.question, value: option, checked: value === option, onchange: () => set(option) }), words)))
    }
    if (ask.question === "report") {
        const area = make("textarea", { rows: 3, oninput: () => set(area.value.trim()) }, value ?? "")
        return make("label", { class: "field" }, ask.label, area)
    }
    const number = make("input", { type: "number", min: ask.low, max: ask.high, step: ask.high <= 1 ? 0.01 : "any", value: value ?? "", inputmode: "decimal" })
    const problem = make("p", { class: "problem", role: "alert" })
    const range = ask.high <= 1
        ? make("input", { type: "range", min: 0, max: 1, step: 0.01, value: value ?? 0.5, "aria-label": ask.label, class: value == null ? "unset" : "" }) : null
    const take = (/** @type {string} */ text) => {
        const given = text === "" ? NaN : +text
        const right = given >= ask.low && given <= ask.high
        problem.textContent = right || text === "" ? "" : `Enter a number from ${ask.low.toLocaleString("en")} to ${ask.high.toLocaleString("en")}.`
        range?.classList.toggle("unset", !right)
        set(right ? given : undefined)
    }
    number.addEventListener("keydown", (event) => {
        if (event.key === "Enter") enter()
        if (event.key !== ",") return
        event.preventDefault()  // where "." is written in numbers, a field drops what was typed
        document.execCommand("insertText", false, (0.5).toLocaleString().charAt(1))
    })
    number.addEventListener("input", () => { if (range && number.value) range.value = number.value; take(number.value) })
    range?.addEventListener("input", () => { number.value = range.value; take(range.value) })
    range?.addEventListener("click", () => { if (number.value === "") { number.value = range.value; take(range.value) } })
    const why = ask.marks.length && ask.question !== "scale" && ask.question !== "added"
        ? make("label", { class: "field why" }, "Why? (optional)", make("input", { type: "text", maxlength: 120, value: state.why[ask.question] ?? "", oninput: (/** @type {any} */ event) => { state.why[ask.question] = event.target.value; noted() } })) : null
    return make("div", { class: "field" }, make("label", {}, make("span", {}, ask.label), number), range, problem, why)
}

/**
 * Show marks on a line: what is known above it, what was said and what is right below.
 *
 * @param {HTMLElement} place in the page, so that its labels have a width
 * @param {Mark[]} marks
 */
export function fillScale(place, marks) {
    place.setAttribute("aria-label", `From 0 to 1: ${marks.map((one) => `${one.name} ${one.text}`).join("; ")}`)
    place.replaceChildren(
        make("div", { class: "track" }),
        ...[0, 0.2, 0.4, 0.6, 0.8, 1].map((at) => make("span", { class: "tick", style: `left:${100 * at}%` }, `${at}`)),
        ...marks.map(({ kind, at }) => make("span", { class: `dot ${kind}`, style: `left:${100 * at}%` })),
    )
    for (const side of [["own"], ["you", "truth"]]) {
        const width = place.clientWidth || 600
        const labels = marks.filter(({ kind }) => side.includes(kind)).sort((a, b) => a.at - b.at).map((one) => {
            const label = make("span", { class: `label ${one.kind}` }, `${one.name} `, make("b", {}, one.text))
            place.append(label)
            const wide = label.offsetWidth
            return { label, width: wide, start: Math.max(0, Math.min(one.at * width - wide / 2, width - wide)) }
        })
        inRow(labels, APART, width).forEach((x, i) => { labels[i].label.style.left = `${x}px` })
    }
}
