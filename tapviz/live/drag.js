// A line that stands for a choice can be dragged: its slider goes along, and says where it is, as if it
// were dragged itself. Without a mouse the slider does the same.
import { CLASSES, figureOf, moveSlider, sliderOf } from "./compat.js"

// Pixels on either side of a line where it can be taken.
const REACH = { mouse: 5, pen: 8, touch: 20 }

const CURSOR = new CSSStyleSheet()
CURSOR.replaceSync(`.tapviz-drag { cursor: ew-resize !important; }`)

export const addDrag = (events) => {
    events.hasDrag = true
    const root = events.getRootNode()
    root.adoptedStyleSheets = [...root.adoptedStyleSheets.filter((one) => one !== CURSOR), CURSOR]
    const sliders = {}
    const slider = (choice) => {
        if (!sliders[choice]?.el?.isConnected) sliders[choice] = sliderOf(choice)
        return sliders[choice]
    }
    let figure = null, held = null
    // Places of a frame, and back: on a logarithmic axis, decades.
    const scale = () => {
        figure ??= figureOf(events)
        const frame = events.querySelector(CLASSES.plotFrame)?.getBoundingClientRect()
        if (!figure || !frame?.width) return null
        const { x_range: { start, end }, x_scale } = figure.model
        const place = x_scale.type === "LogScale" ? Math.log10 : Number
        const [low, high] = [place(start), place(end)]
        return {
            pixel: (x) => frame.left + (place(x) - low) / (high - low) * frame.width,
            place: (pixel) => low + (pixel - frame.left) / frame.width * (high - low),
            within: ({ clientX: x, clientY: y }) =>
                x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom,
        }
    }
    // The choice whose line is under the hand; none while its slider is disabled.
    const near = (event) => {
        figure ??= figureOf(events)
        if (!figure?.model.renderers.some(({ tags }) => tags.length)) return null
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
    const on = (type, act) => events.addEventListener(type, (event) => {
        if (act(event)) event.stopImmediatePropagation()
    }, { capture: true, passive: false })
    const follow = ({ clientX }) => moveSlider(slider(held), scale()?.place(clientX))
    on("pointerdown", (event) => {
        if (!event.isPrimary || event.button) return false
        held = near(event)
        if (!held) return false
        events.setPointerCapture(event.pointerId)
        events.dispatchEvent(new PointerEvent("pointerout", { isPrimary: true })) // closes the read-out
        return true
    })
    on("pointermove", (event) => {
        if (held) follow(event)
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
