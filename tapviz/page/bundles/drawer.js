// Made by `npm run build` of the files named below: change those.
// tapviz/page/drawer.js
var ROW = 24;
var WINDOW = 36;
var KEPT = 200;
var OWN = "own";
var make = (tag, name, text) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== void 0) element.textContent = text;
  return element;
};
var save = (name, text) => {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 6e4);
};
var SVG = "http://www.w3.org/2000/svg";
var List = class {
  constructor(place, data, drawer) {
    Object.assign(this, { place, drawer, n: data.n, name: data.name });
    this.from = data.from;
    this.rows = data.rows;
    this.waiting = false;
    this.marked = 0;
    this.made = /* @__PURE__ */ new Map();
    this.element = make("div", "list");
    this.element.dataset.algorithm = data.name;
    const head = make("div", "head");
    const swatch = make("span", "swatch");
    swatch.style.background = data.color === "#000000" ? "var(--tv-black, #000)" : data.color;
    const name = make("span", "name", data.name);
    name.title = data.name;
    this.tap = make("b", "tap");
    head.append(swatch, name, this.tap);
    this.equation = make("div", "equation");
    const facts = make("div", "facts");
    this.never = make("span", "never");
    this.jump = make("button", "jump", "to threshold");
    this.jump.onclick = () => this.show(this.retrieved + 1, true);
    facts.append(this.never, this.jump);
    this.barcode(data.bars);
    const titles = make("div", "titles row");
    for (const title of ["rank", "record", "class", drawer.model.lists.quantity, "R/I", "precision"]) {
      titles.append(make("span", "", title));
    }
    this.scroller = make("div", "scroller");
    this.scroller.tabIndex = 0;
    this.scroller.setAttribute("role", "listbox");
    this.scroller.setAttribute("aria-label", `ranked list of ${data.name}`);
    this.space = make("div", "space");
    this.scroller.append(this.space);
    this.line = make("div", "line");
    this.end = make("div", "end", this.n ? "end of the list" : "the list is empty");
    for (const note of [this.line, this.end]) {
      note.setAttribute("role", "option");
      note.setAttribute("aria-disabled", true);
    }
    this.scroller.addEventListener("scroll", () => this.soon());
    this.scroller.addEventListener("mouseover", (event) => {
      const row = event.target.closest(".record");
      if (row) drawer.mark(this, Number(row.dataset.rank));
    });
    this.scroller.addEventListener("mouseleave", () => drawer.mark(null));
    this.scroller.addEventListener("blur", () => drawer.mark(null));
    this.scroller.addEventListener("keydown", (event) => this.key(event));
    this.element.append(head, this.equation, facts, this.strip, titles, this.scroller);
  }
  // --- the whole list in a strip -------------------------------------------------------------
  barcode(bars) {
    this.strip = make("div", "strip");
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 -1 ${Math.max(this.n, 1)} 2`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    for (const [kind, each] of Object.entries(bars)) {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", kind);
      path.setAttribute("d", each.map(([x0, x1, y]) => `M${x0} 0V${-y}H${x1}V0Z`).join(""));
      svg.append(path);
    }
    this.window = make("div", "window");
    this.cut = make("div", "cut");
    this.tick = make("div", "tick");
    this.strip.append(svg, this.cut, this.tick, this.window);
    this.strip.tabIndex = 0;
    this.strip.setAttribute("role", "slider");
    this.strip.setAttribute("aria-label", `place in the whole list of ${this.name}`);
    this.strip.setAttribute("aria-valuemin", 1);
    this.strip.setAttribute("aria-valuemax", Math.max(this.n, 1));
    const follow = (event) => {
      const box = this.strip.getBoundingClientRect();
      this.show(Math.ceil((event.clientX - box.left) / box.width * this.n), true);
    };
    this.strip.addEventListener("pointerdown", (event) => {
      this.strip.setPointerCapture(event.pointerId);
      follow(event);
    });
    this.strip.addEventListener("pointermove", (event) => {
      if (this.strip.hasPointerCapture(event.pointerId)) follow(event);
    });
    this.strip.addEventListener("keydown", (event) => {
      const page = Math.max(Math.floor(this.scroller.clientHeight / ROW) - 1, 1);
      const all = this.n + 2;
      const by = {
        ArrowRight: 1,
        ArrowDown: 1,
        ArrowLeft: -1,
        ArrowUp: -1,
        PageDown: page,
        PageUp: -page,
        Home: -all,
        End: all
      }[event.key];
      if (by === void 0) return;
      event.preventDefault();
      this.scroller.scrollTop += by * ROW;
    });
  }
  // --- rows ------------------------------------------------------------------------------------
  y(rank) {
    return (rank - 1 + (this.retrieved >= 0 && rank > this.retrieved)) * ROW;
  }
  rank(y) {
    const row = Math.floor(y / ROW);
    return row + 1 - (this.retrieved >= 0 && row > this.retrieved);
  }
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
    this.cut.style.left = `${100 * Math.max(this.retrieved, 0) / Math.max(this.n, 1)}%`;
    this.space.style.height = `${(this.n + 1 + (this.retrieved >= 0)) * ROW}px`;
    this.draw();
  }
  // Where the marked record is in this list; else how many relevant records it lacks.
  showRank(text) {
    this.never.textContent = text || this.missing;
    this.never.classList.toggle("marked", Boolean(text));
  }
  // Terms that have changed are highlighted for a moment.
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
  soon() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
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
    this.end.style.top = `${(this.n + (this.retrieved >= 0)) * ROW}px`;
    this.space.replaceChildren(...shown, this.end);
    const width = Math.min(Math.max(last - first, 1) / Math.max(this.n, 1), 1);
    this.window.style.width = `${100 * width}%`;
    this.window.style.left = `${Math.min(100 * (first - 1) / Math.max(this.n, 1), 100 - 100 * width)}%`;
    this.strip.setAttribute("aria-valuenow", Math.min(first, Math.max(this.n, 1)));
    this.strip.setAttribute("aria-valuetext", `ranks ${first} to ${last}`);
    this.tick.hidden = !this.marked;
    this.tick.style.left = `${100 * (this.marked - 0.5) / Math.max(this.n, 1)}%`;
    const loaded = this.from + 1 <= first && last <= this.from + this.rows.length;
    if (!loaded && last >= first && !this.waiting) {
      this.waiting = true;
      const spare = Math.max(Math.floor((WINDOW - (last - first + 1)) / 2), 0);
      this.drawer.send({ scroll: [this.place, Math.max(first - 1 - spare, 0)] });
    }
  }
  row(rank) {
    const data = this.rows[rank - 1 - this.from];
    const inside = rank <= this.retrieved;
    const tpir = Boolean(data) && inside && !data[2] && rank > this.last;
    const state = [Boolean(data), inside, tpir, rank === this.marked].join();
    const known = this.made.get(rank);
    if (known?.state === state) {
      known.row.style.top = `${this.y(rank)}px`;
      return known.row;
    }
    if (this.made.size > KEPT) this.made.clear();
    const row = make("div", "row record");
    this.made.set(rank, { state, row });
    row.dataset.rank = rank;
    row.style.top = `${this.y(rank)}px`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", rank === this.marked);
    row.setAttribute("aria-posinset", rank);
    row.setAttribute("aria-setsize", this.n);
    row.append(make("span", "", rank.toLocaleString("en")));
    if (rank === this.marked) row.classList.add("marked");
    if (!data) return row;
    const [record, score, relevant, precision] = data;
    if (relevant) row.classList.add("relevant");
    if (inside) row.classList.add("inside");
    if (tpir) row.classList.add("tpir");
    const [own, shared, agreement] = data[5];
    const name = make("span", "id");
    name.append(this.drawer.link(record));
    name.title = record;
    const kin = make("span", "class");
    kin.append(make("b", "", own.slice(0, shared)), own.slice(shared));
    kin.title = own && agreement ? `${own}: ${agreement}` : own;
    const kind = make("span", "kind", relevant ? "▲ R" : "▽ I");
    kind.title = relevant ? "relevant" : "irrelevant";
    if (tpir) {
      kind.append(" TPIR");
      row.title = "TPIR: irrelevant, after the last relevant record before the threshold. Only the sentinel term counts it.";
    }
    row.append(name, kin, make("span", "", score), kind, make("span", "precision", precision));
    return row;
  }
  drawAnew() {
    this.made.clear();
    this.draw();
  }
  take({ from, rows }) {
    this.from = from;
    this.rows = rows;
    this.waiting = false;
    this.drawAnew();
  }
  show(rank, middle = false) {
    const at = this.y(Math.min(Math.max(rank, 1), Math.max(this.n, 1)));
    const { scrollTop: top, clientHeight: height } = this.scroller;
    if (middle) this.scroller.scrollTop = at - height / 2;
    else if (at < top) this.scroller.scrollTop = at;
    else if (at + ROW > top + height) this.scroller.scrollTop = at + ROW - height;
  }
  key(event) {
    const page = Math.max(Math.floor(this.scroller.clientHeight / ROW) - 1, 1);
    const now = this.marked || Math.max(this.rank(this.scroller.scrollTop), 1) - 1;
    const next = {
      ArrowDown: now + 1,
      ArrowUp: now - 1,
      PageDown: now + page,
      PageUp: now - page,
      Home: 1,
      End: this.n
    }[event.key];
    if (next === void 0 || !this.n) return;
    event.preventDefault();
    const rank = Math.min(Math.max(next, 1), this.n);
    this.show(rank);
    this.draw();
    this.drawer.mark(this, rank);
  }
};
var Drawer = class {
  constructor(model) {
    this.model = model;
    this.lists = [];
    this.element = make("section", "drawer");
    this.element.setAttribute("aria-label", "ranked lists");
    const bar = make("div", "bar");
    this.title = make("b", "title");
    this.about = make("span", "about");
    this.input = make("input");
    this.input.placeholder = "id, then Enter";
    this.input.setAttribute("list", "suggestions");
    this.input.setAttribute("autocomplete", "off");
    this.input.spellcheck = false;
    this.suggestions = make("datalist");
    this.suggestions.id = "suggestions";
    const label = make("label", "", "Focus ");
    label.append(this.input);
    this.choice = make("select", "links");
    this.choice.setAttribute("aria-label", "where ids lead");
    this.pattern = make("input", "pattern");
    this.pattern.placeholder = "https://…/{id}";
    this.pattern.setAttribute("aria-label", "address of links, with {id} in it");
    this.choice.addEventListener("change", () => {
      const own = this.choice.value === OWN;
      this.pattern.hidden = !own;
      if (own) this.pattern.focus();
      else this.send({ links: this.choice.value });
    });
    this.pattern.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.send({ links: this.pattern.value });
    });
    this.problem = make("span", "problem");
    this.problem.setAttribute("role", "alert");
    this.where = make("span", "where");
    this.where.setAttribute("role", "status");
    const button = (name, words, title, message) => {
      const element = make("button", name, words);
      element.setAttribute("aria-label", title);
      element.title = title;
      element.onclick = () => this.send(message);
      return element;
    };
    this.close = button("close-drawer", "Close (Esc)", "Close (Esc)", { close: true });
    this.csv = button("csv", "CSV", "Download these lists as CSV", { csv: true });
    bar.append(
      this.title,
      label,
      this.suggestions,
      button("step", "‹", "previous query", { step: -1 }),
      button("step", "›", "next query", { step: 1 }),
      this.choice,
      this.pattern,
      this.problem,
      this.about,
      this.where,
      this.csv,
      this.close
    );
    this.input.addEventListener("input", () => this.send({ typed: this.input.value }));
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.send({ focus: this.input.value });
    });
    this.place = make("div", "lists");
    this.element.append(bar, this.place);
    this.about.textContent = model.about;
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
    model.on("suggestions", () => this.suggest());
    model.on("problem", () => {
      this.problem.textContent = model.problem;
    });
    model.on("msg:custom", (message) => {
      const { place, stamp, name, csv } = message.data ?? message;
      if (csv !== void 0) save(name, csv);
      if (stamp === model.lists.stamp) this.lists[place]?.take(message.data ?? message);
    });
  }
  send(message) {
    this.model.send_msg({ ...message, stamp: this.model.lists.stamp });
  }
  // Where ids lead.
  offer() {
    const { chosen, offered, pattern, part } = this.model.links;
    const options = [
      ["", "ids without links"],
      ...offered.map((name) => [name, `links to ${name}`]),
      [OWN, "other links…"]
    ];
    this.choice.replaceChildren(...options.map(([value, words]) => Object.assign(make("option", "", words), { value })));
    const own = Boolean(chosen) && !offered.includes(chosen);
    this.choice.value = own ? OWN : chosen;
    this.pattern.hidden = !own;
    if (own) this.pattern.value = chosen;
    this.address = pattern;
    this.part = part ? new RegExp(part) : null;
  }
  // An id, as a link to what is known of it where it has one.
  link(id) {
    const found = this.part ? this.part.exec(id)?.[1] : id;
    if (!this.address || !found || !/^https?:\/\//.test(this.address)) return id;
    const link = make("a", "", id);
    link.href = this.address.replaceAll("{id}", encodeURIComponent(found));
    Object.assign(link, { target: "_blank", rel: "noopener noreferrer", tabIndex: -1 });
    return link;
  }
  show() {
    const { focus, lists } = this.model.lists;
    const opened = focus && !this.focus;
    this.focus = focus;
    this.title.textContent = focus ? `Ranked lists of ${focus}` : "Ranked lists";
    this.input.value = focus;
    this.csv.hidden = this.close.hidden = this.choice.hidden = !focus;
    if (!focus) this.pattern.hidden = true;
    this.element.classList.toggle("open", Boolean(focus));
    this.where.textContent = "";
    this.about.hidden = false;
    this.lists = lists.map((data, place) => new List(place, data, this));
    this.place.replaceChildren(...this.lists.map((list) => list.element));
    this.place.hidden = !focus;
    if (opened) {
      requestAnimationFrame(() => this.element.scrollIntoView({ block: "nearest", behavior: "instant" }));
    }
  }
  follow() {
    const { heads } = this.model;
    if (heads.length !== this.lists.length) return;
    this.lists.forEach((list, place) => list.follow(heads[place]));
  }
  suggest() {
    this.suggestions.replaceChildren(...this.model.suggestions.map((id) => {
      const option = make("option");
      option.value = id;
      return option;
    }));
  }
  // A record of one list in all lists; without one, none.
  mark(list, rank) {
    const data = list?.rows[rank - 1 - list.from];
    const ranks = data ? data[4] : [];
    const wanted = this.lists.map((other) => other === list ? rank : ranks[other.place] ?? 0);
    this.lists.forEach((other, place) => {
      if (other.marked === wanted[place]) return;
      other.marked = wanted[place];
      for (const row of other.space.querySelectorAll(".record")) {
        const same = Number(row.dataset.rank) === other.marked;
        row.classList.toggle("marked", same);
        row.setAttribute("aria-selected", same);
      }
      other.tick.hidden = !other.marked;
      other.tick.style.left = `${100 * (other.marked - 0.5) / Math.max(other.n, 1)}%`;
    });
    const id = data?.[0];
    this.lists.forEach((other, place) => other.showRank(!id ? "" : wanted[place] ? `${id}: rank ${wanted[place].toLocaleString("en")}` : `${id}: not retrieved`));
    this.where.textContent = !id ? "" : `${id}: ` + this.lists.map((other, place) => `${other.name} ${wanted[place] || "not retrieved"}`).join(" · ");
    this.about.hidden = Boolean(this.where.textContent);
  }
};
function render({ model }) {
  return new Drawer(model).element;
}
export {
  render
};
