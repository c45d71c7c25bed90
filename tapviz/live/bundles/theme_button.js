// Made by `npm run build` of the files named below: change those.
// tapviz/live/theme.js
var KEPT = "tapviz-ground";
var system = matchMedia("(prefers-color-scheme: dark)");
var kept = () => {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
};
var chosen = () => {
  const asked = new URLSearchParams(location.search).get("ground") ?? kept();
  return ["dark", "light"].includes(asked) ? asked : "";
};
var keep = (ground) => {
  try {
    if (ground) localStorage.setItem(KEPT, ground);
    else localStorage.removeItem(KEPT);
  } catch {
  }
};
var isDark = () => chosen() ? chosen() === "dark" : system.matches;
var dress = (dark) => {
  document.documentElement.dataset.tapviz = dark ? "dark" : "light";
};

// tapviz/live/theme_button.js
function render({ model }) {
  const container = document.createElement("div");
  const button = document.createElement("button");
  container.className = "theme";
  button.textContent = "Dark";
  if (model.sheet && !document.getElementById("tapviz-tokens")) {
    const sheet = document.createElement("style");
    sheet.id = "tapviz-tokens";
    sheet.textContent = model.sheet;
    document.head.append(sheet);
  }
  const show = () => {
    dress(model.dark);
    button.setAttribute("aria-pressed", model.dark);
    if (model.whole) document.body.style.background = "var(--tv-page)";
  };
  const follow = () => {
    if (!model.chosen) model.dark = system.matches;
  };
  button.addEventListener("click", () => {
    const dark = !model.dark;
    model.chosen = dark === system.matches ? "" : dark ? "dark" : "light";
    keep(model.chosen);
    model.dark = dark;
  });
  model.on("dark", show);
  if (model.whole) {
    if (chosen()) model.chosen = chosen();
    model.dark = isDark();
    system.addEventListener("change", follow);
    model.on("remove", () => system.removeEventListener("change", follow));
  }
  show();
  container.append(button);
  return container;
}
export {
  render
};
