// Made by `npm run build` of the files named below: change those.
(() => {
  // tapviz/draw/elements.js
  var dress = (dark) => {
    document.documentElement.dataset.tapviz = dark ? "dark" : "light";
  };

  // tapviz/live/compat.js
  var stillness = matchMedia("(prefers-reduced-motion: reduce)");
  var restDroppers = () => {
    globalThis.__framePainter ??= { readers: [], writers: [], rests: true };
  };

  // tapviz/live/storage.js
  var kept = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };

  // tapviz/live/theme.js
  var KEPT = "tapviz-ground";
  var system = matchMedia("(prefers-color-scheme: dark)");
  var chosen = () => {
    const asked = new URLSearchParams(location.search).get("ground") ?? kept(KEPT) ?? "";
    return ["dark", "light"].includes(asked) ? asked : "";
  };
  var isDark = () => chosen() ? chosen() === "dark" : system.matches;

  // tapviz/live/dress.js
  dress(isDark());
  restDroppers();
})();
