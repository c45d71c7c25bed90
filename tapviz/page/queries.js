// A row for each query, or each class of queries. Only the rows that are seen are in the page; those
// that the server has not sent yet are blank. A row points to its query's dot, and a dot to its row.
import { drawn, make } from "../draw/elements.js"
import { dotOf, dotUnderMouse } from "../live/compat.js"
import { oncePerFrame, paced } from "../live/paced.js"
import { inSight, missing, rowAt } from "./rows.js"

const ROW = 26, WINDOW = 40, TYPING = 200 // pixels, rows, milliseconds
// Milliseconds between two positions of a drag: rows that change with every frame cost a third of it, and
// nobody reads them. Below the fold they need not change at all before the hand rests.
const READING = 200, RESTING = 1000
const BRIEF = 8, SEEN = 13, PAGE = 7 // rows of the table, and those that a key goes on by
const TALL = 9 // a bar of the strip of a list, whose digits are shares of nine
const SIDES = ["A better", "equal", "B better"]

/**
 * @typedef {{ name: string, title: string, kind: string, help?: string, color: string, colors: string[] }} Column
 * @typedef {[digits: string, cut: number]} Strip
 * @typedef {{ element: HTMLElement, data: any[], columns: Column[] }} Row
 */

const percent = (/** @type {number} */ share) => `${100 * share}%`

/** A list from its digits: up as many relevant records as there are, down the others. @param {Strip} list */
const strip = ([digits, cut]) => {
    const viewBox = `0 ${-TALL} ${Math.max(digits.length, 1)} ${2 * TALL}`
    const picture = drawn("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true" })
    const bars = (/** @type {(share: number) => number} */ height) => [...digits].map((digit, x) =>
        `M${x} 0V${height(Number(digit))}H${x + 1}V0Z`).join("")
    drawn("path", { class: "relevant", d: bars((share) => -share) }, picture)
    drawn("path", { class: "irrelevant", d: bars((share) => TALL - share) }, picture)
    if (cut >= 0) drawn("path", { class: "cut", d: `M${cut * digits.length} ${-TALL}V${TALL}` }, picture)
    return picture
}

/** @param {HTMLElement} cell @param {string} text @param {string} color @param {HTMLElement[]} bars */
const withBars = (cell, text, color, ...bars) => {
    cell.classList.add("drawn")
    const place = make("i", {}, ...bars)
    place.style.color = color
    cell.append(make("b", {}, text), place)
}

/** @param {string} name @param {number} from share of the cell @param {number} to */
const bar = (name, from, to) => {
    const made = make("span", { class: name || null })
    Object.assign(made.style, { left: percent(from), width: percent(to - from) })
    return made
}

/** @type {Record<string, (cell: HTMLElement, value: any, column: Column) => void>} */
const CELLS = {
    id: (cell, value) => { cell.textContent = cell.title = value },
    text: (cell, value) => { cell.textContent = cell.title = value },
    number: (cell, value) => { cell.textContent = value },
    counts: (cell, value) => { cell.textContent = value },
    bar: (cell, [text, share], { color }) => withBars(cell, text, color, bar("", 0, Math.max(share, 0))),
    difference: (cell, [text, share, low, high, words], { colors }) => {
        const between = (/** @type {string} */ name, /** @type {number} */ a, /** @type {number} */ b) =>
            bar(name, (1 + Math.min(a, b)) / 2, (1 + Math.max(a, b)) / 2)
        const bars = [between("", 0, share)]
        if (words) {
            bars.push(between("interval", low, high))
            cell.title = `95 % interval ${words}`
        }
        withBars(cell, text, colors[share < 0 ? 1 : 0], ...bars)
    },
    strip: (cell, list) => cell.append(strip(list)),
}

class Table {
    /** @param {any} model @param {any} page its document in Bokeh */
    constructor(model, page) {
        this.page = page
        this.model = model
        this.marked = -1
        this.waiting = false
        this.atTop = true
        this.visible = true
        /** @type {any} what a view says is shown, while a slider is moved */
        this.turned = undefined
        this.from = 0
        /** @type {any[][]} */
        this.rows = []
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.typing = undefined
        /** @type {string | undefined} what the rows are of, and how they are sorted */
        this.about = undefined
        this.alike = "" // what the heads are of
        /** @type {Map<number, Row>} those in the page, by their place */
        this.drawn = new Map()

        const button = (/** @type {string} */ name, /** @type {string} */ words, /** @type {() => void} */ onclick) =>
            make("button", { class: name, onclick }, words)
        const group = (/** @type {string} */ name, /** @type {string} */ label, /** @type {HTMLElement[]} */ ...inside) =>
            make("div", { class: `group ${name}`, role: "group", "aria-label": label }, ...inside)
        const choice = (/** @type {string} */ message) => {
            const onchange = () => this.send({ [message]: select.value })
            const select = make("select", { "aria-label": message.toUpperCase(), onchange })
            return select
        }
        this.open = button("open-queries", "", () => this.send({ by: this.shown.by ? "" : "query" }))
        this.levels = group("levels", "a row for each")
        const look = () => this.send({ find: this.find.value })
        this.find = make("input", {
            placeholder: "id or class", "aria-label": "find in the table", spellcheck: "false",
            oninput: () => {
                clearTimeout(this.typing)
                this.typing = setTimeout(look, TYPING)
            },
            onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter") look() },
        })
        this.a = choice("a")
        this.b = choice("b")
        this.labelA = make("label", {}, "A ", this.a)
        this.labelB = make("label", {}, "B ", this.b)
        this.buttons = ["a", "equal", "b"].map((side) =>
            button(side, "", () => this.send({ better: this.shown.better === side ? "" : side })))
        this.sides = group("sides", "who does better", ...this.buttons)
        this.keep = button("keep", "Make these the subset", () => this.send({ keep: true }))
        this.count = make("span", { class: "count", role: "status" })
        const controls = make("div", { class: "bar-of-controls" }, make("b", { class: "title" }, "Queries"),
            this.labelA, this.labelB, this.count, this.open)
        this.more = make("div", { class: "bar-of-controls" }, this.levels, this.find, this.sides, this.keep)

        this.heads = make("div", { class: "row heads", role: "row" })
        this.space = make("div", { class: "space", role: "presentation" })
        const recordOf = (/** @type {any} */ event) => event.target.closest(".record")?.dataset
        this.scroller = make("div", {
            class: "scroller", tabindex: 0, role: "rowgroup", "aria-label": "rows",
            onscroll: oncePerFrame(() => {
                const atTop = this.scroller.scrollTop < 1
                if (atTop !== this.atTop) this.send({ top: this.atTop = atTop })
                this.draw()
            }),
            onclick: (/** @type {Event} */ event) => {
                const row = recordOf(event)
                if (row) this.choose(Number(row.place))
            },
            onmouseover: (/** @type {Event} */ event) => this.pointTo(recordOf(event)?.key),
            onmouseleave: () => this.pointTo(),
            onblur: () => { this.mark(-1); this.pointTo() },
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
        }, this.space)
        this.grid = make("div", { class: "grid", role: "grid", "aria-label": "queries" },
            make("div", { class: "inner" }, this.heads, this.scroller))
        this.none = make("div", { class: "none" })
        this.element = make("section", { class: "queries", "aria-label": "queries" }, controls, this.more, this.grid, this.none)
        this.ring = make("div", { class: "tapviz-ring" })
        Object.assign(this.ring.style, {
            position: "absolute", width: "16px", height: "16px", borderRadius: "50%",
            border: "2px solid var(--tv-accent, #7A1FA2)", boxSizing: "border-box",
            transform: "translate(-50%, -50%)", pointerEvents: "none",
        })
        const listen = (/** @type {PointerEvent} */ event) => {
            if (!event.buttons) this.follow(dotUnderMouse(page))
        }
        const gone = new AbortController(), { signal } = gone
        document.addEventListener("pointermove", listen, { signal })
        const watched = new IntersectionObserver((seen) => { this.visible = seen[seen.length - 1].isIntersecting })
        watched.observe(this.element)
        const turned = paced(() => (this.visible ? READING : RESTING), (/** @type {object} */ detail) => this.turn({ ...model.shown, ...detail }))
        const turn = (/** @type {any} */ { detail }) => { if (detail.of === page) turned(detail.shown) }
        const stay = () => { turned(undefined); this.turn() }
        const settle = () => { if (this.turned) stay() }
        document.addEventListener("tapviz-queries", turn, { signal })
        document.addEventListener("tapviz-settle", settle, { signal })
        model.on("shown", stay)
        model.on("msg:custom", (/** @type {any} */ message) => {
            const { from, rows, stamp } = message.data ?? message
            if (stamp !== model.shown.stamp) return
            this.take(from, rows)
            this.draw()
        })
        model.on("remove", () => {
            gone.abort()
            watched.disconnect()
            this.ring.remove()
        })
        this.show()
    }

    /** What the table shows: what the server sent, or a view at the position of a slider. */
    get shown() { return this.turned ?? this.model.shown }

    /** @param {object} message */
    send(message) {
        this.model.send_msg({ ...message, stamp: this.model.shown.stamp })
    }

    /** @param {number} from @param {any[][]} rows */
    take(from, rows) {
        this.from = from
        this.rows = rows
        this.waiting = false
    }

    get byClass() { return !["", "query"].includes(this.shown.by) }

    /** Shows what a view has, or what the server sent. @param {any} [turned] */
    turn(turned) {
        this.turned = turned
        this.show()
    }

    show() {
        const { shown } = this
        this.showControls()
        this.showHeads()
        this.take(shown.from, shown.rows)
        this.grid.setAttribute("aria-rowcount", shown.n + 1)
        this.none.textContent = shown.n ? "" : "Nothing matches."
        this.none.hidden = Boolean(shown.n)
        this.space.style.height = `${shown.n * ROW}px`
        this.scroller.style.height = `${Math.min(Math.max(shown.n, 1), shown.by ? SEEN : BRIEF) * ROW}px`
        const about = [shown.by, shown.order, shown.find, shown.better].join("\n")
        if (this.about !== undefined && this.about !== about) this.scroller.scrollTop = 0
        this.about = about
        this.draw()
    }

    showControls() {
        const { shown } = this, two = shown.pair.length > 1
        /** @type {[string, string][]} */
        const levels = shown.levels
        this.open.textContent = shown.by ? "Find and filter ▴" : "Find and filter ▾"
        this.open.setAttribute("aria-expanded", `${Boolean(shown.by)}`)
        this.more.hidden = !shown.by
        this.keep.hidden = !shown.keeps
        this.labelB.hidden = !two
        this.sides.hidden = !two || this.byClass
        this.levels.hidden = levels.length < 2
        if (this.levels.childElementCount !== levels.length) {
            this.levels.replaceChildren(...levels.map(([words, value]) =>
                make("button", { value, onclick: () => this.send({ by: value }) }, words)))
        }
        for (const one of /** @type {Iterable<any>} */ (this.levels.children)) {
            one.setAttribute("aria-pressed", one.value === shown.by)
        }
        const root = /** @type {Document | ShadowRoot} */ (this.find.getRootNode())
        if (root.activeElement !== this.find) this.find.value = shown.find
        for (const [place, select] of [this.a, this.b].slice(0, shown.pair.length).entries()) {
            if (select.length !== shown.names.length) {
                select.replaceChildren(...shown.names.map((/** @type {string} */ name) => new Option(name, name)))
            }
            select.value = shown.pair[place]
        }
        this.buttons.forEach((one, place) => {
            one.textContent = `${SIDES[place]}: ${shown.sides[place].toLocaleString("en")}`
            one.setAttribute("aria-pressed", `${shown.better === one.className}`)
        })
        const most = !shown.by && !shown.order && two ? "where A and B differ most first; " : ""
        this.count.textContent = `${shown.counted} · ` +
            (this.byClass ? `mean ${shown.score}; Enter or a click keeps the class` :
                `${shown.score}; ${most}a row opens the lists`)
    }

    showHeads() {
        /** @type {{ columns: Column[], order: string }} */
        const { columns, order } = this.shown
        const column = order.replace(/^-/, ""), down = order.startsWith("-")
        const alike = JSON.stringify(columns)
        if (this.alike !== alike) {
            this.alike = alike
            this.heads.replaceChildren(...columns.map((one) => this.head(one)))
        }
        for (const head of /** @type {Iterable<any>} */ (this.heads.children)) {
            if (!head.dataset.column) continue
            head.setAttribute("aria-sort", head.dataset.column !== column ? "none" :
                down ? "descending" : "ascending")
        }
    }

    /** @param {Column} column */
    head({ name, title, kind, help }) {
        const attributes = { class: kind, role: "columnheader", title: help ?? title }
        if (!name) return make("span", attributes, title)
        const onclick = () => {
            // Texts from the first on, numbers from the largest down.
            const text = kind === "id" || kind === "text"
            const [usual, turned] = text ? [name, `-${name}`] : [`-${name}`, name]
            this.send({ sort: this.shown.order === usual ? turned : usual })
        }
        return make("span", { ...attributes, "data-column": name }, make("button", { onclick }, title))
    }

    draw() {
        const { n } = this.shown
        const first = Math.max(Math.floor(this.scroller.scrollTop / ROW), 0)
        const last = Math.min(first + Math.ceil((this.scroller.clientHeight || SEEN * ROW) / ROW), n - 1)
        const before = this.drawn
        this.drawn = new Map()
        for (let place = first; place <= last; place++) this.drawn.set(place, this.row(place, before.get(place)))
        const rows = [...this.drawn.values()].map(({ element }) => element)
        if (rows.length !== this.space.childElementCount || rows.some((row, i) => row !== this.space.children[i])) {
            this.space.replaceChildren(...rows)
        }
        const from = missing(this, first, last, WINDOW)
        if (from !== undefined && !this.waiting && !this.turned) {
            this.waiting = true
            this.send({ scroll: from })
        }
    }

    /** A row, of which only cells are made that differ from what it was. @param {number} place @param {Row} [before] @returns {Row} */
    row(place, before) {
        const { columns } = this.shown, { focus, chosen } = this.model.shown
        const data = this.rows[place - this.from]
        const alike = data && before?.data && before.columns === columns ? before : undefined
        const row = alike?.element ?? make("div", {
            class: "row record", id: `query-${place}`, "data-place": place, role: "row", "aria-rowindex": place + 2,
        })
        columns.forEach((/** @type {Column} */ column, /** @type {number} */ i) => {
            if (alike && alike.data[i] === data[i]) return
            const cell = make("span", { class: column.kind, role: "gridcell" })
            if (data) CELLS[column.kind](cell, data[i], column)
            if (alike) row.children[i].replaceWith(cell)
            else row.append(cell)
        })
        row.style.top = `${place * ROW}px`
        row.classList.toggle("marked", place === this.marked)
        if (data) {
            row.dataset.key = data[0]
            const inFocus = data[0] === (this.byClass ? chosen : focus)
            row.classList.toggle("focus", inFocus)
            row.setAttribute("aria-selected", `${inFocus}`)
        }
        return { element: row, data, columns }
    }

    /** @param {number} place */
    choose(place) {
        const data = this.rows[place - this.from]
        if (data) this.send(this.byClass ? { within: data[0] } : { focus: data[0] })
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        if (event.key === "Enter" && this.marked >= 0) this.choose(this.marked)
        const now = this.marked < 0 ? Math.floor(this.scroller.scrollTop / ROW) - 1 : this.marked
        const next = rowAt(event.key, now, PAGE, this.shown.n)
        if (next === undefined) return
        event.preventDefault()
        this.mark(next)
    }

    /** @param {number} place */
    mark(place) {
        this.marked = place
        if (place >= 0) this.scroller.scrollTop = inSight(this.scroller, place * ROW, ROW)
        this.draw()
        if (place >= 0) this.scroller.setAttribute("aria-activedescendant", `query-${place}`)
        else this.scroller.removeAttribute("aria-activedescendant")
        this.pointTo(this.rows[place - this.from]?.[0])
    }

    /** A ring around the dot of a query, in the plots that have one; without a query, none. @param {string} [key] */
    pointTo(key) {
        const dot = key === undefined || this.byClass ? null : dotOf(this.page, key)
        if (!dot) {
            this.ring.remove()
            return
        }
        Object.assign(this.ring.style, { left: `${dot.x}px`, top: `${dot.y}px` })
        if (this.ring.parentNode !== dot.place) dot.place.append(this.ring)
    }

    /** The row of the query whose dot is under the mouse. @param {string | null} query */
    follow(query) {
        if (this.byClass) return
        for (const row of /** @type {Iterable<any>} */ (this.space.children)) {
            row.classList.toggle("pointed", query !== null && row.dataset.key === query)
        }
    }
}

/** @param {{ model: any, view: any }} component of Panel */
export const render = ({ model, view }) => new Table(model, view.model.document).element
