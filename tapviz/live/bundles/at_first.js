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

  // tapviz/live/shadow.js
  var find = (root, selector, when = () => true) => {
    for (
      const element of
      /** @type {NodeListOf<HTMLElement>} */
      root.querySelectorAll("*")
    ) {
      if (element.matches(selector) && when(element)) return element;
      const nested = element.shadowRoot && find(element.shadowRoot, selector, when);
      if (nested) return nested;
    }
    return null;
  };
  var rowsOfScores = () => {
    const table = (
      /** @type {HTMLTableElement | null} */
      find(document, "table.scores")
    );
    return [...table?.tBodies[0].rows ?? []];
  };
  var focusFirst = (part) => {
    const controls = part?.shadowRoot ?? part;
    if (controls) find(controls, ":is(input, select, button):not(.controls-button *)")?.focus();
  };

  // tapviz/live/skip.js
  var link = (words, onclick) => make("button", { class: "tapviz-skip", onclick }, words);
  var skipToResults = () => {
    const main = find(document, ".main");
    if (!main) return;
    main.tabIndex = -1;
    main.focus({ preventScroll: true });
    main.scrollIntoView({ block: "nearest" });
  };
  var skipToControls = () => {
    const rail = find(document, ".rail");
    const button = rail?.shadowRoot && find(rail.shadowRoot, ".controls-button button");
    if (button?.checkVisibility() && button.ariaExpanded !== "true") button.click();
    else focusFirst(rail);
  };
  if (!document.querySelector(".tapviz-skip")) {
    document.body.prepend(
      link("Skip to the results", skipToResults),
      link("Skip to the controls", skipToControls)
    );
  }

  // tapviz/live/keys.js
  var press = (name, when) => {
    const control = find(document, `.${name}`, when);
    const button = (
      /** @type {HTMLButtonElement | null} */
      control?.shadowRoot?.querySelector("button") ?? control
    );
    if (!button || button.disabled || button.hidden) return false;
    button.click();
    return true;
  };
  var isTextField = (element) => element.isContentEditable || element.tagName === "TEXTAREA" || element.tagName === "INPUT" && !/checkbox|radio|range|button/.test(element.type);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !find(document, ":popover-open")) {
      press("closes-sheet", (control) => control.checkVisibility()) || press("close-drawer") || press("clear-filter");
    }
    const undo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey);
    if (undo && !event.altKey && !isTextField(event.composedPath()[0])) {
      event.preventDefault();
      press(event.shiftKey ? "redo" : "undo");
    }
  });

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
  var view = (condition) => {
    for (const found of bokeh()?.index?.query?.(condition) ?? []) return found;
  };
  var isLayer = ({ model }) => model.type === "GlyphRenderer";
  var figureClass = () => bokeh()?.Models?.get?.("Figure")?.prototype.default_view?.prototype;
  var replace = (object, name, make2) => {
    if (typeof object?.[name] !== "function" || object[name].replaced) return;
    while (!Object.hasOwn(object, name)) object = Object.getPrototypeOf(object);
    object[name] = Object.assign(make2(object[name]), { replaced: true });
  };
  var skipPlotsNotLaidOut = () => {
    for (const name of ["_measure_layout", "_after_layout"]) {
      replace(figureClass(), name, (usual) => function() {
        if (this.layout) usual.call(this);
      });
    }
  };
  var stillness = matchMedia("(prefers-reduced-motion: reduce)");
  var figureOf = (events) => view(({ canvas_view }) => canvas_view?.events_el === events);
  var figuresIn = (view2) => view2.model.type === "Figure" ? [view2] : [...view2.children_views()].flatMap(figuresIn);
  var figuresOf = (document2) => [...bokeh()?.index?.roots ?? []].filter(({ model }) => model.document === document2).flatMap(figuresIn);
  var figuresInSight = (document2) => figuresOf(document2).filter(({ frame, canvas_view }) => frame?.x_scale?.compute && canvas_view?.events_el?.clientWidth);
  var sourcesOfLayers = () => views(isLayer).map(({ model }) => model.data_source);
  var textAt = (figure, sx, sy) => {
    for (const { glyph, model } of figure.renderer_views.values()) {
      if (glyph?.model.type !== "Text" || !model.visible) continue;
      const [at] = glyph.hit_test({ type: "point", sx, sy })?.indices ?? [];
      if (at !== void 0) return model.data_source.data.text[at];
    }
    return null;
  };

  // tapviz/live/late_plots.js
  skipPlotsNotLaidOut();

  // tapviz/live/names.js
  var ownersIn = ({ layer, of }) => layer?.map((name) => name.includes(" ") ? name.slice(name.indexOf(" ") + 1) : "") ?? of ?? [];
  var isOwn = (owner, name) => owner === name || owner.startsWith(`${name}@`);
  var isNameOf = (text, name) => {
    const [start, ...parts] = text.split("…");
    if (!parts.length) return text === name;
    let at = name.startsWith(start) ? start.length : -1;
    for (const part of parts) if (at >= 0) at = name.indexOf(part, at);
    return at >= 0;
  };

  // tapviz/live/highlight.js
  var FAINT = "26";
  var originals = /* @__PURE__ */ new WeakMap();
  var kept = null;
  var shown = null;
  var sources = () => sourcesOfLayers().filter(({ data }) => data.color);
  var colorsOf = (source) => {
    const known = originals.get(source), now = source.data.color;
    return known && known.faint === now ? known.colors : now;
  };
  var show = (name) => {
    if (name === shown) return;
    shown = name;
    const owners = new Map([...new Set(sources())].map((source) => [source, ownersIn(source.data)]));
    const drawn = name && [...owners.values()].flat().some((one) => isOwn(one, name));
    for (const [source, whose] of owners) {
      const colors = colorsOf(source);
      const others = Array.from(colors, (one, i) => drawn && one.length === 7 && whose[i] && !isOwn(whose[i], name));
      if (others.some(Boolean)) {
        const faint = Array.from(colors, (one, i) => others[i] ? one + FAINT : one);
        originals.set(source, { colors, faint });
        source.data.color = faint;
      } else if (source.data.color === colors) continue;
      else source.data.color = colors;
      source.change.emit();
    }
  };
  var rowOf = (event) => (
    /** @type {Row} */
    /** @type {any[]} */
    event.composedPath().find((element) => element.matches?.("table.scores tr[data-algorithm]"))
  );
  var nameOf = (row) => row?.dataset.algorithm ?? null;
  var figures = /* @__PURE__ */ new WeakMap();
  var nameAt = (event) => {
    const [layer] = (
      /** @type {any[]} */
      event.composedPath()
    );
    if (event.buttons || !layer.matches?.(CLASSES.plotEvents)) return null;
    if (!figures.has(layer)) figures.set(layer, figureOf(layer));
    const { left, top } = layer.getBoundingClientRect(), figure = figures.get(layer);
    const text = figure && textAt(figure, event.clientX - left, event.clientY - top);
    if (!text) return null;
    return rowsOfScores().map(nameOf).find((name) => name && isNameOf(text, name)) ?? null;
  };
  var mark = () => {
    for (const row of rowsOfScores()) {
      row.toggleAttribute("aria-current", kept !== null && nameOf(row) === kept);
    }
  };
  var keep = (name) => {
    kept = name === kept ? null : name;
    mark();
    show(kept);
  };
  document.addEventListener("pointermove", (event) => {
    show(nameOf(rowOf(event)) ?? nameAt(event) ?? kept);
  });
  document.addEventListener("click", (event) => {
    const name = nameOf(rowOf(event)) ?? nameAt(event);
    if (name) keep(name);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      kept = null;
      mark();
      show(null);
      return;
    }
    const table = (
      /** @type {any[]} */
      event.composedPath().map((one) => one.querySelector?.(":scope > table.scores") ?? (one.matches?.("table.scores") ? one : null)).find(Boolean)
    );
    if (!table) return;
    const rows = [...table.querySelectorAll("tr[data-algorithm]")], row = rowOf(event);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const at = row ? rows.indexOf(row) + step : step > 0 ? 0 : rows.length - 1;
      const next = rows[Math.min(Math.max(at, 0), rows.length - 1)];
      next?.focus();
      next?.addEventListener("blur", () => show(kept), { once: true });
      show(nameOf(next) ?? kept);
    } else if (row && (event.key === "Enter" || event.key === " ")) keep(nameOf(row));
    else return;
    event.preventDefault();
  });

  // tapviz/draw/columns.js
  var item = (column, i) => Array.isArray(column) || ArrayBuffer.isView(column) ? (
    /** @type {any} */
    column[i] ?? NaN
  ) : column;

  // tapviz/draw/thresholds.js
  var ALONG = /^(curve |mean|median|rest )/;
  function reached(at, threshold) {
    let low = 0, high = at.length;
    while (high && Number.isNaN(at[high - 1])) high--;
    const way = at[high - 1] < at[0] ? -1 : 1;
    while (low < high) {
      const middle = low + high >> 1;
      if (way * (at[middle] - threshold) <= 1e-9) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
  function nearest(n, distance) {
    let best = -1, least = Infinity;
    for (let i = 0; i < n; i++) {
      const far = distance(i);
      if (far < least) [best, least] = [i, far];
    }
    return { best, least };
  }
  function thresholdAt(lines, distance) {
    let found = NaN, closest = Infinity;
    for (const { x, y, at } of lines) {
      const { best, least } = nearest(at.length, (i) => Number.isNaN(at[i]) ? NaN : distance(item(x, i), item(y, i)));
      if (least < closest) [found, closest] = [at[best], least];
    }
    return found;
  }
  function marksOf(lines, threshold, { left, right, top, bottom, x, y }) {
    const dots = [];
    let across = NaN;
    for (const line of lines) {
      const { at, own, color } = line, i = reached(at, threshold);
      if (i < 0) continue;
      const cx = x(item(line.x, i)), cy = y(item(line.y, i));
      across = own ? cx : x(threshold);
      const beyond = !own && at[i] !== threshold && !Number.isFinite(at[i + 1]);
      const inside = cx >= left - 1 && cx <= right + 1 && cy >= top - 1 && cy <= bottom + 1;
      if (inside && !beyond) dots.push({ x: cx, y: cy, color });
    }
    return { dots, across };
  }

  // tapviz/live/paced.js
  function oncePerFrame(act) {
    let asked = false;
    return () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        act();
      });
    };
  }

  // tapviz/live/read_out.js
  var PARTS = /^<b>(.*?)<\/b> (.*?)((?: \(| · |, threshold ).*)?$/;
  var NUMBER = /[-−]?\d[\d,]*\.?\d*(?:e[-+]?\d+)?/;
  var entry = (line) => {
    const [, name, value, more = ""] = PARTS.exec(line) ?? ["", "", line];
    const number = /^no/.test(value) ? NaN : parseFloat(NUMBER.exec(value)?.[0].replaceAll(",", "").replace("−", "-") ?? "");
    return { name, html: `<b>${name}</b> ${value}<small>${more}</small>`, number: Number.isNaN(number) ? -Infinity : number };
  };
  var readOut = (text) => {
    const [head, ...lines] = text.split("<br>");
    return { head, entries: lines.map(entry).sort((a, b) => b.number - a.number || 0) };
  };

  // tapviz/live/crosshair.js
  var THRESHOLDS = "thresholds";
  var LAYER = "position:absolute;inset:0;overflow:hidden;pointer-events:none";
  var LINE = "position:absolute;width:0;border-left:1px dashed var(--tv-quiet)";
  var DOT = "position:absolute;width:9px;height:9px;margin:-5px 0 0 -5px;box-sizing:border-box;border-radius:50%;border:1.5px solid var(--tv-ground)";
  var strip = make("div", { class: "tapviz-read-out", hidden: true });
  document.body.append(strip);
  var mouse = null;
  var said = "";
  var shown2 = [];
  var linesOf = ({ model }) => model.renderers.flatMap(({ data_source: { data } }) => (data.xs ? data.layer : []).map((layer, i) => ({
    x: data.xs[i],
    y: data.ys[i],
    color: data.color[i].slice(0, 7),
    at: data.thresholds?.[i] ?? (model.tags.includes(THRESHOLDS) && ALONG.test(layer) ? data.xs[i] : []),
    own: Boolean(data.thresholds?.[i])
  })).filter(({ x, at }) => x.length && at.length));
  var thresholdUnder = (figure, x, y) => {
    const { x_scale, y_scale } = figure.frame, lines = linesOf(figure);
    const across = figure.model.tags.includes(THRESHOLDS);
    if (across && !lines.some(({ own }) => own)) return x_scale.invert(x);
    return thresholdAt(lines, (px, py) => Math.hypot(x_scale.compute(px) - x, across ? 0 : y_scale.compute(py) - y));
  };
  var mark2 = (figure, threshold) => {
    const { frame, model, canvas_view: { events_el: place } } = figure;
    const { left, right, top, bottom } = frame.bbox, lines = linesOf(figure);
    const scales = { x: (at2) => frame.x_scale.compute(at2), y: (at2) => frame.y_scale.compute(at2) };
    const { dots, across } = marksOf(lines, threshold, { left, right, top, bottom, ...scales });
    const parts = dots.map(({ x, y, color }) => `<i style="${DOT};left:${x}px;top:${y}px;background:${color}"></i>`);
    const at = lines.length ? across : scales.x(threshold);
    if (model.tags.includes(THRESHOLDS) && at >= left && at <= right) {
      parts.unshift(`<i style="${LINE};left:${at}px;top:${top}px;height:${bottom - top}px"></i>`);
    }
    if (!parts.length) return;
    const layer = place.querySelector(":scope > .tapviz-crosshair") ?? place.appendChild(make("div", { class: "tapviz-crosshair", style: LAYER }));
    layer.innerHTML = parts.join("");
    shown2.push(layer);
  };
  var swatchOf = (name) => {
    const text = new DOMParser().parseFromString(name, "text/html").body.textContent;
    return rowsOfScores().find((row) => row.dataset.algorithm === text)?.querySelector("svg")?.outerHTML ?? "";
  };
  var read = (figure, x) => {
    const { frame, model: { tags, renderers }, canvas_view } = figure;
    const told = tags.find(({ text: text2 }) => text2) ?? renderers.find(({ name }) => name === "readout")?.data_source.data;
    const places = told?.x ?? [];
    const { best } = nearest(places.length, (i) => Math.abs(frame.x_scale.compute(places[i]) - x));
    const text = best < 0 ? "" : told.text[best];
    strip.hidden = !text;
    if (!text) return;
    const header = find(document, ".header")?.getBoundingClientRect();
    const main = find(document, ".main")?.getBoundingClientRect();
    const plot = canvas_view.events_el.getBoundingClientRect();
    if (!main) return;
    const top = Math.max(header?.bottom ?? 0, 0) + 4;
    const below = plot.top < top + 52;
    Object.assign(strip.style, {
      left: `${main.left}px`,
      width: `${main.width}px`,
      top: below ? "auto" : `${top}px`,
      bottom: below ? "4px" : "auto"
    });
    if (text === said) return;
    said = text;
    const { head, entries } = readOut(text);
    strip.innerHTML = `<span class="head">${head}</span>` + entries.map((one) => `<span>${swatchOf(one.name)}${one.html}</span>`).join("");
    strip.classList.remove("short");
    const tooMuch = () => strip.scrollHeight > strip.clientHeight;
    if (tooMuch()) strip.classList.add("short");
    let left = 0;
    while (tooMuch() && strip.children.length > 2) {
      strip.lastElementChild?.remove();
      if (left) strip.lastElementChild?.remove();
      left += 1;
      strip.insertAdjacentHTML("beforeend", `<span class="head">and ${left} more</span>`);
    }
  };
  var drawSoon = oncePerFrame(() => {
    for (const layer of shown2) layer.replaceChildren();
    shown2 = [];
    strip.hidden = true;
    const figure = mouse && figureOf(mouse.events);
    if (!mouse || !figure?.frame?.x_scale?.invert) return;
    const { left, right, top, bottom } = figure.frame.bbox, { x, y } = mouse;
    if (x < left || x > right || y < top || y > bottom) return;
    read(figure, x);
    const threshold = thresholdUnder(figure, x, y);
    if (Number.isNaN(threshold)) return;
    for (const one of figuresInSight(figure.model.document)) mark2(one, threshold);
  });
  document.addEventListener("pointermove", (event) => {
    const [events] = (
      /** @type {Element[]} */
      event.composedPath()
    );
    const before = mouse;
    mouse = null;
    if (events.matches?.(CLASSES.plotEvents) && !event.buttons) {
      const { left, top } = events.getBoundingClientRect();
      mouse = { events, x: event.clientX - left, y: event.clientY - top };
    }
    if (mouse || before) drawSoon();
  });
  document.addEventListener("pointerout", () => {
    if (!mouse) return;
    mouse = null;
    drawSoon();
  });
  for (const type of ["tapviz-painted", "tapviz-moved"]) {
    document.addEventListener(type, () => {
      if (mouse) drawSoon();
    });
  }
})();
