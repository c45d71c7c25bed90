// Made by `npm run build` of the files named below: change those.
(() => {
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

  // tapviz/live/connection_lost.js
  if (!document.getElementById("tapviz-lost")) {
    const style = "position:fixed;top:0;left:0;right:0;z-index:1000;padding:10px 16px;color:#fff;background:#8a2b00;font:15px system-ui,sans-serif";
    document.body.append(make(
      "div",
      { id: "tapviz-lost", role: "alert", style },
      "Disconnected: your settings are in the address bar. ",
      make("button", { style: "font:inherit;margin-left:12px;min-height:28px", onclick: () => location.reload() }, "Reload")
    ));
    document.documentElement.style.setProperty("--tv-at-work", "hidden");
  }
})();
