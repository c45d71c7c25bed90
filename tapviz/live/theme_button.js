// The button that turns the page dark, and light again.
import { dress, make } from "../draw/elements.js"
import * as theme from "./theme.js"

/** @param {any} model of the component that it is part of */
export const themeButton = (model) => {
    if (model.sheet && !document.getElementById("tapviz-tokens")) {
        document.head.append(make("style", { id: "tapviz-tokens" }, model.sheet))
    }
    const button = make("button", { class: "theme", onclick: () => {
        const dark = !model.dark
        model.chosen = dark === theme.system.matches ? "" : dark ? "dark" : "light"
        theme.keep(model.chosen)
        model.dark = dark
    } }, "Dark")
    const show = () => {
        dress(model.dark)
        button.setAttribute("aria-pressed", model.dark)
        if (model.whole) document.body.style.background = "var(--tv-page)"
    }
    const follow = () => { if (!model.chosen) model.dark = theme.system.matches }
    model.on("dark", show)
    if (model.whole) { // a notebook has a ground of its own
        if (theme.chosen()) model.chosen = theme.chosen()
        model.dark = theme.isDark()
        theme.system.addEventListener("change", follow)
        model.on("remove", () => theme.system.removeEventListener("change", follow))
    }
    show()
    return button
}
