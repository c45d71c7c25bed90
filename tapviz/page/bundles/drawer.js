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
function save(name, text, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 6e4);
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

// tapviz/page/drawer.js
var ROW = 24;
var WINDOW = 36;
var KEPT = 200;
var OWN = "own";
var List = class {
  /** @param {number} place @param {Data} data @param {Drawer} drawer */
  constructor(place, data, drawer) {
    this.place = place;
    this.drawer = drawer;
    this.n = data.n;
    this.name = data.name;
    this.from = data.from;
    this.rows = data.rows;
    this.waiting = false;
    this.marked = 0;
    this.retrieved = -1;
    this.last = 0;
    this.missing = "";
    this.made = /* @__PURE__ */ new Map();
    const swatch = make("span", { class: "swatch" });
    swatch.style.background = data.color === "#000000" ? "var(--tv-black, #000)" : data.color;
    this.tap = make("b", { class: "tap" });
    const name = make("span", { class: "name", title: data.name }, data.name);
    const head = make("div", { class: "head" }, swatch, name, this.tap);
    this.equation = make("div", { class: "equation" });
    this.never = make("span", { class: "never" });
    this.jump = make("button", { class: "jump", onclick: () => this.show(this.retrieved + 1, true) }, "to threshold");
    const facts = make("div", { class: "facts" }, this.never, this.jump);
    this.window = make("div", { class: "window" });
    this.cut = make("div", { class: "cut" });
    this.tick = make("div", { class: "tick" });
    this.strip = this.barcode(data.bars);
    const titles = ["rank", "record", "class", drawer.model.lists.quantity, "R/I", "precision"];
    this.space = make("div", { class: "space" });
    this.scroller = make("div", {
      class: "scroller",
      tabindex: 0,
      role: "listbox",
      "aria-label": `ranked list of ${data.name}`,
      onscroll: oncePerFrame(() => this.draw()),
      onmouseover: (event) => {
        const row = event.target.closest(".record");
        if (row) drawer.mark(this, Number(row.dataset.rank));
      },
      onmouseleave: () => drawer.mark(),
      onblur: () => drawer.mark(),
      onkeydown: (event) => this.key(event)
    }, this.space);
    const note = { role: "option", "aria-disabled": "true" };
    this.line = make("div", { class: "line", ...note });
    this.end = make("div", { class: "end", ...note }, this.n ? "end of the list" : "the list is empty");
    this.element = make(
      "div",
      { class: "list", "data-algorithm": data.name },
      head,
      this.equation,
      facts,
      this.strip,
      make("div", { class: "titles row" }, ...titles.map((title) => make("span", {}, title))),
      this.scroller
    );
  }
  // --- the whole list in a strip -------------------------------------------------------------
  /** A place of the list, or a length, as a share of it. @param {number} rank */
  share(rank) {
    return `${100 * rank / Math.max(this.n, 1)}%`;
  }
  /** @param {Data["bars"]} bars */
  barcode(bars) {
    const viewBox = `0 -1 ${Math.max(this.n, 1)} 2`;
    const picture = drawn("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true" });
    for (const [kind, each] of Object.entries(bars)) {
      drawn("path", { class: kind, d: each.map(([x0, x1, y]) => `M${x0} 0V${-y}H${x1}V0Z`).join("") }, picture);
    }
    const follow = (event) => {
      const box = strip.getBoundingClientRect();
      this.show(Math.ceil((event.clientX - box.left) / box.width * this.n), true);
    };
    const strip = make("div", {
      class: "strip",
      tabindex: 0,
      role: "slider",
      "aria-label": `place in the whole list of ${this.name}`,
      "aria-valuemin": 1,
      "aria-valuemax": Math.max(this.n, 1),
      onpointerdown: (event) => {
        strip.setPointerCapture(event.pointerId);
        follow(event);
      },
      onpointermove: (event) => {
        if (strip.hasPointerCapture(event.pointerId)) follow(event);
      },
      onkeydown: (event) => {
        const all = this.n + 2;
        const by = {
          ArrowRight: 1,
          ArrowDown: 1,
          ArrowLeft: -1,
          ArrowUp: -1,
          PageDown: this.page,
          PageUp: -this.page,
          Home: -all,
          End: all
        }[event.key];
        if (by === void 0) return;
        event.preventDefault();
        this.scroller.scrollTop += by * ROW;
      }
    }, picture, this.cut, this.tick, this.window);
    return strip;
  }
  // --- rows ------------------------------------------------------------------------------------
  /** Rows that are seen at a time. */
  get page() {
    return Math.max(Math.floor(this.scroller.clientHeight / ROW) - 1, 1);
  }
  /** @param {number} rank */
  y(rank) {
    return (rank - 1 + Number(this.retrieved >= 0 && rank > this.retrieved)) * ROW;
  }
  /** @param {number} y */
  rank(y) {
    const row = Math.floor(y / ROW);
    return row + 1 - Number(this.retrieved >= 0 && row > this.retrieved);
  }
  /** @param {Head} head */
  follow(head) {
    this.tap.textContent = head.tap;
    this.tap.dataset.exact = head.exact;
    const before = this.equation.innerHTML;
    this.equation.innerHTML = head.equation;
    this.moved(before);
    this.missing = head.never;
    this.showRank("");
    this.retrieved = head.retrieved;
    this.last = head.last;
    this.line.innerHTML = `<b>${head.line}</b> <span class="s">● sentinel ${head.sentinel}</span>`;
    this.jump.hidden = this.retrieved < 0;
    this.cut.hidden = this.retrieved < 0;
    this.cut.style.left = this.share(Math.max(this.retrieved, 0));
    this.space.style.height = `${(this.n + 1 + Number(this.retrieved >= 0)) * ROW}px`;
    this.draw();
  }
  /** Where the marked record is in this list; else how many relevant records it lacks. @param {string} text */
  showRank(text) {
    this.never.textContent = text || this.missing;
    this.never.classList.toggle("marked", Boolean(text));
  }
  /** Terms that have changed are highlighted for a moment. @param {string} before */
  moved(before) {
    if (!before) return;
    const old = make("div");
    old.innerHTML = before;
    const terms = (place) => [...place.querySelectorAll("span, b")];
    const oldTerms = new Set(terms(old).map((term) => term.className + term.textContent));
    for (const term of terms(this.equation)) {
      if (!oldTerms.has(term.className + term.textContent)) term.classList.add("moved");
    }
  }
  draw() {
    const top = this.scroller.scrollTop, height = this.scroller.clientHeight || 7 * ROW;
    const first = Math.max(this.rank(top), 1);
    const last = Math.min(this.rank(top + height) + 1, this.n);
    const shown = [];
    for (let rank = first; rank <= last; rank++) shown.push(this.row(rank));
    if (this.retrieved >= 0) {
      this.line.style.top = `${this.retrieved * ROW}px`;
      shown.push(this.line);
    }
    this.end.style.top = `${(this.n + Number(this.retrieved >= 0)) * ROW}px`;
    this.space.replaceChildren(...shown, this.end);
    const n = Math.max(this.n, 1), width = Math.min(Math.max(last - first, 1) / n, 1);
    this.window.style.width = `${100 * width}%`;
    this.window.style.left = `${Math.min(100 * (first - 1) / n, 100 - 100 * width)}%`;
    this.strip.setAttribute("aria-valuenow", `${Math.min(first, n)}`);
    this.strip.setAttribute("aria-valuetext", `ranks ${first} to ${last}`);
    this.showMark();
    const from = missing(this, first - 1, last - 1, WINDOW);
    if (from !== void 0 && !this.waiting) {
      this.waiting = true;
      this.drawer.send({ scroll: [this.place, from] });
    }
  }
  /** The marked record, in the strip and among the rows. */
  showMark() {
    this.tick.hidden = !this.marked;
    this.tick.style.left = this.share(this.marked - 0.5);
    for (
      const row of
      /** @type {NodeListOf<HTMLElement>} */
      this.space.querySelectorAll(".record")
    ) {
      const isMarked = Number(row.dataset.rank) === this.marked;
      row.classList.toggle("marked", isMarked);
      row.setAttribute("aria-selected", `${isMarked}`);
    }
  }
  /** @param {number} rank */
  row(rank) {
    const data = this.rows[rank - 1 - this.from];
    const inside = rank <= this.retrieved;
    const tpir = Boolean(data) && inside && !data[2] && rank > this.last;
    const state = [Boolean(data), inside, tpir].join();
    const known = this.made.get(rank);
    if (known?.state === state) {
      known.row.style.top = `${this.y(rank)}px`;
      return known.row;
    }
    if (this.made.size > KEPT) this.made.clear();
    const row = make("div", {
      class: "row record",
      "data-rank": rank,
      role: "option",
      "aria-posinset": rank,
      "aria-setsize": this.n
    }, make("span", {}, rank.toLocaleString("en")));
    this.made.set(rank, { state, row });
    row.style.top = `${this.y(rank)}px`;
    if (!data) return row;
    const [record, score, relevant, precision, , [own, shared, agreement]] = data;
    if (relevant) row.classList.add("relevant");
    if (inside) row.classList.add("inside");
    if (tpir) row.classList.add("tpir");
    const title = own && agreement ? `${own}: ${agreement}` : own;
    if (tpir) {
      row.title = "TPIR: irrelevant, after the last relevant record before the threshold. Only the sentinel term counts it.";
    }
    row.append(
      make("span", { class: "id", title: record }, this.drawer.link(record)),
      make("span", { class: "class", title }, make("b", {}, own.slice(0, shared)), own.slice(shared)),
      make("span", {}, score),
      make(
        "span",
        { class: "kind", title: relevant ? "relevant" : "irrelevant" },
        relevant ? "▲ R" : "▽ I",
        tpir ? " TPIR" : null
      ),
      make("span", { class: "precision" }, precision)
    );
    return row;
  }
  drawAnew() {
    this.made.clear();
    this.draw();
  }
  /** @param {Sent} sent */
  take({ from, rows }) {
    this.from = from;
    this.rows = rows;
    this.waiting = false;
    this.drawAnew();
  }
  /** @param {number} rank @param {boolean} middle whether it is to be in the middle */
  show(rank, middle = false) {
    const at = this.y(Math.min(Math.max(rank, 1), Math.max(this.n, 1)));
    this.scroller.scrollTop = middle ? at - this.scroller.clientHeight / 2 : inSight(this.scroller, at, ROW);
  }
  /** @param {KeyboardEvent} event */
  key(event) {
    const now = this.marked || Math.max(this.rank(this.scroller.scrollTop), 1) - 1;
    const next = rowAt(event.key, now - 1, this.page, this.n);
    if (next === void 0) return;
    event.preventDefault();
    this.show(next + 1);
    this.draw();
    this.drawer.mark(this, next + 1);
  }
};
var Drawer = class {
  /** @param {any} model */
  constructor(model) {
    this.model = model;
    this.lists = [];
    this.focus = this.address = "";
    this.part = null;
    this.title = make("b", { class: "title" });
    this.about = make("span", { class: "about" }, model.about);
    this.suggestions = make("datalist", { id: "suggestions" });
    this.input = make("input", {
      placeholder: "id, then Enter",
      list: "suggestions",
      autocomplete: "off",
      spellcheck: "false",
      oninput: () => this.send({ typed: this.input.value }),
      onkeydown: (event) => {
        if (event.key === "Enter") this.send({ focus: this.input.value });
      }
    });
    this.choice = make("select", { class: "links", "aria-label": "where ids lead", onchange: () => {
      const own = this.choice.value === OWN;
      this.pattern.hidden = !own;
      if (own) this.pattern.focus();
      else this.send({ links: this.choice.value });
    } });
    this.pattern = make("input", {
      class: "pattern",
      placeholder: "https://…/{id}",
      "aria-label": "address of links, with {id} in it",
      onkeydown: (event) => {
        if (event.key === "Enter") this.send({ links: this.pattern.value });
      }
    });
    this.problem = make("span", { class: "problem", role: "alert" });
    this.where = make("span", { class: "where", role: "status" });
    const button = (name, words, title, message) => make("button", { class: name, "aria-label": title, title, onclick: () => this.send(message) }, words);
    this.close = button("close-drawer", "Close (Esc)", "Close (Esc)", { close: true });
    this.csv = button("csv", "CSV", "Download these lists as CSV", { csv: true });
    this.steps = [button("step", "‹", "previous query", { step: -1 }), button("step", "›", "next query", { step: 1 })];
    const bar = make(
      "div",
      { class: "bar" },
      this.title,
      make("label", {}, "Focus ", this.input),
      this.suggestions,
      ...this.steps,
      this.choice,
      this.pattern,
      this.problem,
      this.about,
      this.where,
      this.csv,
      this.close
    );
    this.place = make("div", { class: "lists" });
    this.element = make("section", { class: "drawer", "aria-label": "ranked lists" }, bar, this.place);
    this.offer();
    this.show();
    this.follow();
    model.on("links", () => {
      this.offer();
      for (const list of this.lists) list.drawAnew();
    });
    model.on("lists", () => {
      this.show();
      this.follow();
    });
    model.on("heads", () => this.follow());
    model.on("about", () => {
      this.about.textContent = model.about;
    });
    model.on("suggestions", () => {
      this.suggestions.replaceChildren(...model.suggestions.map((value) => make("option", { value })));
    });
    model.on("problem", () => {
      this.problem.textContent = model.problem;
    });
    model.on("msg:custom", (message) => {
      const { place, stamp, name, csv } = message.data ?? message;
      if (csv !== void 0) save(name, csv, "text/csv");
      if (stamp === model.lists.stamp) this.lists[place]?.take(message.data ?? message);
    });
  }
  /** @param {object} message */
  send(message) {
    this.model.send_msg({ ...message, stamp: this.model.lists.stamp });
  }
  /** Where ids lead. */
  offer() {
    const { chosen, offered, pattern, part } = this.model.links;
    this.choice.replaceChildren(
      new Option("link ids to …", ""),
      ...offered.map((name) => new Option(`links to ${name}`, name)),
      new Option("other links…", OWN)
    );
    const own = Boolean(chosen) && !offered.includes(chosen);
    this.choice.value = own ? OWN : chosen;
    this.pattern.hidden = !own;
    if (own) this.pattern.value = chosen;
    this.address = pattern;
    this.part = part ? new RegExp(part) : null;
  }
  /** An id, as a link to what is known of it where it has one. @param {string} id */
  link(id) {
    const found = this.part ? this.part.exec(id)?.[1] : id;
    if (!this.address || !found || !/^https?:\/\//.test(this.address)) return id;
    const href = this.address.replaceAll("{id}", encodeURIComponent(found));
    return make("a", { href, target: "_blank", rel: "noopener noreferrer", tabindex: -1 }, id);
  }
  show() {
    const { focus, lists } = this.model.lists;
    const opened = focus && !this.focus;
    this.focus = focus;
    this.title.textContent = focus ? `Ranked lists of ${focus}` : "Ranked lists";
    this.input.value = focus;
    for (const one of [this.csv, this.close, this.choice, ...this.steps]) one.hidden = !focus;
    if (!focus) this.pattern.hidden = true;
    this.element.classList.toggle("open", Boolean(focus));
    this.where.textContent = "";
    this.about.hidden = false;
    this.lists = lists.map((data, place) => new List(place, data, this));
    this.place.replaceChildren(...this.lists.map((list) => list.element));
    this.place.hidden = !focus;
    requestAnimationFrame(() => {
      const { host } = (
        /** @type {ShadowRoot} */
        this.element.getRootNode()
      );
      host?.classList.toggle("open", Boolean(focus));
      if (!opened || !host || getComputedStyle(host).position === "sticky") return;
      this.element.scrollIntoView({ block: "nearest", behavior: "instant" });
    });
  }
  follow() {
    const { heads } = this.model;
    if (heads.length !== this.lists.length) return;
    this.lists.forEach((list, place) => list.follow(heads[place]));
  }
  /** A record of one list in all lists; without one, none. @param {List} [list] @param {number} [rank] */
  mark(list, rank = 0) {
    const data = list?.rows[rank - 1 - list.from];
    const ranks = data ? data[4] : [];
    const wanted = this.lists.map((other) => other === list ? rank : ranks[other.place] ?? 0);
    this.lists.forEach((other, place) => {
      if (other.marked === wanted[place]) return;
      other.marked = wanted[place];
      other.showMark();
    });
    const id = data?.[0];
    this.lists.forEach((other, place) => other.showRank(!id ? "" : wanted[place] ? `${id}: rank ${wanted[place].toLocaleString("en")}` : `${id}: not retrieved`));
    this.where.textContent = !id ? "" : `${id}: ` + this.lists.map((other, place) => `${other.name} ${wanted[place] || "not retrieved"}`).join(" · ");
    this.about.hidden = Boolean(this.where.textContent);
  }
};
var render = ({ model }) => new Drawer(model).element;
export {
  render
};
