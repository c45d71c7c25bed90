// Made by `npm run build` of the files named below: change those.
(() => {
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
  var isDark = () => chosen() ? chosen() === "dark" : system.matches;
  var dress = (dark) => {
    document.documentElement.dataset.tapviz = dark ? "dark" : "light";
  };

  // tapviz/live/dress.js
  dress(isDark());
})();
