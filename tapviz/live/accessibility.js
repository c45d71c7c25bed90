// Names and roles for what Panel and Bokeh leave without them, whenever it appears in the page.
const LANDMARKS = {
    header: ["banner"], rail: ["region", "controls"], main: ["main"], data: ["region", "change data"],
    export: ["region", "export"],
}
const WAIT = 150, REST = 500, STEP = 0.02, ZOOM = 0.75

const set = (element, name, value) => {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}
const host = (element) => element.getRootNode().host
// The first element of a kind, in roots within roots.
const inside = (root, kind) => {
    for (const element of root.querySelectorAll("*")) {
        if (element.matches(kind)) return element
        const found = element.shadowRoot && inside(element.shadowRoot, kind)
        if (found) return found
    }
    return null
}
// What stands before a control, or in the box after it, each in a root of its own.
const before = (element) => host(element)?.previousElementSibling?.shadowRoot
const after = (element) => host(element)?.nextElementSibling?.shadowRoot

const TOOL = ".bk-OnOffButton, .bk-ClickButton"
const tools = (root) => [...root.querySelectorAll(TOOL)]
// One stop for the Tab key: the arrow keys go on from there.
const stops = (root, at = root.stop) => {
    const all = tools(root)
    root.stop = all.includes(at) ? at : all[0]
    for (const tool of all) tool.tabIndex = tool === root.stop ? 0 : -1
}
const toolKey = (event) => {
    const tool = event.currentTarget, all = tools(tool.getRootNode())
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by) {
        const next = all[(all.indexOf(tool) + by + all.length) % all.length]
        stops(tool.getRootNode(), next)
        next.focus()
    } else if (event.key === " ") press(tool)
    else return
    event.preventDefault()
    event.stopImmediatePropagation() // of the space bar Bokeh makes a menu that is empty
}
const press = (tool) => tool.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }))

// What is drawn above the rest stays inside the frame of a zoomed plot, as all the rest does.
const clip = () => {
    const above = ({ model }) => model.type === "GlyphRenderer" && model.level === "overlay"
    for (const view of Bokeh.index.query(above)) {
        if (view.needs_clip) continue
        Object.defineProperty(view, "needs_clip", { value: true })
        // What has been drawn already: Bokeh's own clearing leaves half a pixel at the edge.
        view.plot_view.canvas_view.overlays.ctx.clearRect(-1, -1, 1e4, 1e4)
        view.request_paint()
    }
}

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
    ".bk-Toolbar": (bar) => {
        set(bar, "role", "toolbar")
        set(bar, "aria-label", "tools of the plot")
    },
    [TOOL]: (tool) => {
        set(tool, "role", "button")
        set(tool, "aria-label", tool.title)
        if (tool.classList.contains("bk-OnOffButton")) {
            set(tool, "aria-pressed", String(tool.classList.contains("bk-active")))
        }
        if (!tool.keyed) tool.addEventListener("keydown", toolKey, { capture: true })
        tool.keyed = true
    },
    "canvas.bk-layer": (canvas) => {
        set(canvas, "aria-hidden", "true")
        clip()
    },
    ".bk-events": (events) => {
        const name = host(host(events))?.getAttribute("aria-label")
        set(events, "role", "group")
        set(events, "aria-roledescription", "plot")
        if (name) set(events, "aria-label", `${name}. Arrow keys read it out, + and − zoom there, 0 shows ` +
            "all; it is in words below.")
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
    const bar = () => inside(events, ".bk-Toolbar")
    // Around the place of the read-out, which stays where it is.
    const zoom = (by) => {
        const figure = [...Bokeh.index.query(({ canvas_view }) => canvas_view?.events_el === events)][0]
        for (const [range, share] of [[figure.model.x_range, x], [figure.model.y_range, 1 - y]]) {
            const at = range.start + share * (range.end - range.start)
            range.setv({ start: at + by * (range.start - at), end: at + by * (range.end - at) })
        }
    }
    events.addEventListener("keydown", (event) => {
        if (event.target !== events || event.ctrlKey || event.metaKey || event.altKey) return
        if (event.key === "+" || event.key === "=") zoom(ZOOM)
        else if (event.key === "-") zoom(1 / ZOOM)
        else if (event.key === "0") press(tools(bar().shadowRoot).find((tool) => tool.title === "Reset"))
        else return
        event.preventDefault()
        point("pointermove")
    })
    events.addEventListener("focusin", () => {
        if (!bar()) return
        bar().toggleAttribute("data-focused", true)
        stops(bar().shadowRoot) // of those that have been drawn since
    })
    events.addEventListener("focusout", ({ relatedTarget }) => {
        if (!events.contains(relatedTarget)) bar()?.toggleAttribute("data-focused", false)
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
