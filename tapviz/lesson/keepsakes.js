// What a reader takes along: predictions as a table, as a page that class.js reads again, and as a picture; the lesson on
// paper; and the words that follow what they did.
import { html, make } from "../draw/elements.js"
import { textAt } from "./positions.js"
import { inWords } from "./reader.js"

const WIDTH = 1200, HEIGHT = 630, EDGE = 80 // pixels of the picture
const STYLE = "body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:760px;margin:32px auto;padding:0 16px}"
    + "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:6px 12px 6px 0;border-bottom:1px solid #ddd}"

/**
 * @import { Ask, Lesson, Scene, State } from "./reader.js"
 * @typedef {{ ink: string, soft: string, stage: string, you: string, door: string, font: string }} Colors
 */

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

/** Predictions and answers. @param {Ask[]} asks @param {State} state @param {(ask: Ask) => boolean} known whether an answer is */
export function tableOf(asks, state, known) {
    const rows = asks.map((ask) => {
        const why = state.why[ask.question]
        return make("tr", {}, make("th", { scope: "row" }, ask.label.replace(", your prediction", "")),
            make("td", {}, inWords(ask, state.answers[ask.question]), why ? make("em", {}, ` ${why}`) : null),
            make("td", {}, known(ask) ? ask.answer : "not shown yet"))
    })
    return make("div", { class: "wide" }, make("table", { class: "kept" },
        make("caption", {}, "Your predictions and the answers"),
        make("thead", {}, make("tr", {}, make("td"), make("th", { scope: "col" }, "your prediction"), make("th", { scope: "col" }, "answer"))),
        make("tbody", {}, ...rows)))
}

/**
 * Text of the page.
 *
 * @param {string} title of the lesson
 * @param {HTMLElement} table predictions and answers
 * @param {string | undefined} report the sentence that the reader would report
 * @param {HTMLElement[]} notes words at the end of the lesson
 * @param {string} code of the predictions
 */
export function savedPage(title, table, report, notes, code) {
    const page = document.implementation.createHTMLDocument(`${title}: my predictions`)
    page.documentElement.lang = "en"
    page.head.append(html(STYLE, "style"), make("meta", { name: "viewport", content: "width=device-width" }))
    page.head.prepend(make("meta", { charset: "utf-8" }), make("meta", { name: "tapviz-code", content: code }))
    page.body.append(make("main", {}, make("h1", {}, title), table, make("h2", {}, "What I would report"),
        make("blockquote", {}, report || "Nothing written."), ...notes,
        make("p", {}, `Code for the class: ${code}. Made with tapviz.`)))
    return `<!DOCTYPE html>${page.documentElement.outerHTML}`
}

/**
 * The prediction that is furthest from its answer, of those from 0 to 1.
 *
 * @param {Ask[]} asks whose answers are known @param {Record<string, any>} answers
 * @returns {Ask | undefined}
 */
export function furthest(asks, answers) {
    const apart = (/** @type {Ask} */ { question, truth }) => Math.abs(answers[question] - truth)
    return asks.filter(({ question, high }) => high === 1 && typeof answers[question] === "number").sort((a, b) => apart(b) - apart(a))[0]
}

/**
 * Have the browser save the card.
 *
 * @param {Ask} ask @param {number} said @param {string} title of the lesson @param {Colors} colors
 */
export function saveCard(ask, said, title, colors) {
    const canvas = make("canvas", { width: WIDTH, height: HEIGHT }), pen = canvas.getContext("2d")
    if (!pen) return
    /** @param {string} text @param {number} y @param {number} size @param {string} color @param {string} weight */
    const write = (text, y, size, color, weight = "400") => {
        pen.font = `${weight} ${size}px ${colors.font}`
        pen.fillStyle = color
        pen.fillText(text, EDGE, y, WIDTH - 2 * EDGE)
    }
    pen.fillStyle = colors.stage
    pen.fillRect(0, 0, WIDTH, HEIGHT)
    write(ask.label.replace(", your prediction", ""), 110, 36, colors.soft)
    write(`You said ${said.toFixed(2)}.`, 225, 92, colors.you, "700")
    write(`It is ${ask.answer}.`, 340, 92, colors.door, "700")
    pen.fillStyle = colors.soft
    pen.fillRect(EDGE, 419, WIDTH - 2 * EDGE, 2)
    for (const [at, color] of /** @type {const} */ ([[said, colors.you], [ask.truth, colors.door]])) {
        pen.fillStyle = color
        pen.beginPath()
        pen.arc(EDGE + at * (WIDTH - 2 * EDGE), 420, 18, 0, 7)
        pen.fill()
    }
    write("0", 470, 26, colors.soft)
    pen.fillText("1", WIDTH - EDGE - 14, 470)
    write(`${title}. What would you have said?`, 560, 36, colors.ink, "600")
    make("a", { href: canvas.toDataURL("image/png"), download: "my-prediction.png" }).click()
}
