// Several controls that are one stop for the Tab key; the arrow keys, Home and End go on from there.

/** @typedef {any} Part an element: some of them are given marks of what is known of them */

/** Makes one of them the stop, the first unless there is a better one. @param {Part} bar @param {Part[]} all */
export const stops = (bar, all, at = bar.stop) => {
    bar.stop = all.includes(at) ? at : all[0]
    for (const tool of all) tool.tabIndex = tool === bar.stop ? 0 : -1
}

/** Whether a key went from one of them to another. @param {Part} bar @param {Part[]} all @param {KeyboardEvent} event */
export const goOn = (bar, all, event) => {
    const at = all.indexOf(event.composedPath()[0])
    const next = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1 + all.length, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key]
    if (at < 0 || next === undefined) return false
    stops(bar, all, all[next % all.length])
    bar.stop.focus()
    event.preventDefault()
    return true
}
