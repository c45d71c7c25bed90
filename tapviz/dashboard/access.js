// Names and roles for what Panel and Bokeh leave without them, whenever it appears in the page.
const LANDMARKS = {
    header: ["banner"], rail: ["region", "controls"], main: ["main"], data: ["region", "change data"],
    export: ["region", "export"],
}
const WAIT = 150, REST = 500, STEP = 0.02

const set = (element, name, value) => {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}
const host = (element) => element.getRootNode().host
// What stands before a control, or in the box after it, each in a root of its own.
const before = (element) => host(element)?.previousElementSibling?.shadowRoot
const after = (element) => host(element)?.nextElementSibling?.shadowRoot

const RULES = {
    // The box beside a slider says its value: of the one for E_0, places on its axis mean nothing.
    ".noUi-handle": (handle) => {
        const title = handle.getRootNode().querySelector(".bk-slider-title")
        set(handle, "aria-label", title.textContent.replace(/:.*/, ""))
        const box = after(handle)?.querySelector("input")
        if (!box || handle.told) return
        const tell = () => set(handle, "aria-valuetext", box.value)
        const plain = handle.setAttribute.bind(handle)
        handle.setAttribute = (name, value) => {
            if (name !== "aria-valuetext") return plain(name, value)
            if (value === box.value) return plain(name, value)
            clearTimeout(handle.told)
            handle.told = setTimeout(tell, WAIT)
        }
        handle.told = setTimeout(tell, WAIT)
    },
    // The arrow keys do the same.
    ".bk-spin-btn": (button) => {
        button.tabIndex = -1
        set(button, "aria-hidden", "true")
    },
    "input[type=checkbox]": (box) => {
        const label = !box.closest("label") && box.getRootNode().querySelector(".bk-label")
        if (label) set(box, "aria-label", label.textContent)
    },
    ".bk-input-group:has(input[type=radio])": (group) => {
        set(group, "role", "radiogroup")
        const words = before(group)?.querySelector("h2")
        if (words) set(group, "aria-label", words.textContent)
    },
    ".bk-btn-group": (group) => {
        set(group, "role", "group")
        set(group, "aria-label", "plots")
    },
    ".bk-btn-group > button": (button) => {
        set(button, "aria-pressed", String(button.classList.contains("bk-active")))
    },
    ".bk-OnOffButton, .bk-ClickButton": (tool) => {
        set(tool, "role", "button")
        set(tool, "aria-label", tool.title)
        if (tool.classList.contains("bk-OnOffButton")) {
            set(tool, "aria-pressed", String(tool.classList.contains("bk-active")))
        }
    },
    "canvas.bk-layer": (canvas) => set(canvas, "aria-hidden", "true"),
    ".bk-events": (events) => {
        const name = host(host(events))?.getAttribute("aria-label")
        set(events, "role", "group")
        set(events, "aria-roledescription", "plot")
        if (name) set(events, "aria-label", `${name}. Arrow keys read it out; it is in words below.`)
        const root = events.getRootNode()
        root.adoptedStyleSheets = [...root.adoptedStyleSheets.filter((one) => one !== FOCUS), FOCUS]
        if (!events.reads) readOut(events)
    },
}

const FOCUS = new CSSStyleSheet()
FOCUS.replaceSync(`.bk-events:focus-visible {
    outline: 2px solid var(--tv-link, #0a58a8) !important; outline-offset: -2px;
}`)

// With the arrow keys a place moves over the plot as the mouse would: read-outs follow it, and are
// said once the keys rest.
const readOut = (events) => {
    events.reads = true
    const said = document.createElement("div")
    said.setAttribute("role", "status")
    said.style = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)"
    events.after(said)
    let x = 0.5, y = 0.5, resting
    const say = () => {
        const tips = [...document.querySelectorAll(".bk-Tooltip")]
            .filter((tip) => tip.checkVisibility())
        said.textContent = tips.map((tip) => [...(tip.shadowRoot ?? tip).children]
            .filter((part) => !/STYLE|LINK/.test(part.tagName)).map((part) => part.innerText)
            .join(" ")).join("; ")
    }
    const point = (kind) => {
        const frame = events.querySelector(".bk-CartesianFrame").getBoundingClientRect()
        const at = { clientX: frame.left + x * frame.width, clientY: frame.top + y * frame.height }
        const told = { ...at, bubbles: true, composed: true, pointerType: "mouse", isPrimary: true }
        events.dispatchEvent(new PointerEvent(kind, told))
    }
    events.addEventListener("keydown", (event) => {
        const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1],
            ArrowUp: [0, -1] }[event.key] ?? []
        if (right === undefined || event.target !== events) return
        event.preventDefault()
        x = Math.min(Math.max(x + right * STEP, STEP), 1 - STEP)
        y = Math.min(Math.max(y + down * STEP, STEP), 1 - STEP)
        point("pointermove")
        clearTimeout(resting)
        resting = setTimeout(say, REST)
    })
    events.addEventListener("blur", () => point("pointerleave"))
}

const named = (element) => {
    for (const [selector, rule] of Object.entries(RULES)) if (element.matches(selector)) rule(element)
    for (const [name, [role, label]] of Object.entries(LANDMARKS)) {
        if (!element.shadowRoot || !element.classList.contains(name)) continue
        set(element, "role", role)
        if (label) set(element, "aria-label", label)
    }
}
const observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
        if (type === "attributes") named(target)
        else for (const node of addedNodes) if (node.nodeType === 1) walk(node)
    }
})
const seen = new WeakSet()
const watch = (root) => {
    if (!seen.has(root)) {
        seen.add(root)
        observer.observe(root, { childList: true, subtree: true })
    }
    for (const element of root.children) walk(element)
}
const walk = (element) => {
    named(element)
    if (element.matches(".bk-btn-group > button, .bk-OnOffButton")) {
        observer.observe(element, { attributes: true, attributeFilter: ["class"] })
    }
    if (element.shadowRoot) watch(element.shadowRoot)
    for (const child of element.children) walk(child)
}

export function render({ el }) {
    const begin = () => {
        if (!el.isConnected) return requestAnimationFrame(begin)
        let outermost = el
        while (host(outermost)) outermost = host(outermost)
        watch(outermost.shadowRoot)
    }
    begin()
    return document.createElement("div")
}
