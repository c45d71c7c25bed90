// Made by `npm run build` of the files named below: change those.
// tapviz/live/compat.js
var CLASSES = {
  // Without these, controls lack the names and roles that accessibility.js gives them.
  activeTool: ".bk-OnOffButton.bk-active",
  buttonGroup: ".bk-btn-group",
  checkboxLabel: ".bk-label",
  clickTool: ".bk-ClickButton",
  inputGroup: ".bk-input-group",
  plotFrame: ".bk-CartesianFrame",
  plotLayer: "canvas.bk-layer",
  pressedButton: ".bk-btn-group > .bk-active",
  sliderHandle: ".noUi-handle",
  sliderTitle: ".bk-slider-title",
  spinButton: ".bk-spin-btn",
  toggleTool: ".bk-OnOffButton",
  toolbar: ".bk-Toolbar",
  // Without this the arrow keys do not read a plot out.
  plotEvents: ".bk-events",
  // Without this what the arrow keys point at is not announced.
  tooltip: ".bk-Tooltip"
};
var bokeh = () => (
  /** @type {any} */
  globalThis.Bokeh
);
var views = (condition) => [...bokeh()?.index?.query?.(condition) ?? []];
var view = (condition) => {
  for (const found of bokeh()?.index?.query?.(condition) ?? []) return found;
};
var isLayer = ({ model }) => model.type === "GlyphRenderer";
var isOverlay = (one) => isLayer(one) && one.model.level === "overlay";
var viewOf = (type) => view(({ model }) => model.type === type);
var replace = (object, name, make) => {
  if (typeof object?.[name] !== "function" || object[name].replaced) return;
  while (!Object.hasOwn(object, name)) object = Object.getPrototypeOf(object);
  object[name] = Object.assign(make(object[name]), { replaced: true });
};
var skipEqualStyles = () => replace(viewOf("GlyphRenderer")?.position, "_update", (usual) => function(css) {
  if (css !== this.css) usual.call(this, css);
});
var layOutOnlyWhenMoved = () => {
  const figure = viewOf("Figure");
  if (!figure || !("_needs_layout" in figure) || !figure.frame?.bbox) return;
  const last = /* @__PURE__ */ new WeakMap();
  replace(figure, "_invalidate_layout_if_needed", (usual) => function() {
    const { model: { x_range, y_range }, frame } = this;
    const now = [x_range.start, x_range.end, y_range.start, y_range.end, frame.bbox].join();
    if (now === last.get(this) && !this._needs_layout) return;
    usual.call(this);
    last.set(this, now);
  });
};
var skipMessageOnRelease = () => {
  const slider = viewOf("Slider");
  if (typeof slider?._slide !== "function") return;
  replace(slider, "_change", () => function(values) {
    this._slide(values);
  });
};
var sayLatestWhenPainted = (patience = 4e3) => {
  const slide = viewOf("Slider")?._slide;
  if (!slide || slide.replaced) return;
  let timer;
  let held;
  let down = false;
  const release = () => {
    clearTimeout(timer);
    timer = void 0;
    const say = held;
    held = void 0;
    say?.();
  };
  replace(viewOf("Slider"), "_slide", (usual) => function(values) {
    if (timer && down) {
      held = () => this._slide(values);
      return;
    }
    const { value } = this.model;
    usual.call(this, values);
    if (this.model.value !== value) timer = setTimeout(release, patience);
  });
  document.addEventListener("tapviz-painted", release);
  for (const type of ["pointerdown", "pointerup", "pointercancel"]) {
    document.addEventListener(type, () => {
      release();
      down = type === "pointerdown";
    }, true);
  }
};
var GLIDE = 120;
var stillness = matchMedia("(prefers-reduced-motion: reduce)");
var glides = /* @__PURE__ */ new WeakMap();
var pressed = false;
var isSliding = () => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return pressed || Boolean(element?.matches(CLASSES.sliderHandle));
};
var glide = (view2) => {
  const { sx, sy } = view2.glyph ?? {}, { x_range: x, y_range: y } = view2.plot_view?.model ?? {};
  if (!sx?.slice || !sy?.slice || !x || !y) return;
  const { width, height } = view2.plot_view.frame?.bbox ?? {};
  const frame = [x.start, x.end, y.start, y.end, width, height, sx.length].join();
  const to = [sx.slice(), sy.slice()], last = glides.get(view2), now = performance.now();
  const same = last?.frame === frame && last.to.every((old, i) => old.every((at, j) => Object.is(at, to[i][j])));
  const goes = last?.frame === frame && !same && !stillness.matches && !isSliding();
  const { from, since } = same ? last : { from: goes ? last.shown : null, since: now };
  const part = from ? Math.min((now - since) / GLIDE, 1) : 1;
  if (part < 1) {
    const along = 1 - (1 - part) ** 3;
    for (const [i, shown] of [sx, sy].entries()) {
      for (const [j, at] of to[i].entries()) {
        if (Number.isFinite(from[i][j])) shown[j] = from[i][j] + along * (at - from[i][j]);
      }
    }
    requestAnimationFrame(() => view2.request_paint?.());
  }
  glides.set(view2, { frame, to, since, from: part < 1 ? from : null, shown: [sx.slice(), sy.slice()] });
};
var glideMarks = () => {
  const layer = viewOf("GlyphRenderer");
  if (!layer?.map_data || layer.map_data.replaced) return;
  views(isOverlay).forEach(glide);
  replace(layer, "map_data", (usual) => function() {
    usual.call(this);
    if (isOverlay(this)) glide(this);
  });
  for (const type of ["pointerdown", "pointerup", "pointercancel"]) {
    document.addEventListener(type, () => {
      pressed = type === "pointerdown";
    }, true);
  }
};

// tapviz/live/quick.js
var quicken = () => {
  skipEqualStyles();
  layOutOnlyWhenMoved();
  skipMessageOnRelease();
  sayLatestWhenPainted();
  glideMarks();
};

// tapviz/live/paint_signal.js
function render({ model }) {
  model.on("frame", () => {
    const frame = model.frame;
    quicken();
    requestAnimationFrame(() => setTimeout(() => {
      document.dispatchEvent(new Event("tapviz-painted"));
      model.painted = frame;
    }, 0));
  });
  return document.createElement("div");
}
export {
  render
};
