// Made by `npm run build` of the files named below: change those.
// tapviz/live/compat.js
var stillness = matchMedia("(prefers-reduced-motion: reduce)");
var dotOf = (query) => {
  const isDots = ({ model }) => model.type === "GlyphRenderer" && model.data_source.data.query;
  for (const { model, plot_view } of globalThis.Bokeh?.index?.query?.(isDots) ?? []) {
    const { x, y, query: ids } = model.data_source.data;
    const at = x && y ? Array.prototype.indexOf.call(ids, query) : -1;
    const { frame, canvas_view } = plot_view ?? {};
    const place = canvas_view?.events_el;
    if (at < 0 || !place?.clientWidth || !frame?.x_scale?.compute) continue;
    return { place, x: frame.x_scale.compute(x[at]), y: frame.y_scale.compute(y[at]) };
  }
  return null;
};
var dotUnderMouse = () => {
  const isDots = ({ model }) => model.type === "GlyphRenderer" && model.data_source.data.query;
  for (const { model } of globalThis.Bokeh?.index?.query?.(isDots) ?? []) {
    const { data, inspected } = model.data_source;
    const [at] = inspected?.indices ?? [];
    if (at !== void 0) return data.query[at] ?? null;
  }
  return null;
};

// tapviz/page/queries.js
var ROW = 26;
var WINDOW = 40;
var TYPING = 200;
var SVG = "http://www.w3.org/2000/svg";
var TALL = 9;
var make = (tag, name, text) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== void 0) element.textContent = text;
  return element;
};
var percent = (share) => `${100 * share}%`;
var strip = ([digits, cut]) => {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 ${-TALL} ${Math.max(digits.length, 1)} ${2 * TALL}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const path = (kind, d) => {
    const element = document.createElementNS(SVG, "path");
    element.setAttribute("class", kind);
    element.setAttribute("d", d);
    svg.append(element);
  };
  const bars = (height) => [...digits].map((digit, x) => `M${x} 0V${height(Number(digit))}H${x + 1}V0Z`).join("");
  path("relevant", bars((share) => -share));
  path("irrelevant", bars((share) => TALL - share));
  if (cut >= 0) path("cut", `M${cut * digits.length} ${-TALL}V${TALL}`);
  return svg;
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
  bar: (cell, [text, share], { color }) => {
    const bar = make("span");
    Object.assign(bar.style, { left: 0, width: percent(Math.max(share, 0)) });
    drawn(cell, text, color, bar);
  },
  difference: (cell, [text, share, low, high, words], { colors }) => {
    const from = (one) => (1 + one) / 2;
    const between = (name, a, b) => {
      const bar = make("span", name);
      const [left, right] = [from(Math.min(a, b)), from(Math.max(a, b))];
      Object.assign(bar.style, { left: percent(left), width: percent(right - left) });
      return bar;
    };
    const bars = [between("", 0, share)];
    if (words) {
      bars.push(between("interval", low, high));
      cell.title = `95 % interval ${words}`;
    }
    drawn(cell, text, colors[share < 0 ? 1 : 0], ...bars);
  },
  strips: (cell, lists) => cell.append(...lists.map(strip))
};
var drawn = (cell, text, color, ...bars) => {
  cell.classList.add("drawn");
  const place = make("i");
  place.style.color = color;
  place.append(...bars);
  cell.append(make("b", "", text), place);
};
var Table = class {
  constructor(model) {
    this.model = model;
    this.marked = -1;
    this.waiting = false;
    this.element = make("section", "queries");
    this.element.setAttribute("aria-label", "queries");
    this.controls();
    this.grid = make("div", "grid");
    this.grid.setAttribute("role", "grid");
    this.grid.setAttribute("aria-label", "queries");
    this.inner = make("div", "inner");
    this.heads = make("div", "row heads");
    this.heads.setAttribute("role", "row");
    this.scroller = make("div", "scroller");
    this.scroller.tabIndex = 0;
    this.scroller.setAttribute("role", "rowgroup");
    this.scroller.setAttribute("aria-label", "rows");
    this.space = make("div", "space");
    this.space.setAttribute("role", "presentation");
    this.scroller.append(this.space);
    this.inner.append(this.heads, this.scroller);
    this.grid.append(this.inner);
    this.none = make("div", "none");
    this.element.append(this.bar, this.grid, this.none);
    this.ring = make("div");
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
    this.ring.className = "tapviz-ring";
    this.scroller.addEventListener("scroll", () => this.soon());
    this.scroller.addEventListener("click", (event) => {
      const row = event.target.closest(".record");
      if (row) this.choose(Number(row.dataset.place));
    });
    this.scroller.addEventListener("mouseover", (event) => {
      this.pointTo(event.target.closest(".record")?.dataset.key);
    });
    this.scroller.addEventListener("mouseleave", () => this.pointTo());
    this.scroller.addEventListener("blur", () => {
      this.mark(-1);
      this.pointTo();
    });
    this.scroller.addEventListener("keydown", (event) => this.key(event));
    this.listen = () => this.follow(dotUnderMouse());
    document.addEventListener("pointermove", this.listen);
    model.on("shown", () => this.show());
    model.on("msg:custom", (message) => {
      const { from, rows, stamp } = message.data ?? message;
      if (stamp !== model.shown.stamp) return;
      Object.assign(this, { from, rows, waiting: false });
      this.draw();
    });
    model.on("remove", () => {
      document.removeEventListener("pointermove", this.listen);
      this.ring.remove();
    });
    this.show();
  }
  controls() {
    const button = (name, words, act) => {
      const element = make("button", name, words);
      element.onclick = act;
      return element;
    };
    const choice = (words, message) => {
      const label = make("label", "", words);
      const select = make("select");
      select.onchange = () => this.send({ [message]: select.value });
      label.append(select);
      return [label, select];
    };
    this.bar = make("div", "bar-of-controls");
    this.open = button("open-queries", "", () => {
      this.send({ by: this.model.shown.by ? "" : "query" });
    });
    this.levels = make("div", "group levels");
    this.levels.setAttribute("role", "group");
    this.levels.setAttribute("aria-label", "a row for each");
    this.find = make("input");
    this.find.placeholder = "id or class";
    this.find.setAttribute("aria-label", "find in the table");
    this.find.spellcheck = false;
    this.find.addEventListener("input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.send({ find: this.find.value }), TYPING);
    });
    this.find.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.send({ find: this.find.value });
    });
    [this.labelA, this.a] = choice("A ", "a");
    [this.labelB, this.b] = choice("B ", "b");
    this.sides = make("div", "group sides");
    this.sides.setAttribute("role", "group");
    this.sides.setAttribute("aria-label", "who does better");
    this.buttons = ["a", "equal", "b"].map((side) => {
      const one = button(side, "", () => {
        this.send({ better: this.model.shown.better === side ? "" : side });
      });
      this.sides.append(one);
      return one;
    });
    this.keep = button("keep", "Make these the subset", () => this.send({ keep: true }));
    this.count = make("span", "count");
    this.count.setAttribute("role", "status");
    this.bar.append(
      make("b", "title", "Queries"),
      this.open,
      this.levels,
      this.find,
      this.labelA,
      this.labelB,
      this.sides,
      this.keep,
      this.count
    );
  }
  send(message) {
    this.model.send_msg({ ...message, stamp: this.model.shown.stamp });
  }
  get byClass() {
    return this.model.shown.by !== "query";
  }
  show() {
    const { shown } = this.model, open = Boolean(shown.by);
    this.open.textContent = open ? "Close the table" : "Show the table";
    this.open.setAttribute("aria-expanded", open);
    for (const part of [
      this.levels,
      this.find,
      this.labelA,
      this.labelB,
      this.sides,
      this.keep,
      this.count,
      this.grid,
      this.none
    ]) part.hidden = !open;
    if (!open) {
      this.pointTo();
      return;
    }
    const two = shown.pair.length > 1;
    this.keep.hidden = !shown.keeps;
    this.labelA.hidden = this.labelB.hidden = !two;
    this.sides.hidden = !two || this.byClass;
    this.levels.hidden = shown.levels.length < 2;
    if (this.levels.childElementCount !== shown.levels.length) {
      this.levels.replaceChildren(...shown.levels.map(([words2, value]) => {
        const one = make("button", "", words2);
        one.value = value;
        one.onclick = () => this.send({ by: value });
        return one;
      }));
    }
    for (const one of this.levels.children) {
      one.setAttribute("aria-pressed", one.value === shown.by);
    }
    if (this.find.getRootNode().activeElement !== this.find) this.find.value = shown.find;
    if (two) {
      for (const [select, value] of [[this.a, shown.pair[0]], [this.b, shown.pair[1]]]) {
        if (select.length !== shown.names.length) {
          select.replaceChildren(...shown.names.map((name) => new Option(name, name)));
        }
        select.value = value;
      }
    }
    const words = ["A better", "equal", "B better"];
    this.buttons.forEach((one, place) => {
      one.textContent = `${words[place]}: ${shown.sides[place].toLocaleString("en")}`;
      one.setAttribute("aria-pressed", shown.better === one.className);
    });
    const what = shown.levels.find(([, value]) => value === shown.by)[0];
    const n = shown.n.toLocaleString("en"), total = shown.total.toLocaleString("en");
    this.count.textContent = `${shown.n === shown.total ? n : `${n} of ${total}`} ${what} · ` + (this.byClass ? `mean ${shown.score}; Enter or a click keeps the class` : `${shown.score}; Enter or a click opens the lists`);
    this.showHeads();
    Object.assign(this, { from: shown.from, rows: shown.rows, waiting: false });
    this.grid.setAttribute("aria-rowcount", shown.n + 1);
    this.none.textContent = shown.n ? "" : "Nothing matches.";
    this.none.hidden = Boolean(shown.n);
    this.space.style.height = `${shown.n * ROW}px`;
    this.scroller.style.height = `${Math.min(Math.max(shown.n, 1), 13) * ROW}px`;
    const about = [shown.by, shown.order, shown.find, shown.better].join("\n");
    if (this.about !== void 0 && this.about !== about) this.scroller.scrollTop = 0;
    this.about = about;
    this.draw();
  }
  showHeads() {
    const { columns, order } = this.model.shown;
    const column = order.replace(/^-/, ""), down = order.startsWith("-");
    const alike = JSON.stringify(columns);
    if (this.alike !== alike) {
      this.alike = alike;
      this.heads.replaceChildren(...columns.map(({ name, title, kind, help }) => {
        const head = make("span", kind);
        head.setAttribute("role", "columnheader");
        head.title = help ?? title;
        if (!name) {
          head.textContent = title;
          return head;
        }
        head.dataset.column = name;
        const sort = make("button", "", title);
        sort.onclick = () => {
          const other = this.model.shown.order;
          const text = kind === "id" || kind === "text";
          const usual = text ? name : `-${name}`;
          const turned = text ? `-${name}` : name;
          this.send({ sort: other === usual ? turned : usual });
        };
        head.append(sort);
        return head;
      }));
    }
    for (const head of this.heads.children) {
      if (!head.dataset.column) continue;
      head.setAttribute("aria-sort", head.dataset.column !== column ? "none" : down ? "descending" : "ascending");
    }
  }
  soon() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }
  draw() {
    const { n } = this.model.shown;
    const first = Math.max(Math.floor(this.scroller.scrollTop / ROW), 0);
    const last = Math.min(first + Math.ceil((this.scroller.clientHeight || 13 * ROW) / ROW), n - 1);
    const shown = [];
    for (let place = first; place <= last; place++) shown.push(this.row(place));
    this.space.replaceChildren(...shown);
    const loaded = this.from <= first && last < this.from + this.rows.length;
    if (!loaded && last >= first && !this.waiting) {
      this.waiting = true;
      const spare = Math.max(Math.floor((WINDOW - (last - first + 1)) / 2), 0);
      this.send({ scroll: Math.max(first - spare, 0) });
    }
  }
  row(place) {
    const { columns, focus, chosen } = this.model.shown;
    const data = this.rows[place - this.from];
    const row = make("div", "row record");
    row.id = `query-${place}`;
    row.dataset.place = place;
    row.style.top = `${place * ROW}px`;
    row.setAttribute("role", "row");
    row.setAttribute("aria-rowindex", place + 2);
    if (place === this.marked) row.classList.add("marked");
    columns.forEach((column, i) => {
      const cell = make("span", column.kind);
      cell.setAttribute("role", "gridcell");
      if (data) CELLS[column.kind](cell, data[i], column);
      row.append(cell);
    });
    if (!data) return row;
    row.dataset.key = data[0];
    const inFocus = data[0] === (this.byClass ? chosen : focus);
    row.classList.toggle("focus", inFocus);
    row.setAttribute("aria-selected", inFocus);
    return row;
  }
  choose(place) {
    const data = this.rows[place - this.from];
    if (data) this.send(this.byClass ? { within: data[0] } : { focus: data[0] });
  }
  key(event) {
    const { n } = this.model.shown, page = 12;
    if (event.key === "Enter" && this.marked >= 0) this.choose(this.marked);
    const now = this.marked < 0 ? Math.floor(this.scroller.scrollTop / ROW) - 1 : this.marked;
    const next = {
      ArrowDown: now + 1,
      ArrowUp: now - 1,
      PageDown: now + page,
      PageUp: now - page,
      Home: 0,
      End: n - 1
    }[event.key];
    if (next === void 0 || !n) return;
    event.preventDefault();
    this.mark(Math.min(Math.max(next, 0), n - 1));
  }
  mark(place) {
    this.marked = place;
    const top = this.scroller.scrollTop, height = this.scroller.clientHeight;
    if (place >= 0 && place * ROW < top) this.scroller.scrollTop = place * ROW;
    else if (place >= 0 && (place + 1) * ROW > top + height) {
      this.scroller.scrollTop = (place + 1) * ROW - height;
    }
    this.draw();
    if (place >= 0) this.scroller.setAttribute("aria-activedescendant", `query-${place}`);
    else this.scroller.removeAttribute("aria-activedescendant");
    this.pointTo(this.rows[place - this.from]?.[0]);
  }
  // A ring around the dot of a query, in the plots that have one; without a query, none.
  pointTo(key) {
    const dot = key === void 0 || this.byClass ? null : dotOf(key);
    if (!dot) {
      this.ring.remove();
      return;
    }
    Object.assign(this.ring.style, { left: `${dot.x}px`, top: `${dot.y}px` });
    if (this.ring.parentNode !== dot.place) dot.place.append(this.ring);
  }
  // The row of the query whose dot is under the mouse.
  follow(query) {
    if (!this.model.shown.by || this.byClass) return;
    for (const row of this.space.children) {
      row.classList.toggle("pointed", query !== null && row.dataset.key === query);
    }
  }
};
function render({ model }) {
  return new Table(model).element;
}
export {
  render
};
