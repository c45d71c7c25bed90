// The teacher's page: codes of a class become a histogram for each question.
import { dress, escaped, make } from "../draw/elements.js"
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
const WIDTH = 440
const HEIGHT = 190
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
    const most = Math.max(1, ...counted.map((one) => one.count))
    const truth = revealed ? counted.findIndex((one) => one.holds(question.truth)) : -1
    const parts = []
    let height = HEIGHT
    if (question.options.length) {
        const row = 44, right = WIDTH - 40
        height = row * counted.length + 6
        counted.forEach(({ label, count }, i) => {
            const mark = i === truth ? " truth" : ""
            const end = (right * count) / most
            parts.push(
                `<text x="0" y="${i * row + 15}" class="${mark}">${escaped(label)}${mark && " (the answer)"}</text>`,
                `<rect class="bar" x="0" y="${i * row + 21}" width="${end.toFixed(1)}" height="16"/>`,
                `<text x="${(end + 6).toFixed(1)}" y="${i * row + 34}">${count}</text>`,
            )
        })
    } else {
        const left = 12, right = WIDTH - 12, top = 52, bottom = HEIGHT - 34
        const width = (right - left) / counted.length
        const decades = counted.length !== BINS
        counted.forEach(({ count, from }, i) => {
            const x = left + i * width, tall = ((bottom - top) * count) / most
            if (count) {
                parts.push(
                    `<rect class="bar" x="${(x + 1).toFixed(1)}" y="${(bottom - tall).toFixed(1)}" ` +
                        `width="${(width - 2).toFixed(1)}" height="${tall.toFixed(1)}"/>`,
                    `<text x="${(x + width / 2).toFixed(1)}" y="${(bottom - tall - 4).toFixed(1)}" ` +
                        `text-anchor="middle">${count}</text>`,
                )
            }
            if (decades) {
                const label = i === 0 ? "0" : from === 0 ? "<1" : question.step >= 1 ? `${from}–${10 * (from ?? 0) - 1}` : (from ?? 0) < 1000 ? from : `10${exponent(from ?? 1)}`
                parts.push(
                    `<text class="quiet" x="${(x + width / 2).toFixed(1)}" y="${bottom + 17}" ` +
                        `text-anchor="middle">${escaped(label)}</text>`,
                )
            }
        })
        if (!decades) {
            for (let i = 0; i <= 4; i++) {
                const x = left + ((right - left) * i) / 4
                parts.push(
                    `<line class="axis" x1="${x}" x2="${x}" y1="${bottom}" y2="${bottom + 4}"/>`,
                    `<text class="quiet" x="${x}" y="${bottom + 19}" text-anchor="middle">` +
                        `${shown(question.low + ((question.high - question.low) * i) / 4)}</text>`,
                )
            }
        }
        parts.push(`<line class="axis" x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>`)
        if (truth >= 0) {
            const share = decades
                ? (truth + 0.5) / counted.length
                : (question.truth - question.low) / (question.high - question.low)
            const x = left + (right - left) * share
            // Of decades the answer stands in the middle of its column: the line ends above its number.
            const own = counted[truth].count
            const end = decades && own ? bottom - ((bottom - top) * own) / most - 18 : bottom
            const anchor = share < 0.2 ? "start" : share > 0.8 ? "end" : "middle"
            parts.push(
                `<line class="truth" x1="${x}" x2="${x}" y1="18" y2="${Math.max(end, 20).toFixed(1)}" stroke-dasharray="4 3"/>`,
                `<text class="truth" x="${x}" y="14" text-anchor="${anchor}">answer ${escaped(truthWords(question))}</text>`,
            )
        }
    }
    return `<svg role="img" aria-label="${escaped(words)}" viewBox="0 0 ${WIDTH} ${height}">${parts.join("")}</svg>`
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
        holder.innerHTML = picture(question, counted, `${question.label}. ${told || "No predictions yet"}.`, stage === REVEALED)
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
    keep(JSON.stringify({ codes: box.value, size: size.value, one: Object.fromEntries(cards.map(({ name, field }) => [name, field.value])) }))
}

/** A page opened from a file may have no storage; then a reload begins anew. @param {string} text */
function keep(text) {
    try { sessionStorage.setItem(KEPT, text) } catch { /* see above */ }
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
