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
var html = (text2, tag = "div", attributes = {}) => {
  const made = make(tag, attributes);
  made.innerHTML = text2;
  return made;
};
var dress = (dark) => {
  document.documentElement.dataset.tapviz = dark ? "dark" : "light";
};

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
var stillness = matchMedia("(prefers-reduced-motion: reduce)");
var NOTHING = () => {
};
var UNUSED = {
  model: {},
  children: () => [],
  children_views: () => [],
  remove: NOTHING,
  set_data: NOTHING,
  set_visuals: NOTHING,
  after_visuals: NOTHING,
  after_lazy_visuals: NOTHING,
  map_data: NOTHING
};
var keepOneLook = (layer) => {
  if (!isOurs(layer)) return;
  for (const name of ["selection_glyph", "nonselection_glyph", "muted_glyph"]) {
    if (!layer[name]?.set_data) continue;
    layer[name].remove();
    layer[name] = UNUSED;
  }
};
var clipOverlays = () => {
  for (const renderer of views(isOverlay)) {
    if (renderer.needs_clip) continue;
    Object.defineProperty(renderer, "needs_clip", { value: true });
    keepOneLook(renderer);
    renderer.plot_view?.canvas_view?.overlays?.ctx?.clearRect(-1, -1, 1e4, 1e4);
    renderer.request_paint?.();
  }
};
var figureOf = (events) => view(({ canvas_view }) => canvas_view?.events_el === events);
var sliderOf = (document2, choice) => viewsIn(document2, ({ model }) => /Slider$/.test(model.type) && model.tags.includes(choice))[0];
var moveSlider = (slider, to) => {
  if (!slider || to === void 0 || !Number.isFinite(to)) return;
  const { start, end } = slider.model;
  const value = Math.min(Math.max(to, start), end);
  if (typeof slider._slide === "function") slider._slide([value]);
  else slider.model.value = value;
};
var rouseDropper = (dropper) => {
  const { readers = [], writers = [], rests = false } = (
    /** @type {any} */
    globalThis.__framePainter ?? {}
  );
  const timer = rests && setInterval(() => {
    if (!dropper.isConnected) return clearInterval(timer);
    for (const act of [...readers, ...writers]) act(performance.now());
  }, 1e3 / 60);
};
var tagged = (tag, document2) => view(({ model }) => model.document === document2 && model.tags?.includes(tag));

// tapviz/draw/layout.js
function scaled(axis, end, from, to) {
  const at = axis.log ? Math.log10 : (value) => value;
  const first2 = at(axis.start), last = at(end === axis.start ? end + 1 : end);
  const factor = (to - from) / (last - first2);
  return (value) => from + (at(value) - first2) * factor;
}
function placed(axis, end, from, to) {
  const at = axis.log ? Math.log10 : (value) => value;
  const first2 = at(axis.start);
  return (pixel) => first2 + (pixel - from) / (to - from) * (at(end) - first2);
}

// tapviz/live/drag.js
var REACH = { mouse: 5, pen: 8, touch: 20 };
var addDrag = (events) => {
  const sliders = {};
  const slider = (choice) => {
    if (!sliders[choice]?.el?.isConnected) sliders[choice] = sliderOf(figure.model.document, choice);
    return sliders[choice];
  };
  let figure = null;
  let held = null;
  const scale = () => {
    figure ??= figureOf(events);
    const frame = events.querySelector(CLASSES.plotFrame)?.getBoundingClientRect();
    if (!figure || !frame?.width) return null;
    const { x_range: { start, end }, x_scale } = figure.model, log = x_scale.type === "LogScale";
    return {
      pixel: scaled({ start, log }, end, frame.left, frame.right),
      place: placed({ start, log }, end, frame.left, frame.right),
      within: ({ clientX: x, clientY: y }) => x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom
    };
  };
  const near = (event) => {
    figure ??= figureOf(events);
    if (!figure?.model.renderers.some(({ tags }) => tags.length)) return null;
    const on2 = scale();
    if (!on2?.within(event)) return null;
    for (const { tags, data_source: { data } } of figure.model.renderers) {
      for (const [layer, choice] of tags) {
        const x = data.xs[data.layer.indexOf(layer)]?.[0];
        const away = Math.abs(on2.pixel(x) - event.clientX);
        const reach = REACH[event.pointerType] ?? REACH.mouse;
        if (away <= reach && slider(choice)?.model.disabled === false) return choice;
      }
    }
    return null;
  };
  const on = (type, act) => events.addEventListener(type, (event) => {
    if (act(event)) event.stopImmediatePropagation();
  }, { capture: true, passive: false });
  on("pointerdown", (event) => {
    if (!event.isPrimary || event.button) return false;
    held = near(event);
    if (!held) return false;
    events.setPointerCapture(event.pointerId);
    events.dispatchEvent(new PointerEvent("pointerout", { isPrimary: true }));
    return true;
  });
  on("pointermove", (event) => {
    if (held) moveSlider(slider(held), scale()?.place(event.clientX));
    else if (!event.buttons) events.classList.toggle("tapviz-drag", near(event) !== null);
    return held !== null;
  });
  for (const type of ["pointerup", "pointercancel"]) {
    on(type, () => {
      const was = held;
      held = null;
      return was !== null;
    });
  }
  on("touchstart", (event) => {
    if (held) event.preventDefault();
    return held !== null;
  });
};

// tapviz/live/roving.js
var stops = (bar, all, at = bar.stop) => {
  bar.stop = all.includes(at) ? at : all[0];
  for (const tool of all) tool.tabIndex = tool === bar.stop ? 0 : -1;
};
var goOn = (bar, all, event) => {
  const at = all.indexOf(event.composedPath()[0]);
  const next = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1 + all.length, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
  if (at < 0 || next === void 0) return false;
  stops(bar, all, all[next % all.length]);
  bar.stop.focus();
  event.preventDefault();
  return true;
};

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
var focusFirst = (part2) => {
  const controls = part2?.shadowRoot ?? part2;
  if (controls) find(controls, ":is(input, select, button):not(.controls-button *)")?.focus();
};

// tapviz/live/typed.js
var NUMBER = /^[-+]?\d*\.?\d*(e[-+]?\d*)?$/i;
var bare = (text2) => text2.trim().replace(/(?<=^[-+]?[1-9]\d{0,2}(?:[,\s]\d{3})*)[,\s](?=\d{3}(?:[,\s]\d{3})*$)/g, "");
var isNumeral = (text2) => NUMBER.test(text2);

// tapviz/live/accessibility.js
var LANDMARKS = {
  header: ["banner"],
  rail: ["region", "controls"],
  main: ["main"],
  data: ["region", "change data"],
  export: ["region", "share"],
  composer: ["region", "figure"]
};
var WAIT = 150;
var REST = 500;
var STEP = 0.02;
var ZOOM = 0.75;
var set = (element, name, value) => {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
};
var host = (element) => (
  /** @type {ShadowRoot} */
  element.getRootNode().host
);
var before = (element) => host(element)?.previousElementSibling?.shadowRoot;
var after = (element) => host(element)?.nextElementSibling?.shadowRoot;
var TOOL = `${CLASSES.toggleTool}, ${CLASSES.clickTool}`;
var BUTTON = `${CLASSES.buttonGroup} > button:not(:only-child)`;
var isActive = (element) => String(element.matches(`${CLASSES.activeTool}, ${CLASSES.pressedButton}`));
var tools = (root) => [...root.querySelectorAll(TOOL)];
var takeNumber = (event) => {
  const box = event.currentTarget, text2 = bare(box.value);
  if (isNumeral(text2) || box.placeholder) box.value = text2;
  else if (event.type === "input") event.stopImmediatePropagation();
  else box.value = "";
};
var toolKey = (event) => {
  const tool = (
    /** @type {Part} */
    event.currentTarget
  ), root = tool.getRootNode();
  if (event.key === " ") press(tool);
  else if (!goOn(root, tools(root), event)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};
var keepFocus = (button) => {
  const place = (
    /** @type {Part} */
    host(button)
  );
  button.addEventListener("focus", () => {
    place.held = button;
  });
  button.addEventListener("blur", () => setTimeout(() => {
    if (button.isConnected && !button.disabled && !button.matches(":focus")) place.held = null;
  }));
  if (place.held && !place.held.isConnected && document.activeElement === document.body) button.focus();
};
var seen = /* @__PURE__ */ new WeakSet();
var isNew = (part2) => !seen.has(part2) && Boolean(seen.add(part2));
var press = (tool) => tool?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
var RULES = {
  // The box beside a slider says its value: of the one for E_0, places on its axis mean nothing.
  [CLASSES.sliderHandle]: (handle) => {
    const title = handle.getRootNode().querySelector(CLASSES.sliderTitle);
    if (title) set(handle, "aria-label", title.textContent.replace(/:.*/, ""));
    const box = after(handle)?.querySelector("input");
    if (!box || handle.pending) return;
    const copySoon = () => {
      clearTimeout(handle.pending);
      handle.pending = setTimeout(() => set(handle, "aria-valuetext", box.value), WAIT);
      set(handle, "data-value", box.value);
    };
    const plain = handle.setAttribute.bind(handle);
    handle.setAttribute = (name, value) => {
      if (name !== "aria-valuetext") return plain(name, value);
      if (value === box.value) return plain(name, value);
      copySoon();
    };
    const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    const follow2 = (text2) => {
      own?.set?.call(box, text2);
      copySoon();
    };
    Object.defineProperty(box, "value", { ...own, set: follow2 });
    copySoon();
  },
  "input[type=checkbox]": (box) => {
    const label = !box.closest("label") && box.getRootNode().querySelector(CLASSES.checkboxLabel);
    if (!label) return;
    set(box, "aria-label", label.textContent);
    label.onclick = () => box.click();
  },
  [`${CLASSES.numberBox} > input`]: (box) => {
    for (const type of ["input", "change"]) box.addEventListener(type, takeNumber, { capture: true });
  },
  [`${CLASSES.inputGroup}:has(input[type=radio])`]: (group) => {
    set(group, "role", "radiogroup");
    const heading = before(group)?.querySelector("h2");
    if (heading) set(group, "aria-label", heading.textContent);
  },
  [`${CLASSES.buttonGroup}:has(> button + button)`]: (group) => {
    set(group, "role", "group");
    set(group, "aria-label", "plots");
  },
  [BUTTON]: (button) => set(button, "aria-pressed", isActive(button)),
  [`${CLASSES.buttonGroup} > button:only-child`]: keepFocus,
  [CLASSES.toolbar]: (bar) => {
    set(bar, "role", "toolbar");
    set(bar, "aria-label", "tools of the plot");
  },
  [TOOL]: (tool) => {
    set(tool, "role", "button");
    set(tool, "aria-label", tool.title);
    if (tool.matches(CLASSES.toggleTool)) set(tool, "aria-pressed", isActive(tool));
    tool.addEventListener("keydown", toolKey, { capture: true });
  },
  [CLASSES.dropper]: (dropper) => {
    if (isNew(dropper)) rouseDropper(dropper);
  },
  [CLASSES.plotLayer]: (canvas) => {
    set(canvas, "aria-hidden", "true");
    clipOverlays();
  },
  [CLASSES.plotEvents]: (events) => {
    const name = host(host(events))?.getAttribute("aria-label");
    set(events, "role", "group");
    set(events, "aria-roledescription", "plot");
    if (name) set(events, "aria-label", `${name}. Arrow keys, Home and End read it out, + and − zoom there, 0 shows all; it is in words below.`);
    const root = events.getRootNode();
    root.adoptedStyleSheets = [...root.adoptedStyleSheets.filter((one) => one !== PLOT), PLOT];
    if (isNew(events)) {
      addReadOut(events);
      addDrag(events);
    }
    requestAnimationFrame(() => {
      const frame = (
        /** @type {Part} */
        events.querySelector(CLASSES.plotFrame)
      );
      if (frame && !figureOf(events)?.model.below[0]?.axis_label) frame.style.setProperty("--tv-tools", "0 calc(100% + 2px)");
    });
  }
};
var PLOT = new CSSStyleSheet();
PLOT.replaceSync(`${CLASSES.plotFrame} { overflow: visible !important; --tv-tools: 0 calc(100% + 20px); }
${CLASSES.plotEvents}:focus-visible {
    outline: 2px solid var(--tv-link, #0a58a8) !important; outline-offset: -2px;
}
.tapviz-drag { cursor: ew-resize !important; }`);
var addReadOut = (events) => {
  const announcement = make("div", {
    role: "status",
    style: "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)"
  });
  events.after(announcement);
  let x = 0.5, y = 0.5, open = false;
  let resting;
  const announce = () => {
    const tips = [...document.querySelectorAll(`${CLASSES.tooltip}, .tapviz-read-out`)].filter((tip) => tip.checkVisibility());
    announcement.textContent = tips.map((tip) => (
      /** @type {Part[]} */
      [...(tip.shadowRoot ?? tip).children].filter((part2) => !/STYLE|LINK/.test(part2.tagName)).map((part2) => part2.innerText).join(" ")
    )).join("; ");
  };
  const point = (kind) => {
    open = kind === "pointermove";
    const frame = events.querySelector(CLASSES.plotFrame)?.getBoundingClientRect();
    if (!frame) return;
    const at = { clientX: frame.left + x * frame.width, clientY: frame.top + y * frame.height };
    const mouse = { ...at, bubbles: true, composed: true, pointerType: "mouse", isPrimary: true };
    events.dispatchEvent(new PointerEvent(kind, mouse));
  };
  const bar = () => (
    /** @type {Part} */
    find(events, CLASSES.toolbar)
  );
  const zoom = (by) => {
    const figure = figureOf(events);
    if (!figure) return;
    for (const [range, share] of [[figure.model.x_range, x], [figure.model.y_range, 1 - y]]) {
      const at = range.start + share * (range.end - range.start);
      range.setv({ start: at + by * (range.start - at), end: at + by * (range.end - at) });
    }
  };
  events.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && open) {
      event.stopPropagation();
      close();
    }
    if (event.target !== events || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = {
      ArrowRight: [1, 0],
      ArrowLeft: [-1, 0],
      ArrowDown: [0, 1],
      ArrowUp: [0, -1],
      End: [1 / STEP, 0],
      Home: [-1 / STEP, 0]
    }[event.key];
    const by = { "+": ZOOM, "=": ZOOM, "-": 1 / ZOOM }[event.key];
    if (step) {
      x = Math.min(Math.max(x + step[0] * STEP, STEP), 1 - STEP);
      y = Math.min(Math.max(y + step[1] * STEP, STEP), 1 - STEP);
      clearTimeout(resting);
      resting = setTimeout(announce, REST);
    } else if (by) zoom(by);
    else if (event.key === "0") press(bar() && tools(bar().shadowRoot).find((tool) => tool.title === "Reset"));
    else return;
    event.preventDefault();
    point("pointermove");
  });
  events.addEventListener("focusin", () => {
    if (!bar()) return;
    bar().toggleAttribute("data-focused", true);
    stops(bar().shadowRoot, tools(bar().shadowRoot));
  });
  events.addEventListener("focusout", ({ relatedTarget }) => {
    if (!events.contains(relatedTarget)) bar()?.toggleAttribute("data-focused", false);
  });
  const close = () => {
    clearTimeout(resting);
    announcement.textContent = "";
    point("pointerout");
  };
  events.addEventListener("blur", () => open && close());
};
var applyRules = (element) => {
  for (const [selector, rule] of Object.entries(RULES)) if (element.matches(selector)) rule(element);
  for (const [name, [role, label]] of Object.entries(LANDMARKS)) {
    if (!element.shadowRoot || !element.classList.contains(name)) continue;
    set(element, "role", role);
    if (label) set(element, "aria-label", label);
  }
};
var observer = new MutationObserver((changes) => {
  for (const { type, target, addedNodes } of changes) {
    if (type === "attributes") applyRules(
      /** @type {Element} */
      target
    );
    else for (const node of addedNodes) if (node instanceof Element) walk(node);
  }
});
var watch = (root) => {
  if (isNew(root)) observer.observe(root, { childList: true, subtree: true });
  for (const element of root.children) walk(element);
};
var walk = (element) => {
  applyRules(element);
  if (element.matches(`${BUTTON}, ${CLASSES.toggleTool}`)) {
    observer.observe(element, { attributes: true, attributeFilter: ["class"] });
  }
  if (element.shadowRoot) watch(element.shadowRoot);
  for (const child of element.children) walk(child);
};
function render({ el }) {
  const begin = () => {
    if (!el.isConnected) return requestAnimationFrame(begin);
    let outermost = el;
    while (host(outermost)) outermost = host(outermost);
    if (outermost.shadowRoot) watch(outermost.shadowRoot);
  };
  begin();
  return document.createElement("div");
}

// tapviz/live/controls_button.js
function render2({ model }) {
  const { opens, label } = model;
  const part2 = () => find(document, `.${opens}`);
  const button = make("button", { onclick: () => {
    show(!isOpen());
    if (isOpen()) focusFirst(part2());
  } }, label);
  const { style } = document.documentElement;
  const show = (open) => {
    button.setAttribute("aria-expanded", `${open}`);
    style.setProperty(`--tv-${opens}`, open ? "block" : "none");
  };
  const isOpen = () => button.getAttribute("aria-expanded") === "true";
  const close = () => {
    if (isOpen()) show(false);
  };
  document.addEventListener("pointerdown", (event) => {
    const path = event.composedPath(), opened = part2();
    if (!path.includes(button) && !(opened && path.includes(opened))) close();
  }, { capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen() || !button.checkVisibility()) return;
    event.stopPropagation();
    button.focus();
    close();
  }, { capture: true });
  show(false);
  return make("div", { class: "controls-button" }, button);
}

// tapviz/live/storage.js
var kept = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
var keep = (key, text2) => {
  try {
    if (text2) localStorage.setItem(key, text2);
    else localStorage.removeItem(key);
  } catch {
  }
};

// tapviz/live/theme.js
var KEPT = "tapviz-ground";
var system = matchMedia("(prefers-color-scheme: dark)");
var chosen = () => {
  const asked = new URLSearchParams(location.search).get("ground") ?? kept(KEPT) ?? "";
  return ["dark", "light"].includes(asked) ? asked : "";
};
var keep2 = (ground) => keep(KEPT, ground);
var isDark = () => chosen() ? chosen() === "dark" : system.matches;

// tapviz/live/theme_button.js
var themeButton = (model) => {
  if (model.sheet && !document.getElementById("tapviz-tokens")) {
    document.head.append(make("style", { id: "tapviz-tokens" }, model.sheet));
  }
  const button = make("button", { class: "theme", onclick: () => {
    const dark = !model.dark;
    model.chosen = dark === system.matches ? "" : dark ? "dark" : "light";
    keep2(model.chosen);
    model.dark = dark;
  } }, "Dark");
  const show = () => {
    dress(model.dark);
    button.setAttribute("aria-pressed", model.dark);
    if (model.whole) document.body.style.background = "var(--tv-page)";
  };
  const follow2 = () => {
    if (!model.chosen) model.dark = system.matches;
  };
  model.on("dark", show);
  if (model.whole) {
    if (chosen()) model.chosen = chosen();
    model.dark = isDark();
    system.addEventListener("change", follow2);
    model.on("remove", () => system.removeEventListener("change", follow2));
  }
  show();
  return button;
};

// tapviz/live/tour.js
var KEPT2 = "tapviz-tour";
var BESIDE = 10;
var text = (selector) => find(document, selector)?.innerText.trim() ?? "";
var first = () => text("table.scores tbody tr[data-algorithm] th") || "The best program";
var score = () => text("table.scores thead th:nth-child(2)");
var part = (selector, words = /^/) => find(document, selector, (one) => words.test(one.innerText) && one.checkVisibility());
var STEPS = [
  [() => part(".verdict"), "The answer, in words", () => "Which program does better, by how much, and between which there is no clear difference. If the interval of a difference excludes 0, chance alone hardly explains it."],
  [() => part(".scrolled:has(> table.scores)"), "The scores, best first", () => `${first()} is in the first row. The sentence above compares the programs; the intervals here are of each alone. Point at a row to see its program in all plots, and at ${score()} or any other head to read what it means.`],
  [() => part("button", /^Threshold$/) ?? part(".tab-area"), "Where the threshold goes", () => "The tab Threshold: say how many errors per query you accept, and get the loosest threshold of each program, with the share of relevant records that it finds."],
  [() => part(".opens-share") ?? part("button", /☰/), "Take it with you", () => "The numbers, the settings, a link, and a report as one file; from Figure… beside it, figures for print with caption and methods."],
  [() => part(".first-group"), "Now drag the threshold", () => "Marks, intervals, the order of the rows, each query's list and the sentence above follow at once: you see how much of the answer depends on where one stops reading."]
];
var tourButton = (model) => {
  const button = make("button", {
    class: "tour",
    title: "What is where on this page, shown on what is open",
    onclick: () => isOpen ? close() : open()
  });
  const count = make("small"), head = make("h2", { id: "tapviz-tour-title", tabindex: -1 });
  const words = make("p", { id: "tapviz-tour-words" });
  const back = make("button", { class: "back", onclick: () => show(at - 1) }, "Back");
  const next = make("button", { class: "next primary", onclick: () => at + 1 < STEPS.length ? show(at + 1) : close() });
  const card = make("div", {
    id: "tapviz-tour",
    role: "dialog",
    "aria-labelledby": "tapviz-tour-title",
    "aria-describedby": "tapviz-tour-words"
  }, count, head, words, back, next, make("button", { class: "close", onclick: () => close() }, "Close"));
  const ring = make("div", { id: "tapviz-tour-ring" });
  let isOpen = false, at = 0, frame = 0;
  const name = () => {
    button.replaceChildren("Tour", ...kept(KEPT2) ? [] : [make("span", {}, `: ${STEPS.length} steps`)]);
    button.setAttribute("aria-expanded", `${isOpen}`);
  };
  const place = () => {
    frame = requestAnimationFrame(place);
    const box = STEPS[at][0]()?.getBoundingClientRect();
    ring.hidden = !box?.width;
    const { innerWidth: width, innerHeight: height } = window;
    const { offsetWidth: wide, offsetHeight: tall } = card;
    const room = (place2, most) => Math.max(8, Math.min(place2, most - 8));
    let top = 60, left = (width - wide) / 2;
    if (box?.width) {
      const below = box.bottom + BESIDE, above = box.top - BESIDE - tall;
      top = below + tall < height ? below : above > 0 ? above : height - tall - 8;
      left = box.left;
      Object.assign(ring.style, {
        left: `${box.left - 4}px`,
        top: `${box.top - 4}px`,
        width: `${box.width + 4}px`,
        height: `${box.height + 4}px`
      });
    }
    Object.assign(card.style, { left: `${room(left, width - wide)}px`, top: `${room(top, height - tall)}px` });
  };
  const remove = () => {
    isOpen = false;
    cancelAnimationFrame(frame);
    card.remove();
    ring.remove();
  };
  const close = () => {
    if (!isOpen) return;
    remove();
    keep(KEPT2, "closed");
    name();
    button.focus();
  };
  const show = (step) => {
    at = step;
    const [target, title, say] = STEPS[at];
    target()?.scrollIntoView({ block: "nearest" });
    count.textContent = `${at + 1} of ${STEPS.length}`;
    head.textContent = title;
    words.textContent = say();
    back.disabled = at === 0;
    next.textContent = at + 1 < STEPS.length ? "Next" : "Done";
    head.focus({ preventScroll: true });
  };
  const open = () => {
    isOpen = true;
    document.body.append(ring, card);
    name();
    show(0);
    place();
  };
  const key = (event) => {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation();
    close();
  };
  document.addEventListener("keydown", key, { capture: true });
  model.on("remove", () => {
    document.removeEventListener("keydown", key, { capture: true });
    if (isOpen) remove();
  });
  name();
  return button;
};

// tapviz/page/tab_area.js
var follow = (document2, chosen2) => {
  const parts = ["plot-of-tab", "caption-of-tab"].map((tag) => tagged(tag, document2)).filter(Boolean);
  const [body] = parts;
  const words = "labels" in chosen2 ? chosen2.labels[chosen2.active] : chosen2.value;
  const [, names] = body?.model.tags ?? [];
  const asked = new Map(names).get(words);
  if (!asked) return;
  const shown = () => body.model.children.find((place) => place.visible)?.css_classes[0];
  const waited = body.asked;
  body.asked = asked;
  const check = () => {
    const there = shown() === body.asked;
    for (const { el } of parts) el.style.visibility = there ? "" : "hidden";
    if (there) body.asked = null;
    else requestAnimationFrame(check);
  };
  if (!waited) check();
};
var blankUntilDrawn = (model, document2) => {
  const changed = ({ model: model2, attr }) => {
    if (/^(active|value)$/.test(attr) && model2.tags.includes("tabs")) follow(document2, model2);
  };
  document2.on_change(changed);
  model.on("remove", () => document2.remove_on_change(changed));
};

// tapviz/page/header_buttons.js
var LESSON = "Learn why pooled scores mislead: 6 scenes, about 7 minutes";
var LEARN = { class: "learn", href: "?learn", title: LESSON, "aria-label": LESSON };
var WORDS = { undo: ["Undo"], redo: ["Redo"], share: ["Share ▾", "Share ▴"], figure: ["Figure…", "Close figure"] };
function render3({ model, view: view2, el }) {
  const button = (name, attributes) => make("button", { ...attributes, onclick: () => model.send_msg(name) });
  const pressed = {
    undo: button("undo", { class: "undo", title: "undo the last choice (Ctrl+Z)" }),
    redo: button("redo", { class: "redo", title: "make it again (Ctrl+Shift+Z)" }),
    share: button("share", { class: "opens-share" }),
    figure: button("figure", { class: "opens-figure" })
  };
  const { figure, ...others } = pressed;
  const lesson = () => html("Learn<span>: why pooled scores mislead, 7 minutes</span>", "a", LEARN);
  const bar = make("div", {
    class: "toolbar",
    role: "toolbar",
    "aria-label": "page",
    onkeydown: (event) => goOn(bar, items(), event),
    onfocusin: (event) => stops(bar, items(), event.target)
  }, ...Object.values(others), themeButton(model), ...model.whole ? [tourButton(model), lesson()] : [], figure);
  const items = () => [...bar.querySelectorAll(":is(button, a):not(:disabled)")];
  const show = () => {
    const focused = (
      /** @type {ShadowRoot} */
      bar.getRootNode().activeElement
    );
    for (const [name, one] of Object.entries(pressed)) {
      const isOpen = model.opened === name;
      one.disabled = model.disabled.includes(name);
      one.textContent = WORDS[name][Number(isOpen)];
      one.classList.toggle("closes-sheet", isOpen);
    }
    stops(bar, items());
    if (focused?.matches(":disabled")) bar.stop?.focus();
  };
  for (const name of ["disabled", "opened"]) model.on(name, show);
  show();
  if (model.whole) blankUntilDrawn(model, view2.model.document);
  return make("div", {}, render({ el }), render2({ model: { opens: "toolbar", label: "☰" } }), bar);
}
export {
  render3 as render
};
