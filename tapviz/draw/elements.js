/**
 * An element with attributes and children; text is never read as HTML. `onclick` and so on listen;
 * true is an attribute without a value; false, null and undefined are no attribute, or no child.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null | undefined)} children
 */
export function make(tag, attributes = {}, ...children) {
    const made = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) made.addEventListener(name.slice(2), value)
        else if (value === true) made.setAttribute(name, "")
        else if (value !== false && value != null) made.setAttribute(name, value)
    }
    made.append(...children.filter((child) => child != null))
    return made
}

/**
 * An element with HTML in it, of which nothing comes from a user.
 *
 * @param {string} text
 * @param {keyof HTMLElementTagNameMap} tag
 * @param {Record<string, any>} attributes
 */
export const html = (text, tag = "div", attributes = {}) => {
    const made = make(tag, attributes)
    made.innerHTML = text
    return made
}

/** @param {Element} element @param {Record<string, any>} attributes */
export function setAttributes(element, attributes) {
    for (const name in attributes) element.setAttribute(name, attributes[name])
}

/**
 * An element of a picture, as the last of another one if that is given.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {Element} [parent]
 */
export function drawn(tag, attributes = {}, parent) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag)
    setAttributes(made, attributes)
    parent?.append(made)
    return made
}

/**
 * Text as HTML.
 *
 * @param {any} text
 */
export const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

/**
 * Let the browser save a file.
 *
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function save(name, text, type) {
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name })
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/**
 * Say with an attribute of the page whether it is dark.
 *
 * @param {boolean} dark
 */
export const dress = (dark) => { document.documentElement.dataset.tapviz = dark ? "dark" : "light" }
