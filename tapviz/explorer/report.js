// What moves in a report: the controls choose places of the tables, which Python has computed.

import { draw } from "../draw/browser.js"

const $ = (selector) => document.querySelector(selector)
const escapeHtml = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

async function inflated(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))
    return new Response(stream)
}

/** Values of a track in full: long columns are kept as what differs from the longest. */
function whole(track) {
    const [first, ...rest] = track.values
    if (first === null || typeof first !== "object" || !("longest" in first)) return track
    const longest = rest[first.longest]
    const values = rest.map((one) => (
        one !== null && typeof one === "object" && "alike" in one
            ? longest.slice(0, one.alike).concat(one.rest) : one
    ))
    return { ...track, values }
}

const tables = await (await inflated($("#tables").textContent)).json()
const { algorithms, labels, start } = tables
const hidden = new Set(algorithms.flatMap(({ shown }, i) => (shown ? [] : [`a${i}`])))
const choice = { mode: tables.mode, k: start.k, e0: start.e0, n: start.n }

/** Place in tables that follow the threshold: those of all k, then those of all E_0. */
const threshold = () => (choice.mode === "k" ? choice.k : labels.k.length + choice.e0)
const placeOf = (control) => (control === "threshold" ? threshold() : choice[control])
const isTrack = (value) => value !== null && typeof value === "object" && !Array.isArray(value)

/** What a track has at the present place of its control. */
function now(track) {
    if (!track.control) return track.values[0]
    if (track.runs) {
        track.at = []
        for (let i = 0; i < track.runs.length; i += 2) {
            for (let times = track.runs[i + 1]; times > 0; times--) track.at.push(track.runs[i])
        }
        delete track.runs
    }
    const place = placeOf(track.control)
    return track.values[track.at ? track.at[place] : place]
}

/** Whether a control is not where it was when the report was written. */
function isAway(control) {
    if (control !== "threshold") return choice[control] !== start[control]
    return choice.mode !== tables.mode || choice[choice.mode] !== start[choice.mode]
}

/** A sentence without what it says of algorithms that are not ticked. */
function sentence(words, each, ofAll) {
    if (typeof words === "string") {
        const all = ofAll && hidden.size ? ` All ${algorithms.length} algorithms count here, ticked or not.` : ""
        return words + all
    }
    const [before, after, ...parts] = words
    const seen = parts.filter(([i]) => !each || !hidden.has(`a${i}`)).map(([, part]) => part)
    return seen.length ? before + seen.join("; ") + after : "No algorithm is ticked."
}

// --- plots -----------------------------------------------------------------------------------

class LivePlot {
    constructor(table) {
        this.table = table
        this.figure = $(`figure[data-plot="${table.name}"]`)
        this.moving = []  // [layer, name of the column, track]
        for (const layer of table.picture.layers) {
            for (const [name, value] of Object.entries(layer.columns)) {
                if (!isTrack(value)) continue
                const track = whole(value)
                layer.columns[name] = now(track)
                if (track.control) this.moving.push([layer, name, track])
            }
            if (isTrack(layer.size)) {
                const track = layer.size
                layer.size = now(track)
                if (track.control) this.moving.push([layer, null, track])
            }
        }
        for (const axis of ["x", "y"]) if (table[axis]) table.picture[axis] = now(table[axis])
        this.seen = false
        this.stale = new Set()  // controls that have moved since it was drawn
        if (table.pairs) this.pair = new Pair(table, this)
        if (table.still) this.sayWhere()
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

    /** Say where it stands: it does not follow the controls. */
    sayWhere() {
        const note = document.createElement("span")
        note.className = "where"
        note.textContent = `${this.table.still.at}, as written. `
        this.figure.querySelector(".caption").before(note)
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
        const { stale, table } = this
        const changed = new Map()
        for (const [layer, name, track] of this.moving) {
            if (!stale.has(track.control)) continue
            if (!changed.has(layer)) changed.set(layer, { name: layer.name, columns: { ...layer.columns } })
            const change = changed.get(layer)
            if (name === null) change.size = layer.size = now(track)
            else change.columns[name] = layer.columns[name] = now(track)
        }
        const moved = {}
        for (const axis of ["x", "y"]) if (stale.has(table[axis]?.control)) moved[axis] = now(table[axis])
        let layers = [...changed.values()]
        if (this.pair && stale.has("threshold")) layers = this.pair.layers()
        if (table.still) {
            this.figure.querySelector(".where").classList.toggle("away", table.still.controls.some(isAway))
        }
        stale.clear()
        this.write()
        if (layers.length || moved.x || moved.y) this.drawn.update(layers, { ...moved, label: this.label() })
    }
}

/** Mark the threshold under the mouse in all plots that are seen. */
function markAll(threshold) {
    for (const { drawn, seen } of plots) if (seen) drawn.mark(threshold)
}

/** Text of an element, where it is not what stands there. */
function put(element, text) {
    if (element.textContent !== text) element.textContent = text
}

/** The two algorithms of A against B, which can be chosen, and the TAPs of the queries. */
class Pair {
    constructor(table, plot) {
        this.pairs = table.pairs
        this.plot = plot
        this.chosen = [...this.pairs.chosen]
        this.taps = []
        const caption = plot.figure.querySelector(".caption")
        this.selects = ["A", "B"].map((letter, side) => {
            const select = document.createElement("select"), label = document.createElement("label")
            for (const i of Object.keys(this.pairs.taps)) select.append(new Option(algorithms[i].name, i))
            select.value = this.chosen[side]
            select.setAttribute("aria-label", letter)
            select.addEventListener("change", () => this.choose(side, Number(select.value)))
            label.append(`${letter} `, select)
            return label
        })
        caption.replaceChildren(...this.selects)
    }

    /** Another algorithm on one side; that of the other side changes places with it. */
    async choose(side, algorithm) {
        const before = this.chosen[side]
        if (this.chosen[1 - side] === algorithm) this.chosen[1 - side] = before
        this.chosen[side] = algorithm
        this.selects.forEach((label, i) => { label.querySelector("select").value = this.chosen[i] })
        await this.load()
        this.plot.stale.add("threshold")
        this.plot.refresh()
    }

    /** Unpack the TAPs of those chosen. */
    async load() {
        for (const algorithm of this.chosen) this.taps[algorithm] ??= await this.unpack(this.pairs.taps[algorithm])
    }

    async unpack(text) {
        const bytes = new Uint8Array(await (await inflated(text)).arrayBuffer())
        const size = bytes.length / 2, row = this.pairs.queries.length
        const taps = new Uint16Array(size)
        for (let i = 0; i < size; i++) {
            taps[i] = ((bytes[i] << 8) | bytes[size + i]) + (i < row ? 0 : taps[i - row])
        }
        return taps
    }

    get words() {
        return this.pairs.of.find(({ pair }) => pair.every((one, i) => one === this.chosen[i]))
    }

    text() {
        return now(this.words.text)
    }

    layers() {
        const { pairs, words, chosen: [a, b] } = this, place = threshold(), size = pairs.queries.length
        const corners = now(words.corners), notice = now(words.notice)
        const none = notice.text.length > 0
        const unlike = new Map(words.better.filter(([at]) => at === place).map(([, row, better]) => [row, better]))
        const x = [], y = [], color = [], marker = []
        for (let row = 0, at = place * size; row < size && !none; row++, at++) {
            const left = this.taps[a][at], below = this.taps[b][at]
            const better = unlike.get(row) ?? Math.sign(left - below)
            x.push(below / pairs.steps)
            y.push(left / pairs.steps)
            color.push(words.colors[better])
            marker.push(pairs.markers[better])
        }
        const ring = none || pairs.focus === null ? [] : [pairs.focus]
        const texts = Object.entries(words.places).map(([name, columns], i) => (
            { name, size: corners[i].length, columns: { ...columns, text: corners[i] } }
        ))
        return [
            {
                name: "point",
                size: x.length,
                tooltip: words.tooltip,
                columns: { x, y, color, marker, query: pairs.queries, total: pairs.totals },
            },
            {
                name: "focus",
                size: ring.length,
                columns: { x: ring.map((i) => x[i]), y: ring.map((i) => y[i]), color: pairs.accent },
            },
            { name: "diagonal", size: none ? 0 : pairs.diagonal.x.length, columns: pairs.diagonal },
            { name: "notice", size: notice.text.length, columns: notice },
            ...texts,
        ]
    }
}

/** Lines of a read-out without those of algorithms that are not ticked. */
function withoutHidden(text) {
    const gone = algorithms.filter((_, i) => hidden.has(`a${i}`)).map(({ name }) => pythonEscaped(name))
    return text.split("<br>").filter((line) => !gone.some((name) => line.startsWith(`<b>${name}</b>`))).join("<br>")
}

const pythonEscaped = (name) => name.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;").replace(/'/g, "&#x27;")

// --- the score table -------------------------------------------------------------------------

const table = $("table.scores")

/** Cells of a row as HTML, in place of those that are there: a cell that stays is not touched. */
function writeCells(row, cells) {
    const before = row.cellsWritten
    row.cellsWritten = cells
    if (before?.length !== cells.length) {
        row.innerHTML = cells.join("")
        return
    }
    cells.forEach((html, i) => {
        if (html === before[i]) return
        const inside = html.indexOf(">") + 1
        if (html.slice(0, inside) === before[i].slice(0, inside)) {
            const text = html.slice(inside, html.lastIndexOf("</t"))
            if (/[<&]/.test(text)) row.cells[i].innerHTML = text
            else row.cells[i].textContent = text
        } else row.cells[i].outerHTML = html
    })
}

const scores = {
    rows: [...table.tHead.rows].map((row, i) => [row, () => tables.table.head[i].map(now)]),
    seen: true,
    stale: true,
    refresh() {
        this.stale = false
        for (const [row, cells] of this.rows) writeCells(row, cells())
    },
    hide() {
        for (const [i, row] of [...table.tBodies[0].rows].entries()) {
            row.hidden = tables.table.of[i].every((one) => hidden.has(`a${one}`) && !algorithms[one].baseline)
        }
    },
}
table.tBodies[0].replaceChildren()
for (const parts of tables.table.rows) {
    scores.rows.push([table.tBodies[0].insertRow(), () => parts.flatMap(now)])
}

// --- ranked lists ----------------------------------------------------------------------------

const { ranked } = tables
const chosen = $("#query")
const lists = $("#lists")
let listed = null

if (ranked.pair.length > 1) {
    put($("#ranked label"), `The queries for which ${ranked.pair.join(" and ")} differ most, as written:`)
}
for (const [i, { query, total }] of ranked.queries.entries()) {
    const option = new Option(`${query}, T(q) = ${total.toLocaleString("en")}`, i)
    chosen.append(option)
}

function openQuery(query) {
    const place = ranked.queries.findIndex((one) => one.query === query)
    if (place < 0) {
        $("#query-problem").textContent = `The lists of ${query} are not in this report.`
        return
    }
    chosen.value = place
    showQuery()
    $("#ranked").scrollIntoView({ block: "nearest" })
}

function showQuery() {
    listed = chosen.value === "" ? null : ranked.queries[chosen.value]
    $("#query-problem").textContent = ""
    lists.replaceChildren()
    if (!listed) return
    const names = algorithms.map(({ name }, i) => [name, i])
    for (const [name, i] of names) {
        const one = listed.lists[name], box = document.createElement("section")
        box.className = "list"
        box.dataset.algorithm = i
        const rows = one.score.map((score, j) => `<tr class="${one.relevant[j] ? "relevant" : "irrelevant"}">`
            + `<td>${j + 1}</td><th scope="row">${escapeHtml(one.record[j] ?? "")}</th><td>${score}</td>`
            + `<td>${one.relevant[j] ? "R" : "I"}</td><td>${one.precision[j]}</td></tr>`).join("")
        const rest = one.n - one.score.length
        const more = rest > 0 ? `<p class="note">and ${rest.toLocaleString("en")} more</p>` : ""
        box.innerHTML = `<h3>${escapeHtml(name)}</h3><p class="at"></p>`
            + `<div class="rows" tabindex="0" role="region" aria-label="${escapeHtml(name)}, ranked list">`
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
        box.querySelectorAll("tbody tr").forEach((row, i) => {
            row.classList.toggle("last", i === retrieved - 1)
        })
    }
}

chosen.addEventListener("change", showQuery)

// --- controls --------------------------------------------------------------------------------

const plots = tables.plots.map((one) => new LivePlot(one))

const pending = new Set()
let resting = 0

/** Show where a control is now, before the next frame is painted. */
function follow(...controls) {
    if (!pending.size) requestAnimationFrame(showAll)
    for (const control of controls) pending.add(control)
}

/** What is on the screen, and the rest when the hand rests. */
function showAll() {
    for (const plot of plots) {
        for (const control of pending) plot.stale.add(control)
        if (plot.seen) plot.refresh()
    }
    scores.stale = true
    if (scores.seen) scores.refresh()
    if (pending.has("threshold")) followQuery()
    pending.clear()
    const away = isAway("threshold")
    $("#away").hidden = !away
    $(".verdict")?.classList.toggle("away", away)
    clearTimeout(resting)
    resting = setTimeout(showRest, 200)
}

function showRest() {
    const next = [scores, ...plots].find((one) => (one === scores ? one.stale : one.stale.size))
    if (!next) return
    next.refresh()
    resting = setTimeout(showRest)
}

const inputs = {}
for (const name of ["k", "e0", "n"]) {
    const input = inputs[name] = $(`#${name}`)
    const said = $(`output[for=${name}]`)
    input.min = 0
    input.max = labels[name].length - 1
    input.step = 1
    input.value = choice[name]
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

function setMode(mode) {
    choice.mode = mode
    for (const radio of document.querySelectorAll("[name=mode]")) radio.checked = radio.value === mode
    for (const name of ["k", "e0"]) $(`#${name}`).closest(".control").classList.toggle("off", name !== mode)
}

for (const radio of document.querySelectorAll("[name=mode]")) {
    radio.addEventListener("change", () => { setMode(radio.value); follow("threshold") })
}
setMode(choice.mode)

$("#reset").addEventListener("click", () => {
    for (const name of ["k", "e0", "n"]) {
        inputs[name].value = start[name]
        inputs[name].dispatchEvent(new Event("input"))
    }
    setMode(tables.mode)
})

const ticks = $("#algorithms")
algorithms.forEach(({ name, dash }, i) => {
    const label = document.createElement("label")
    label.innerHTML = `<input type="checkbox"${hidden.has(`a${i}`) ? "" : " checked"}>`
        + `<svg width="34" height="10" aria-hidden="true"><line x1="1" y1="5" x2="33" y2="5"`
        + ` stroke-width="2.4" stroke-dasharray="${dash.join(" ")}" style="stroke:var(--on-a${i})"/></svg>`
        + `<span>${escapeHtml(name)}</span>`
    label.firstChild.addEventListener("change", (event) => {
        if (event.target.checked) hidden.delete(`a${i}`)
        else hidden.add(`a${i}`)
        for (const plot of plots) {
            if (!plot.table.each) continue
            plot.drawn.hide(hidden)
            plot.write()
        }
        scores.hide()
        followQuery()
    })
    ticks.append(label)
})

const dark = $("#dark")
const prefers = matchMedia("(prefers-color-scheme: dark)")
function setDark(on) {
    document.documentElement.dataset.tapviz = on ? "dark" : "light"
    dark.setAttribute("aria-pressed", on)
}
dark.addEventListener("click", () => setDark(dark.getAttribute("aria-pressed") !== "true"))
setDark(prefers.matches)

const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
        const one = target === table ? scores : plots.find(({ figure }) => figure === target)
        one.seen = isIntersecting
        if (isIntersecting && (one === scores ? one.stale : one.stale.size)) one.refresh()
    }
})
for (const { figure } of plots) watcher.observe(figure)
watcher.observe(table)
addEventListener("beforeprint", () => {
    for (const plot of plots) if (plot.stale.size) plot.refresh()
    if (scores.stale) scores.refresh()
})

for (const { pair, drawn } of plots) {
    if (!pair) continue
    await pair.load()
    drawn.update(pair.layers())
}
scores.refresh()
scores.hide()
document.documentElement.dataset.live = ""
