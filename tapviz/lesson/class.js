// The teacher's page: codes of a class become a histogram for each question.
import { drawn, dress, make } from "../draw/elements.js"
import { BINS, bins, exponent, middle, oneByOne, read, shown } from "./histogram.js"

/**
 * @typedef {import("./histogram.js").Question & { scene: string, title: string, label: string, truth: any }} Asked
 * @typedef {Record<string, import("./codes.js").Answer>} Answers of a student: a question without one has not been answered yet
 */

/** An element of the page, which has all of them. @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id)
/** @type {{ edition: string, questions: Asked[] }} */
const { edition, questions } = JSON.parse(byId("data").textContent)
const prefers = matchMedia("(prefers-color-scheme: dark)")
prefers.addEventListener("change", () => dress(prefers.matches))
dress(prefers.matches)
const box = byId("codes"), size = byId("size")
/** @type {import("./collects.js").Collects | undefined} the server, if the page comes from one */
const collects = /** @type {any} */ (window).collects
const WIDTH = 440, HEIGHT = 190
const KEPT = "tapviz class codes"
const REMARKS = 20  // lines of which something is said
const [WAITS, COUNTED, REVEALED] = [0, 1, 2]  // what is seen of a question; never kept, so that a reload hides answers
// How a page that a student saved holds its code.
const SAVED = /<meta name="tapviz-code" content="([^"]*)"/

const plural = (/** @type {number} */ count, /** @type {string} */ word) => `${count} ${word}${count === 1 ? "" : "s"}`

/** @param {Asked} question */
function truthWords(question) {
    const found = question.options.find(([value]) => value === question.truth)
    return found ? found[1] : shown(question.truth)
}

/** @typedef {import("./histogram.js").Bin & { count: number }} Counted */

/**
 * Options are bars to the right with their words above; numbers are columns on an axis.
 *
 * @param {Asked} question @param {Counted[]} counted @param {string} words @param {boolean} revealed
 */
function picture(question, counted, words, revealed) {
    const { options, low, high, step } = question, row = 44, most = Math.max(1, ...counted.map((one) => one.count))
    const truth = revealed ? counted.findIndex((one) => one.holds(question.truth)) : -1
    const svg = drawn("svg", { role: "img", "aria-label": words, viewBox: `0 0 ${WIDTH} ${options.length ? row * counted.length + 6 : HEIGHT}` })
    /** @param {number} x @param {number} y @param {any} said @param {Record<string, string>} look */
    const text = (x, y, said, look = {}) => { drawn("text", { x, y, ...look }, svg).textContent = said }
    const middle = { "text-anchor": "middle" }, quiet = { class: "quiet", ...middle }
    if (options.length) {
        counted.forEach(({ label, count }, i) => {
            const y = i * row, width = ((WIDTH - 40) * count) / most
            if (i === truth) text(0, y + 15, `${label} (the answer)`, { class: "truth" })
            else text(0, y + 15, label)
            drawn("rect", { class: "bar", x: 0, y: y + 21, width, height: 16 }, svg)
            text(width + 6, y + 34, count)
        })
        return svg
    }
    const left = 12, right = WIDTH - 12, top = 52, bottom = HEIGHT - 34, width = (right - left) / counted.length
    const decades = counted.length !== BINS, height = (/** @type {number} */ count) => ((bottom - top) * count) / most
    counted.forEach(({ count, from = 0 }, i) => {
        const x = left + (i + 0.5) * width, y = bottom - height(count)
        if (count) {
            drawn("rect", { class: "bar", x: x - width / 2 + 1, y, width: width - 2, height: height(count) }, svg)
            text(x, y - 4, count, middle)
        }
        const label = i === 0 ? "0" : from === 0 ? "<1" : step >= 1 ? `${from}–${10 * from - 1}` : from < 1000 ? from : `10${exponent(from)}`
        if (decades) text(x, bottom + 17, label, quiet)
    })
    for (const share of decades ? [] : [0, 0.25, 0.5, 0.75, 1]) {
        const x = left + (right - left) * share
        drawn("line", { class: "axis", x1: x, x2: x, y1: bottom, y2: bottom + 4 }, svg)
        text(x, bottom + 19, shown(low + (high - low) * share), quiet)
    }
    drawn("line", { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom }, svg)
    if (truth >= 0) {
        const share = decades ? (truth + 0.5) / counted.length : (question.truth - low) / (high - low)
        const x = left + (right - left) * share, own = counted[truth].count
        // Of decades the answer stands in the middle of its column: the line ends above its number.
        const end = decades && own ? bottom - height(own) - 18 : bottom
        drawn("line", { class: "truth", x1: x, x2: x, y1: 18, y2: Math.max(end, 20), "stroke-dasharray": "4 3" }, svg)
        text(x, 14, `answer ${truthWords(question)}`, { class: "truth", "text-anchor": share < 0.2 ? "start" : share > 0.8 ? "end" : "middle" })
    }
    return svg
}

/** What is seen of a question, and a function that shows what students predicted. @param {Asked} question */
function card(question) {
    let stage = collects ? WAITS : COUNTED
    const line = make("p", { class: "answer" }), holder = make("div"), body = make("tbody"), wrong = make("p", { class: "wrong" })
    const field = make("input", { type: "text", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", oninput: () => update() })
    const head = make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "prediction"), make("th", { scope: "col" }, "students")))
    const table = make("details", {}, make("summary", {}, "As a table"), make("table", {}, head, body))
    const button = make("button", { type: "button", onclick: () => {
        stage += 1
        if (stage === REVEALED) collects?.reveal(question.name).catch(() => {})
        update()
    } })
    /** @param {Answers[]} students @param {number} all how many there are */
    const fill = (students, all) => {
        const short = oneByOne(questions, question.name, field.value)
        wrong.textContent = short.wrong.length ? `No codes of this question: ${short.wrong.slice(0, REMARKS).join(", ")}` : ""
        const said = [...students.flatMap((one) => question.name in one ? [one[question.name]] : []), ...short.read]
        const given = /** @type {any[]} */ (said.filter((one) => one !== null)), skipped = said.length - given.length
        const counted = bins(question).map((bin) => ({ ...bin, count: given.filter(bin.holds).length }))
        let words = `${plural(given.length, "prediction")}, ${skipped} skipped`
        if (given.length && !question.options.length) words += `; median ${shown(middle(given))}`
        if (all) words = `${stage === WAITS ? "Waiting: " : ""}${said.length} of ${all}${stage === WAITS ? "" : `; ${words}`}`
        line.replaceChildren(`${stage === WAITS && !all ? "Waiting for the first" : words}. `, ...stage === REVEALED ? ["Answer: ", make("b", {}, truthWords(question)), "."] : [])
        button.textContent = stage === WAITS ? "Show the histogram" : "Reveal"
        button.hidden = stage === REVEALED
        holder.hidden = table.hidden = stage === WAITS
        if (stage === WAITS) return
        const told = counted.filter((one) => one.count).map((one) => `${one.label}: ${one.count}`).join("; ")
        holder.replaceChildren(picture(question, counted, `${question.label}. ${told || "No predictions yet"}.`, stage === REVEALED))
        body.replaceChildren(...[...counted, { label: "skipped", count: skipped }].map((one) => make("tr", {},
            make("th", { scope: "row" }, one.label), make("td", {}, String(one.count)))))
    }
    const element = make("section", { class: "question", "data-question": question.name },
        make("p", { class: "scene" }, `${question.scene}: ${question.title}`), make("h2", {}, question.label),
        line, button, holder, table, make("label", { class: "one" }, "Codes of three characters, one a student ", field), wrong)
    return { fill, element, field, name: question.name }
}

const cards = questions.map(card)
byId("questions").append(...cards.map(({ element }) => element))
/** @type {Answers[]} */
let sent = []

function update() {
    const { read: predictions, problems } = read(questions, edition, box.value), students = [...sent, ...predictions]
    const all = Number(size.value) || (collects ? students.length : 0)
    byId("count").textContent = students.length || problems.length
        ? `${plural(students.length, "student")}${all > students.length ? ` of ${all}` : ""} counted.` : "No codes yet."
    const remarks = [...failed, ...problems], more = remarks.length - REMARKS
    byId("problems").replaceChildren(...remarks.slice(0, REMARKS).map((words) => make("li", {}, words)),
        ...more > 0 ? [make("li", {}, `And ${more.toLocaleString("en")} more.`)] : [])
    for (const { fill } of cards) fill(students, all)
    const now = { codes: box.value, size: size.value, one: Object.fromEntries(cards.map(({ name, field }) => [name, field.value])) }
    try { sessionStorage.setItem(KEPT, JSON.stringify(now)) } catch { /* a file may have no storage; then a reload begins anew */ }
}

function kept() {
    try { return JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") } catch { return {} }
}

/** @type {string[]} */
let failed = []

/** @param {Iterable<File>} files */
async function take(files) {
    failed = []
    const lines = []
    for (const file of files) {
        const text = await file.text()
        const saved = SAVED.exec(text)
        if (saved) lines.push(`${file.name}: ${saved[1]}`)
        else if (/^\s*</.test(text)) failed.push(`${file.name}: a page without a code, not one saved at the lesson's end.`)
        else lines.push(...text.split(/\r\n|\r|\n/).filter((line) => line.trim()))
    }
    box.value = [box.value.replace(/\s+$/, ""), ...lines].filter(Boolean).join("\n")
    update()
}

const chosen = byId("files")
chosen.addEventListener("change", async () => { await take([...chosen.files]); chosen.value = "" })
/** @type {ReturnType<typeof setTimeout>} */
let later
box.addEventListener("input", () => {
    failed = []
    clearTimeout(later)  // of a thousand lines that are pasted, a browser may tell one by one
    later = setTimeout(update)
})
size.addEventListener("input", update)
byId("clear").addEventListener("click", () => {
    for (const { field } of [{ field: box }, ...cards]) field.value = ""
    failed = []
    update()
    box.focus()
})
document.addEventListener("dragover", (event) => { event.preventDefault(); box.classList.add("over") })
document.addEventListener("dragleave", () => box.classList.remove("over"))
document.addEventListener("drop", (event) => {
    event.preventDefault()
    box.classList.remove("over")
    take([...event.dataTransfer?.files ?? []])
})
const before = kept()
box.value = before.codes ?? ""
size.value = before.size ?? ""
for (const { name, field } of cards) field.value = before.one?.[name] ?? ""
update()
collects?.watch((answers) => {
    byId("server").textContent = answers ? "" : "The server does not answer. If it was started again, open the address that it printed."
    sent = answers ?? sent
    update()
})
