// What the browser keeps for a page. One opened from a file, or in a frame, may have no storage.

/** @param {string} key */
export const kept = (key) => {
    try { return localStorage.getItem(key) } catch { return null }
}

/**
 * Keep a text, or nothing if it is empty.
 *
 * @param {string} key
 * @param {string} text
 */
export const keep = (key, text) => {
    try {
        if (text) localStorage.setItem(key, text)
        else localStorage.removeItem(key)
    } catch { /* see above */ }
}
