// What Bokeh does for each change, left out where it would only find what it found before. All leans
// on names that Bokeh does not promise; without them the page is right, and slower.
const own = (object, name) => {
    while (object && !Object.hasOwn(object, name)) object = Object.getPrototypeOf(object)
    return object
}
const instead = (object, name, make) => {
    const prototype = own(object, name)
    if (!prototype || prototype[name].quick) return
    prototype[name] = Object.assign(make(prototype[name]), { quick: true })
}
const one = (type) => Bokeh.index.query(({ model }) => model.type === type).next().value

// Each layer says by a style sheet where it is: written again, the same text makes the browser go
// through the styles of the page.
instead(one("GlyphRenderer")?.position, "_update", (usual) => function (css) {
    if (css !== this.css) usual.call(this, css)
})

// The labels of all axes are measured, lest they need other room: they follow the ranges.
const known = new WeakMap()
instead(one("Figure"), "_invalidate_layout_if_needed", (usual) => function () {
    const { model: { x_range, y_range }, frame: { bbox } } = this
    const seen = [x_range.start, x_range.end, y_range.start, y_range.end, bbox].join()
    if (seen === known.get(this) && !this._needs_layout) return
    usual.call(this)
    known.set(this, seen)
})

// What a slider says when the hand lets go, the server has been told already.
instead(one("Slider"), "_change", () => function (values) { this._slide(values) })
