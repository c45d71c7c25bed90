// A page comes by a WebSocket after its frame. If that is closed before, the frame stays empty: the token
// has expired, or the server does not know the name by which it was asked. A page from a new token
// is tried once; then it is said.
import { make } from "../draw/elements.js"

const RELOADED = "tapviz-reloaded", A_MINUTE = 60_000

const fail = () => {
    if (/** @type {any} */ (globalThis).Bokeh?.documents.length) return // connection_lost.js says it
    let last = Date.now()
    try {
        last = Number(sessionStorage.getItem(RELOADED))
        sessionStorage.setItem(RELOADED, `${Date.now()}`)
    } catch { /* without storage it would be reloaded for ever */ }
    if (Date.now() - last > A_MINUTE) {
        location.reload()
        return
    }
    document.body.append(make("p", {
        id: "tapviz-refused", role: "alert", style: "margin:2rem;font:17px/1.5 system-ui,sans-serif",
    }, "The server does not let this page connect. Reload it in a minute; if that does not help, tell whoever " +
        `runs it that ${location.host} is refused. `,
    make("button", { style: "font:inherit", onclick: () => location.reload() }, "Reload")))
}

// Panel adds to the history of the browser with each setting, and going back would change the address
// alone: undo is the way back, and the history is of pages, and of the lesson's scenes.
const pushState = history.pushState.bind(history)
history.pushState = (state, unused, url) => {
    if (`${url}`.startsWith("#")) pushState(state, unused, url)
    else history.replaceState(state, unused, url)
}

// What the server has been told and has not answered. If that lasts, the results are of before: they
// are dimmed, and it is said.
const TOLD = /^\{"msgid":.*"msgtype": ?"PATCH-DOC"/, ANSWERED = /^\{"msgid":.*"msgtype": ?"(OK|ERROR)"/
const PATIENCE = 300, MOVES_ITSELF = 2000
let unanswered = 0, moved = -MOVES_ITSELF
document.addEventListener("tapviz-moved", () => { moved = performance.now() })
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting
/** @type {HTMLElement | undefined} */
let line

const show = (/** @type {string} */ text) => {
    if (!line) document.body.append(line = make("div", { id: "tapviz-waiting", role: "status" }))
    line.textContent = text
    // Style sheets within shadow roots see nothing else of the document.
    if (text) document.documentElement.style.setProperty("--tv-fresh", "0.5")
    else document.documentElement.style.removeProperty("--tv-fresh")
}
const wait = () => {
    // What the page has moved by itself is not of before; it may be told before it is moved.
    const itself = moved + MOVES_ITSELF - performance.now()
    if (itself > 0) waiting = setTimeout(wait, itself)
    else show("Updating …")
}
const count = (/** @type {number} */ by) => {
    unanswered = Math.max(unanswered + by, 0)
    if (unanswered && by < 0) return // of several, each answer is news
    clearTimeout(waiting)
    if (unanswered) waiting = setTimeout(wait, PATIENCE)
    else if (line?.textContent) show("")
}
const isHeader = (/** @type {unknown} */ data, /** @type {RegExp} */ kind) => typeof data === "string" && data.length < 300 && kind.test(data)

globalThis.WebSocket = class extends WebSocket {
    /** @param {ConstructorParameters<typeof WebSocket>} given */
    constructor(...given) {
        super(...given)
        this.addEventListener("close", fail)
        this.addEventListener("close", () => count(-unanswered))
        this.addEventListener("message", ({ data }) => { if (isHeader(data, ANSWERED)) count(-1) })
    }

    /** @param {Parameters<WebSocket["send"]>[0]} data */
    send(data) {
        super.send(data)
        if (isHeader(data, TOLD)) count(1)
    }
}
