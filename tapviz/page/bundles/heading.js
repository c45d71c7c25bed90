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

// tapviz/page/heading.js
var FRAMES = 60;
var REST = 50;
var focused = () => {
  let at = (
    /** @type {HTMLElement | null} */
    document.activeElement
  );
  while (at?.shadowRoot?.activeElement) at = /** @type {HTMLElement} */
  at.shadowRoot.activeElement;
  return at;
};
function render({ model }) {
  const heading = make("h2", { tabindex: -1 }, model.text);
  const take = (frames) => {
    heading.focus();
    if (heading.matches(":focus") || !frames) model.shown = true;
    else requestAnimationFrame(() => take(frames - 1));
  };
  setTimeout(take, 0, FRAMES);
  const opener = focused();
  const back = () => {
    if (document.activeElement === document.body) opener?.focus();
  };
  new ResizeObserver(() => {
    if (model.shown && !heading.checkVisibility()) setTimeout(back, REST);
  }).observe(heading);
  return heading;
}
export {
  render
};
