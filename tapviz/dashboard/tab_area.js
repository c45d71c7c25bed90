// The place below a tab that has been chosen is empty until its plot is there: never the plot before it
// under the name of another.
const shown = () => body.children.find((place) => place.visible)?.css_classes[0]
const parts = [body, caption].map((model) => Bokeh.index.find_one(model)?.el).filter(Boolean)
const first = parts[0]
const words = "labels" in cb_obj ? cb_obj.labels[cb_obj.active] : cb_obj.value
if (!first || !names[words]) return
if (!("asked" in first)) document.addEventListener("tapviz-painted", () => first.check())
first.asked = names[words]
first.check = () => {
    const visibility = shown() === first.asked ? "" : "hidden"
    for (const part of parts) part.style.visibility = visibility
}
first.check()
