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
var dress = (dark) => {
  document.documentElement.dataset.tapviz = dark ? "dark" : "light";
};

// tapviz/lesson/codes.js
var ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
var ALIKE = { O: "0", I: "1", L: "1" };
var CHECK = 1021n;
var GROUP = 4;
var ONE = 3;
var PRIME = 37;
var MOST = Math.floor(32 ** ONE / PRIME);
var values = (question) => question.options.map(([value]) => value);
function positions(question) {
  const options = values(question).length;
  return BigInt(options ? options + 1 : Math.round((question.high - question.low) / question.step) + 2);
}
function position(question, answer) {
  if (answer == null) return 0n;
  if (typeof answer === "string") return BigInt(values(question).indexOf(answer) + 1);
  return BigInt(Math.round((answer - question.low) / question.step) + 1);
}
function answerAt(question, place) {
  if (place === 0) return null;
  const options = values(question);
  if (options.length) return options[place - 1];
  return Number((question.low + question.step * (place - 1)).toPrecision(12));
}
var plain = (code) => code.toUpperCase().replace(/[ -]/g, "").replace(/[OIL]/g, (one) => ALIKE[one]);
var written = (number, width) => Array.from({ length: width }, (_, i) => ALPHABET[Number(number >> BigInt(5 * (width - 1 - i)) & 31n)]).join("");
var numberOf = (text) => [...text].reduce((sum, one) => sum * 32n + BigInt(ALPHABET.indexOf(one)), 0n);
var states = (questions2) => questions2.reduce((product, one) => product * positions(one), 1n);
function digits(questions2) {
  const largest = CHECK * (states(questions2) - 1n);
  return Math.max(1, Math.ceil(largest.toString(2).length / 5));
}
function encode(questions2, edition2, predictions) {
  const number = questions2.reduce((sum, one) => sum * positions(one) + position(one, predictions[one.name]), 0n);
  const text = written(number * CHECK, digits(questions2));
  return (edition2 + text).match(new RegExp(`.{1,${GROUP}}`, "g"))?.join("-") ?? "";
}
function decode(questions2, edition2, code) {
  const text = plain(code), strange = [...text].find((one) => !ALPHABET.includes(one));
  if (strange) throw new Error(`${strange} is in no code`);
  if (!text.startsWith(edition2)) throw new Error(`begins with ${text.slice(0, 2)}, not ${edition2}: mistyped, or of another lesson`);
  const length = 2 + digits(questions2);
  if (text.length !== length) throw new Error(`has ${text.length} characters, not ${length}`);
  let number = numberOf(text.slice(2));
  if (number % CHECK || number / CHECK >= states(questions2)) throw new Error("mistyped: compare it with the student's");
  number /= CHECK;
  const found = {};
  for (const question of [...questions2].reverse()) {
    const count = positions(question);
    found[question.name] = answerAt(question, Number(number % count));
    number /= count;
  }
  return found;
}
var power = ({ step }) => Math.floor(Math.log10(step) + 1e-9);
function decodeOne(questions2, name, code) {
  const text = code.toUpperCase().replace(/[OIL]/g, (one) => ALIKE[one]);
  const place = questions2.findIndex((one) => one.name === name), question = questions2[place];
  const at = (Number(numberOf(text)) - place) / PRIME;
  if (!/^[0-9A-HJKMNP-TV-Z]{3}$/.test(text) || at < 0 || at % 1) return void 0;
  if (positions(question) <= MOST) return at < positions(question) ? answerAt(question, at) : void 0;
  const value = at < 2 ? 0 : Number(`${(10 + (at - 2) % 90) / 10}e${power(question) + Math.floor((at - 2) / 90)}`);
  return at === 0 ? null : value <= question.high ? value : void 0;
}

// tapviz/lesson/histogram.js
var BINS = 20;
var MOST2 = 500;
var shown = (value) => value.toLocaleString("en", { maximumFractionDigits: 3 });
var DASHES = /[‐‑‒–—−]/g;
function codesIn(line, edition2, length) {
  const begins = [...edition2].map((one) => ({ 0: "[0O]", 1: "[1IL]" })[one] ?? one).join("[ -]?");
  return line.toUpperCase().replace(DASHES, "-").match(new RegExp(`(?<![0-9A-Z])${begins}(?:[ -]?[0-9A-Z]){${length - 2}}(?![0-9A-Z])`, "g")) ?? [];
}
function read(questions2, edition2, text) {
  const read2 = [];
  const problems = [];
  const seen = /* @__PURE__ */ new Map(), length = encode(questions2, edition2, {}).replaceAll("-", "").length;
  text.split(/\r\n|\r|\n/).forEach((line, i) => {
    const name = line.slice(0, line.lastIndexOf(":") + 1), rest = line.slice(name.length).trim();
    const found = codesIn(line, edition2, length);
    if (!rest && name && !found.length) problems.push(`Line ${i + 1}: “${line.trim()}” has no code after the colon.`);
    for (const code of found.length || !rest ? found : [rest]) {
      try {
        const one = decode(questions2, edition2, code), same = JSON.stringify(one), first = seen.get(same);
        if (first) problems.push(`Line ${i + 1} has the code of line ${first}, which counts once.`);
        else {
          seen.set(same, i + 1);
          read2.push(one);
        }
      } catch (error) {
        const { message } = (
          /** @type {Error} */
          error
        );
        problems.push(`Line ${i + 1}, “${line.trim()}”, is not counted: ${message}.`);
      }
    }
  });
  return { read: read2, problems };
}
function oneByOne(questions2, name, text) {
  const codes = text.replace(/[^\s,;]*:/g, " ").split(/[^0-9A-Za-z]+/).filter(Boolean);
  const all = codes.map((code) => ({ code, answer: decodeOne(questions2, name, code) }));
  return { read: all.flatMap(({ answer }) => answer === void 0 ? [] : [answer]), wrong: all.filter(({ answer }) => answer === void 0).map(({ code }) => code) };
}
function bins({ low, high, step, options }) {
  if (options.length) return options.map(([value, words]) => ({ label: words, holds: (one) => one === value }));
  if ((high - low) / step > MOST2) {
    const found = [{ label: "0", holds: (one) => one === 0 }];
    for (let from = step < 1 ? 0 : 1, to = from ? 10 : 1; from < high; from = to, to *= 10) {
      const label = from === 0 ? `above 0, below ${to}` : `${shown(from)} to below ${shown(to)}`;
      found.push({ label, from, holds: (one) => one >= from && one < to && one !== 0 });
    }
    return found;
  }
  const width = (high - low) / BINS;
  const place = (value) => Math.min(BINS - 1, Math.floor((value - low) / width + 1e-9));
  return Array.from({ length: BINS }, (_, i) => ({
    label: `${shown(low + i * width)} to ${i === BINS - 1 ? "" : "below "}${shown(low + (i + 1) * width)}`,
    from: low + i * width,
    holds: (one) => place(one) === i
  }));
}
function middle(values2) {
  const sorted = [...values2].sort((a, b) => a - b), half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
var exponent = (value) => [...String(Math.round(Math.log10(value)))].map((one) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(one)]).join("");

// tapviz/lesson/class.js
var byId = (id) => document.getElementById(id);
var { edition, questions } = JSON.parse(byId("data").textContent);
var prefers = matchMedia("(prefers-color-scheme: dark)");
prefers.addEventListener("change", () => dress(prefers.matches));
dress(prefers.matches);
var box = byId("codes");
var size = byId("size");
var collects = (
  /** @type {any} */
  window.collects
);
var WIDTH = 440;
var HEIGHT = 190;
var KEPT = "tapviz class codes";
var REMARKS = 20;
var [WAITS, COUNTED, REVEALED] = [0, 1, 2];
var SAVED = /<meta name="tapviz-code" content="([^"]*)"/;
var plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
function truthWords(question) {
  const found = question.options.find(([value]) => value === question.truth);
  return found ? found[1] : shown(question.truth);
}
function picture(question, counted, words, revealed) {
  const { options, low, high, step } = question, row = 44, most = Math.max(1, ...counted.map((one) => one.count));
  const truth = revealed ? counted.findIndex((one) => one.holds(question.truth)) : -1;
  const svg = drawn("svg", { role: "img", "aria-label": words, viewBox: `0 0 ${WIDTH} ${options.length ? row * counted.length + 6 : HEIGHT}` });
  const text = (x, y, said, look = {}) => {
    drawn("text", { x, y, ...look }, svg).textContent = said;
  };
  const middle2 = { "text-anchor": "middle" }, quiet = { class: "quiet", ...middle2 };
  if (options.length) {
    counted.forEach(({ label, count }, i) => {
      const y = i * row, width2 = (WIDTH - 40) * count / most;
      if (i === truth) text(0, y + 15, `${label} (the answer)`, { class: "truth" });
      else text(0, y + 15, label);
      drawn("rect", { class: "bar", x: 0, y: y + 21, width: width2, height: 16 }, svg);
      text(width2 + 6, y + 34, count);
    });
    return svg;
  }
  const left = 12, right = WIDTH - 12, top = 52, bottom = HEIGHT - 34, width = (right - left) / counted.length;
  const decades = counted.length !== BINS, height = (count) => (bottom - top) * count / most;
  counted.forEach(({ count, from = 0 }, i) => {
    const x = left + (i + 0.5) * width, y = bottom - height(count);
    if (count) {
      drawn("rect", { class: "bar", x: x - width / 2 + 1, y, width: width - 2, height: height(count) }, svg);
      text(x, y - 4, count, middle2);
    }
    const label = i === 0 ? "0" : from === 0 ? "<1" : step >= 1 ? `${from}–${10 * from - 1}` : from < 1e3 ? from : `10${exponent(from)}`;
    if (decades) text(x, bottom + 17, label, quiet);
  });
  for (const share of decades ? [] : [0, 0.25, 0.5, 0.75, 1]) {
    const x = left + (right - left) * share;
    drawn("line", { class: "axis", x1: x, x2: x, y1: bottom, y2: bottom + 4 }, svg);
    text(x, bottom + 19, shown(low + (high - low) * share), quiet);
  }
  drawn("line", { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom }, svg);
  if (truth >= 0) {
    const share = decades ? (truth + 0.5) / counted.length : (question.truth - low) / (high - low);
    const x = left + (right - left) * share, own = counted[truth].count;
    const end = decades && own ? bottom - height(own) - 18 : bottom;
    drawn("line", { class: "truth", x1: x, x2: x, y1: 18, y2: Math.max(end, 20), "stroke-dasharray": "4 3" }, svg);
    text(x, 14, `answer ${truthWords(question)}`, { class: "truth", "text-anchor": share < 0.2 ? "start" : share > 0.8 ? "end" : "middle" });
  }
  return svg;
}
function card(question) {
  let stage = collects ? WAITS : COUNTED;
  const line = make("p", { class: "answer" }), holder = make("div"), body = make("tbody"), wrong = make("p", { class: "wrong" });
  const field = make("input", { type: "text", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", oninput: () => update() });
  const head = make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "prediction"), make("th", { scope: "col" }, "students")));
  const table = make("details", {}, make("summary", {}, "As a table"), make("table", {}, head, body));
  const button = make("button", { type: "button", onclick: () => {
    stage += 1;
    if (stage === REVEALED) collects?.reveal(question.name).catch(() => {
    });
    update();
  } });
  const fill = (students, all) => {
    const short = oneByOne(questions, question.name, field.value);
    wrong.textContent = short.wrong.length ? `No codes of this question: ${short.wrong.slice(0, REMARKS).join(", ")}` : "";
    const said = [...students.flatMap((one) => question.name in one ? [one[question.name]] : []), ...short.read];
    const given = (
      /** @type {any[]} */
      said.filter((one) => one !== null)
    ), skipped = said.length - given.length;
    const counted = bins(question).map((bin) => ({ ...bin, count: given.filter(bin.holds).length }));
    let words = `${plural(given.length, "prediction")}, ${skipped} skipped`;
    if (given.length && !question.options.length) words += `; median ${shown(middle(given))}`;
    if (all) words = `${stage === WAITS ? "Waiting: " : ""}${said.length} of ${all}${stage === WAITS ? "" : `; ${words}`}`;
    line.replaceChildren(`${stage === WAITS && !all ? "Waiting for the first" : words}. `, ...stage === REVEALED ? ["Answer: ", make("b", {}, truthWords(question)), "."] : []);
    button.textContent = stage === WAITS ? "Show the histogram" : "Reveal";
    button.hidden = stage === REVEALED;
    holder.hidden = table.hidden = stage === WAITS;
    if (stage === WAITS) return;
    const told = counted.filter((one) => one.count).map((one) => `${one.label}: ${one.count}`).join("; ");
    holder.replaceChildren(picture(question, counted, `${question.label}. ${told || "No predictions yet"}.`, stage === REVEALED));
    body.replaceChildren(...[...counted, { label: "skipped", count: skipped }].map((one) => make(
      "tr",
      {},
      make("th", { scope: "row" }, one.label),
      make("td", {}, String(one.count))
    )));
  };
  const element = make(
    "section",
    { class: "question", "data-question": question.name },
    make("p", { class: "scene" }, `${question.scene}: ${question.title}`),
    make("h2", {}, question.label),
    line,
    button,
    holder,
    table,
    make("label", { class: "one" }, "Codes of three characters, one a student ", field),
    wrong
  );
  return { fill, element, field, name: question.name };
}
var cards = questions.map(card);
byId("questions").append(...cards.map(({ element }) => element));
var sent = [];
function update() {
  const { read: predictions, problems } = read(questions, edition, box.value), students = [...sent, ...predictions];
  const all = Number(size.value) || (collects ? students.length : 0);
  byId("count").textContent = students.length || problems.length ? `${plural(students.length, "student")}${all > students.length ? ` of ${all}` : ""} counted.` : "No codes yet.";
  const remarks = [...failed, ...problems], more = remarks.length - REMARKS;
  byId("problems").replaceChildren(
    ...remarks.slice(0, REMARKS).map((words) => make("li", {}, words)),
    ...more > 0 ? [make("li", {}, `And ${more.toLocaleString("en")} more.`)] : []
  );
  for (const { fill } of cards) fill(students, all);
  const now = { codes: box.value, size: size.value, one: Object.fromEntries(cards.map(({ name, field }) => [name, field.value])) };
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(now));
  } catch {
  }
}
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}
var failed = [];
async function take(files) {
  failed = [];
  const lines = [];
  for (const file of files) {
    const text = await file.text();
    const saved = SAVED.exec(text);
    if (saved) lines.push(`${file.name}: ${saved[1]}`);
    else if (/^\s*</.test(text)) failed.push(`${file.name}: a page without a code, not one saved at the lesson's end.`);
    else lines.push(...text.split(/\r\n|\r|\n/).filter((line) => line.trim()));
  }
  box.value = [box.value.replace(/\s+$/, ""), ...lines].filter(Boolean).join("\n");
  update();
}
var chosen = byId("files");
chosen.addEventListener("change", async () => {
  await take([...chosen.files]);
  chosen.value = "";
});
var later;
box.addEventListener("input", () => {
  failed = [];
  clearTimeout(later);
  later = setTimeout(update);
});
size.addEventListener("input", update);
byId("clear").addEventListener("click", () => {
  for (const { field } of [{ field: box }, ...cards]) field.value = "";
  failed = [];
  update();
  box.focus();
});
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  box.classList.add("over");
});
document.addEventListener("dragleave", () => box.classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  box.classList.remove("over");
  take([...event.dataTransfer?.files ?? []]);
});
var before = kept();
box.value = before.codes ?? "";
size.value = before.size ?? "";
for (const { name, field } of cards) field.value = before.one?.[name] ?? "";
update();
collects?.watch((answers) => {
  byId("server").textContent = answers ? "" : "The server does not answer. If it was started again, open the address that it printed.";
  sent = answers ?? sent;
  update();
});
