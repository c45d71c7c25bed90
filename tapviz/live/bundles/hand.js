// Made by `npm run build` of the files named below: change those.
// tapviz/draw/fit.js
var isWhole = (range) => range.start === range.reset_start && [range.reset_end, range.longer].includes(range.end);

// tapviz/draw/tracks.js
var isTrack = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
function whole(track) {
  const [first, ...rest] = track.values;
  if (first === null || typeof first !== "object" || !("longest" in first)) return track;
  const longest = rest[first.longest];
  const values = rest.map((one) => one !== null && typeof one === "object" && "alike" in one ? longest.slice(0, one.alike).concat(one.rest) : one);
  return { ...track, values };
}
function valueAt(track, placeOf2) {
  if (!track.control) return track.values[0];
  if (track.runs) {
    track.at = [];
    for (let i = 0; i < track.runs.length; i += 2) {
      for (let times = track.runs[i + 1]; times > 0; times--) track.at.push(track.runs[i]);
    }
    delete track.runs;
  }
  const place = placeOf2(track.control);
  return track.values[track.at ? track.at[place] : place];
}

// tapviz/live/compat.js
var CLASSES = {
  // Without these, controls lack the names and roles that accessibility.js gives them, and boxes of
  // numbers refuse one that is pasted with a blank.
  activeTool: ".bk-OnOffButton.bk-active",
  buttonGroup: ".bk-btn-group",
  checkboxLabel: ".bk-label",
  clickTool: ".bk-ClickButton",
  // Without this no dropped file is taken.
  dropper: ".filepond--root",
  inputGroup: ".bk-input-group",
  numberBox: ".bk-spin-wrapper",
  plotFrame: ".bk-CartesianFrame",
  plotLayer: "canvas.bk-layer",
  pressedButton: ".bk-btn-group > .bk-active",
  sliderHandle: ".noUi-handle",
  sliderTitle: ".bk-slider-title",
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
var viewsIn = (document2, condition) => views((one) => one.model.document === document2 && condition(one));
var view = (condition) => {
  for (const found of bokeh()?.index?.query?.(condition) ?? []) return found;
};
var isLayer = ({ model }) => model.type === "GlyphRenderer";
var isOverlay = (one) => isLayer(one) && one.model.level === "overlay";
var isOurs = ({ model }) => model.styles?.display === "none";
var viewOf = (type) => view(({ model }) => model.type === type);
var pressed = false;
var held;
var isMoving = () => pressed || held !== void 0;
var replace = (object, name, make2) => {
  if (typeof object?.[name] !== "function" || object[name].replaced) return;
  while (!Object.hasOwn(object, name)) object = Object.getPrototypeOf(object);
  object[name] = Object.assign(make2(object[name]), { replaced: true });
};
var skipEqualStyles = (layer) => replace(layer.position, "_update", (usual) => function(css) {
  if (css !== this.css) usual.call(this, css);
});
var skipUnseenPlaces = (layer) => replace(layer, "update_position", (usual) => function() {
  if (!isOurs(this)) usual.call(this);
});
var waiting = /* @__PURE__ */ new Map();
var paintLater = (figure, still) => {
  if (!figure.pause || !figure.unpause || !figure.paint) return;
  if (!waiting.has(figure)) figure.pause();
  waiting.set(figure, still && waiting.get(figure) !== false);
};
var paintAtOnce = () => {
  for (const [figure, still] of waiting) {
    if (still && figure._range_manager) figure._range_manager.invalidate_dataranges = false;
    figure.unpause(true);
    figure.paint();
  }
  waiting.clear();
};
var sayAtPace = (followerOf = () => ({})) => {
  const slider = viewOf("Slider");
  if (typeof slider?._slide !== "function" || typeof slider._calc_from !== "function") return;
  if (slider._slide.replaced) return;
  let timer;
  let paced2 = false;
  const release = () => {
    clearTimeout(timer);
    timer = void 0;
    held?.say();
  };
  replace(slider, "_slide", (usual) => function(values) {
    const { model } = this, follower = followerOf(model);
    if (!follower) return usual.call(this, values);
    const { show: show2 = () => 0, said = () => {
    }, patience = 4e3 } = follower, value = this._calc_from(values);
    if (held && held.model !== model) release();
    if (value === (held ?? model).value) return;
    const pace = show2(model, value);
    const say = () => {
      clearTimeout(timer);
      held = void 0;
      model.setv({ value }, { check_eq: false });
      said(model, value);
      paced2 = pace > 0;
      timer = setTimeout(release, pace || patience);
    };
    if (!timer || !(pressed || pace)) return say();
    held = { model, value, say };
    if (pace) model.setv({ value }, { sync: false });
  });
  replace(slider, "_change", (usual) => function(values) {
    if (followerOf(this.model)) this._slide(values);
    else usual.call(this, values);
  });
  document.addEventListener("tapviz-painted", () => {
    if (!paced2) release();
  });
  for (const type of ["pointerdown", "pointerup", "pointercancel"]) {
    document.addEventListener(type, () => {
      pressed = type === "pointerdown";
      release();
    }, true);
  }
};
var GLIDE = 120;
var stillness = matchMedia("(prefers-reduced-motion: reduce)");
var glides = /* @__PURE__ */ new WeakMap();
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
var glideMarks = (layer) => {
  if (!layer.map_data) return;
  views(isOverlay).forEach(glide);
  replace(layer, "map_data", (usual) => function() {
    usual.call(this);
    if (isOverlay(this)) glide(this);
  });
};
var quick = false;
var quicken = () => {
  const layer = quick ? null : viewOf("GlyphRenderer");
  if (!layer) return;
  quick = true;
  skipEqualStyles(layer);
  skipUnseenPlaces(layer);
  glideMarks(layer);
};
var figuresIn = (view2) => view2.model.type === "Figure" ? [view2] : [...view2.children_views()].flatMap(figuresIn);
var figuresOf = (document2) => [...bokeh()?.index?.roots ?? []].filter(({ model }) => model.document === document2).flatMap(figuresIn);
var figuresNamed = (document2, names) => figuresOf(document2).filter(({ model }) => names.has(model.name));
var sliderOf = (document2, choice) => viewsIn(document2, ({ model }) => /Slider$/.test(model.type) && model.tags.includes(choice))[0];

// tapviz/live/paced.js
function paced(pause, act) {
  let timer;
  let latest;
  const go = () => {
    timer = void 0;
    if (latest === void 0) return;
    timer = setTimeout(go, pause());
    act(latest);
    latest = void 0;
  };
  return (given) => {
    latest = given;
    if (timer === void 0) go();
  };
}

// tapviz/live/turn_into.js
var turnInto = (old, wanted) => {
  if (old.isEqualNode(wanted)) return;
  if (old.nodeType !== 1) {
    old.data = wanted.data;
    return;
  }
  if (old.nodeName === "DETAILS") wanted.open = old.open;
  for (const { name } of [...old.attributes]) {
    if (!wanted.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  turnAllInto(old, [...old.childNodes], [...wanted.childNodes]);
};
var turnAllInto = (parent, before, after) => {
  const alike = (i, j) => before.at(i)?.nodeName === after.at(j)?.nodeName;
  const least = Math.min(before.length, after.length);
  let head = 0, tail = 0;
  while (head < least && alike(head, head)) head++;
  while (tail < least - head && alike(-tail - 1, -tail - 1)) tail++;
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  const next = before[before.length - tail] ?? before.at(-1)?.nextSibling ?? null;
  for (let i = 0; i < head; i++) turnInto(before[i], after[i]);
  for (let i = 1; i <= tail; i++) turnInto(before.at(-i), after.at(-i));
  for (const child of removed) child.remove();
  for (const child of added) parent.insertBefore(child, next);
};
var turnIntoHtml = (element, html) => {
  const wanted = element.cloneNode(false);
  wanted.innerHTML = html;
  turnInto(element, wanted);
};

// tapviz/live/turn_rows.js
var cellsOf = (rows) => {
  const table = document.createElement("template");
  table.innerHTML = `<table><tbody>${rows.map((html) => `<tr>${html}</tr>`).join("")}</tbody></table>`;
  return [...table.content.querySelectorAll("tr")].map(({ children }) => [...children]);
};
var turnRows = (element, view2, at) => {
  const table = element.querySelector("table");
  if (!table?.tHead) return;
  const parts = [];
  for (const [place, cell, track] of view2.head) {
    const row = table.tHead.rows[place];
    if (row?.cells[cell]) parts.push({ row, before: [row.cells[cell]], html: at(track) });
  }
  const [body] = table.tBodies;
  const rows = {};
  for (const row of body.rows) rows[row.dataset.algorithm ?? ""] = row;
  for (const [name, tracks] of Object.entries(view2.rows)) {
    const row = rows[name];
    if (!row) continue;
    const all = [...row.cells];
    const end = all.length - all.filter((cell) => cell.classList.contains("compared")).length;
    const now = {
      at_threshold: all.slice(0, end - view2.others),
      others: all.slice(end - view2.others, end),
      compared: all.slice(end)
    };
    for (const [part, track] of Object.entries(tracks)) parts.push({ row, before: now[part], html: at(track) });
  }
  const cells = cellsOf(parts.map(({ html }) => html));
  for (const [i, { row, before }] of parts.entries()) turnAllInto(row, before, cells[i]);
  if (!view2.order) return;
  const order = at(view2.order).filter((name) => rows[name]);
  if (order.every((name, i) => rows[name] === body.rows[i])) return;
  const wanted = (
    /** @type {HTMLTableSectionElement} */
    body.cloneNode(true)
  );
  const places = Object.fromEntries([...wanted.rows].map((row) => [row.dataset.algorithm, row]));
  wanted.append(...order.map((name) => places[name]));
  turnInto(body, wanted);
};

// tapviz/live/hand.js
var BLANK = (
  /** @type {Record<string, unknown>} */
  { text: "", color: "black", of: "" }
);
var READING = 100;
var SOON = 100;
var followers = /* @__PURE__ */ new WeakMap();
var toldOf = ({ views: views2 }, setting, place) => `${setting} ${views2[setting]?.table?.boxes[place] ?? place}`;
var inFull = (value) => {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(inFull);
  if (isTrack(value) && "values" in value) return whole(
    /** @type {Track} */
    value
  );
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inFull(one)]));
};
var unpacked = async (bytes) => {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return inFull(await new Response(stream).json());
};
var tell = (page, event, detail) => document.dispatchEvent(new CustomEvent(event, { detail: { of: page.document, ...detail } }));
var turn = (page, slot, turn2) => tell(page, "tapviz-turn", { slot, turn: turn2 });
var column = (name, values, held2, shades) => {
  let found = values.map((value) => value === null ? NaN : value);
  if (name === "color") found = found.map((color) => shades[color] ?? color);
  const missing = held2.text ? held2.text.length - values.length : 0;
  return missing > 0 ? found.concat(Array(missing).fill(BLANK[name] ?? NaN)) : found;
};
var note = (notes, of, name, held2, shown) => {
  const noted = notes.get(of) ?? {};
  noted[name] = { known: noted[name] ? noted[name].known : held2, shown };
  notes.set(of, noted);
};
var turnModel = ({ turned }, model, values) => {
  for (const [name, value] of Object.entries(values)) note(turned, model, name, model[name], value);
  model.setv(values, { sync: false });
};
var moveAxis = (page, range, axis, { ends: [start, end], label, ticks, dataEnd }, grids) => {
  const zoomed = !isWhole(range);
  if (range.reset_start !== start || range.reset_end !== end) {
    if (!zoomed) range.setv({ end: range.reset_end }, { sync: false, silent: true });
    turnModel(page, range, { reset_start: start, reset_end: end, ...zoomed ? {} : { start, end } });
  }
  if (axis.axis_label !== label) turnModel(page, axis, { axis_label: label });
  if (dataEnd !== null) {
    const bounds = [start, dataEnd];
    turnModel(page, axis, { bounds });
    for (const grid of grids) turnModel(page, grid, grid.dimension ? { cross_bounds: bounds } : { bounds });
  }
  if (!ticks) return;
  turnModel(page, axis, { major_label_overrides: new Map(ticks) });
  if (axis.ticker.ticks) turnModel(page, axis.ticker, { ticks: ticks.map(([at]) => at) });
};
var moveFigure = (page, { figure = "", layers = {}, axes }, place, figures) => {
  const at = () => place, { moved, model: { shades } } = page;
  const shown = (tracks) => Object.fromEntries(Object.entries(tracks).map(([name, track]) => [name, valueAt(track, at)]));
  for (const view2 of figures.filter(({ model }) => model.name === figure)) {
    paintLater(view2, !axes);
    const { model } = view2;
    if (axes) {
      const grids = model.center.filter(({ type }) => type === "Grid");
      moveAxis(page, model.x_range, model.below[0], shown(axes.x), grids);
      moveAxis(page, model.y_range, model.left[0], shown(axes.y), grids);
    }
    const told = model.tags.findIndex(({ text }) => text);
    if (layers.readout && told >= 0) turnModel(page, model, { tags: model.tags.with(told, shown(layers.readout)) });
    for (const renderer of model.renderers) {
      const source = renderer.data_source, { data } = source;
      let changed = false;
      const set = (name, values) => {
        note(moved, source, name, data[name], values);
        data[name] = values;
      };
      for (const [layer, tracks] of Object.entries(layers)) {
        const line = data.layer?.indexOf(layer) ?? -1;
        if (line < 0 && renderer.name !== layer) continue;
        changed = true;
        for (const [name, track] of Object.entries(tracks)) {
          const values = column(name, valueAt(track, at), data, shades);
          if (line < 0) set(name, values);
          else set(`${name}s`, Object.assign([...data[`${name}s`]], { [line]: values }));
        }
      }
      if (changed) source.change.emit();
    }
  }
};
var settle = ({ moved, turned, asked, unsaid }) => {
  for (const [source, columns] of moved) {
    for (const [name, { known, shown }] of Object.entries(columns)) {
      if (source.data[name] === shown) source.data[name] = known;
    }
    source.change.emit();
  }
  for (const [model, properties] of turned) {
    const back = Object.entries(properties).filter(([name, { shown }]) => model[name] === shown);
    model.setv(Object.fromEntries(back.map(([name, { known }]) => [name, known])), { sync: false });
  }
  moved.clear();
  turned.clear();
  asked.clear();
  unsaid.clear();
  document.dispatchEvent(new Event("tapviz-settle"));
};
var moveCaption = (page, { figure = "", caption }, place) => {
  if (!caption.control) return;
  turn(page, figure, (element) => {
    const words = element.querySelector(".caption");
    if (words) turnIntoHtml(words, valueAt(caption, () => place));
  });
};
var moveTable = (page, view2, place) => {
  turn(page, "words", ({ children }) => {
    for (const part of children) part.setAttribute("aria-busy", "true");
  });
  turn(page, "table", (element) => {
    element.querySelector(".below")?.setAttribute("aria-busy", "true");
    turnRows(element, view2, (track) => valueAt(track, () => place));
  });
  if (!view2.verdict) return;
  const verdict = valueAt(view2.verdict, () => place);
  turn(page, "verdict", (element) => {
    if (verdict === null) element.querySelector(".verdict")?.setAttribute("aria-busy", "true");
    else turnIntoHtml(element, verdict);
  });
};
var moveQueries = (page, { queries, cells }, place) => {
  const shown = Object.fromEntries(Object.entries(queries).map(([name, track]) => [name, valueAt(track, () => place)]));
  const rows = shown.rows.map((row) => row.map((cell) => cells[cell]));
  tell(page, "tapviz-queries", { shown: { ...shown, rows, from: 0 } });
};
var viewsOf = ({ views: views2, model }, setting) => Object.entries(views2[setting] ?? {}).filter(([part]) => model.moving.includes(`${setting} ${part}`)).map(([, view2]) => view2);
var placeOf = (page, slider, value) => {
  const [view2] = viewsOf(page, slider.tags[0]);
  const place = view2 ? Math.round((value - view2.start) / view2.step) : -1;
  return place < (view2?.size ?? 0) ? place : -1;
};
var follow = (page, slider, value) => {
  const [setting] = slider.tags, place = placeOf(page, slider, value);
  if (place < 0) return 0;
  show(page, setting, place);
  return page.model.alone.includes(setting) ? page.model.pace : 0;
};
var show = (page, setting, place) => {
  const { places, asked } = page;
  places[setting] = place;
  if (!asked.size) {
    requestAnimationFrame(() => moveFigures(page));
    requestAnimationFrame(() => {
      paintAtOnce();
      for (const setting2 of asked) page.unsaid.add(setting2);
      asked.clear();
      page.say(page);
      setTimeout(() => document.dispatchEvent(new Event("tapviz-moved")));
    });
  }
  asked.add(setting);
};
var movesOf = (page, settings) => [...settings].flatMap((setting) => viewsOf(page, setting).map((view2) => ({ setting, view: view2, place: page.places[setting] })));
var moveFigures = (page) => {
  quicken();
  const moves = movesOf(page, page.asked);
  const figures = figuresNamed(page.document, new Set(moves.map(({ view: view2 }) => view2.figure)));
  for (const { setting, view: view2, place } of moves) {
    if (view2.figure) moveFigure(page, view2, place, figures);
    if (view2.boxes) writeBox(page, setting, view2.boxes[place]);
  }
};
var moveTexts = (page) => {
  for (const { view: view2, place } of movesOf(page, page.unsaid)) {
    if (view2.figure) moveCaption(page, view2, place);
    else if (view2.queries) moveQueries(page, view2, place);
    else moveTable(page, view2, place);
  }
  page.unsaid.clear();
};
var writeBox = ({ sliders, document: document2 }, setting, text) => {
  if (!sliders[setting]?.el?.isConnected) sliders[setting] = sliderOf(document2, setting);
  const box = sliders[setting]?.el?.nextElementSibling?.shadowRoot?.querySelector("input");
  if (box) box.value = text;
};
function render({ model, view: view2 }) {
  const page = {
    model,
    document: view2.model.document,
    views: {},
    places: {},
    asked: /* @__PURE__ */ new Set(),
    unsaid: /* @__PURE__ */ new Set(),
    told: [],
    moved: /* @__PURE__ */ new Map(),
    turned: /* @__PURE__ */ new Map(),
    sliders: {},
    say: paced(() => READING, moveTexts)
  };
  const inCell = Object.keys(model.views).length > 0;
  const hold = () => {
    model.held = isMoving();
  };
  followers.set(page.document, {
    show: (slider, value) => follow(page, slider, value),
    said: (slider, value) => {
      if (!inCell) page.told.push(toldOf(page, slider.tags[0], placeOf(page, slider, value)));
      hold();
    },
    patience: inCell ? 0 : void 0
  });
  const begin = () => {
    quicken();
    sayAtPace((slider) => followers.get(slider.document));
  };
  const answer = () => {
    const frame = model.frame;
    begin();
    requestAnimationFrame(() => setTimeout(() => {
      document.dispatchEvent(new Event("tapviz-painted"));
      model.painted = frame;
    }, 0));
  };
  model.on("frame", answer);
  if (model.frame) answer();
  const take = async () => {
    const come = Object.entries(model.views);
    const found = await Promise.all(come.map(([, bytes]) => unpacked(bytes)));
    for (const [i, [name]] of come.entries()) {
      const [setting, part] = name.split(" ");
      page.views[setting] = { ...page.views[setting], [part]: found[i] };
    }
  };
  const beginSoon = () => {
    if (sliderOf(page.document, "n")) begin();
    else setTimeout(beginSoon, SOON);
  };
  model.on("views", () => {
    take().then(beginSoon);
  });
  if (inCell) take().then(beginSoon);
  model.on("settled", () => settle(page));
  model.on("place", () => {
    const [setting, place] = model.place, answered = page.told.indexOf(toldOf(page, setting, place));
    page.told = page.told.slice(answered + 1);
    if (answered < 0) show(page, setting, place);
  });
  document.addEventListener("tapviz-moved", hold);
  for (const type of ["pointerup", "pointercancel"]) {
    document.addEventListener(type, () => setTimeout(hold), true);
  }
  return document.createElement("div");
}
export {
  render
};
