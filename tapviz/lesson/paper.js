// Words that follow what a reader did, on the page and on paper.
import { html, make } from "../draw/elements.js"
import { textAt } from "./positions.js"
import { inWords } from "./reader.js"

/** @import { Ask, Lesson, Scene, State } from "./reader.js" */

/** Write what follows the state into words of a scene. @param {HTMLElement} part @param {Scene} scene @param {State} state */
export function fillSlots(part, scene, { at, answers }) {
    const all = (/** @type {string} */ selector) => /** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll(selector))
    const askOf = (/** @type {string | undefined} */ name) => /** @type {Ask} */ (scene.asks.find(({ question }) => question === name))
    for (const one of all("[data-slot]")) {
        const now = textAt(scene, at, one.dataset.slot ?? "")
        if (one.textContent !== now) one.textContent = now
    }
    for (const one of all("[data-you]")) {
        const ask = askOf(one.dataset.you)
        const value = answers[ask.question], several = scene.asks.length > 1
        const first = ask === scene.asks[0], none = scene.asks.every(({ question }) => answers[question] == null)
        const of = several ? ` (${ask.label})` : ""
        if (none) one.textContent = first ? `You skipped ${several ? "these predictions" : "this prediction"}.` : ""
        else one.textContent = value == null ? `You skipped one${of}.` : `You said ${inWords(ask, value)}${of}.`
    }
    for (const one of all("[data-away]")) {
        const ask = askOf(one.dataset.away), value = answers[ask.question]
        one.textContent = typeof value === "number" ? `That is ${Math.abs(value - ask.truth).toFixed(2)} away.` : ""
    }
}

/**
 * All scenes for paper, with what the reader knows.
 *
 * @param {Lesson} lesson @param {State} state @param {(scene: Scene) => [when: string, words: string][]} wordsOf
 */
export function onPaper({ title, scenes }, state, wordsOf) {
    return make("div", { class: "paper" }, make("h1", {}, title), ...scenes.map((scene, i) => {
        const asks = scene.asks.map((ask) => make("p", {}, `${ask.label.replace(", your prediction", "")} ${state.revealed.includes(scene.name) ? ask.answer : "____"}`))
        const part = make("section", {}, make("h2", {}, `${i + 1}. ${scene.title}`), ...wordsOf(scene).map(([, words]) => html(words)), ...asks)
        fillSlots(part, scene, state)
        return part
    }))
}
