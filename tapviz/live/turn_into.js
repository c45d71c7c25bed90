// HTML that changes often. Only what differs is touched: the browser need not lay out the rest again,
// and what has the focus or has been opened stays so.

/** Make a node like another of its kind. @param {any} old @param {any} wanted */
export const turnInto = (old, wanted) => {
    if (old.isEqualNode(wanted)) return
    if (old.nodeType !== 1) { old.data = wanted.data; return }
    if (old.nodeName === "DETAILS") wanted.open = old.open
    for (const { name } of [...old.attributes]) {
        if (!wanted.hasAttribute(name)) old.removeAttribute(name)
    }
    for (const { name, value } of wanted.attributes) {
        if (old.getAttribute(name) !== value) old.setAttribute(name, value)
    }
    turnAllInto(old, [...old.childNodes], [...wanted.childNodes])
}

/** Make some children, one after the other, like others: both ends that are of a kind are kept. @param {any} parent @param {any[]} before @param {any[]} after */
export const turnAllInto = (parent, before, after) => {
    const alike = (/** @type {number} */ i, /** @type {number} */ j) => before.at(i)?.nodeName === after.at(j)?.nodeName
    const least = Math.min(before.length, after.length)
    let head = 0, tail = 0
    while (head < least && alike(head, head)) head++
    while (tail < least - head && alike(-tail - 1, -tail - 1)) tail++
    const removed = before.slice(head, before.length - tail)
    const added = after.slice(head, after.length - tail)
    const next = before[before.length - tail] ?? before.at(-1)?.nextSibling ?? null
    for (let i = 0; i < head; i++) turnInto(before[i], after[i])
    for (let i = 1; i <= tail; i++) turnInto(before.at(-i), after.at(-i))
    for (const child of removed) child.remove()
    for (const child of added) parent.insertBefore(child, next)
}

/** Show other HTML in an element. @param {any} element @param {string} html */
export const turnIntoHtml = (element, html) => {
    const wanted = element.cloneNode(false)
    wanted.innerHTML = html
    turnInto(element, wanted)
}
