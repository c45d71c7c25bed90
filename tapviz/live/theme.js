// Light or dark: what the address asks for, else what was chosen here before, else what the system has.
const KEPT = "tapviz-ground"
export const system = matchMedia("(prefers-color-scheme: dark)")
const kept = () => {
    try { return localStorage.getItem(KEPT) } catch { return null }
}
export const chosen = () => {
    const asked = new URLSearchParams(location.search).get("ground") ?? kept()
    return ["dark", "light"].includes(asked) ? asked : ""
}
export const keep = (ground) => {
    try {
        if (ground) localStorage.setItem(KEPT, ground)
        else localStorage.removeItem(KEPT)
    } catch { /* the address keeps it */ }
}
export const isDark = () => (chosen() ? chosen() === "dark" : system.matches)
export const dress = (dark) => { document.documentElement.dataset.tapviz = dark ? "dark" : "light" }
