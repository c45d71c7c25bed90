// The place below a tab that has been chosen is empty until its plot is there: never the plot before it
// under the name of another.
const shown = () => body.children.find((place) => place.visible)?.css_classes[0]
const parts = [body, caption].map((model) => Bokeh.index.find_one(model)?.el).filter(Boolean)
const first = parts[0]
const words = "labels" in cb_obj ? cb_obj.labels[cb_obj.active] : cb_obj.value
if (!first || !names[words]) return
const waited = first.asked
first.asked = names[words]
const check = () => {
    const there = shown() === first.asked
    for (const part of parts) part.style.visibility = there ? "" : "hidden"
    if (there) first.asked = null
    else requestAnimationFrame(check)
}
if (!waited) check()
