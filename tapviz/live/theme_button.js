// The button that turns the page dark, and light again.
import * as theme from "./theme.js"

export function render({ model }) {
    const container = document.createElement("div")
    const button = document.createElement("button")
    container.className = "theme"
    button.textContent = "Dark"
    if (model.sheet && !document.getElementById("tapviz-tokens")) {
        const sheet = document.createElement("style")
        sheet.id = "tapviz-tokens"
        sheet.textContent = model.sheet
        document.head.append(sheet)
    }
    const show = () => {
        theme.dress(model.dark)
        button.setAttribute("aria-pressed", model.dark)
        if (model.whole) document.body.style.background = "var(--tv-page)"
    }
    const follow = () => { if (!model.chosen) model.dark = theme.system.matches }
    button.addEventListener("click", () => {
        const dark = !model.dark
        model.chosen = dark === theme.system.matches ? "" : dark ? "dark" : "light"
        theme.keep(model.chosen)
        model.dark = dark
    })
    model.on("dark", show)
    if (model.whole) { // a notebook has a ground of its own
        if (theme.chosen()) model.chosen = theme.chosen()
        model.dark = theme.isDark()
        theme.system.addEventListener("change", follow)
        model.on("remove", () => theme.system.removeEventListener("change", follow))
    }
    show()
    container.append(button)
    return container
}
