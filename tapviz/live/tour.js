// A tour of the page over whatever is open: a small card beside what it speaks of. It is offered, and
// never opens by itself; the page stays in use meanwhile.
import { make } from "../draw/elements.js"
import { find } from "./shadow.js"
import { keep, kept } from "./storage.js"

const KEPT = "tapviz-tour"
const BESIDE = 10 // pixels between the card and what it speaks of

const text = (/** @type {string} */ selector) => find(document, selector)?.innerText.trim() ?? ""
const first = () => text("table.scores tbody tr[data-algorithm] th") || "The best program"
const score = () => text("table.scores thead th:nth-child(2)")

const part = (/** @type {string} */ selector, /** @type {RegExp} */ words = /^/) =>
    find(document, selector, (one) => words.test(one.innerText) && one.checkVisibility())

/** @type {[target: () => HTMLElement | null, title: string, words: () => string][]} */
const STEPS = [
    [() => part(".verdict"), "The answer, in words", () =>
        "Which program does better, by how much, and between which there is no clear difference. " +
        "If the interval of a difference excludes 0, chance alone hardly explains it."],
    [() => part(".scrolled:has(> table.scores)"), "The scores, best first", () =>
        `${first()} is in the first row. The sentence above compares the programs; the intervals here ` +
        `are of each alone. Point at a row to see its program in all plots, and at ${score()} or any ` +
        "other head to read what it means."],
    [() => part("button", /^Threshold$/) ?? part(".tab-area"), "Where the threshold goes", () =>
        "The tab Threshold: say how many errors per query you accept, and get the loosest threshold of each program, " +
        "with the share of relevant records that it finds."],
    [() => part(".opens-share") ?? part("button", /☰/), "Take it with you", () =>
        "The numbers, the settings, a link, and a report as one file; from Figure… beside it, figures for print " +
        "with caption and methods."],
    [() => part(".first-group"), "Now drag the threshold", () =>
        "Marks, intervals, the order of the rows, each query's list and the sentence above follow at once: " +
        "you see how much of the answer depends on where one stops reading."],
]

/** @param {any} model of the component that it is part of */
export const tourButton = (model) => {
    const button = make("button", {
        class: "tour", title: "What is where on this page, shown on what is open", onclick: () => (isOpen ? close() : open()),
    })
    const count = make("small"), head = make("h2", { id: "tapviz-tour-title", tabindex: -1 })
    const words = make("p", { id: "tapviz-tour-words" })
    const back = make("button", { class: "back", onclick: () => show(at - 1) }, "Back")
    const next = make("button", { class: "next primary", onclick: () => (at + 1 < STEPS.length ? show(at + 1) : close()) })
    const card = make("div", {
        id: "tapviz-tour", role: "dialog", "aria-labelledby": "tapviz-tour-title", "aria-describedby": "tapviz-tour-words",
    }, count, head, words, back, next, make("button", { class: "close", onclick: () => close() }, "Close"))
    const ring = make("div", { id: "tapviz-tour-ring" })
    let isOpen = false, at = 0, frame = 0

    const name = () => {
        button.replaceChildren("Tour", ...(kept(KEPT) ? [] : [make("span", {}, `: ${STEPS.length} steps`)]))
        button.setAttribute("aria-expanded", `${isOpen}`)
    }
    const place = () => {
        frame = requestAnimationFrame(place) // the page moves as it is scrolled, sized and updated
        const box = STEPS[at][0]()?.getBoundingClientRect()
        ring.hidden = !box?.width
        const { innerWidth: width, innerHeight: height } = window
        const { offsetWidth: wide, offsetHeight: tall } = card
        const room = (/** @type {number} */ place, /** @type {number} */ most) => Math.max(8, Math.min(place, most - 8))
        let top = 60, left = (width - wide) / 2
        if (box?.width) {
            const below = box.bottom + BESIDE, above = box.top - BESIDE - tall
            top = below + tall < height ? below : above > 0 ? above : height - tall - 8
            left = box.left
            Object.assign(ring.style, {
                left: `${box.left - 4}px`, top: `${box.top - 4}px`,
                width: `${box.width + 4}px`, height: `${box.height + 4}px`,
            })
        }
        Object.assign(card.style, { left: `${room(left, width - wide)}px`, top: `${room(top, height - tall)}px` })
    }
    const remove = () => {
        isOpen = false
        cancelAnimationFrame(frame)
        card.remove()
        ring.remove()
    }
    const close = () => {
        if (!isOpen) return
        remove()
        keep(KEPT, "closed")
        name()
        button.focus()
    }
    const show = (/** @type {number} */ step) => {
        at = step
        const [target, title, say] = STEPS[at]
        target()?.scrollIntoView({ block: "nearest" })
        count.textContent = `${at + 1} of ${STEPS.length}`
        head.textContent = title
        words.textContent = say()
        back.disabled = at === 0
        next.textContent = at + 1 < STEPS.length ? "Next" : "Done"
        head.focus({ preventScroll: true })
    }
    const open = () => {
        isOpen = true
        document.body.append(ring, card)
        name()
        show(0)
        place()
    }
    const key = (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Escape" || !isOpen) return
        event.stopPropagation() // it clears the filter otherwise
        close()
    }
    document.addEventListener("keydown", key, { capture: true })
    model.on("remove", () => {
        document.removeEventListener("keydown", key, { capture: true })
        if (isOpen) remove()
    })
    name()
    return button
}
