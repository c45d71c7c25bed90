// Made by `npm run build` of the files named below: change those.
(() => {
  // tapviz/live/connecting.js
  var RELOADED = "tapviz-reloaded";
  var A_MINUTE = 6e4;
  var fail = () => {
    if (globalThis.Bokeh?.documents.length) return;
    let last = Date.now();
    try {
      last = Number(sessionStorage.getItem(RELOADED));
      sessionStorage.setItem(RELOADED, Date.now());
    } catch {
    }
    if (Date.now() - last > A_MINUTE) {
      location.reload();
      return;
    }
    const bar = document.createElement("p");
    bar.id = "tapviz-refused";
    bar.setAttribute("role", "alert");
    bar.style = "margin:2rem;font:17px/1.5 system-ui,sans-serif";
    bar.textContent = `The server does not let this page connect. Reload it in a minute; if that does not help, tell whoever runs it that ${location.host} is refused. `;
    const button = document.createElement("button");
    button.textContent = "Reload";
    button.style = "font:inherit";
    button.onclick = () => location.reload();
    bar.append(button);
    document.body.append(bar);
  };
  var TOLD = /^\{"msgid":.*"msgtype": ?"PATCH-DOC"/;
  var ANSWERED = /^\{"msgid":.*"msgtype": ?"(OK|ERROR)"/;
  var PATIENCE = 300;
  var unanswered = 0;
  var waiting = null;
  var line = null;
  var show = (text) => {
    if (!line) {
      line = document.createElement("div");
      line.id = "tapviz-waiting";
      line.setAttribute("role", "status");
      document.body.append(line);
    }
    line.textContent = text;
    if (text) document.documentElement.style.setProperty("--tv-fresh", "0.5");
    else document.documentElement.style.removeProperty("--tv-fresh");
  };
  var count = (by) => {
    unanswered = Math.max(unanswered + by, 0);
    if (unanswered && by < 0) return;
    clearTimeout(waiting);
    if (unanswered) waiting = setTimeout(() => show("Updating …"), PATIENCE);
    else if (line?.textContent) show("");
  };
  var isHeader = (data, kind) => typeof data === "string" && data.length < 300 && kind.test(data);
  globalThis.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener("close", fail);
      this.addEventListener("close", () => count(-unanswered));
      this.addEventListener("message", ({ data }) => {
        if (isHeader(data, ANSWERED)) count(-1);
      });
    }
    send(data) {
      super.send(data);
      if (isHeader(data, TOLD)) count(1);
    }
  };
})();
