// Counts the files that FilePond has and the server has not.

// States of a file in FilePond: new, idle, being sent, loading, queued.
const ON_THE_WAY = new Set([1, 2, 3, 7, 9])
const EVENTS = ["addfile", "processfile", "processfileabort", "removefile", "error", "warning"]

/** @param {{ model: any }} component of Panel */
export function render({ model }) {
    const count = (/** @type {any} */ { detail }) => {
        const files = detail.pond.getFiles()
        model.files = files.filter((/** @type {any} */ file) => ON_THE_WAY.has(file.status)).length
    }
    const gone = new AbortController(), { signal } = gone
    for (const name of EVENTS) document.addEventListener(`FilePond:${name}`, count, { signal })
    model.on("remove", () => gone.abort())
    return document.createElement("span")
}
