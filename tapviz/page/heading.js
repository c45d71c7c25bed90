// A heading that takes the focus when it appears.
export function render({ model }) {
    const heading = document.createElement("h2")
    heading.tabIndex = -1
    heading.textContent = model.text
    // It cannot be focused before it is laid out, which a busy browser does when it can.
    const take = (frames) => {
        heading.focus()
        if (heading.matches(":focus") || !frames) model.shown = true
        else requestAnimationFrame(() => take(frames - 1))
    }
    setTimeout(take, 0, 60)
    return heading
}
