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
function setAttributes(element, attributes) {
  for (const name in attributes) element.setAttribute(name, attributes[name]);
}
function drawn(tag, attributes = {}, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(made, attributes);
  parent?.append(made);
  return made;
}

// tapviz/live/compat.js
var bokeh = () => (
  /** @type {any} */
  globalThis.Bokeh
);
var views = (condition) => [...bokeh()?.index?.query?.(condition) ?? []];
var viewsIn = (document2, condition) => views((one) => one.model.document === document2 && condition(one));
var isLayer = ({ model }) => model.type === "GlyphRenderer";
var stillness = matchMedia("(prefers-reduced-motion: reduce)");
var isDots = (one) => isLayer(one) && one.model.data_source.data.query;
var dotOf = (document2, query) => {
  for (const { model, plot_view } of viewsIn(document2, isDots)) {
    const { x, y, query: ids } = model.data_source.data;
    const at = x && y ? Array.prototype.indexOf.call(ids, query) : -1;
    const { frame, canvas_view } = plot_view ?? {};
    const place = canvas_view?.events_el;
    if (at < 0 || !place?.clientWidth || !frame?.x_scale?.compute) continue;
    return { place, x: frame.x_scale.compute(x[at]), y: frame.y_scale.compute(y[at]) };
  }
  return null;
};
var dotUnderMouse = (document2) => {
  for (const { model } of viewsIn(document2, isDots)) {
    const { data, inspected } = model.data_source;
    const [at] = inspected?.indices ?? [];
    if (at !== void 0) return data.query[at] ?? null;
  }
  return null;
};

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

// tapviz/page/rows.js
function rowAt(key, now, page, n) {
  const next = {
    ArrowDown: now + 1,
    ArrowUp: now - 1,
    PageDown: now + page,
    PageUp: now - page,
    Home: 0,
    End: n - 1
  }[key];
  return next === void 0 || !n ? void 0 : Math.min(Math.max(next, 0), n - 1);
}
function missing({ from, rows }, first, last, most) {
  if (last < first || from <= first && last < from + rows.length) return void 0;
  return Math.max(first - Math.max(Math.floor((most - (last - first + 1)) / 2), 0), 0);
}
function inSight({ scrollTop, clientHeight }, top, height) {
  if (top < scrollTop) return top;
  return top + height > scrollTop + clientHeight ? top + height - clientHeight : scrollTop;
}

// tapviz/page/queries.js
var ROW = 26;
var WINDOW = 40;
var TYPING = 200;
var READING = 200;
var RESTING = 1e3;
var BRIEF = 8;
var SEEN = 13;
var PAGE = 7;
var TALL = 9;
var SIDES = ["A better", "equal", "B better"];
var percent = (share) => `${100 * share}%`;
var strip = ([digits, cut]) => {
  const viewBox = `0 ${-TALL} ${Math.max(digits.length, 1)} ${2 * TALL}`;
  const picture = drawn("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true" });
  const bars = (height) => [...digits].map((digit, x) => `M${x} 0V${height(Number(digit))}H${x + 1}V0Z`).join("");
  drawn("path", { class: "relevant", d: bars((share) => -share) }, picture);
  drawn("path", { class: "irrelevant", d: bars((share) => TALL - share) }, picture);
  if (cut >= 0) drawn("path", { class: "cut", d: `M${cut * digits.length} ${-TALL}V${TALL}` }, picture);
  return picture;
};
var withBars = (cell, text, color, ...bars) => {
  cell.classList.add("drawn");
  const place = make("i", {}, ...bars);
  place.style.color = color;
  cell.append(make("b", {}, text), place);
};
var bar = (name, from, to) => {
  const made = make("span", { class: name || null });
  Object.assign(made.style, { left: percent(from), width: percent(to - from) });
  return made;
};
var CELLS = {
  id: (cell, value) => {
    cell.textContent = cell.title = value;
  },
  text: (cell, value) => {
    cell.textContent = cell.title = value;
  },
  number: (cell, value) => {
    cell.textContent = value;
  },
  counts: (cell, value) => {
    cell.textContent = value;
  },
  bar: (cell, [text, share], { color }) => withBars(cell, text, color, bar("", 0, Math.max(share, 0))),
  difference: (cell, [text, share, low, high, words], { colors }) => {
    const between = (name, a, b) => bar(name, (1 + Math.min(a, b)) / 2, (1 + Math.max(a, b)) / 2);
    const bars = [between("", 0, share)];
    if (words) {
      bars.push(between("interval", low, high));
      cell.title = `95 % interval ${words}`;
    }
    withBars(cell, text, colors[share < 0 ? 1 : 0], ...bars);
  },
  strip: (cell, list) => cell.append(strip(list))
};
var Table = class {
  /** @param {any} model @param {any} page its document in Bokeh */
  constructor(model, page) {
    this.page = page;
    this.model = model;
    this.marked = -1;
    this.waiting = false;
    this.atTop = true;
    this.visible = true;
    this.turned = void 0;
    this.from = 0;
    this.rows = [];
    this.typing = void 0;
    this.about = void 0;
    this.alike = "";
    this.drawn = /* @__PURE__ */ new Map();
    const button = (name, words, onclick) => make("button", { class: name, onclick }, words);
    const group = (name, label, ...inside) => make("div", { class: `group ${name}`, role: "group", "aria-label": label }, ...inside);
    const choice = (message) => {
      const onchange = () => this.send({ [message]: select.value });
      const select = make("select", { "aria-label": message.toUpperCase(), onchange });
      return select;
    };
    this.open = button("open-queries", "", () => this.send({ by: this.shown.by ? "" : "query" }));
    this.levels = group("levels", "a row for each");
    const look = () => this.send({ find: this.find.value });
    this.find = make("input", {
      placeholder: "id or class",
      "aria-label": "find in the table",
      spellcheck: "false",
      oninput: () => {
        clearTimeout(this.typing);
        this.typing = setTimeout(look, TYPING);
      },
      onkeydown: (event) => {
        if (event.key === "Enter") look();
      }
    });
    this.a = choice("a");
    this.b = choice("b");
    this.labelA = make("label", {}, "A ", this.a);
    this.labelB = make("label", {}, "B ", this.b);
    this.buttons = ["a", "equal", "b"].map((side) => button(side, "", () => this.send({ better: this.shown.better === side ? "" : side })));
    this.sides = group("sides", "who does better", ...this.buttons);
    this.keep = button("keep", "Make these the subset", () => this.send({ keep: true }));
    this.count = make("span", { class: "count", role: "status" });
    const controls = make(
      "div",
      { class: "bar-of-controls" },
      make("b", { class: "title" }, "Queries"),
      this.labelA,
      this.labelB,
      this.count,
      this.open
    );
    this.more = make("div", { class: "bar-of-controls" }, this.levels, this.find, this.sides, this.keep);
    this.heads = make("div", { class: "row heads", role: "row" });
    this.space = make("div", { class: "space", role: "presentation" });
    const recordOf = (event) => event.target.closest(".record")?.dataset;
    this.scroller = make("div", {
      class: "scroller",
      tabindex: 0,
      role: "rowgroup",
      "aria-label": "rows",
      onscroll: oncePerFrame(() => {
        const atTop = this.scroller.scrollTop < 1;
        if (atTop !== this.atTop) this.send({ top: this.atTop = atTop });
        this.draw();
      }),
      onclick: (event) => {
        const row = recordOf(event);
        if (row) this.choose(Number(row.place));
      },
      onmouseover: (event) => this.pointTo(recordOf(event)?.key),
      onmouseleave: () => this.pointTo(),
      onblur: () => {
        this.mark(-1);
        this.pointTo();
      },
      onkeydown: (event) => this.key(event)
    }, this.space);
    this.grid = make(
      "div",
      { class: "grid", role: "grid", "aria-label": "queries" },
      make("div", { class: "inner" }, this.heads, this.scroller)
    );
    this.none = make("div", { class: "none" });
    this.element = make("section", { class: "queries", "aria-label": "queries" }, controls, this.more, this.grid, this.none);
    this.ring = make("div", { class: "tapviz-ring" });
    Object.assign(this.ring.style, {
      position: "absolute",
      width: "16px",
      height: "16px",
      borderRadius: "50%",
      border: "2px solid var(--tv-accent, #7A1FA2)",
      boxSizing: "border-box",
      transform: "translate(-50%, -50%)",
      pointerEvents: "none"
    });
    const listen = (event) => {
      if (!event.buttons) this.follow(dotUnderMouse(page));
    };
    const gone = new AbortController(), { signal } = gone;
    document.addEventListener("pointermove", listen, { signal });
    const watched = new IntersectionObserver((seen) => {
      this.visible = seen[seen.length - 1].isIntersecting;
    });
    watched.observe(this.element);
    const turned = paced(() => this.visible ? READING : RESTING, (detail) => this.turn({ ...model.shown, ...detail }));
    const turn = ({ detail }) => {
      if (detail.of === page) turned(detail.shown);
    };
    const stay = () => {
      turned(void 0);
      this.turn();
    };
    const settle = () => {
      if (this.turned) stay();
    };
    document.addEventListener("tapviz-queries", turn, { signal });
    document.addEventListener("tapviz-settle", settle, { signal });
    model.on("shown", stay);
    model.on("msg:custom", (message) => {
      const { from, rows, stamp } = message.data ?? message;
      if (stamp !== model.shown.stamp) return;
      this.take(from, rows);
      this.draw();
    });
    model.on("remove", () => {
      gone.abort();
      watched.disconnect();
      this.ring.remove();
    });
    this.show();
  }
  /** What the table shows: what the server sent, or a view at the position of a slider. */
  get shown() {
    return this.turned ?? this.model.shown;
  }
  /** @param {object} message */
  send(message) {
    this.model.send_msg({ ...message, stamp: this.model.shown.stamp });
  }
  /** @param {number} from @param {any[][]} rows */
  take(from, rows) {
    this.from = from;
    this.rows = rows;
    this.waiting = false;
  }
  get byClass() {
    return !["", "query"].includes(this.shown.by);
  }
  /** Shows what a view has, or what the server sent. @param {any} [turned] */
  turn(turned) {
    this.turned = turned;
    this.show();
  }
  show() {
    const { shown } = this;
    this.showControls();
    this.showHeads();
    this.take(shown.from, shown.rows);
    this.grid.setAttribute("aria-rowcount", shown.n + 1);
    this.none.textContent = shown.n ? "" : "Nothing matches.";
    this.none.hidden = Boolean(shown.n);
    this.space.style.height = `${shown.n * ROW}px`;
    this.scroller.style.height = `${Math.min(Math.max(shown.n, 1), shown.by ? SEEN : BRIEF) * ROW}px`;
    const about = [shown.by, shown.order, shown.find, shown.better].join("\n");
    if (this.about !== void 0 && this.about !== about) this.scroller.scrollTop = 0;
    this.about = about;
    this.draw();
  }
  showControls() {
    const { shown } = this, two = shown.pair.length > 1;
    const levels = shown.levels;
    this.open.textContent = shown.by ? "Find and filter ▴" : "Find and filter ▾";
    this.open.setAttribute("aria-expanded", `${Boolean(shown.by)}`);
    this.more.hidden = !shown.by;
    this.keep.hidden = !shown.keeps;
    this.labelB.hidden = !two;
    this.sides.hidden = !two || this.byClass;
    this.levels.hidden = levels.length < 2;
    if (this.levels.childElementCount !== levels.length) {
      this.levels.replaceChildren(...levels.map(([words, value]) => make("button", { value, onclick: () => this.send({ by: value }) }, words)));
    }
    for (
      const one of
      /** @type {Iterable<any>} */
      this.levels.children
    ) {
      one.setAttribute("aria-pressed", one.value === shown.by);
    }
    const root = (
      /** @type {Document | ShadowRoot} */
      this.find.getRootNode()
    );
    if (root.activeElement !== this.find) this.find.value = shown.find;
    for (const [place, select] of [this.a, this.b].slice(0, shown.pair.length).entries()) {
      if (select.length !== shown.names.length) {
        select.replaceChildren(...shown.names.map((name) => new Option(name, name)));
      }
      select.value = shown.pair[place];
    }
    this.buttons.forEach((one, place) => {
      one.textContent = `${SIDES[place]}: ${shown.sides[place].toLocaleString("en")}`;
      one.setAttribute("aria-pressed", `${shown.better === one.className}`);
    });
    const most = !shown.by && !shown.order && two ? "where A and B differ most first; " : "";
    this.count.textContent = `${shown.counted} · ` + (this.byClass ? `mean ${shown.score}; Enter or a click keeps the class` : `${shown.score}; ${most}a row opens the lists`);
  }
  showHeads() {
    const { columns, order } = this.shown;
    const column = order.replace(/^-/, ""), down = order.startsWith("-");
    const alike = JSON.stringify(columns);
    if (this.alike !== alike) {
      this.alike = alike;
      this.heads.replaceChildren(...columns.map((one) => this.head(one)));
    }
    for (
      const head of
      /** @type {Iterable<any>} */
      this.heads.children
    ) {
      if (!head.dataset.column) continue;
      head.setAttribute("aria-sort", head.dataset.column !== column ? "none" : down ? "descending" : "ascending");
    }
  }
  /** @param {Column} column */
  head({ name, title, kind, help }) {
    const attributes = { class: kind, role: "columnheader", title: help ?? title };
    if (!name) return make("span", attributes, title);
    const onclick = () => {
      const text = kind === "id" || kind === "text";
      const [usual, turned] = text ? [name, `-${name}`] : [`-${name}`, name];
      this.send({ sort: this.shown.order === usual ? turned : usual });
    };
    return make("span", { ...attributes, "data-column": name }, make("button", { onclick }, title));
  }
  draw() {
    const { n } = this.shown;
    const first = Math.max(Math.floor(this.scroller.scrollTop / ROW), 0);
    const last = Math.min(first + Math.ceil((this.scroller.clientHeight || SEEN * ROW) / ROW), n - 1);
    const before = this.drawn;
    this.drawn = /* @__PURE__ */ new Map();
    for (let place = first; place <= last; place++) this.drawn.set(place, this.row(place, before.get(place)));
    const rows = [...this.drawn.values()].map(({ element }) => element);
    if (rows.length !== this.space.childElementCount || rows.some((row, i) => row !== this.space.children[i])) {
      this.space.replaceChildren(...rows);
    }
    const from = missing(this, first, last, WINDOW);
    if (from !== void 0 && !this.waiting && !this.turned) {
      this.waiting = true;
      this.send({ scroll: from });
    }
  }
  /** A row, of which only cells are made that differ from what it was. @param {number} place @param {Row} [before] @returns {Row} */
  row(place, before) {
    const { columns } = this.shown, { focus, chosen } = this.model.shown;
    const data = this.rows[place - this.from];
    const alike = data && before?.data && before.columns === columns ? before : void 0;
    const row = alike?.element ?? make("div", {
      class: "row record",
      id: `query-${place}`,
      "data-place": place,
      role: "row",
      "aria-rowindex": place + 2
    });
    columns.forEach((column, i) => {
      if (alike && alike.data[i] === data[i]) return;
      const cell = make("span", { class: column.kind, role: "gridcell" });
      if (data) CELLS[column.kind](cell, data[i], column);
      if (alike) row.children[i].replaceWith(cell);
      else row.append(cell);
    });
    row.style.top = `${place * ROW}px`;
    row.classList.toggle("marked", place === this.marked);
    if (data) {
      row.dataset.key = data[0];
      const inFocus = data[0] === (this.byClass ? chosen : focus);
      row.classList.toggle("focus", inFocus);
      row.setAttribute("aria-selected", `${inFocus}`);
    }
    return { element: row, data, columns };
  }
  /** @param {number} place */
  choose(place) {
    const data = this.rows[place - this.from];
    if (data) this.send(this.byClass ? { within: data[0] } : { focus: data[0] });
  }
  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Enter" && this.marked >= 0) this.choose(this.marked);
    const now = this.marked < 0 ? Math.floor(this.scroller.scrollTop / ROW) - 1 : this.marked;
    const next = rowAt(event.key, now, PAGE, this.shown.n);
    if (next === void 0) return;
    event.preventDefault();
    this.mark(next);
  }
  /** @param {number} place */
  mark(place) {
    this.marked = place;
    if (place >= 0) this.scroller.scrollTop = inSight(this.scroller, place * ROW, ROW);
    this.draw();
    if (place >= 0) this.scroller.setAttribute("aria-activedescendant", `query-${place}`);
    else this.scroller.removeAttribute("aria-activedescendant");
    this.pointTo(this.rows[place - this.from]?.[0]);
  }
  /** A ring around the dot of a query, in the plots that have one; without a query, none. @param {string} [key] */
  pointTo(key) {
    const dot = key === void 0 || this.byClass ? null : dotOf(this.page, key);
    if (!dot) {
      this.ring.remove();
      return;
    }
    Object.assign(this.ring.style, { left: `${dot.x}px`, top: `${dot.y}px` });
    if (this.ring.parentNode !== dot.place) dot.place.append(this.ring);
  }
  /** The row of the query whose dot is under the mouse. @param {string | null} query */
  follow(query) {
    if (this.byClass) return;
    for (
      const row of
      /** @type {Iterable<any>} */
      this.space.children
    ) {
      row.classList.toggle("pointed", query !== null && row.dataset.key === query);
    }
  }
};
var render = ({ model, view }) => new Table(model, view.model.document).element;
export {
  render
};
