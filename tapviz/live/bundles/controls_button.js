// Made by `npm run build` of the files named below: change those.
// tapviz/live/shadow.js
var find = (root, selector) => {
  for (const element of root.querySelectorAll("*")) {
    if (element.matches(selector)) return element;
    const nested = element.shadowRoot && find(element.shadowRoot, selector);
    if (nested) return nested;
  }
  return null;
};

// tapviz/live/controls_button.js
var RAIL = ".rail";
function render() {
  const container = document.createElement("div");
  const button = document.createElement("button");
  container.className = "controls-button";
  button.textContent = "Controls";
  const style = document.documentElement.style;
  const show = (open) => {
    button.setAttribute("aria-expanded", open);
    style.setProperty("--tv-rail", open ? "flex" : "none");
  };
  const isOpen = () => button.getAttribute("aria-expanded") === "true";
  const close = () => {
    if (isOpen()) show(false);
  };
  button.addEventListener("click", () => {
    show(!isOpen());
    if (isOpen()) find(find(document, RAIL).shadowRoot, "input, select, button")?.focus();
  });
  document.addEventListener("pointerdown", (event) => {
    const path = event.composedPath();
    if (!path.includes(button) && !path.includes(find(document, RAIL))) close();
  }, { capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen() || !button.checkVisibility()) return;
    event.stopPropagation();
    button.focus();
    close();
  }, { capture: true });
  show(false);
  container.append(button);
  return container;
}
export {
  render
};
