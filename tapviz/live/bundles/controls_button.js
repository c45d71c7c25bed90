// Made by `npm run build` of the files named below: change those.
// tapviz/draw/elements.js
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

// tapviz/live/shadow.js
var find = (root, selector, when = () => true) => {
  for (
    const element of
    /** @type {NodeListOf<HTMLElement>} */
    root.querySelectorAll("*")
  ) {
    if (element.matches(selector) && when(element)) return element;
    const nested = element.shadowRoot && find(element.shadowRoot, selector, when);
    if (nested) return nested;
  }
  return null;
};
var focusFirst = (part) => {
  const controls = part?.shadowRoot ?? part;
  if (controls) find(controls, ":is(input, select, button):not(.controls-button *)")?.focus();
};

// tapviz/live/controls_button.js
function render({ model }) {
  const { opens, label } = model;
  const part = () => find(document, `.${opens}`);
  const button = make("button", { onclick: () => {
    show(!isOpen());
    if (isOpen()) focusFirst(part());
  } }, label);
  const { style } = document.documentElement;
  const show = (open) => {
    button.setAttribute("aria-expanded", `${open}`);
    style.setProperty(`--tv-${opens}`, open ? "block" : "none");
  };
  const isOpen = () => button.getAttribute("aria-expanded") === "true";
  const close = () => {
    if (isOpen()) show(false);
  };
  document.addEventListener("pointerdown", (event) => {
    const path = event.composedPath(), opened = part();
    if (!path.includes(button) && !(opened && path.includes(opened))) close();
  }, { capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen() || !button.checkVisibility()) return;
    event.stopPropagation();
    button.focus();
    close();
  }, { capture: true });
  show(false);
  return make("div", { class: "controls-button" }, button);
}
export {
  render
};
