// A line that stands for a choice can be dragged: its slider goes along, and says where it is, as if it
// were dragged itself. Without a mouse the slider does the same.
import { placed, scaled } from "../draw/layout.js"
import { CLASSES, figureOf, moveSlider, sliderOf } from "./compat.js"

// Pixels on either side of a line where it can be taken.
/** @type {Record<string, number>} */
const REACH = { mouse: 5, pen: 8, touch: 20 }

/** @param {any} events the element that takes the events of a figure */
export const addDrag = (events) => {
    /** @type {Record<string, any>} */
    const sliders = {}
    const slider = (/** @type {string} */ choice) => {
        if (!sliders[choice]?.el?.isConnected) sliders[choice] = sliderOf(figure.model.document, choice)
        return sliders[choice]
    }
    /** @type {any} */
    let figure = null
    /** @type {string | null} the choice whose line is in the hand */
    let held = null
    // Places of a frame, and back: on a logarithmic axis, decades.
    const scale = () => {
        figure ??= figureOf(events)
        const frame = events.querySelector(CLASSES.plotFrame)?.getBoundingClientRect()
        if (!figure || !frame?.width) return null
        const { x_range: { start, end }, x_scale } = figure.model, log = x_scale.type === "LogScale"
        return {
            pixel: scaled({ start, log }, end, frame.left, frame.right),
            place: placed({ start, log }, end, frame.left, frame.right),
            within: (/** @type {MouseEvent} */ { clientX: x, clientY: y }) =>
                x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom,
        }
    }
    // The choice whose line is under the hand; none while its slider is disabled.
    const near = (/** @type {PointerEvent} */ event) => {
        figure ??= figureOf(events)
        if (!figure?.model.renderers.some((/** @type {any} */ { tags }) => tags.length)) return null
        const on = scale()
        if (!on?.within(event)) return null
        for (const { tags, data_source: { data } } of figure.model.renderers) {
            for (const [layer, choice] of tags) {
                const x = data.xs[data.layer.indexOf(layer)]?.[0]
                const away = Math.abs(on.pixel(x) - event.clientX) // NaN without a line
                const reach = REACH[event.pointerType] ?? REACH.mouse
                if (away <= reach && slider(choice)?.model.disabled === false) return choice
            }
        }
        return null
    }
    // Nothing else is done by these movements: no box is drawn, and no page scrolled.
    const on = (/** @type {string} */ type, /** @type {(event: any) => boolean} */ act) => events.addEventListener(type, (/** @type {Event} */ event) => {
        if (act(event)) event.stopImmediatePropagation()
    }, { capture: true, passive: false })
    on("pointerdown", (event) => {
        if (!event.isPrimary || event.button) return false
        held = near(event)
        if (!held) return false
        events.setPointerCapture(event.pointerId)
        events.dispatchEvent(new PointerEvent("pointerout", { isPrimary: true })) // closes the read-out
        return true
    })
    on("pointermove", (event) => {
        if (held) moveSlider(slider(held), scale()?.place(event.clientX))
        else if (!event.buttons) events.classList.toggle("tapviz-drag", near(event) !== null)
        return held !== null
    })
    for (const type of ["pointerup", "pointercancel"]) {
        on(type, () => {
            const was = held
            held = null
            return was !== null
        })
    }
    on("touchstart", (event) => {
        if (held) event.preventDefault()
        return held !== null
    })
}
