// Names and roles for what Panel and Bokeh leave without them, whenever it appears in the page.
import { make } from "../draw/elements.js"
import { CLASSES, clipOverlays, figureOf, rouseDropper } from "./compat.js"
import { addDrag } from "./drag.js"
import { goOn, stops } from "./roving.js"
import { find } from "./shadow.js"
import { bare, isNumeral } from "./typed.js"

/** @typedef {any} Part an element: some of them are given marks of what is known of them */

/** @type {Record<string, [role: string, label?: string]>} */
const LANDMARKS = {
    header: ["banner"], rail: ["region", "controls"], main: ["main"], data: ["region", "change data"],
    export: ["region", "share"], composer: ["region", "figure"],
}
const WAIT = 150, REST = 500, STEP = 0.02, ZOOM = 0.75

const set = (/** @type {Element} */ element, /** @type {string} */ name, /** @type {string} */ value) => {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}
const host = (/** @type {Node} */ element) => /** @type {ShadowRoot} */ (element.getRootNode()).host
// What stands before a control, or in the box after it, each in a root of its own.
const before = (/** @type {Element} */ element) => host(element)?.previousElementSibling?.shadowRoot
const after = (/** @type {Element} */ element) => host(element)?.nextElementSibling?.shadowRoot

const TOOL = `${CLASSES.toggleTool}, ${CLASSES.clickTool}`
const BUTTON = `${CLASSES.buttonGroup} > button:not(:only-child)` // a button alone has such a group, too
const isActive = (/** @type {Element} */ element) =>
    String(element.matches(`${CLASSES.activeTool}, ${CLASSES.pressedButton}`))
/** @param {Part} root @returns {Part[]} */
const tools = (root) => [...root.querySelectorAll(TOOL)]
// Before Bokeh looks, which takes no number that was pasted with a blank or has separators, and puts back
// what is none: here that stays until it is entered, as nothing, of which the server says what it expected.
// Where nothing means something, Bokeh does as it does.
const takeNumber = (/** @type {any} */ event) => {
    const box = event.currentTarget, text = bare(box.value)
    if (isNumeral(text) || box.placeholder) box.value = text
    else if (event.type === "input") event.stopImmediatePropagation()
    else box.value = ""
}
const toolKey = (/** @type {KeyboardEvent} */ event) => {
    const tool = /** @type {Part} */ (event.currentTarget), root = tool.getRootNode()
    if (event.key === " ") press(tool)
    else if (!goOn(root, tools(root), event)) return
    event.preventDefault()
    event.stopImmediatePropagation() // of the space bar Bokeh makes a menu that is empty
}
// Bokeh makes a button anew when its words change: the focus stays on it. One that is disabled or taken
// away loses it.
const keepFocus = (/** @type {Part} */ button) => {
    const place = /** @type {Part} */ (host(button))
    button.addEventListener("focus", () => { place.held = button })
    button.addEventListener("blur", () => setTimeout(() => {
        if (button.isConnected && !button.disabled && !button.matches(":focus")) place.held = null
    }))
    if (place.held && !place.held.isConnected && document.activeElement === document.body) button.focus()
}
const seen = new WeakSet()
/** Whether it is seen for the first time. @param {Part} part */
const isNew = (part) => !seen.has(part) && Boolean(seen.add(part))
const press = (/** @type {Part} */ tool) => tool?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }))

/** @type {Record<string, (element: Part) => void>} */
const RULES = {
    // The box beside a slider says its value: of the one for E_0, places on its axis mean nothing.
    [CLASSES.sliderHandle]: (handle) => {
        const title = handle.getRootNode().querySelector(CLASSES.sliderTitle)
        if (title) set(handle, "aria-label", title.textContent.replace(/:.*/, ""))
        const box = after(handle)?.querySelector("input")
        if (!box || handle.pending) return
        const copySoon = () => {
            clearTimeout(handle.pending)
            handle.pending = setTimeout(() => set(handle, "aria-valuetext", box.value), WAIT)
            set(handle, "data-value", box.value)
        }
        const plain = handle.setAttribute.bind(handle)
        handle.setAttribute = (/** @type {string} */ name, /** @type {string} */ value) => {
            if (name !== "aria-valuetext") return plain(name, value)
            if (value === box.value) return plain(name, value)
            copySoon()
        }
        // Over a slow line the box follows later than the handle.
        const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")
        const follow = (/** @type {string} */ text) => { own?.set?.call(box, text); copySoon() }
        Object.defineProperty(box, "value", { ...own, set: follow })
        copySoon()
    },
    "input[type=checkbox]": (box) => {
        const label = !box.closest("label") && box.getRootNode().querySelector(CLASSES.checkboxLabel)
        if (!label) return
        set(box, "aria-label", label.textContent)
        label.onclick = () => box.click() // which Bokeh leaves to the box alone
    },
    [`${CLASSES.numberBox} > input`]: (box) => {
        for (const type of ["input", "change"]) box.addEventListener(type, takeNumber, { capture: true })
    },
    [`${CLASSES.inputGroup}:has(input[type=radio])`]: (group) => {
        set(group, "role", "radiogroup")
        const heading = before(group)?.querySelector("h2")
        if (heading) set(group, "aria-label", heading.textContent)
    },
    [`${CLASSES.buttonGroup}:has(> button + button)`]: (group) => {
        set(group, "role", "group")
        set(group, "aria-label", "plots")
    },
    [BUTTON]: (button) => set(button, "aria-pressed", isActive(button)),
    [`${CLASSES.buttonGroup} > button:only-child`]: keepFocus,
    [CLASSES.toolbar]: (bar) => {
        set(bar, "role", "toolbar")
        set(bar, "aria-label", "tools of the plot")
    },
    [TOOL]: (tool) => {
        set(tool, "role", "button")
        set(tool, "aria-label", tool.title)
        if (tool.matches(CLASSES.toggleTool)) set(tool, "aria-pressed", isActive(tool))
        tool.addEventListener("keydown", toolKey, { capture: true })
    },
    [CLASSES.dropper]: (dropper) => { if (isNew(dropper)) rouseDropper(dropper) },
    [CLASSES.plotLayer]: (canvas) => {
        set(canvas, "aria-hidden", "true")
        clipOverlays()
    },
    [CLASSES.plotEvents]: (events) => {
        const name = host(host(events))?.getAttribute("aria-label")
        set(events, "role", "group")
        set(events, "aria-roledescription", "plot")
        if (name) set(events, "aria-label", `${name}. Arrow keys, Home and End read it out, + and − ` +
            "zoom there, 0 shows all; it is in words below.")
        const root = events.getRootNode()
        root.adoptedStyleSheets = [...root.adoptedStyleSheets.filter((/** @type {CSSStyleSheet} */ one) => one !== PLOT), PLOT]
        if (isNew(events)) {
            addReadOut(events)
            addDrag(events)
        }
        // Where another plot follows, tools are over the numbers of the axis.
        requestAnimationFrame(() => {
            const frame = /** @type {Part} */ (events.querySelector(CLASSES.plotFrame))
            if (frame && !figureOf(events)?.model.below[0]?.axis_label) frame.style.setProperty("--tv-tools", "0 calc(100% + 2px)")
        })
    },
}

// The tools are beside the title of the axis below: over the data they would take their clicks.
const PLOT = new CSSStyleSheet()
PLOT.replaceSync(`${CLASSES.plotFrame} { overflow: visible !important; --tv-tools: 0 calc(100% + 20px); }
${CLASSES.plotEvents}:focus-visible {
    outline: 2px solid var(--tv-link, #0a58a8) !important; outline-offset: -2px;
}
.tapviz-drag { cursor: ew-resize !important; }`)

// The arrow keys move a point over the plot as the mouse would: tooltips follow it, and are announced
// when the keys rest.
const addReadOut = (/** @type {Part} */ events) => {
    const announcement = make("div", {
        role: "status", style: "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)",
    })
    events.after(announcement)
    let x = 0.5, y = 0.5, open = false
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let resting
    const announce = () => {
        const tips = [...document.querySelectorAll(`${CLASSES.tooltip}, .tapviz-read-out`)]
            .filter((tip) => tip.checkVisibility())
        announcement.textContent = tips.map((tip) => /** @type {Part[]} */ ([...(tip.shadowRoot ?? tip).children])
            .filter((part) => !/STYLE|LINK/.test(part.tagName)).map((part) => part.innerText)
            .join(" ")).join("; ")
    }
    const point = (/** @type {string} */ kind) => {
        open = kind === "pointermove"
        const frame = events.querySelector(CLASSES.plotFrame)?.getBoundingClientRect()
        if (!frame) return
        const at = { clientX: frame.left + x * frame.width, clientY: frame.top + y * frame.height }
        const mouse = { ...at, bubbles: true, composed: true, pointerType: "mouse", isPrimary: true }
        events.dispatchEvent(new PointerEvent(kind, mouse))
    }
    const bar = () => /** @type {Part} */ (find(events, CLASSES.toolbar))
    // Around the point that is read out, which stays where it is.
    const zoom = (/** @type {number} */ by) => {
        const figure = figureOf(events)
        if (!figure) return
        for (const [range, share] of [[figure.model.x_range, x], [figure.model.y_range, 1 - y]]) {
            const at = range.start + share * (range.end - range.start)
            range.setv({ start: at + by * (range.start - at), end: at + by * (range.end - at) })
        }
    }
    events.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Escape" && open) {
            event.stopPropagation() // elsewhere it clears the filter
            close()
        }
        if (event.target !== events || event.ctrlKey || event.metaKey || event.altKey) return
        const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1],
            ArrowUp: [0, -1], End: [1 / STEP, 0], Home: [-1 / STEP, 0] }[event.key]
        const by = { "+": ZOOM, "=": ZOOM, "-": 1 / ZOOM }[event.key]
        if (step) {
            x = Math.min(Math.max(x + step[0] * STEP, STEP), 1 - STEP)
            y = Math.min(Math.max(y + step[1] * STEP, STEP), 1 - STEP)
            clearTimeout(resting)
            resting = setTimeout(announce, REST)
        } else if (by) zoom(by)
        else if (event.key === "0") press(bar() && tools(bar().shadowRoot).find((tool) => tool.title === "Reset"))
        else return
        event.preventDefault()
        point("pointermove")
    })
    events.addEventListener("focusin", () => {
        if (!bar()) return
        bar().toggleAttribute("data-focused", true)
        stops(bar().shadowRoot, tools(bar().shadowRoot)) // of those that have been drawn since
    })
    events.addEventListener("focusout", (/** @type {FocusEvent} */ { relatedTarget }) => {
        if (!events.contains(relatedTarget)) bar()?.toggleAttribute("data-focused", false)
    })
    const close = () => {
        clearTimeout(resting)
        announcement.textContent = ""
        point("pointerout")
    }
    events.addEventListener("blur", () => open && close())
}

const applyRules = (/** @type {Element} */ element) => {
    for (const [selector, rule] of Object.entries(RULES)) if (element.matches(selector)) rule(element)
    for (const [name, [role, label]] of Object.entries(LANDMARKS)) {
        if (!element.shadowRoot || !element.classList.contains(name)) continue
        set(element, "role", role)
        if (label) set(element, "aria-label", label)
    }
}
const observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
        if (type === "attributes") applyRules(/** @type {Element} */ (target))
        else for (const node of addedNodes) if (node instanceof Element) walk(node)
    }
})
const watch = (/** @type {ShadowRoot} */ root) => {
    if (isNew(root)) observer.observe(root, { childList: true, subtree: true })
    for (const element of root.children) walk(element)
}
const walk = (/** @type {Element} */ element) => {
    applyRules(element)
    if (element.matches(`${BUTTON}, ${CLASSES.toggleTool}`)) {
        observer.observe(element, { attributes: true, attributeFilter: ["class"] })
    }
    if (element.shadowRoot) watch(element.shadowRoot)
    for (const child of element.children) walk(child)
}

/** @param {{ el: Element }} component of Panel: what it is in is given names */
export function render({ el }) {
    const begin = () => {
        if (!el.isConnected) return requestAnimationFrame(begin)
        let outermost = el
        while (host(outermost)) outermost = host(outermost)
        if (outermost.shadowRoot) watch(outermost.shadowRoot)
    }
    begin()
    return document.createElement("div")
}
