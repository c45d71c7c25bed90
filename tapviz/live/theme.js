// Light or dark: what the address asks for, else what was chosen here before, else what the system has.
import { keep as keepText, kept } from "./storage.js"

const KEPT = "tapviz-ground"
export const system = matchMedia("(prefers-color-scheme: dark)")
export const chosen = () => {
    const asked = new URLSearchParams(location.search).get("ground") ?? kept(KEPT) ?? ""
    return ["dark", "light"].includes(asked) ? asked : ""
}
/** @param {string} ground "dark", "light", or empty: the address keeps it where nothing else may */
export const keep = (ground) => keepText(KEPT, ground)
export const isDark = () => (chosen() ? chosen() === "dark" : system.matches)
