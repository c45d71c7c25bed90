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

  // tapviz/live/connecting.js
  var RELOADED = "tapviz-reloaded";
  var A_MINUTE = 6e4;
  var fail = () => {
    if (
      /** @type {any} */
      globalThis.Bokeh?.documents.length
    ) return;
    let last = Date.now();
    try {
      last = Number(sessionStorage.getItem(RELOADED));
      sessionStorage.setItem(RELOADED, `${Date.now()}`);
    } catch {
    }
    if (Date.now() - last > A_MINUTE) {
      location.reload();
      return;
    }
    document.body.append(make(
      "p",
      {
        id: "tapviz-refused",
        role: "alert",
        style: "margin:2rem;font:17px/1.5 system-ui,sans-serif"
      },
      `The server does not let this page connect. Reload it in a minute; if that does not help, tell whoever runs it that ${location.host} is refused. `,
      make("button", { style: "font:inherit", onclick: () => location.reload() }, "Reload")
    ));
  };
  var pushState = history.pushState.bind(history);
  history.pushState = (state, unused, url) => {
    if (`${url}`.startsWith("#")) pushState(state, unused, url);
    else history.replaceState(state, unused, url);
  };
  var TOLD = /^\{"msgid":.*"msgtype": ?"PATCH-DOC"/;
  var ANSWERED = /^\{"msgid":.*"msgtype": ?"(OK|ERROR)"/;
  var PATIENCE = 300;
  var MOVES_ITSELF = 2e3;
  var unanswered = 0;
  var moved = -MOVES_ITSELF;
  document.addEventListener("tapviz-moved", () => {
    moved = performance.now();
  });
  var waiting;
  var line;
  var show = (text) => {
    if (!line) document.body.append(line = make("div", { id: "tapviz-waiting", role: "status" }));
    line.textContent = text;
    if (text) document.documentElement.style.setProperty("--tv-fresh", "0.5");
    else document.documentElement.style.removeProperty("--tv-fresh");
  };
  var wait = () => {
    const itself = moved + MOVES_ITSELF - performance.now();
    if (itself > 0) waiting = setTimeout(wait, itself);
    else show("Updating …");
  };
  var count = (by) => {
    unanswered = Math.max(unanswered + by, 0);
    if (unanswered && by < 0) return;
    clearTimeout(waiting);
    if (unanswered) waiting = setTimeout(wait, PATIENCE);
    else if (line?.textContent) show("");
  };
  var isHeader = (data, kind) => typeof data === "string" && data.length < 300 && kind.test(data);
  globalThis.WebSocket = class extends WebSocket {
    /** @param {ConstructorParameters<typeof WebSocket>} given */
    constructor(...given) {
      super(...given);
      this.addEventListener("close", fail);
      this.addEventListener("close", () => count(-unanswered));
      this.addEventListener("message", ({ data }) => {
        if (isHeader(data, ANSWERED)) count(-1);
      });
    }
    /** @param {Parameters<WebSocket["send"]>[0]} data */
    send(data) {
      super.send(data);
      if (isHeader(data, TOLD)) count(1);
    }
  };
})();
