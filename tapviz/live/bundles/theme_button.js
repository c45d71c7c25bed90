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
var dress = (dark) => {
  document.documentElement.dataset.tapviz = dark ? "dark" : "light";
};

// tapviz/live/storage.js
var kept = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
var keep = (key, text) => {
  try {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  } catch {
  }
};

// tapviz/live/theme.js
var KEPT = "tapviz-ground";
var system = matchMedia("(prefers-color-scheme: dark)");
var chosen = () => {
  const asked = new URLSearchParams(location.search).get("ground") ?? kept(KEPT) ?? "";
  return ["dark", "light"].includes(asked) ? asked : "";
};
var keep2 = (ground) => keep(KEPT, ground);
var isDark = () => chosen() ? chosen() === "dark" : system.matches;

// tapviz/live/theme_button.js
function render({ model }) {
  if (model.sheet && !document.getElementById("tapviz-tokens")) {
    document.head.append(make("style", { id: "tapviz-tokens" }, model.sheet));
  }
  const button = make("button", { onclick: () => {
    const dark = !model.dark;
    model.chosen = dark === system.matches ? "" : dark ? "dark" : "light";
    keep2(model.chosen);
    model.dark = dark;
  } }, "Dark");
  const show = () => {
    dress(model.dark);
    button.setAttribute("aria-pressed", model.dark);
    if (model.whole) document.body.style.background = "var(--tv-page)";
  };
  const follow = () => {
    if (!model.chosen) model.dark = system.matches;
  };
  model.on("dark", show);
  if (model.whole) {
    if (chosen()) model.chosen = chosen();
    model.dark = isDark();
    system.addEventListener("change", follow);
    model.on("remove", () => system.removeEventListener("change", follow));
  }
  show();
  return make("div", { class: "theme" }, button);
}
export {
  render
};
