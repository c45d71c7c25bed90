// What the theme and pandas leave without a name for those who listen.
document.addEventListener("DOMContentLoaded", () => {
  for (const summary of document.querySelectorAll("details > summary:has(.toctree-toggle)")) {
    const link = summary.closest("li")?.querySelector("a")
    if (link) summary.ariaLabel = `Pages of ${link.textContent.trim()}`
  }
  for (const head of document.querySelectorAll("table.dataframe th:empty")) {
    head.replaceWith(document.createElement("td"))
  }
})
