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

// tapviz/live/compat.js
var stillness = matchMedia("(prefers-reduced-motion: reduce)");
var forwardOnlyOwnChanges = (root) => {
  const isManager = (one) => /\bCommManager$/.test(one.type) || one.client_comm_id;
  const manager = root.document.roots().find(isManager);
  const forward = manager?._document_changed;
  if (typeof forward === "function") {
    manager._document_changed = function(event) {
      if (event.sync) forward.call(this, event);
    };
  }
  return manager !== void 0;
};

// tapviz/live/notebook_sync.js
var FIRST = 1e3;
var PATIENCE = 4e3;
function render({ model, view }) {
  const root = view.root.model;
  const alone = make(
    "p",
    { role: "status", style: "margin: 8px 0; font: 14px/1.5 system-ui" },
    "Python does not answer: " + (model.moves ? "the sliders of the threshold and of n still move plots, scores and verdict. For what turns pale, and for anything else, run the cell again." : "nothing here moves, and it shows what was known when its cell was run. Run the cell again; or keep a report, which moves without Python (tapviz.save_report).")
  );
  model.on("answered", () => alone.remove());
  const announce = (wait) => {
    if (model.answered) return;
    if (wait > PATIENCE) view.root.el.before(alone);
    model.send_msg(root.id);
    setTimeout(() => announce(2 * wait), wait);
  };
  if (forwardOnlyOwnChanges(root)) announce(FIRST);
  return document.createElement("div");
}
export {
  render
};
