// A button that copies a link to what is seen.
import { make } from "../draw/elements.js"

/** @param {{ model: any }} component of Panel */
export function render({ model }) {
    const button = make("button", { onclick: () => model.send_msg("copy") }, "Copy link")
    const field = make("input", { readonly: true, hidden: true, "aria-label": "link to this view" })
    const status = make("span", { role: "status" })
    model.on("msg:custom", async (/** @type {any} */ message) => {
        const url = new URL(location.href)
        url.search = message.data ?? message
        field.value = url.href
        try {
            await navigator.clipboard.writeText(url.href)
            status.textContent = "copied"
            field.hidden = true
        } catch {
            field.hidden = false
            field.focus()
            field.select()
            status.textContent = "press Ctrl+C"
        }
        setTimeout(() => { status.textContent = "" }, 4000)
    })
    return make("div", { class: "copy-link" }, button, field, status)
}
