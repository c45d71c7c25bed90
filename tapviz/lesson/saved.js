// What a reader predicted as a table, and as a page, which class.js reads again.
import { html, make } from "../draw/elements.js"
import { inWords } from "./reader.js"

/** @import { Ask, State } from "./reader.js" */

const STYLE = "body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:760px;margin:32px auto;padding:0 16px}"
    + "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:6px 12px 6px 0;border-bottom:1px solid #ddd}"

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
