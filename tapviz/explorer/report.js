// What moves in a report: the controls choose places of the tables, which Python has computed.

import { draw } from "../draw/browser.js"
import { dress, escaped, make } from "../draw/elements.js"
import { accumulated, isTrack, valueAt, whole } from "../draw/tracks.js"
import { turnRows } from "../live/turn_rows.js"

/** An element of the report, which has all of them. @param {string} selector @returns {any} */
const $ = (selector) => document.querySelector(selector)

/** @param {string} text */
async function inflated(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))
    return new Response(stream)
}

/**
 * @typedef {import("../draw/tracks.js").Track} Track
 * @typedef {{ name: string, dash: number[], shown: boolean, baseline: boolean }} Algorithm
 * @typedef {any} Table what Python says of a plot; see `report_tables.py`
 */

const tables = await (await inflated($("#tables").textContent)).json()
const { labels, start } = tables
/** @type {Algorithm[]} */
const algorithms = tables.algorithms
/** Places of programs that the address names, as #run=BLASTP&run=phmmer; none: those that were shown. */
const asked = new URLSearchParams(location.hash.slice(1)).getAll("run")
    .map((one) => algorithms.findIndex(({ name }) => name === one)).filter((i) => i >= 0)
const hidden = new Set(algorithms.flatMap(({ shown }, i) => ((asked.length ? asked.includes(i) : shown) ? [] : [`a${i}`])))
const hiddenAtFirst = new Set(hidden)
/** @type {Record<string, any>} */
const choice = { mode: tables.mode, k: start.k, e0: start.e0, n: start.n }

/** Place in tables that follow the threshold: those of all k, then those of all E_0. */
const threshold = () => (choice.mode === "k" ? choice.k : labels.k.length + choice.e0)
const placeOf = (/** @type {string} */ control) => (control === "threshold" ? threshold() : choice[control])
/** What a track has at the present place of its control. @param {Track} track */
const now = (track) => valueAt(track, placeOf)

/** Whether a control, or "programs", is not as it was when the report was written. @param {string} control */
function isAway(control) {
    if (control === "programs") return algorithms.some(({ shown }, i) => shown === hidden.has(`a${i}`))
    if (control !== "threshold") return choice[control] !== start[control]
    return choice.mode !== tables.mode || choice[choice.mode] !== start[choice.mode]
}

/** A sentence without what it says of algorithms that are not ticked. @param {any} words @param {boolean} each @param {boolean} ofAll */
function sentence(words, each, ofAll) {
    if (typeof words === "string") {
        const all = ofAll && hidden.size ? ` All ${algorithms.length} programs count here, ticked or not.` : ""
        return words + all
    }
    const [before, after, ...parts] = words
    const seen = parts.filter((/** @type {[number, string]} */ [i]) => !each || !hidden.has(`a${i}`)).map((/** @type {[number, string]} */ [, part]) => part)
    return seen.length ? before + seen.join("; ") + after : "No algorithm is ticked."
}

// --- plots -----------------------------------------------------------------------------------

class LivePlot {
    /** @param {Table} table */
    constructor(table) {
        this.table = table
        this.figure = $(`figure[data-plot="${table.name}"]`)
        /** @type {{ layer: any, of: any, name: string, track: Track }[]} columns of a layer, or its size, that move */
        this.moving = []
        for (const layer of table.picture.layers) {
            for (const [of, name] of [...Object.keys(layer.columns).map((column) => [layer.columns, column]), [layer, "size"]]) {
                if (!isTrack(of[name])) continue
                const track = whole(of[name])
                of[name] = now(track)
                if (track.control) this.moving.push({ layer, of, name, track })
            }
        }
        for (const axis of ["x", "y"]) if (table[axis]) table.picture[axis] = now(table[axis])
        this.seen = false
        /** @type {Set<string>} controls that have moved since it was drawn */
        this.stale = new Set()
        if (table.pairs) this.pair = new Pair(table, this)
        if (table.still) {  // it does not follow the controls
            this.figure.querySelector(".caption").before(make("span", { class: "where" }, `${table.still.at}, as written. `))
        }
        this.write()
        const host = this.figure.querySelector(".live")
        host.hidden = false
        this.drawn = draw(host, table.picture, {
            label: this.label(),
            hidden: table.each ? hidden : new Set(),
            readout: table.each ? withoutHidden : undefined,
            onthreshold: markAll,
            onpick: table.pick ? (layer, i) => openQuery(layer.columns.query?.[i]) : undefined,
        })
        this.figure.querySelector(".still").hidden = true
    }

    text() {
        return this.pair ? this.pair.text() : sentence(now(this.table.text), this.table.each, this.table.each && this.table.all)
    }

    label() {
        return `${this.figure.querySelector("b").textContent}. ${this.text()}`
    }

    /** Caption and text, where they are not what stands there. */
    write() {
        if (!this.pair) put(this.figure.querySelector(".caption"), now(this.table.caption))
        put(this.figure.querySelector(".text"), this.text())
    }

    /** Show where the controls are now. */
    refresh() {
        const { stale, table } = this, changed = new Set()
        for (const { layer, of, name, track } of this.moving) {
            if (!track.control || !stale.has(track.control)) continue
            of[name] = now(track)
            changed.add(layer)
        }
        /** @type {Record<string, any>} */
        const moved = {}
        for (const axis of ["x", "y"]) if (stale.has(table[axis]?.control)) moved[axis] = now(table[axis])
        const layers = this.pair && stale.has("threshold") ? this.pair.layers()
            : [...changed].map(({ name, size, columns }) => ({ name, size, columns: { ...columns } }))
        this.figure.querySelector(".where")?.classList.toggle("away", table.still.controls.some(isAway))
        stale.clear()
        this.write()
        if (layers.length || moved.x || moved.y) this.drawn.update(layers, { ...moved, label: this.label() })
    }
}

/** Mark the threshold under the mouse in all plots that are seen. @param {number} threshold */
function markAll(threshold) {
    for (const { drawn, seen } of plots) if (seen) drawn.mark(threshold)
}

/** Text of an element, where it is not what stands there. @param {Element} element @param {string} text */
function put(element, text) {
    if (element.textContent !== text) element.textContent = text
}

/** The two algorithms of A against B, which can be chosen, and the TAPs of the queries. */
class Pair {
    /** @param {Table} table @param {LivePlot} plot */
    constructor(table, plot) {
        this.pairs = table.pairs
        this.plot = plot
        /** @type {number[]} */
        this.chosen = asked.length === 2 && asked.every((i) => i in this.pairs.taps) && asked[0] !== asked[1] ? asked : [...this.pairs.chosen]
        /** @type {Uint16Array[]} */
        this.taps = []
        const caption = plot.figure.querySelector(".caption")
        this.selects = ["A", "B"].map((letter, side) => make("select",
            { "aria-label": letter, onchange: (/** @type {any} */ { target }) => this.choose(side, Number(target.value)) },
            ...Object.keys(this.pairs.taps).map((i) => new Option(algorithms[Number(i)].name, i))))
        this.show()
        caption.replaceChildren(...this.selects.map((select, side) => make("label", {}, `${"AB"[side]} `, select)))
    }

    /** Another algorithm on one side; that of the other side changes places with it. @param {number} side @param {number} algorithm */
    async choose(side, algorithm) {
        const before = this.chosen[side]
        if (this.chosen[1 - side] === algorithm) this.chosen[1 - side] = before
        this.chosen[side] = algorithm
        this.show()
        await this.load()
        this.plot.stale.add("threshold")
        this.plot.refresh()
    }

    show() {
        this.selects.forEach((select, side) => { select.value = `${this.chosen[side]}` })
    }

    /** Unpack the TAPs of those chosen. */
    async load() {
        const { taps, queries } = this.pairs
        for (const one of this.chosen) {
            this.taps[one] ??= accumulated(new Uint8Array(await (await inflated(taps[one])).arrayBuffer()), labels.k.length + labels.e0.length, queries.length)
        }
    }

    get words() {
        return this.pairs.of.find((/** @type {{ pair: number[] }} */ { pair }) => pair.every((one, i) => one === this.chosen[i]))
    }

    text() {
        return now(this.words.text)
    }

    layers() {
        const { pairs, words, chosen: [a, b] } = this, place = threshold(), size = pairs.queries.length
        const notice = now(words.notice), none = notice !== null
        /** @type {[number, number, number][]} */
        const better = words.better
        const unlike = new Map(better.filter(([at]) => at === place).map(([, row, side]) => [row, side]))
        /** @type {number[][]} */
        const [x, y] = [[], []]
        const color = [], marker = []
        /** @type {Record<string, number>} queries by which of the two is better */
        const counts = { 1: 0, 0: 0, "-1": 0 }
        for (let row = 0, at = place * size; row < size && !none; row++, at++) {
            const left = this.taps[a][at], below = this.taps[b][at]
            const side = unlike.get(row) ?? Math.sign(left - below)
            x.push(below / pairs.steps)
            y.push(left / pairs.steps)
            color.push(words.colors[side])
            marker.push(pairs.markers[side])
            counts[side]++
        }
        const said = [1, 0, -1].map((side, i) => words.before[i] + counts[side].toLocaleString("en"))
        const corners = none ? [[], []] : [said.slice(0, 2), said.slice(2)]
        const ring = none || pairs.focus === null ? [] : [pairs.focus]
        const texts = Object.entries(/** @type {Record<string, object>} */ (words.places)).map(([name, columns], i) => (
            { name, size: corners[i].length, columns: { ...columns, text: corners[i] } }
        ))
        const focus = { x: ring.map((i) => x[i]), y: ring.map((i) => y[i]), color: pairs.accent }
        const point = { x, y, color, marker, query: pairs.queries, total: pairs.totals }
        return [
            { name: "point", size: x.length, tooltip: words.tooltip, columns: point },
            { name: "focus", size: ring.length, columns: focus },
            { name: "diagonal", size: none ? 0 : words.diagonal.x.length, columns: words.diagonal },
            { name: "notice", size: none ? notice.text.length : 0, columns: notice ?? {} },
            ...texts,
        ]
    }
}

/** Lines of a read-out without those of algorithms that are not ticked. @param {string} text */
function withoutHidden(text) {
    const gone = algorithms.filter((_, i) => hidden.has(`a${i}`)).map(({ name }) => pythonEscaped(name))
    return text.split("<br>").filter((line) => !gone.some((name) => line.startsWith(`<b>${name}</b>`))).join("<br>")
}

const pythonEscaped = (/** @type {string} */ name) => name.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;").replace(/'/g, "&#x27;")

// --- the score table -------------------------------------------------------------------------

const table = $("table.scores")
const [body] = table.tBodies
const names = Object.keys(tables.table.rows)
body.replaceChildren()
for (const name of names) body.insertRow().dataset.algorithm = name

const scores = {
    figure: table,
    seen: true,
    stale: new Set(["threshold"]),
    refresh() {
        this.stale.clear()
        turnRows(table.parentElement, tables.table, now)
    },
    hide() {
        for (const row of body.rows) {
            const of = tables.table.of[names.indexOf(row.dataset.algorithm)]
            row.hidden = of.every((/** @type {number} */ one) => hidden.has(`a${one}`) && !algorithms[one].baseline)
        }
    },
}

// --- ranked lists ----------------------------------------------------------------------------

const { ranked } = tables
const chosen = $("#query")
const lists = $("#lists")
/** @type {any} the query whose lists are open */
let listed = null

if (ranked.pair.length > 1) {
    put($("#ranked label"), `The queries for which ${ranked.pair.join(" and ")} differ most, as written:`)
}
for (const [i, { query, total }] of ranked.queries.entries()) {
    chosen.append(new Option(`${query}, T(q) = ${total.toLocaleString("en")}`, i))
}

/** @param {string} query */
function openQuery(query) {
    const place = ranked.queries.findIndex((/** @type {any} */ one) => one.query === query)
    if (place < 0) return put($("#query-problem"), `The lists of ${query} are not in this report.`)
    chosen.value = place
    showQuery()
    $("#ranked").scrollIntoView({ block: "nearest" })
}

function showQuery() {
    listed = chosen.value === "" ? null : ranked.queries[chosen.value]
    $("#query-problem").textContent = ""
    lists.replaceChildren()
    if (!listed) return
    for (const [i, { name }] of algorithms.entries()) {
        const one = listed.lists[name], box = make("section", { class: "list", "data-algorithm": i })
        const rows = one.score.map((/** @type {string} */ score, /** @type {number} */ j) => `<tr class="${one.relevant[j] ? "relevant" : "irrelevant"}">`
            + `<td>${j + 1}</td><th scope="row">${escaped(one.record[j] ?? "")}</th><td>${score}</td>`
            + `<td>${one.relevant[j] ? "R" : "I"}</td><td>${one.precision[j]}</td></tr>`).join("")
        const rest = one.n - one.score.length
        const more = rest > 0 ? `<p class="note">and ${rest.toLocaleString("en")} more</p>` : ""
        box.innerHTML = `<h3>${escaped(name)}</h3><p class="at"></p>`
            + `<div class="rows" tabindex="0" role="region" aria-label="${escaped(name)}, ranked list">`
            + "<table><thead><tr><th scope=col>rank</th><th scope=col>record</th><th scope=col>score</th>"
            + `<th scope=col></th><th scope=col>precision</th></tr></thead><tbody>${rows}</tbody></table>${more}</div>`
        lists.append(box)
    }
    followQuery()
}

/** The threshold in the lists, and what each list is worth at it. */
function followQuery() {
    if (!listed) return
    for (const box of lists.children) {
        const { name } = algorithms[box.dataset.algorithm]
        const { at, n } = listed.lists[name]
        const [retrieved, tap] = now(at)
        box.hidden = hidden.has(`a${box.dataset.algorithm}`)
        box.querySelector(".at").textContent = retrieved < 0 ? "no threshold"
            : `TAP ${tap}, ${retrieved.toLocaleString("en")} of ${n.toLocaleString("en")} retrieved`
        box.querySelectorAll("tbody tr").forEach((/** @type {Element} */ row, /** @type {number} */ i) => {
            row.classList.toggle("last", i === retrieved - 1)
        })
    }
}

chosen.addEventListener("change", showQuery)

// --- controls --------------------------------------------------------------------------------

/** @type {LivePlot[]} */
const plots = tables.plots.map((/** @type {Table} */ one) => new LivePlot(one))
const parts = [scores, ...plots]

/** @type {Set<string>} */
const pending = new Set()
/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting

/** Show where a control is now, before the next frame is painted. @param {string[]} controls */
function follow(...controls) {
    if (!pending.size) requestAnimationFrame(showAll)
    for (const control of controls) pending.add(control)
}

/** What is on the screen, and the rest when the hand rests. */
function showAll() {
    for (const part of parts) {
        for (const control of pending) part.stale.add(control)
        if (part.seen) part.refresh()
    }
    if (pending.has("threshold")) followQuery()
    pending.clear()
    $("#away").hidden = !isAway("threshold")
    $("main").classList.toggle("away", ["threshold", "n", "programs"].some(isAway))
    clearTimeout(resting)
    resting = setTimeout(showRest, 200)
}

function showRest() {
    const next = parts.find((one) => one.stale.size)
    if (!next) return
    next.refresh()
    resting = setTimeout(showRest)
}

/** @type {Record<string, any>} */
const inputs = {}
for (const name of ["k", "e0", "n"]) {
    const input = inputs[name] = $(`#${name}`), said = $(`output[for=${name}]`)
    Object.assign(input, { min: 0, max: labels[name].length - 1, step: 1, value: choice[name] })
    const tell = () => {
        said.textContent = labels[name][choice[name]]
        input.setAttribute("aria-valuetext", labels[name][choice[name]])
    }
    input.addEventListener("input", () => {
        choice[name] = Number(input.value)
        tell()
        if (name !== "n") setMode(name)
        follow(...(name === "n" ? ["n"] : name === "k" ? ["threshold", "k"] : ["threshold"]))
    })
    tell()
}

/** @type {NodeListOf<HTMLInputElement>} */
const radios = document.querySelectorAll("[name=mode]")
/** @param {string} mode */
function setMode(mode) {
    choice.mode = mode
    for (const radio of radios) radio.checked = radio.value === mode
    for (const name of ["k", "e0"]) $(`#${name}`).closest(".control").classList.toggle("off", name !== mode)
}

for (const radio of radios) {
    radio.addEventListener("change", () => { setMode(radio.value); follow("threshold") })
}
setMode(choice.mode)

$("#reset").addEventListener("click", () => {
    for (const name of ["k", "e0", "n"]) {
        inputs[name].value = start[name]
        inputs[name].dispatchEvent(new Event("input"))
    }
    setMode(tables.mode)
    for (const [i, box] of [...ticks.querySelectorAll("input")].entries()) {
        if (box.checked === hiddenAtFirst.has(`a${i}`)) box.click()
    }
})

const ticks = $("#algorithms")
algorithms.forEach(({ name, dash }, i) => {
    const onchange = (/** @type {any} */ { target }) => {
        if (target.checked) hidden.delete(`a${i}`)
        else hidden.add(`a${i}`)
        for (const plot of plots) {
            if (!plot.table.each) continue
            plot.drawn.hide(hidden)
            plot.write()
        }
        scores.hide()
        followQuery()
        follow()
    }
    const label = make("label", { onchange })
    label.innerHTML = `<input type="checkbox"${hidden.has(`a${i}`) ? "" : " checked"}>`
        + `<svg width="34" height="10" aria-hidden="true"><line x1="1" y1="5" x2="33" y2="5"`
        + ` stroke-width="2.4" stroke-dasharray="${dash.join(" ")}" style="stroke:var(--on-a${i})"/></svg>`
        + `<span>${escaped(name)}</span>`
    ticks.append(label)
})

const dark = $("#dark")
const prefers = matchMedia("(prefers-color-scheme: dark)")
/** @param {boolean} on */
function setDark(on) {
    dress(on)
    dark.setAttribute("aria-pressed", on)
}
dark.addEventListener("click", () => setDark(dark.getAttribute("aria-pressed") !== "true"))
setDark(prefers.matches)

const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
        const part = parts.find(({ figure }) => figure === target)
        if (!part) continue
        part.seen = isIntersecting
        if (isIntersecting && part.stale.size) part.refresh()
    }
})
for (const { figure } of parts) watcher.observe(figure)
addEventListener("beforeprint", () => { for (const part of parts) if (part.stale.size) part.refresh() })

for (const { pair, drawn } of plots) {
    if (!pair) continue
    await pair.load()
    drawn.update(pair.layers())
}
scores.refresh()
scores.hide()
follow()
document.documentElement.dataset.live = ""
