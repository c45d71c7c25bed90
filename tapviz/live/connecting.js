// A page comes by a WebSocket after its frame. If that is closed before, the frame stays empty: the token
// has expired, or the server does not know the name by which it was asked. A page from a new token
// is tried once; then it is said.
const RELOADED = "tapviz-reloaded", A_MINUTE = 60_000

const fail = () => {
    if (globalThis.Bokeh?.documents.length) return // connection_lost.js says it
    let last = Date.now()
    try {
        last = Number(sessionStorage.getItem(RELOADED))
        sessionStorage.setItem(RELOADED, Date.now())
    } catch { /* without storage it would be reloaded for ever */ }
    if (Date.now() - last > A_MINUTE) {
        location.reload()
        return
    }
    const bar = document.createElement("p")
    bar.id = "tapviz-refused"
    bar.setAttribute("role", "alert")
    bar.style = "margin:2rem;font:17px/1.5 system-ui,sans-serif"
    bar.textContent = "The server does not let this page connect. Reload it in a minute; if that does " +
        `not help, tell whoever runs it that ${location.host} is refused. `
    const button = document.createElement("button")
    button.textContent = "Reload"
    button.style = "font:inherit"
    button.onclick = () => location.reload()
    bar.append(button)
    document.body.append(bar)
}

// What the server has been told and has not answered. If that lasts, the results are of before: they
// are dimmed, and it is said.
const TOLD = /^\{"msgid":.*"msgtype": ?"PATCH-DOC"/, ANSWERED = /^\{"msgid":.*"msgtype": ?"(OK|ERROR)"/
const PATIENCE = 300
let unanswered = 0, waiting = null, line = null

const show = (text) => {
    if (!line) {
        line = document.createElement("div")
        line.id = "tapviz-waiting"
        line.setAttribute("role", "status")
        document.body.append(line)
    }
    line.textContent = text
    // Style sheets within shadow roots see nothing else of the document.
    if (text) document.documentElement.style.setProperty("--tv-fresh", "0.5")
    else document.documentElement.style.removeProperty("--tv-fresh")
}
const count = (by) => {
    unanswered = Math.max(unanswered + by, 0)
    if (unanswered && by < 0) return // of several, each answer is news
    clearTimeout(waiting)
    if (unanswered) waiting = setTimeout(() => show("Updating …"), PATIENCE)
    else if (line?.textContent) show("")
}
const isHeader = (data, kind) => typeof data === "string" && data.length < 300 && kind.test(data)

globalThis.WebSocket = class extends WebSocket {
    constructor(...given) {
        super(...given)
        this.addEventListener("close", fail)
        this.addEventListener("close", () => count(-unanswered))
        this.addEventListener("message", ({ data }) => { if (isHeader(data, ANSWERED)) count(-1) })
    }

    send(data) {
        super.send(data)
        if (isHeader(data, TOLD)) count(1)
    }
}
