// The teacher's page: codes of a class become a histogram for each question.
import { dress, escaped, make } from "../draw/elements.js"
import { BINS, bins, exponent, middle, read, shown } from "./histogram.js"

/** @typedef {import("./histogram.js").Question & { scene: number, title: string, label: string, truth: any }} Asked */

/** An element of the page, which has all of them. @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id)
/** @type {{ edition: string, questions: Asked[] }} */
const { edition, questions } = JSON.parse(byId("data").textContent)
const prefers = matchMedia("(prefers-color-scheme: dark)")
prefers.addEventListener("change", () => dress(prefers.matches))
dress(prefers.matches)
const box = byId("codes"), answers = byId("answers")
const WIDTH = 440
const HEIGHT = 190
const KEPT = "tapviz class codes"
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
 * @param {Asked} question @param {Counted[]} counted @param {string} words
 */
function picture(question, counted, words) {
    const most = Math.max(1, ...counted.map((one) => one.count))
    const truth = answers.checked ? counted.findIndex((one) => one.holds(question.truth)) : -1
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
                const label = i === 0 ? "0" : from === 0 ? "<1" : (from ?? 0) < 1000 ? from : `10${exponent(from ?? 1)}`
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

/** @param {Asked} question @param {Record<string, any>[]} predictions */
function section(question, predictions) {
    const given = predictions.map((one) => one[question.name]).filter((one) => one !== null)
    const counted = bins(question).map((bin) => ({ ...bin, count: given.filter(bin.holds).length }))
    const skipped = predictions.length - given.length
    let words = `${plural(given.length, "prediction")}, ${skipped} skipped`
    if (given.length && !question.options.length) words += `; median ${shown(middle(given))}`
    const made = make("section", { class: "question", "data-question": question.name })
    made.append(
        make("p", { class: "scene" }, `Scene ${question.scene}, ${question.title}`),
        make("h2", {}, question.label),
    )
    const line = make("p", { class: "answer" }, `${words}. `)
    if (answers.checked) line.append("Answer: ", make("b", {}, truthWords(question)), ".")
    made.append(line)
    const told = counted.filter((one) => one.count).map((one) => `${one.label}: ${one.count}`).join("; ")
    const holder = make("div")
    holder.innerHTML = picture(question, counted, `${question.label}. ${told || "No predictions yet"}.`)
    const rows = counted.map((one) => make("tr", {},
        make("th", { scope: "row" }, one.label), make("td", {}, String(one.count))))
    rows.push(make("tr", {},
        make("th", { scope: "row" }, "skipped"), make("td", {}, String(skipped))))
    const head = make("thead", {}, make("tr", {},
        make("th", { scope: "col" }, "prediction"), make("th", { scope: "col" }, "students")))
    made.append(holder, make("details", {}, make("summary", {}, "As a table"),
        make("table", {}, head, make("tbody", {}, ...rows))))
    return made
}

function update() {
    const { read: predictions, problems } = read(questions, edition, box.value)
    const open = new Set([...document.querySelectorAll("details[open]")].map(
        (one) => one.closest("section")?.dataset.question))
    byId("count").textContent = predictions.length || problems.length
        ? `${plural(predictions.length, "student")} counted.` : "No codes yet."
    byId("problems").replaceChildren(
        ...[...failed, ...problems].map((words) => make("li", {}, words)))
    byId("questions").replaceChildren(
        ...questions.map((question) => section(question, predictions)))
    for (const one of /** @type {NodeListOf<any>} */ (document.querySelectorAll(".question"))) {
        if (open.has(one.dataset.question)) one.querySelector("details").open = true
    }
    keep(box.value)
}

/** A page opened from a file may have no storage; then a reload begins anew. @param {string} text */
function keep(text) {
    try { sessionStorage.setItem(KEPT, text) } catch { /* see above */ }
}

function kept() {
    try { return sessionStorage.getItem(KEPT) ?? "" } catch { return "" }
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
box.addEventListener("input", () => { failed = []; update() })
answers.addEventListener("change", update)
byId("clear").addEventListener("click", () => {
    box.value = ""
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
box.value = kept()
update()
