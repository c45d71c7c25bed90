// Words explained where they stand.
import { make } from "../draw/elements.js"

/** A tip that explains the terms in an element. @param {HTMLElement} root @param {Record<string, string>} glossary */
export function explains(root, glossary) {
    const tip = make("div", { class: "tip", role: "tooltip", id: "lesson-term", hidden: true })
    /** @param {HTMLElement | null} term */
    function explain(term) {
        for (const one of root.querySelectorAll("[aria-describedby=lesson-term]")) one.removeAttribute("aria-describedby")
        tip.hidden = !term
        if (!term) return
        tip.textContent = glossary[term.dataset.term ?? ""]
        term.setAttribute("aria-describedby", "lesson-term")
        const box = term.getBoundingClientRect(), around = root.getBoundingClientRect()
        tip.style.left = `${Math.max(8, Math.min(box.left - around.left, around.width - tip.offsetWidth - 8))}px`
        tip.style.top = `${box.bottom - around.top + 6}px`
    }
    for (const event of ["pointerover", "focusin", "click"]) {
        root.addEventListener(event, (one) => explain(/** @type {any} */ (one.target).closest?.(".term")))
    }
    root.addEventListener("focusout", () => explain(null))
    root.addEventListener("keydown", (event) => { if (event.key === "Escape") explain(null) })
    return tip
}
