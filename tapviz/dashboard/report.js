// What moves in a report: the controls choose places of the tables, which Python has computed.

const $ = (selector) => document.querySelector(selector)
const escapeHtml = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))
    return JSON.parse(await new Response(stream).text())
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

const tables = await unpacked($("#tables").textContent)
const { algorithms, labels, start } = tables
const hidden = new Set(algorithms.flatMap(({ shown }, i) => (shown ? [] : [`a${i}`])))
const choice = { mode: tables.mode, k: start.k, e0: start.e0, n: start.n }

/** Place in tables that follow the threshold: those of all k, then those of all E_0. */
const threshold = () => (choice.mode === "k" ? choice.k : labels.k.length + choice.e0)
const placeOf = (control) => (control === "n" ? choice.n : threshold())
const isTrack = (value) => value !== null && typeof value === "object" && !Array.isArray(value)
const now = (track) => track.values[track.control ? track.at[placeOf(track.control)] : 0]

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
        this.words = ["x", "y", "caption", "text"].filter((name) => table[name]?.control)
        for (const name of ["caption", "text"]) {
            if (table[name]) this.figure.querySelector(`.${name}`).textContent = now(table[name])
        }
        for (const axis of ["x", "y"]) if (table[axis]) table.picture[axis] = now(table[axis])
        this.seen = false
        this.stale = new Set()
        const host = this.figure.querySelector(".live")
        host.hidden = false
        this.drawn = draw(host, table.picture, {
            label: this.label(),
            hidden: table.each ? hidden : new Set(),
            readout: table.each ? withoutHidden : undefined,
            onpick: table.pick ? (layer, i) => openQuery(layer.columns.query?.[i]) : undefined,
        })
        this.figure.querySelector(".still").hidden = true
    }

    label() {
        const title = this.figure.querySelector("b").textContent
        const { text } = this.table
        return `${title}. ${text ? now(text) : this.figure.querySelector(".text").textContent}`
    }

    /** Show the present place of a control; what is not on the screen waits. */
    follow(control) {
        this.stale.add(control)
        if (!this.seen) return
        const changed = new Map()
        for (const [layer, name, track] of this.moving) {
            if (!this.stale.has(track.control)) continue
            if (!changed.has(layer)) changed.set(layer, { name: layer.name, columns: { ...layer.columns } })
            const change = changed.get(layer)
            if (name === null) change.size = layer.size = now(track)
            else change.columns[name] = layer.columns[name] = now(track)
        }
        const moved = {}
        for (const name of this.words) {
            const track = this.table[name]
            if (!this.stale.has(track.control)) continue
            if (name === "caption" || name === "text") {
                this.figure.querySelector(`.${name}`).textContent = now(track)
                if (name === "text") moved.label = this.label()
            } else moved[name] = now(track)
        }
        this.stale.clear()
        if (changed.size || moved.x || moved.y || moved.label) {
            this.drawn.update([...changed.values()], moved)
        }
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

const written = new Map()
/** HTML of a part of the page, where it is not what stands there. */
function write(part, html) {
    if (written.get(part) === html) return
    written.set(part, html)
    part.innerHTML = html
}

function drawHead() {
    write(table.tHead, tables.table.head.map(now).join(""))
}

function drawRows() {
    write(table.tBodies[0], tables.table.rows.map((parts, i) => (
        `<tr${hidden.has(`a${i}`) && !algorithms[i].baseline ? " hidden" : ""}>${parts.map(now).join("")}</tr>`
    )).join(""))
}

// --- ranked lists ----------------------------------------------------------------------------

const { ranked } = tables
const chosen = $("#query")
const lists = $("#lists")
let listed = null

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

/** Show what a control has come to, before the next frame is painted. */
function follow(control) {
    if (!pending.size) requestAnimationFrame(paintAll)
    pending.add(control)
}

function paintAll() {
    for (const control of pending) for (const plot of plots) plot.follow(control)
    drawHead()
    drawRows()
    if (pending.has("threshold")) followQuery()
    pending.clear()
    const away = choice.mode !== tables.mode || choice[choice.mode] !== start[choice.mode]
    $("#away").hidden = !away
    $(".verdict")?.classList.toggle("away", away)
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
        follow(name === "n" ? "n" : "threshold")
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
        for (const plot of plots) if (plot.table.each) plot.drawn.hide(hidden)
        drawRows()
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

// What is not on the screen is drawn when it comes there.
const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
        const plot = plots.find((one) => one.figure === target)
        plot.seen = isIntersecting
        if (isIntersecting && plot.stale.size) for (const control of [...plot.stale]) plot.follow(control)
    }
}, { rootMargin: "100px" })
for (const plot of plots) watcher.observe(plot.figure)
addEventListener("beforeprint", () => {
    for (const plot of plots) {
        plot.seen = true
        plot.follow("threshold")
        plot.follow("n")
    }
})

drawHead()
drawRows()
document.documentElement.dataset.live = ""
