// Made by `npm run build` of the files named below: change those.
// tapviz/draw/columns.js
var item = (column, i) => Array.isArray(column) || ArrayBuffer.isView(column) ? (
  /** @type {any} */
  column[i] ?? NaN
) : column;

// tapviz/draw/elements.js
function make(tag, attributes = {}, ...children) {
  const made2 = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made2.addEventListener(name.slice(2), value);
    else if (value === true) made2.setAttribute(name, "");
    else if (value !== false && value != null) made2.setAttribute(name, value);
  }
  made2.append(...children.filter((child) => child != null));
  return made2;
}
var html = (text, tag = "div", attributes = {}) => {
  const made2 = make(tag, attributes);
  made2.innerHTML = text;
  return made2;
};
function setAttributes(element, attributes) {
  for (const name in attributes) element.setAttribute(name, attributes[name]);
}
function drawn(tag, attributes = {}, parent) {
  const made2 = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(made2, attributes);
  parent?.append(made2);
  return made2;
}
var escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
function save(name, text, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 6e4);
}

// tapviz/draw/layout.js
var APART = 6;
function scaled(axis, end, from, to) {
  const at = axis.log ? Math.log10 : (value) => value;
  const first = at(axis.start), last = at(end === axis.start ? end + 1 : end);
  const factor = (to - from) / (last - first);
  return (value) => from + (at(value) - first) * factor;
}
function placed(axis, end, from, to) {
  const at = axis.log ? Math.log10 : (value) => value;
  const first = at(axis.start);
  return (pixel) => first + (pixel - from) / (to - from) * (at(end) - first);
}
function ticksWithRoom(levels, scale, width, gap) {
  const clear = (one, other) => Math.abs(scale(one[0]) - scale(other[0])) >= (width(one[1]) + width(other[1])) / 2 + gap;
  const fits = (ticks) => ticks.every((tick, i) => !i || clear(tick, ticks[i - 1]));
  for (const level of [...levels].reverse()) if (level.length > 1 && fits(level)) return level;
  const all = levels[0] ?? [];
  const kept2 = all.length > 1 ? [all[0], all[all.length - 1]] : [...all];
  for (const tick of all.slice(1, -1)) {
    if (kept2.every((other) => clear(tick, other))) kept2.push(tick);
  }
  return kept2.length === 2 && !clear(kept2[0], kept2[1]) ? [all[0]] : kept2;
}
function spread(heights, gap, low, high) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b] || a - b);
  const blocks = [];
  order.forEach((i, place) => {
    let block = { mean: heights[i] - gap * place, size: 1 };
    for (let below = blocks.at(-1); below && below.mean > block.mean; below = blocks.at(-1)) {
      const size = below.size + block.size;
      block = { mean: (below.mean * below.size + block.mean * block.size) / size, size };
      blocks.pop();
    }
    blocks.push(block);
  });
  const most = Math.max(low, high - gap * (heights.length - 1));
  const placed2 = blocks.flatMap(({ mean, size }) => Array(size).fill(Math.min(Math.max(mean, low), most)));
  const result = [];
  order.forEach((i, place) => {
    result[i] = placed2[place] + gap * place;
  });
  return result;
}
function inRow(texts, gap, end) {
  const starts = texts.map(({ start: start2 }) => start2);
  for (let i = 1; i < texts.length; i++) {
    starts[i] = Math.max(starts[i], starts[i - 1] + texts[i - 1].width + gap);
  }
  for (let i = texts.length - 1; i >= 0; i--) {
    starts[i] = Math.min(starts[i], end - texts[i].width);
    end = starts[i] - gap;
  }
  return starts;
}
function moveApart(places, lineOf, size, { top, bottom, width }) {
  for (const at of new Set(places.map(({ px }) => px))) {
    const column = places.filter(({ px }) => px === at);
    if (column.length < 2 && !lineOf) continue;
    const own = column.map(({ i, py }) => {
      const line = lineOf ? lineOf(i) : NaN;
      return Number.isFinite(line) ? line : py;
    });
    const heights = spread(own, size * 1.1, top, bottom - size / 2);
    column.forEach((one, j) => {
      one.py = heights[j];
    });
  }
  for (const at of new Set(places.map(({ py }) => py))) {
    const row = places.filter(({ py }) => py === at).sort((a, b) => a.px - b.px);
    const starts = inRow(row.map((one) => ({ start: one.px, width: one.width })), APART, width - 1);
    row.forEach((one, j) => {
      one.px = starts[j];
    });
  }
}
function linePath(n, x, y) {
  let path = "", pen2 = "M";
  for (let i = 0; i < n; i++) {
    const px = x(i), py = y(i);
    if (Number.isFinite(px) && Number.isFinite(py)) {
      path += `${pen2}${px.toFixed(1)} ${py.toFixed(1)}`;
      pen2 = "L";
    } else pen2 = "M";
  }
  return path;
}
function wrapped(text, width, widthOf2) {
  const lines = [];
  for (const word of text.split(/\s+/)) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (!lines.length || widthOf2(longer) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
function formatted(value, format = "") {
  if (format === "0,0") return Number(value).toLocaleString("en");
  if (!/^0\.0+$/.test(format)) return String(value);
  return Number.isFinite(value) ? value.toFixed(format.length - 2) : "—";
}

// tapviz/draw/others.js
var NAMED = 4;
function others({ x, y, query, total }, at, size = x.length) {
  const found = [];
  for (let i = 0; i < size; i++) {
    if (i !== at && item(x, i) === item(x, at) && item(y, i) === item(y, at)) {
      found.push(`${item(query, i)}, T(q) = ${item(total, i).toLocaleString("en")}`);
    }
  }
  const more = found.splice(NAMED).length;
  if (more) found.push(`and ${more.toLocaleString("en")} more ${more > 1 ? "queries" : "query"} here`);
  return found.join("\n");
}

// tapviz/draw/ink.js
var SHAPES = {
  // around a place at which the pen is
  circle: (r) => `m${-r},0a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0z`,
  triangle: (r) => `m${-r},${r * 0.577}h${2 * r}l${-r},${-r * 1.732}z`,
  inverted_triangle: (r) => `m${-r},${-r * 0.577}h${2 * r}l${-r},${r * 1.732}z`,
  square: (r) => `m${-r},${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
  diamond: (r) => `m0,${-r}l${r / 1.5},${r}l${-r / 1.5},${r}l${-r / 1.5},${-r}z`,
  dash: (r) => `m0,${-r}v${2 * r}`
};
var paints = /* @__PURE__ */ new Map([[null, "none"]]);
function paint(color) {
  const known = paints.get(color) ?? `var(--on-${color?.replace("#", "").toLowerCase()}, ${color})`;
  paints.set(color, known);
  return known;
}
var inked = (color) => `var(--ink-${color.replace("#", "")}, ${paint(color)})`;
function setPlaces(element, places) {
  for (const name in places) element.setAttribute(name, places[name].toFixed(1));
}
var pen = null;
function widthOf(text, font) {
  pen ??= make("canvas").getContext("2d");
  if (!pen) return 0;
  if (pen.font !== font) pen.font = font;
  return pen.measureText(text).width;
}
function filled({ columns, size, tooltip = "" }, i) {
  return tooltip.replace(/\$index\{others\}|@(\w+)(?:\{([^}]*)\})?/g, (all, name, format) => {
    if (!name) return escaped(others(columns, i, size));
    if (!(name in columns)) return all;
    const value = item(columns[name], i);
    return format === "safe" ? value : escaped(formatted(value, format));
  });
}

// tapviz/draw/fit.js
var NAMES = 0.42;

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
  const dots2 = [];
  let across = NaN;
  for (const line of lines) {
    const { at, own, color } = line, i = reached(at, threshold);
    if (i < 0) continue;
    const cx = x(item(line.x, i)), cy = y(item(line.y, i));
    across = own ? cx : x(threshold);
    const beyond = !own && at[i] !== threshold && !Number.isFinite(at[i + 1]);
    const inside = cx >= left - 1 && cx <= right + 1 && cy >= top - 1 && cy <= bottom + 1;
    if (inside && !beyond) dots2.push({ x: cx, y: cy, color });
  }
  return { dots: dots2, across };
}

// tapviz/draw/browser.js
var INK = "#333333";
var RULE = "#EEEEEE";
var GUTTER = "#F2F2F2";
var GHOST = "#B5B5B5";
var TICK = "#444444";
var TOUCH = 16;
var MOUSE = 8;
var NARROW = 480;
var SMALLEST = 8;
var MANY = 50;
var PILES = 8;
var ALIGN = { left: "start", center: "middle", right: "end" };
var HEIGHT = { top: 0.95, middle: 0.35, bottom: -0.2 };
function draw(host, picture, options = {}) {
  const shown = { ...picture, layers: picture.layers.map((layer) => ({ ...layer })) };
  const byName = new Map(shown.layers.map((layer) => [layer.name, layer]));
  const parts = /* @__PURE__ */ new Map();
  const size = shown.fontSize;
  let hidden = options.hidden ?? /* @__PURE__ */ new Set();
  let frame;
  let reached2 = null;
  host.style.position ||= "relative";
  const svg = drawn("svg", { role: "img", "aria-label": options.label ?? "", tabindex: 0 });
  svg.style.cssText = "display:block;max-width:100%;height:auto;touch-action:pan-y;overflow:hidden";
  const back = drawn("g", {}, svg);
  const clip = drawn("clipPath", { id: `clip-${Math.random().toString(36).slice(2)}` }, svg);
  const clipBox = drawn("rect", {}, clip);
  const still2 = drawn("g", {}, svg);
  const moving = drawn("g", {}, svg);
  const pointer = drawn("line", { "stroke-width": 1, "stroke-dasharray": "2 3" }, svg);
  pointer.style.cssText = `stroke:${paint(INK)};display:none;pointer-events:none`;
  const marks = drawn("g", { "data-marks": "" }, svg);
  marks.style.pointerEvents = "none";
  let marked = NaN;
  const tooltip = make("div", { class: "tooltip", role: "status" });
  tooltip.style.cssText = `position:absolute;z-index:5;display:none;pointer-events:none;box-sizing:border-box;padding:6px 9px;border-radius:4px;font-size:12px;line-height:1.4;overflow-wrap:anywhere;color:${paint(INK)};background:${paint("white")};border:1px solid ${paint(GHOST)};box-shadow:0 2px 8px rgba(0,0,0,.2)`;
  host.append(svg, tooltip);
  for (const layer of shown.layers) {
    const group = drawn("g", { "data-layer": layer.name }, layer.moving ? moving : still2);
    if (layer.kind !== "points" && layer.kind !== "texts") {
      group.setAttribute("clip-path", `url(#${clip.id})`);
    }
    parts.set(layer.name, { group, items: [], leaders: { group, items: [] }, piles: { group, items: [] } });
  }
  let width = 0, family = "sans-serif";
  function endOfX(width2, font) {
    const { x } = shown;
    if (x.log || x.end <= x.start) return x.end;
    let end = x.end;
    for (const layer of shown.layers) {
      if (layer.kind !== "texts" || layer.moving || layer.style.align !== "left") continue;
      for (let i = 0; i < layer.size; i++) {
        if (hidden.has(item(layer.columns.color, i))) continue;
        const at2 = item(layer.columns.x, i);
        const room2 = widthOf(item(layer.columns.text, i), font) + layer.style.shift + 3;
        if (at2 > x.start && at2 <= x.end && room2 < 0.6 * width2) {
          end = Math.max(end, x.start + (at2 - x.start) / (1 - room2 / width2));
        }
      }
    }
    return end;
  }
  function layOut() {
    const font = `${size}px ${family}`;
    const usual = Math.round(Math.min(380, Math.max(240, width * 0.62)) * (shown.tall ?? 1));
    const height = options.height?.(width) ?? usual;
    const { x, y } = shown;
    const measure = (text) => widthOf(text, font);
    const top = 0.75 * size;
    const xLabels = x.label ? wrapped(x.label, width - 20, measure) : [];
    const hasTicks = x.levels.some((level) => level.length);
    const below = (hasTicks ? size + 9 : 6) + xLabels.length * size * 1.25 + 4;
    const yScale = scaled(y, y.end, height - below, top);
    const yTicks = ticksWithRoom(y.levels, yScale, () => size, 3);
    const longest = Math.max(0, ...yTicks.map(([, text]) => measure(text)));
    const letters = Math.max(SMALLEST, size * Math.min(1, NAMES * width / longest));
    const widest = longest * letters / size;
    const yLabels = y.label ? wrapped(y.label, height - below - top, measure) : [];
    const needed = widest + 10 + (yLabels.length && (yLabels.length * 1.25 + 0.25) * size);
    const left = width < NARROW ? needed : Math.max(needed, shown.left);
    const right = width - 8;
    const end = endOfX(right - left, font);
    const xScale = scaled(x, end, left, right);
    const xTicks = ticksWithRoom(x.levels, xScale, measure, 8);
    frame = { width, height, left, right, top, bottom: height - below, xScale, yScale, font, end };
    setAttributes(svg, { width, height, viewBox: `0 0 ${width} ${height}`, "font-size": size });
    setPlaces(clipBox, { x: left, y: top - 2, width: Math.max(right - left, 0), height: frame.bottom - top + 4 });
    drawFrame(xTicks, yTicks, xLabels, yLabels, letters);
    for (const layer of shown.layers) drawLayer(layer);
    mark(marked);
    point();
  }
  function drawFrame(xTicks, yTicks, xLabels, yLabels, letters) {
    const { left, right, top, bottom, xScale, yScale, font } = frame;
    const { x } = shown;
    back.replaceChildren();
    const rule = (color, [x1, y1], [x2, y2], more = {}) => {
      drawn("line", { x1, y1, x2, y2, ...more }, back).style.stroke = paint(color);
    };
    const write2 = (text, [tx, ty], anchor, more = {}) => {
      const made2 = drawn("text", { x: tx, y: ty, "text-anchor": anchor, ...more }, back);
      made2.textContent = text;
      made2.style.fill = paint(TICK);
      return made2;
    };
    const inside = (at2) => Math.min(right, Math.max(left, at2));
    const dataEnd = inside(xScale(x.dataEnd ?? frame.end));
    if (x.gutter) {
      const [from, to] = x.gutter.map((at2) => inside(xScale(at2)));
      const box = { x: Math.min(from, to), y: top, width: Math.abs(to - from), height: bottom - top };
      drawn("rect", box, back).style.fill = paint(GUTTER);
    }
    if (shown.grid) {
      for (const [at2] of xTicks) rule(RULE, [xScale(at2), top], [xScale(at2), bottom]);
      for (const [at2] of yTicks) rule(RULE, [left, yScale(at2)], [dataEnd, yScale(at2)]);
    }
    if (x.kink !== void 0 && x.kink !== null) {
      const at2 = xScale(x.kink);
      rule(GHOST, [at2, top], [at2, bottom], { "stroke-dasharray": "2 4" });
    }
    rule(INK, [left, bottom], [dataEnd, bottom]);
    for (const [at2, text] of xTicks) {
      const place = xScale(at2), half = widthOf(text, font) / 2;
      rule(INK, [place, bottom], [place, bottom + 4]);
      const kept2 = Math.min(frame.width - half, Math.max(half, place));
      write2(text, [kept2, bottom + size + 5], "middle", { "data-tick": "x" });
    }
    const first = frame.height - 5 - (xLabels.length - 1) * size * 1.25;
    xLabels.forEach((text, i) => {
      const middle2 = (left + right) / 2, half = widthOf(text, font) / 2;
      const kept2 = Math.max(half + 2, Math.min(middle2, frame.width - half - 2));
      write2(text, [kept2, first + i * size * 1.25], "middle");
    });
    rule(INK, [left, top], [left, bottom]);
    for (const [at2, text] of yTicks) {
      rule(INK, [left - 4, yScale(at2)], [left, yScale(at2)]);
      write2(text, [left - 7, yScale(at2) + 0.35 * letters], "end", { "data-tick": "y", "font-size": letters });
    }
    const middle = (top + bottom) / 2;
    yLabels.forEach((text, i) => write2(text, [0, 0], "middle", {
      transform: `translate(${size * (1 + 1.25 * i)}, ${middle}) rotate(-90)`
    }));
  }
  const hideFrom = (part2, count) => part2.items.slice(count).forEach((one) => {
    one.style.display = "none";
  });
  function pool(part2, count, create) {
    while (part2.items.length < count) part2.items.push(create(part2.group));
    hideFrom(part2, count);
    return part2.items;
  }
  const seen = (x, y) => x >= frame.left - 7 && x <= frame.right + 7 && y >= frame.top - 9 && y <= frame.bottom + 9;
  function onePath({ style }, part2, d) {
    const [path] = pool(part2, 1, (group) => drawn("path", { fill: "none" }, group));
    path.setAttribute("d", d);
    path.style.display = hidden.has(style.color) ? "none" : "";
    return path;
  }
  const cornersOf = ({ columns: { x0, y0, x1, y1 } }, i) => [
    frame.xScale(item(x0, i)),
    frame.yScale(item(y0, i)),
    frame.xScale(item(x1, i)),
    frame.yScale(item(y1, i))
  ];
  const corners = (layer) => Array.from({ length: layer.size }, (_, i) => cornersOf(layer, i)).filter((ends) => ends.every(Number.isFinite)).map((ends) => ends.map((end) => end.toFixed(1)));
  const drawers = {
    line(layer, part2) {
      const { x, y } = layer.columns, { xScale, yScale } = frame;
      stroke(onePath(layer, part2, linePath(layer.size, (i) => xScale(item(x, i)), (i) => yScale(item(y, i)))), layer.style);
    },
    segments(layer, part2) {
      stroke(onePath(layer, part2, corners(layer).map(([a, b, c, e]) => `M${a} ${b}L${c} ${e}`).join("")), layer.style);
    },
    boxes(layer, part2) {
      const { style } = layer;
      const path = onePath(layer, part2, corners(layer).map(([a, b, c, e]) => `M${a} ${b}H${c}V${e}H${a}Z`).join(""));
      path.style.fill = paint(style.color);
      path.style.stroke = style.line_alpha ? paint(style.line_color) : "none";
      const { fill_alpha, line_alpha, line_width } = style;
      setAttributes(path, { "fill-opacity": fill_alpha, "stroke-opacity": line_alpha, "stroke-width": line_width });
    },
    points(layer, part2) {
      const { columns: { x, y, color, marker }, style } = layer;
      const isDash = style.marker === "dash";
      if (!style.line_color && !isDash && layer.size > MANY) {
        piles(layer, part2);
        return;
      }
      hideFrom(part2.piles, 0);
      const items = pool(part2, layer.size, (group) => {
        const made2 = drawn("path", { "fill-opacity": style.fill_alpha, "stroke-width": style.line_width }, group);
        if (!isDash) made2.style.stroke = paint(style.line_color);
        return made2;
      });
      for (let i = 0; i < layer.size; i++) {
        const px = frame.xScale(item(x, i)), py = frame.yScale(item(y, i));
        const one = items[i], of = item(color, i), shape = marker === void 0 ? style.marker : item(marker, i);
        const display = seen(px, py) && !hidden.has(of) ? "" : "none";
        if (one.style.display !== display) one.style.display = display;
        if (display) continue;
        const at2 = `translate(${px.toFixed(1)},${py.toFixed(1)})`;
        if (one.at !== at2) one.setAttribute("transform", at2);
        if (one.shape !== shape) one.setAttribute("d", SHAPES[shape](style.size / 2));
        if (one.color !== of) one.style[isDash ? "stroke" : "fill"] = paint(of);
        Object.assign(one, { at: at2, shape, color: of });
      }
    },
    texts(layer, part2) {
      const { columns, style } = layer;
      const { x, y, text, color } = columns;
      const items = pool(part2, layer.size, (group) => {
        const made2 = drawn("text", {
          "text-anchor": ALIGN[style.align],
          "stroke-width": 3,
          "stroke-opacity": 0.75,
          "stroke-linejoin": "round"
        }, group);
        made2.style.paintOrder = "stroke";
        made2.style.stroke = paint("white");
        return made2;
      });
      const lines = pool(part2.leaders, columns.from_x === void 0 ? 0 : layer.size, (group) => {
        const made2 = drawn("line", { "stroke-width": 0.8 });
        group.prepend(made2);
        return made2;
      });
      const places = [];
      for (let i = 0; i < layer.size; i++) {
        const px = frame.xScale(item(x, i)) + style.shift, py = frame.yScale(item(y, i));
        const inside = seen(px - style.shift, py) && !hidden.has(item(color, i));
        if (inside) places.push({ i, px, py, width: widthOf(item(text, i), frame.font) });
        items[i].style.display = inside ? "" : "none";
        if (lines[i]) lines[i].style.display = "none";
      }
      const atLines = hidden.size && (!Array.isArray(x) || x.every((one) => one === x[0]));
      const lineOf = (i) => frame.yScale(item(columns.from_y, i));
      if (style.align === "left") moveApart(places, atLines ? lineOf : null, size, frame);
      for (const { i, px, py, width: width2 } of places) {
        const one = items[i];
        const before = { left: 0, center: width2 / 2, right: width2 }[
          /** @type {"left"} */
          style.align
        ];
        const kept2 = Math.max(before + 1, Math.min(px, frame.width - 1 - (width2 - before)));
        setPlaces(one, { x: kept2, y: py + HEIGHT[style.baseline] * size });
        if (one.textContent !== item(text, i)) one.textContent = item(text, i);
        one.style.fill = inked(item(color, i));
        const from = lines[i] && [
          frame.xScale(item(columns.from_x, i)),
          frame.yScale(item(columns.from_y, i))
        ];
        if (!from?.every(Number.isFinite)) continue;
        setPlaces(lines[i], { x1: from[0], y1: from[1], x2: kept2 - 2, y2: py });
        lines[i].style.stroke = paint(item(color, i));
        lines[i].style.display = "";
      }
    },
    readout() {
    }
  };
  function stroke(path, style) {
    path.style.stroke = paint(style.color);
    setAttributes(path, { "stroke-width": style.width, "stroke-opacity": style.alpha, "stroke-linejoin": "round" });
    if (style.dash.length) path.setAttribute("stroke-dasharray", style.dash.join(" "));
    else path.removeAttribute("stroke-dasharray");
  }
  function piles({ columns: { x, y, color, marker }, style, size: count }, part2) {
    const ways = /* @__PURE__ */ new Map(), { xScale, yScale } = frame;
    for (let i = 0; i < count; i++) {
      const px = xScale(item(x, i)), py = yScale(item(y, i)), of = item(color, i);
      if (!seen(px, py) || hidden.has(of)) continue;
      const mark2 = marker === void 0 ? style.marker : item(marker, i), key = `${of} ${mark2}`;
      if (!ways.has(key)) {
        const shape = SHAPES[mark2](style.size / 2);
        ways.set(key, { of, shape, d: Array(PILES).fill(""), next: 0 });
      }
      const way = ways.get(key);
      way.d[way.next] += `M${Math.round(px * 10) / 10} ${Math.round(py * 10) / 10}${way.shape}`;
      way.next = (way.next + 1) % PILES;
    }
    hideFrom(part2, 0);
    const paths = pool(part2.piles, ways.size * PILES, (group) => drawn("path", { "fill-opacity": style.fill_alpha }, group));
    let next = 0;
    for (const { of, d } of ways.values()) {
      for (const way of d) {
        const path = paths[next++];
        path.setAttribute("d", way);
        path.style.fill = paint(of);
        path.style.display = "";
      }
    }
  }
  const named = (map, name) => (
    /** @type {T} */
    map.get(name)
  );
  const drawLayer = (layer) => drawers[layer.kind](layer, named(parts, layer.name));
  const placeOf = ({ layer, i }) => ({
    x: frame.xScale(item(layer.columns.x, i)),
    y: frame.yScale(item(layer.columns.y, i))
  });
  const linesAlong = () => shown.layers.flatMap((layer) => {
    const { columns: { x, y, threshold }, style } = layer;
    if (layer.kind !== "line" || hidden.has(style.color)) return [];
    const at2 = threshold ?? (shown.x.threshold && ALONG.test(layer.name) ? x : null);
    if (!Array.isArray(at2)) return [];
    return [{ x, y, at: at2.map((one) => one ?? NaN), color: style.color, own: threshold !== void 0 }];
  });
  function thresholdUnder(px, py) {
    const { left, right, top, bottom, end, xScale, yScale } = frame, across = Boolean(shown.x.threshold);
    if (px < left || px > right || py < top || py > bottom) return NaN;
    const lines = linesAlong();
    if (across && !lines.some(({ own }) => own)) {
      return shown.x.start + (px - left) / (right - left) * (end - shown.x.start);
    }
    return thresholdAt(lines, (x, y) => Math.hypot(xScale(x) - px, across ? 0 : yScale(y) - py));
  }
  function mark(threshold) {
    marked = threshold;
    marks.replaceChildren();
    if (!Number.isFinite(threshold) || !frame) return;
    const { left, right, top, bottom, xScale, yScale } = frame;
    const { dots: dots2, across } = marksOf(linesAlong(), threshold, { left, right, top, bottom, x: xScale, y: yScale });
    if (shown.x.threshold && across >= left && across <= right) {
      const ends = { x1: across, x2: across, y1: top, y2: bottom, "stroke-dasharray": "2 3" };
      drawn("line", ends, marks).style.stroke = paint(INK);
    }
    for (const { x, y, color } of dots2) {
      const dot = drawn("circle", { cx: x, cy: y, r: 4.5, "stroke-width": 1.5 }, marks);
      dot.style.fill = paint(color);
      dot.style.stroke = paint("white");
    }
  }
  function at(px, py, reach) {
    for (const layer2 of [...shown.layers].reverse()) {
      if (!layer2.tooltip) continue;
      const distance = (i) => {
        if (layer2.kind === "boxes") {
          const [a, b, c, e] = cornersOf(layer2, i);
          return (px - a) * (px - c) <= 0 && (py - b) * (py - e) <= 0 ? 0 : NaN;
        }
        if (hidden.has(item(layer2.columns.color, i))) return NaN;
        const { x, y } = placeOf({ layer: layer2, i }), far = Math.hypot(x - px, y - py);
        return far <= Math.max(reach, layer2.style.size / 2) ? far : NaN;
      };
      const { best: best2 } = nearest(layer2.size, distance);
      if (best2 >= 0) return { layer: layer2, i: best2 };
    }
    const layer = shown.layers.find((one) => one.kind === "readout");
    if (!layer?.size || px < frame.left || px > frame.right) return null;
    const { best } = nearest(layer.size, (i) => Math.abs(frame.xScale(item(layer.columns.x, i)) - px));
    return best < 0 ? null : { layer, i: best };
  }
  function stops() {
    const layers = shown.layers.filter((layer2) => layer2.tooltip || layer2.kind === "readout");
    const layer = layers[layers.length - 1];
    if (!layer) return [];
    const order = [...Array(layer.size).keys()];
    if (layer.kind === "boxes") return order.map((i) => ({ layer, i }));
    return order.filter((i) => !hidden.has(item(layer.columns.color, i))).sort((a, b) => item(layer.columns.x, a) - item(layer.columns.x, b) || a - b).map((i) => ({ layer, i }));
  }
  function point(mouse) {
    if (reached2 && reached2.i >= reached2.layer.size) reached2 = null;
    pointer.style.display = "none";
    tooltip.style.display = reached2 ? "block" : "none";
    if (!reached2) return;
    const { layer, i } = reached2;
    let { x, y } = placeOf(reached2);
    if (layer.kind === "boxes") {
      const [a, b, c, e] = cornersOf(layer, i);
      x = Math.min(frame.right, Math.max(frame.left, mouse?.x ?? (a + c) / 2));
      y = (b + e) / 2;
    }
    let text = filled(layer, i);
    if (layer.kind === "readout") {
      setPlaces(pointer, { x1: x, x2: x, y1: frame.top, y2: frame.bottom });
      pointer.style.display = "";
      text = item(layer.columns.text, i);
      text = options.readout?.(text) ?? text;
    }
    tooltip.innerHTML = text;
    tooltip.style.maxWidth = `${Math.min(layer.kind === "readout" ? 420 : 280, frame.width)}px`;
    tooltip.style.left = "0";
    const width2 = tooltip.offsetWidth;
    const beside = x + 14 + width2 <= frame.width ? x + 14 : x - 14 - width2;
    tooltip.style.left = `${Math.max(0, Math.min(beside, frame.width - width2))}px`;
    const high = Math.min(mouse?.y ?? y, frame.height) - tooltip.offsetHeight / 2;
    tooltip.style.top = `${Math.max(0, high)}px`;
  }
  function onPointer(event) {
    const box = svg.getBoundingClientRect();
    const factor = frame.width / (box.width || 1);
    const mouse = { x: (event.clientX - box.x) * factor, y: (event.clientY - box.y) * factor };
    tooltip.setAttribute("aria-live", "off");
    reached2 = at(mouse.x, mouse.y, "pointerType" in event && event.pointerType === "touch" ? TOUCH : MOUSE);
    options.onthreshold?.(thresholdUnder(mouse.x, mouse.y));
    svg.style.cursor = reached2?.layer.tooltip && options.onpick ? "pointer" : "";
    point(mouse);
    return reached2;
  }
  function leave() {
    reached2 = null;
    options.onthreshold?.(NaN);
    point();
  }
  function onKey(event) {
    const all = stops();
    const here = all.findIndex((one) => one.layer === reached2?.layer && one.i === reached2.i);
    const step = {
      ArrowRight: here + 1,
      ArrowLeft: here < 0 ? all.length - 1 : here - 1,
      Home: 0,
      End: all.length - 1
    }[event.key];
    if (event.key === "Escape" && reached2) leave();
    else if (event.key === "Enter" && reached2?.layer.tooltip) options.onpick?.(reached2.layer, reached2.i);
    else if (step !== void 0 && all.length && !event.altKey && !event.ctrlKey && !event.metaKey) {
      tooltip.setAttribute("aria-live", "polite");
      reached2 = all[Math.max(0, Math.min(step, all.length - 1))];
      if (reached2.layer.kind === "readout") {
        const { x, y } = placeOf(reached2);
        options.onthreshold?.(thresholdUnder(x, y));
      }
      point();
    } else return;
    event.preventDefault();
  }
  svg.addEventListener("pointermove", onPointer);
  svg.addEventListener("pointerdown", onPointer);
  svg.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") leave();
  });
  svg.addEventListener("blur", leave);
  svg.addEventListener("keydown", onKey);
  svg.addEventListener("click", (event) => {
    const found = onPointer(event);
    if (found?.layer.tooltip) options.onpick?.(found.layer, found.i);
  });
  let room = 0;
  function resize() {
    if (!host.clientWidth) return;
    room = host.clientWidth;
    width = Math.max(room, 160);
    family = getComputedStyle(host).fontFamily || family;
    layOut();
  }
  const watcher = new ResizeObserver(() => {
    if (host.clientWidth !== room) resize();
  });
  watcher.observe(host);
  resize();
  return {
    /** @param {(Partial<Layer> & { name: string })[]} layers @param {{ x?: Axis, y?: Axis, label?: string }} more */
    update(layers, { x, y, label } = {}) {
      for (const layer of layers) Object.assign(named(byName, layer.name), layer);
      if (label !== void 0) svg.setAttribute("aria-label", label);
      const moved = x || y;
      if (x) shown.x = x;
      if (y) shown.y = y;
      if (!frame) return;
      const changed = layers.map(({ name }) => named(byName, name));
      const names = changed.some(({ kind, moving: follows }) => kind === "texts" && !follows);
      if (moved || names && endOfX(frame.right - frame.left, frame.font) !== frame.end) layOut();
      else changed.forEach(drawLayer);
      if (!moved && reached2) point();
    },
    mark,
    /** @param {Iterable<string>} colors */
    hide(colors) {
      hidden = new Set(colors);
      if (reached2 && hidden.has(item(reached2.layer.columns.color ?? "", reached2.i))) reached2 = null;
      if (frame) layOut();
    },
    resize,
    destroy() {
      watcher.disconnect();
      svg.remove();
      tooltip.remove();
    }
  };
}

// tapviz/lesson/asks.js
var APART2 = 10;
function askField(ask, state, { set, noted, enter }) {
  const value = state.answers[ask.question];
  if (Object.keys(ask.options).length) {
    return make(
      "fieldset",
      {},
      make("legend", {}, ask.label),
      ...Object.entries(ask.options).map(([option, words]) => make(
        "label",
        { class: "option" },
        make("input", { type: "radio", name: ask.question, value: option, checked: value === option, onchange: () => set(option) }),
        words
      ))
    );
  }
  if (ask.question === "report") {
    const area = make("textarea", { rows: 3, oninput: () => set(area.value.trim()) }, value ?? "");
    return make("label", { class: "field" }, ask.label, area);
  }
  const number = make("input", { type: "number", min: ask.low, max: ask.high, step: ask.high <= 1 ? 0.01 : "any", value: value ?? "", inputmode: "decimal" });
  const problem = make("p", { class: "problem", role: "alert" });
  const range = ask.high <= 1 ? make("input", { type: "range", min: 0, max: 1, step: 0.01, value: value ?? 0.5, "aria-label": ask.label, class: value == null ? "unset" : "" }) : null;
  const take = (text) => {
    const given = text === "" ? NaN : +text;
    const right = given >= ask.low && given <= ask.high;
    problem.textContent = right || text === "" ? "" : `Enter a number from ${ask.low.toLocaleString("en")} to ${ask.high.toLocaleString("en")}.`;
    range?.classList.toggle("unset", !right);
    set(right ? given : void 0);
  };
  number.addEventListener("keydown", (event) => {
    if (event.key === "Enter") enter();
    if (event.key !== ",") return;
    event.preventDefault();
    document.execCommand("insertText", false, 0.5.toLocaleString().charAt(1));
  });
  number.addEventListener("input", () => {
    if (range && number.value) range.value = number.value;
    take(number.value);
  });
  range?.addEventListener("input", () => {
    number.value = range.value;
    take(range.value);
  });
  range?.addEventListener("click", () => {
    if (number.value === "") {
      number.value = range.value;
      take(range.value);
    }
  });
  const why = ask.marks.length && ask.question !== "scale" && ask.question !== "added" ? make("label", { class: "field why" }, "Why? (optional)", make("input", { type: "text", maxlength: 120, value: state.why[ask.question] ?? "", oninput: (event) => {
    state.why[ask.question] = event.target.value;
    noted();
  } })) : null;
  return make("div", { class: "field" }, make("label", {}, make("span", {}, ask.label), number), range, problem, why);
}
function fillScale(place, marks) {
  place.setAttribute("aria-label", `From 0 to 1: ${marks.map((one) => `${one.name} ${one.text}`).join("; ")}`);
  place.replaceChildren(
    make("div", { class: "track" }),
    ...[0, 0.2, 0.4, 0.6, 0.8, 1].map((at) => make("span", { class: "tick", style: `left:${100 * at}%` }, `${at}`)),
    ...marks.map(({ kind, at }) => make("span", { class: `dot ${kind}`, style: `left:${100 * at}%` }))
  );
  for (const side2 of [["own"], ["you", "truth"]]) {
    const width = place.clientWidth || 600;
    const labels = marks.filter(({ kind }) => side2.includes(kind)).sort((a, b) => a.at - b.at).map((one) => {
      const label = make("span", { class: `label ${one.kind}` }, `${one.name} `, make("b", {}, one.text));
      place.append(label);
      const wide = label.offsetWidth;
      return { label, width: wide, start: Math.max(0, Math.min(one.at * width - wide / 2, width - wide)) };
    });
    inRow(labels, APART2, width).forEach((x, i) => {
      labels[i].label.style.left = `${x}px`;
    });
  }
}

// tapviz/lesson/codes.js
var ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
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
var written = (number, width) => Array.from({ length: width }, (_, i) => ALPHABET[Number(number >> BigInt(5 * (width - 1 - i)) & 31n)]).join("");
var states = (questions) => questions.reduce((product, one) => product * positions(one), 1n);
function digits(questions) {
  const largest = CHECK * (states(questions) - 1n);
  return Math.max(1, Math.ceil(largest.toString(2).length / 5));
}
function encode(questions, edition, predictions) {
  const number = questions.reduce((sum, one) => sum * positions(one) + position(one, predictions[one.name]), 0n);
  const text = written(number * CHECK, digits(questions));
  return (edition + text).match(new RegExp(`.{1,${GROUP}}`, "g"))?.join("-") ?? "";
}
function twoDigits(value, first) {
  if (!value) return 0;
  const [digits2, power2] = value.toExponential(1).split("e");
  return 1 + 90 * (Number(power2) - first) + Math.round(10 * Number(digits2) - 10);
}
var power = ({ step }) => Math.floor(Math.log10(step) + 1e-9);
function encodeOne(questions, name, answer) {
  const place = questions.findIndex((one) => one.name === name), question = questions[place];
  const short = positions(question) > MOST && typeof answer === "number";
  const at = short ? 1 + twoDigits(answer, power(question)) : Number(position(question, answer));
  return written(BigInt(PRIME * at + place), ONE);
}

// tapviz/lesson/drag.js
var SLACK = 4;
function draggable(element, grab) {
  let drag = null;
  const at = ({ clientX, clientY }) => {
    const { left, top } = element.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };
  let begun = [0, 0], sure = false;
  element.classList.add("draggable");
  element.addEventListener("pointerdown", (event) => {
    begun = at(event);
    drag = event.button ? null : grab(begun[0], begun[1]);
    if (!drag) return;
    element.setPointerCapture(event.pointerId);
    sure = event.pointerType === "mouse";
    if (sure) drag(begun[0], begun[1]);
  });
  element.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    if (!drag) element.style.cursor = grab(x, y) ? "ew-resize" : "default";
    sure ||= Math.abs(x - begun[0]) > Math.max(SLACK, Math.abs(y - begun[1]));
    if (sure) drag?.(x, y);
  });
  element.addEventListener("pointerup", (event) => {
    const [x, y] = at(event);
    drag?.(x, y);
    drag = null;
  });
  element.addEventListener("pointercancel", () => {
    drag = null;
  });
}
var nearest2 = (values2, to) => values2.reduce((best, value, i) => Math.abs(value - to) < Math.abs(values2[best] - to) ? i : best, 0);
function along({ follows, picture }, place, move) {
  const layer = picture.layers.find(({ name, kind }) => follows[name]?.[1] === "at" && kind !== "texts");
  const [first, ...more] = place.querySelectorAll("[data-tick=x]"), last = more.pop();
  if (!layer || !last) return null;
  const [from, to] = [first, last].map((one) => ({
    at: picture.x.levels.flat().find(([, text]) => text === one.textContent)?.[0] ?? NaN,
    x: Number(one.getAttribute("x"))
  }));
  const { x, x0 } = layer.columns;
  return (now) => move(follows[layer.name][0], nearest2(x ?? x0, from.at + (now - from.x) / (to.x - from.x) * (to.at - from.at)));
}

// tapviz/lesson/crowd.js
var SECTORS = [4, 3];
var CAPTIONS = ["Pooled ROC₅₀ of the dots that are left", "Average of the separate ROC₅₀, all queries"];
var FEW = 200;
var WIDEST = 40;
function cells(all, columns, count) {
  const rows = Math.ceil(all / columns), [across, down] = SECTORS;
  const large = Array.from({ length: count }, (_, i) => {
    if (all < FEW) return Math.floor((i + 0.5) * all / count);
    const column = Math.floor((i % across + 0.5) * columns / across) + i * 7 % 5 - 2;
    return Math.floor((Math.floor(i / across) + 0.5) * (rows - 1) / down) * columns + column;
  });
  return { rows, large, small: Array.from({ length: all }, (_, i) => i).filter((cell) => !large.includes(cell)) };
}
function slider(which, names, ticks) {
  const span = 4.5 * (ticks[1] - ticks[0]);
  const marks = names.map((name, i) => [
    make("span", { class: `dot ${i ? "second" : "first"}` }),
    make("span", { class: `label ${i ? "second" : "first"}` }, `${name} `, make("b"))
  ]);
  const texts = ticks.filter((at) => at <= 1).map((at) => make("span", { class: "tick", style: `left:${100 * (at - ticks[0]) / span}%` }, `${at}`));
  const place = make("div", { class: which ? "scale still" : "scale", role: "img" }, make("div", { class: "track" }), ...texts, ...marks.flat());
  const here = make("span", { class: "tick here" });
  place.append(here);
  draggable(place, () => (x) => {
    const share = Math.max(0, Math.min(1, x / place.clientWidth));
    here.textContent = (ticks[0] + span * share).toFixed(3);
    here.style.left = `${100 * share}%`;
  });
  const set = (values2) => {
    here.textContent = "";
    marks.forEach(([dot, label], i) => {
      const at = 100 * (+values2[i] - ticks[0]) / span;
      for (const one of [dot, label]) one.style.left = `${at}%`;
      label.style.translate = `${-at}%`;
      label.lastElementChild?.replaceChildren(values2[i]);
    });
    place.setAttribute("aria-label", `${CAPTIONS[which]}: ${names.map((name, i) => `${name} ${values2[i]}`).join("; ")}`);
  };
  return { set, figure: make("figure", {}, make("figcaption", {}, CAPTIONS[which]), place) };
}
function crowd(spec, colors, lift) {
  const canvas = make("canvas", { "aria-hidden": "true" }), told = make("p", { class: "inwords", role: "status" });
  const large = spec.large.map(({ id, side: side2, errors }, i) => make("button", {
    type: "button",
    class: `query ${side2}`,
    style: `--size:${16 + errors}px`,
    onclick: () => lift(i),
    title: id,
    "aria-label": `${id}, ${errors} of the first 50 + 50 pooled errors`
  }));
  const scales = spec.scales.map((ticks, which) => slider(which, spec.names, ticks)), all = spec.ids.length + large.length;
  let columns = 1, cell = 1;
  draggable(canvas, () => (x, y) => {
    const at = cells(all, columns, large.length).small.indexOf(Math.floor(y / cell) * columns + Math.floor(x / cell));
    if (at < 0) return;
    const better = spec.names["fs".indexOf(spec.sides[at])] ?? "neither";
    const scores = spec.names.map((name, i) => `${name} ${spec.without[at][i]}`).join(", ");
    told.textContent = large[0].disabled ? `${spec.ids[at]}: ${better} is better.` : `Only large dots lift out. Without ${spec.ids[at]} alone: ${scores}.`;
  });
  const paint2 = (out, known, pooled, verdict, gone) => {
    const width = canvas.parentElement?.clientWidth || 600, ratio = devicePixelRatio || 1, color = colors();
    cell = Math.min(WIDEST, Math.floor(Math.sqrt(width * (innerWidth < 760 ? 170 : Math.min(330, innerHeight - 390)) / all)));
    columns = Math.floor(width / cell);
    const { rows, large: places, small } = cells(all, columns, large.length);
    canvas.width = width * ratio;
    canvas.height = rows * cell * ratio;
    canvas.style.height = `${rows * cell}px`;
    const pen2 = canvas.getContext("2d");
    pen2?.scale(ratio, ratio);
    small.forEach((at, i) => {
      if (!pen2) return;
      pen2.fillStyle = color[{ f: "first", s: "second", n: "rule" }[spec.sides[i]] ?? "ink"];
      pen2.beginPath();
      pen2.arc((at % columns + 0.5) * cell, (Math.floor(at / columns) + 0.5) * cell, cell * 0.36, 0, 7);
      pen2.fill();
    });
    large.forEach((one, i) => {
      one.style.left = `${(places[i] % columns + 0.5) * cell}px`;
      one.style.top = `${(Math.floor(places[i] / columns) + 0.5) * cell}px`;
      one.disabled = !known;
      one.setAttribute("aria-pressed", String(Boolean(out >> i & 1)));
    });
    scales[0].set(pooled);
    scales[1].set(spec.means.map((mean) => mean.toFixed(3)));
    told.textContent = `${gone} of ${all} out. Verdict of the pooled score: ${verdict}.`;
  };
  const key = make(
    "figcaption",
    {},
    "Each dot is a query: ",
    make("b", { class: "first" }, `${spec.names[0]} is better`),
    ", ",
    make("b", { class: "second" }, `${spec.names[1]} is better`),
    ", or neither. Large dots supply most pooled errors."
  );
  return { paint: paint2, element: make(
    "div",
    { class: "opening" },
    scales[0].figure,
    told,
    scales[1].figure,
    make("figure", {}, key, make("div", { class: "crowd" }, canvas, ...large))
  ) };
}
function dots({ dots: sizes, notes }) {
  const place = make("div", { class: "dots", role: "img" }), note = make("p", { class: "inwords" });
  const paint2 = (at) => {
    const words = `${notes[at]}; the filled one holds the one with all errors.`;
    place.replaceChildren(...Array.from({ length: sizes[at] - 1 }, () => make("i")), make("i", { class: "bad" }));
    place.setAttribute("aria-label", words);
    note.textContent = words;
  };
  return { paint: paint2, element: make("figure", {}, place, note) };
}

// tapviz/lesson/explain.js
function explains(root, glossary) {
  const tip = make("div", { class: "tip", role: "tooltip", id: "lesson-term", hidden: true });
  function explain(term) {
    for (const one of root.querySelectorAll("[aria-describedby=lesson-term]")) one.removeAttribute("aria-describedby");
    tip.hidden = !term;
    if (!term) return;
    tip.textContent = glossary[term.dataset.term ?? ""];
    term.setAttribute("aria-describedby", "lesson-term");
    const box = term.getBoundingClientRect(), around = root.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(box.left - around.left, around.width - tip.offsetWidth - 8))}px`;
    tip.style.top = `${box.bottom - around.top + 6}px`;
  }
  for (const event of ["pointerover", "focusin", "click"]) {
    root.addEventListener(event, (one) => explain(
      /** @type {any} */
      one.target.closest?.(".term")
    ));
  }
  root.addEventListener("focusout", () => explain(null));
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") explain(null);
  });
  return tip;
}

// tapviz/lesson/positions.js
var controlOf = (scene, name) => (
  /** @type {Control} */
  scene.controls.find((control) => control.name === name)
);
function textAt(scene, at, name) {
  for (const table of scene.tables) {
    if (!(name in table.columns)) continue;
    return table.columns[name][table.over.reduce((sum, over) => sum * controlOf(scene, over).texts.length + at[over], 0)];
  }
  return "";
}
function along2(scene, at, name, control) {
  const table = (
    /** @type {Table} */
    scene.tables.find((one) => name in one.columns)
  );
  let first = 0, step = 1, apart = 0;
  for (const over of [...table.over].reverse()) {
    if (over === control) apart = step;
    else first += at[over] * step;
    step *= controlOf(scene, over).texts.length;
  }
  return controlOf(scene, control).texts.map((_, i) => +table.columns[name][first + i * apart]);
}
function part(layer, [control, take], scene, at) {
  const columns = {};
  for (const [name, given] of Object.entries(layer.columns)) {
    const slot = typeof given === "string" && given.match(/^\{(\w+)\}$/);
    const column = slot ? along2(scene, at, slot[1], control) : given;
    columns[name] = !Array.isArray(column) || take === "all" ? column : take === "upto" ? column.slice(0, at[control] + 1) : [column[at[control]]];
  }
  return { ...layer, columns, size: take === "all" ? layer.size : take === "upto" ? Math.min(at[control] + 1, layer.size) : 1 };
}
var nothing = (layer) => ({
  ...layer,
  size: 0,
  columns: Object.fromEntries(Object.keys(layer.columns).map((name) => [name, []]))
});
function layersAt(chart, scene, at, known, shown) {
  return chart.picture.layers.map((layer) => {
    const follow = chart.follows[layer.name], before = chart.before[layer.name];
    if (chart.known.includes(layer.name) && !known) return before ?? nothing(layer);
    if (follow) return shown ? part(layer, follow, scene, at) : nothing(layer);
    return before && !known ? before : layer;
  });
}

// tapviz/live/storage.js
var kept = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
var keep = (key, text) => {
  try {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  } catch {
  }
};

// tapviz/lesson/reader.js
var keyOf = ({ codes }) => codes.questions.length ? "tapviz-lesson" : "tapviz-own";
var decoded = (text) => JSON.parse(
  new TextDecoder().decode(Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0)))
);
var made = (lesson) => `${lesson.codes.edition} ${lesson.scenes.map(({ name }) => name)}`;
function sound(before, fresh, lesson) {
  const { scenes, codes } = lesson, kind = (one) => Array.isArray(one) ? "list" : one === null ? "null" : typeof one;
  if (before?.made !== made(lesson)) return false;
  const like = Object.entries(fresh).every(([name, one]) => kind(before[name]) === kind(one) || name === "dark" && kind(before.dark) === "boolean");
  return like && [before.place, before.furthest].every((place) => place in scenes) && scenes.every(({ controls }) => controls.every(({ name, texts }) => !(name in before.at) || before.at[name] in texts)) && codes.questions.every(({ name, options, low, high }) => {
    const one = before.answers[name];
    return one == null || one === "" || (options.length ? options.some(([value]) => value === one) : one >= low && one <= high);
  });
}
function remembered(lesson, { anew = false } = {}) {
  const fresh = {
    place: 0,
    furthest: 0,
    at: {},
    answers: {},
    why: {},
    revealed: [],
    moved: [],
    reached: {},
    skipped: [],
    checks: {},
    dark: null
  };
  for (const scene of lesson.scenes) for (const one of scene.controls) fresh.at[one.name] = one.start;
  try {
    const before = anew ? null : JSON.parse(kept(keyOf(lesson)) ?? "null");
    if (sound(before, fresh, lesson)) Object.assign(fresh, before, { at: { ...fresh.at, ...before.at } });
  } catch {
  }
  return fresh;
}
var remember = (state, lesson) => keep(keyOf(lesson), JSON.stringify({ ...state, made: made(lesson) }));
function inWords(ask, value) {
  if (value === null) return "skipped";
  if (value === void 0) return "—";
  if (Object.keys(ask.options).length) return ask.options[value];
  if (typeof value === "string") return value;
  return ask.high <= 1 ? value.toFixed(2) : value.toLocaleString("en");
}

// tapviz/lesson/keepsakes.js
var WIDTH = 1200;
var HEIGHT2 = 630;
var EDGE = 80;
var STYLE = "body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:760px;margin:32px auto;padding:0 16px}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:6px 12px 6px 0;border-bottom:1px solid #ddd}";
function fillSlots(part2, scene, { at, answers }) {
  const all = (selector) => (
    /** @type {NodeListOf<HTMLElement>} */
    part2.querySelectorAll(selector)
  );
  const askOf = (name) => (
    /** @type {Ask} */
    scene.asks.find(({ question }) => question === name)
  );
  for (const one of all("[data-slot]")) {
    const now = textAt(scene, at, one.dataset.slot ?? "");
    if (one.textContent !== now) one.textContent = now;
  }
  for (const one of all("[data-you]")) {
    const ask = askOf(one.dataset.you);
    const value = answers[ask.question], several = scene.asks.length > 1;
    const first = ask === scene.asks[0], none = scene.asks.every(({ question }) => answers[question] == null);
    const of = several ? ` (${ask.label})` : "";
    if (none) one.textContent = first ? `You skipped ${several ? "these predictions" : "this prediction"}.` : "";
    else one.textContent = value == null ? `You skipped one${of}.` : `You said ${inWords(ask, value)}${of}.`;
  }
  for (const one of all("[data-away]")) {
    const ask = askOf(one.dataset.away), value = answers[ask.question];
    one.textContent = typeof value === "number" ? `That is ${Math.abs(value - ask.truth).toFixed(2)} away.` : "";
  }
}
function onPaper({ title, scenes }, state, wordsOf) {
  return make("div", { class: "paper" }, make("h1", {}, title), ...scenes.map((scene, i) => {
    const asks = scene.asks.map((ask) => make("p", {}, `${ask.label.replace(", your prediction", "")} ${state.revealed.includes(scene.name) ? ask.answer : "____"}`));
    const part2 = make("section", {}, make("h2", {}, `${i + 1}. ${scene.title}`), ...wordsOf(scene).map(([, words]) => html(words)), ...asks);
    fillSlots(part2, scene, state);
    return part2;
  }));
}
function tableOf(asks, state, known) {
  const rows = asks.map((ask) => {
    const why = state.why[ask.question];
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, ask.label.replace(", your prediction", "")),
      make("td", {}, inWords(ask, state.answers[ask.question]), why ? make("em", {}, ` ${why}`) : null),
      make("td", {}, known(ask) ? ask.answer : "not shown yet")
    );
  });
  return make("div", { class: "wide" }, make(
    "table",
    { class: "kept" },
    make("caption", {}, "Your predictions and the answers"),
    make("thead", {}, make("tr", {}, make("td"), make("th", { scope: "col" }, "your prediction"), make("th", { scope: "col" }, "answer"))),
    make("tbody", {}, ...rows)
  ));
}
function savedPage(title, table, report, notes, code) {
  const page = document.implementation.createHTMLDocument(`${title}: my predictions`);
  page.documentElement.lang = "en";
  page.head.append(html(STYLE, "style"), make("meta", { name: "viewport", content: "width=device-width" }));
  page.head.prepend(make("meta", { charset: "utf-8" }), make("meta", { name: "tapviz-code", content: code }));
  page.body.append(make(
    "main",
    {},
    make("h1", {}, title),
    table,
    make("h2", {}, "What I would report"),
    make("blockquote", {}, report || "Nothing written."),
    ...notes,
    make("p", {}, `Code for the class: ${code}. Made with tapviz.`)
  ));
  return `<!DOCTYPE html>${page.documentElement.outerHTML}`;
}
function furthest(asks, answers) {
  const apart = ({ question, truth }) => Math.abs(answers[question] - truth);
  return asks.filter(({ question, high }) => high === 1 && typeof answers[question] === "number").sort((a, b) => apart(b) - apart(a))[0];
}
function saveCard(ask, said, title, colors) {
  const canvas = make("canvas", { width: WIDTH, height: HEIGHT2 }), pen2 = canvas.getContext("2d");
  if (!pen2) return;
  const write2 = (text, y, size, color, weight = "400") => {
    pen2.font = `${weight} ${size}px ${colors.font}`;
    pen2.fillStyle = color;
    pen2.fillText(text, EDGE, y, WIDTH - 2 * EDGE);
  };
  pen2.fillStyle = colors.stage;
  pen2.fillRect(0, 0, WIDTH, HEIGHT2);
  write2(ask.label.replace(", your prediction", ""), 110, 36, colors.soft);
  write2(`You said ${said.toFixed(2)}.`, 225, 92, colors.you, "700");
  write2(`It is ${ask.answer}.`, 340, 92, colors.door, "700");
  pen2.fillStyle = colors.soft;
  pen2.fillRect(EDGE, 419, WIDTH - 2 * EDGE, 2);
  for (
    const [at, color] of
    /** @type {const} */
    [[said, colors.you], [ask.truth, colors.door]]
  ) {
    pen2.fillStyle = color;
    pen2.beginPath();
    pen2.arc(EDGE + at * (WIDTH - 2 * EDGE), 420, 18, 0, 7);
    pen2.fill();
  }
  write2("0", 470, 26, colors.soft);
  pen2.fillText("1", WIDTH - EDGE - 14, 470);
  write2(`${title}. What would you have said?`, 560, 36, colors.ink, "600");
  make("a", { href: canvas.toDataURL("image/png"), download: "my-prediction.png" }).click();
}

// tapviz/lesson/lanes.js
var LENS = 20;
var SEATS = 50;
var ROOM = 3;
var SPREAD = 0.618;
var RUN_TIME = 2600;
var still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
var upTo = (records) => [0, ...[...records].flatMap((kind, i) => kind === "I" ? [i + 1] : [])];
function runs(records) {
  const all = records.match(/R+|I+/g) ?? [], more = all.length > 6 ? " and so on" : "";
  return all.slice(0, 6).map((one) => `${one.length} ${one[0] === "R" ? "relevant" : "irrelevant"}`).join(", ") + more;
}
function side(count, width, height) {
  let size = Math.min(width / SEATS, height);
  while (Math.floor(width / size) * Math.floor(height / size) < count) size *= 0.98;
  return size;
}
function fill(pen2, color, [x, y, width, height]) {
  pen2.fillStyle = color;
  pen2.fillRect(x, y, width, height);
}
function write(pen2, color, text, x, y, align = "left") {
  pen2.fillStyle = color;
  pen2.textAlign = align;
  pen2.fillText(text, x, y);
}
var Lanes = class {
  /** @param {Spec} spec @param {() => Colors} colors of the page @param {(control: number, at: number) => void} move */
  constructor(spec, colors, move) {
    this.spec = spec;
    this.colors = colors;
    this.canvas = make("canvas", { role: "img" });
    this.lens = make("div", { class: "lens", hidden: true });
    this.element = make("figure", { class: "lanes" }, make("figcaption", {}, spec.title), this.canvas, this.lens);
    this.at = [];
    this.known = this.enabled = false;
    this.peek = null;
    this.time = 1;
    const next = spec.lists.map(() => 0);
    this.merged = [...spec.order].map((q) => ({ q: +q, i: next[+q]++ }));
    this.upTo = spec.lists.map((list) => upTo(list.records));
    this.mergedUpTo = upTo(this.merged.map(({ q, i }) => spec.lists[q].records[i]));
    const all = spec.lists.flatMap((list) => list.exponent);
    this.range = [Math.min(...all) - ROOM, Math.max(...all) + ROOM];
    draggable(this.canvas, (x, y) => this.grab(x, y, move));
    draggable(this.lens, (begun) => {
      const from = this.records(), wide = this.lens.querySelector("i")?.clientWidth || 1;
      return (x) => this.readTo(from + Math.round((begun - x) / wide), move);
    });
  }
  /** Show positions: the row of each control. @param {number[]} at @param {boolean} known whether merged @param {boolean} enabled whether it can be dragged */
  show(at, known, enabled) {
    Object.assign(this, { at, known, enabled, peek: null });
    this.paint();
    if (this.spec.magnified && known) this.magnify();
  }
  /** Have the lists merge, and then do something. @param {() => void} done */
  run(done) {
    const begun = performance.now();
    const step = (now) => {
      Object.assign(this, { time: Math.min(1, (now - begun) / RUN_TIME), known: true, peek: null });
      this.paint();
      if (!this.canvas.isConnected) return;
      if (this.time < 1) requestAnimationFrame(step);
      else done();
    };
    requestAnimationFrame(step);
  }
  /** What is read, and who has taken the seats. @returns {Now} */
  now() {
    const { spec, at, upTo: upTo2 } = this, { lists } = spec;
    const factor = spec.scale.length ? spec.scale[at[0]] : 1, all = lists.map((list) => list.records.length);
    const place = (q2, i2) => lists[q2].exponent[i2] * (q2 ? factor : 1);
    const until = (end) => lists.map((list, q2) => list.exponent.filter((_, i2) => place(q2, i2) <= end).length);
    if (this.peek) {
      const [row, end] = this.peek;
      return { owners: [], read: all.map((count, q2) => q2 === row ? until(end)[q2] : count), doors: lists.map((_, q2) => q2 === row ? end : NaN), factor };
    }
    if (spec.mode === "each") {
      const read = all.map((count, q2) => upTo2[q2][at[0] + 1] ?? count);
      return { owners: [], read, doors: read.map((count, q2) => place(q2, count - 1)), factor };
    }
    if (spec.mode === "exponent") {
      const owners = [...spec.seats[at[0]] ?? ""].map(Number), end = spec.line[at[at.length - 1]];
      if (!owners.length) return { owners, read: until(end), doors: [], factor };
      const door = Math.max(...lists.map((_, q2) => place(q2, upTo2[q2][owners.filter((one) => one === q2).length] - 1)).filter((one) => !isNaN(one)));
      return { owners, read: until(door), doors: [door], factor };
    }
    if (!this.known) return { owners: [], read: all, doors: [], factor };
    const records = this.records(), seen = this.merged.slice(0, records);
    const { q, i } = seen[records - 1] ?? { q: 0, i: -1 };
    return {
      owners: seen.filter((one) => lists[one.q].records[one.i] === "I").map((one) => one.q),
      read: lists.map((_, one) => seen.filter((record) => record.q === one).length),
      doors: records ? [place(q, i)] : [],
      factor
    };
  }
  /** How many of the merged records are read. */
  records() {
    const { spec: { mode, control }, at, mergedUpTo } = this;
    if (mode === "merged") return mergedUpTo[at[0] + 1];
    return this.time === 1 && control.length ? at[0] + 1 : mergedUpTo[Math.round(SEATS * this.time)];
  }
  /** What a drag does that begins somewhere. @param {number} x @param {number} y @param {(control: number, at: number) => void} move @returns {Drag | null} */
  grab(x, y, move) {
    const { spec, canvas, at } = this, { lists } = spec, size = this.sizes();
    const width = canvas.clientWidth;
    if (spec.mode === "many") {
      if (y < size.queues) return (x2) => move(1, Math.round(x2 / width * (spec.door.length - 1)));
      const { columns, step } = this.many();
      return (x2, y2) => move(0, Math.max(0, Math.floor((y2 - size.queues - 14) / step)) * columns + Math.floor(x2 / step));
    }
    const [start2, end] = this.range, exponent = placed({ start: start2 }, end, 0, width);
    const row = Math.max(0, Math.min(lists.length - 1, Math.floor((y - size.queues) / size.lane)));
    if (!this.enabled) {
      return (x2) => {
        this.peek = [row, exponent(x2)];
        this.paint();
      };
    }
    if (spec.mode === "each") {
      return (x2) => move(0, this.upTo[row].filter((count) => count && lists[row].exponent[count - 1] <= exponent(x2)).length - 1);
    }
    if (spec.order) {
      return (x2) => this.readTo(this.merged.filter(({ q, i }) => lists[q].exponent[i] <= exponent(x2)).length, move);
    }
    if (spec.scale.length && row === 1 && y > size.queues) {
      const grabbed = Math.min(-15, Math.max(Math.min(...lists[row].exponent), exponent(x) / spec.scale[at[0]]));
      return (x2) => move(0, nearest2(spec.scale, exponent(x2) / grabbed));
    }
    return spec.line.length ? (x2) => move(at.length - 1, nearest2(spec.line, exponent(x2))) : null;
  }
  /** Read so many of the merged records. @param {number} records @param {(control: number, at: number) => void} move */
  readTo(records, move) {
    const { spec } = this, errors = this.mergedUpTo.filter((count) => count && count <= records).length;
    if (spec.control.length) return move(0, (spec.mode === "merged" ? errors : records) - 1);
    this.time = Math.min(1, errors / SEATS);
    this.paint();
  }
  /** Heights, and where the queues begin. */
  sizes() {
    const narrow = innerWidth < 760 || innerHeight < 640, { mode, order, seats: { length } } = this.spec;
    const seats = mode === "many" ? 44 : narrow ? 22 : 34, high = narrow ? 15 : 26;
    return { seats, high, lane: 2 * high + 20, queues: mode === "many" || order || length ? seats + 24 : 0 };
  }
  /** How lists stand as squares. */
  many() {
    const step = innerWidth < 600 ? 11 : 19, columns = Math.floor(this.canvas.clientWidth / step);
    return { step, columns, rows: Math.ceil((this.spec.taken.length / this.spec.door.length + 1) / columns) };
  }
  paint() {
    const { canvas, spec } = this, { queues, lane } = this.sizes(), many = spec.mode === "many" ? this.many() : null;
    const width = canvas.clientWidth || 600, height = queues + (many ? 14 + many.rows * many.step : spec.lists.length * lane + 18);
    const ratio = devicePixelRatio || 1, pen2 = canvas.getContext("2d"), colors = this.colors();
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = `${height}px`;
    if (!pen2) return;
    pen2.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen2.font = `12px ${colors.font}`;
    const words = many ? this.paintMany(pen2, colors, width) : this.paintQueues(pen2, colors, width);
    canvas.setAttribute("aria-label", `${spec.title}. ${words}`);
  }
  /** @param {CanvasRenderingContext2D} pen @param {Colors} colors @param {number} width */
  paintQueues(pen2, colors, width) {
    const { spec, range: [start2, end] } = this, { queues, high, lane } = this.sizes(), now = this.now();
    const scale = scaled({ start: start2 }, end, 0, width), inks = [colors.a, colors.b], words = [];
    if (queues) words.push(this.paintSeats(pen2, colors, width, now.owners, Math.max(SEATS, now.owners.length)));
    spec.lists.forEach((list, q) => {
      const y = queues + q * lane + 14 + high, title = list.name.length === 1 ? `list ${list.name}` : `${q + 1}, ${list.name}`;
      const seen = list.records.slice(0, now.read[q]), relevant = seen.split("R").length - 1;
      const told = `${title}: ${relevant} relevant, ${seen.length - relevant} irrelevant`;
      words.push(`${told} read; in its order ${runs(list.records)}`);
      fill(pen2, colors.rule, [0, y - 0.5, width, 1]);
      for (
        const [kind, up] of
        /** @type {const} */
        [["R", -1], ["I", 1]]
      ) {
        const ways = [new Path2D(), new Path2D()], r = high > 20 ? 2 : 1.6;
        list.exponent.forEach((exponent, i) => {
          if (list.records[i] !== kind) return;
          const x = scale(exponent * (q ? now.factor : 1)), at = y + up * (4 + i * SPREAD % 1 * (high - 6));
          const way = ways[i < now.read[q] ? 0 : 1];
          if (kind === "R") {
            way.moveTo(x + r, at);
            way.arc(x, at, r, 0, 7);
          } else {
            way.moveTo(x - r, at - r);
            way.lineTo(x + r, at + r);
            way.moveTo(x + r, at - r);
            way.lineTo(x - r, at + r);
          }
        });
        ways.forEach((way, faint) => {
          pen2.fillStyle = pen2.strokeStyle = faint ? `color-mix(in srgb, ${inks[q]} 32%, ${colors.stage})` : inks[q];
          pen2.lineWidth = 1.1;
          if (kind === "R") pen2.fill(way);
          else pen2.stroke(way);
        });
      }
      write(pen2, inks[q], told, 2, y - high - 3);
    });
    this.paintLines(pen2, colors, width, scale, now);
    return `${words.join(". ")}.`;
  }
  /** Where reading has come to, the threshold, and E-values. @param {CanvasRenderingContext2D} pen @param {Colors} colors @param {number} width @param {(at: number) => number} scale @param {Now} now */
  paintLines(pen2, colors, width, scale, { doors }) {
    const { spec, at } = this, { queues, lane } = this.sizes(), bottom = queues + spec.lists.length * lane;
    const high = bottom - queues - 14, line = scale(spec.line[at[at.length - 1]]), atEnd = line > width - 30;
    doors.forEach((door, q) => fill(pen2, colors.door, [scale(door) + 1.5, queues + q * lane + 14, 2, doors.length > 1 ? lane - 16 : high]));
    if (spec.line.length) {
      fill(pen2, colors.ink, [line - 1, queues + 14, 2, high]);
      write(pen2, colors.ink, "E₀", line + (atEnd ? -4 : 4), bottom - 4, atEnd ? "right" : "left");
    }
    for (const [at2, text] of spec.ticks) write(pen2, colors.ink, text, Math.max(12, Math.min(scale(at2), width - 12)), bottom + 13, "center");
  }
  /** Seats before the door, each in the colour of the list whose error has it. @param {CanvasRenderingContext2D} pen @param {Colors} colors @param {number} width @param {number[]} owners @param {number} count */
  paintSeats(pen2, colors, width, owners, count) {
    const { spec } = this, size = side(count, width, this.sizes().seats), columns = Math.floor(width / size + 1e-9);
    const inks = [colors.a, colors.b], gap = size > 4 ? 1.5 : 0;
    const letters = spec.mode === "many" ? ["A", "B"] : spec.lists.map(({ name }, q) => name.length === 1 ? name : `${q + 1}`);
    for (let i = 0; i < count; i++) {
      const x = i % columns * size, y = 17 + Math.floor(i / columns) * size, q = owners[i], wide = size - gap;
      fill(pen2, inks[q] ?? colors.rule, [x, y, wide, wide]);
      if (q === void 0 && gap) fill(pen2, colors.stage, [x + 1, y + 1, wide - 2, wide - 2]);
      if (q !== void 0 && size > 12) write(pen2, colors.stage, letters[q], x + wide / 2, y + size / 2 + 3.5, "center");
    }
    const taken = letters.map((letter, q) => `${letter} ${owners.filter((one) => one === q).length.toLocaleString("en")}`);
    const words = `${count.toLocaleString("en")} seats for errors; taken by ${taken.join(", by ")}`;
    write(pen2, colors.ink, words, 2, 11);
    return words;
  }
  /** Many lists as squares, and the seats that those like B have taken. @param {CanvasRenderingContext2D} pen @param {Colors} colors @param {number} width */
  paintMany(pen2, colors, width) {
    const { spec, at: [copies, door] } = this, { queues } = this.sizes(), { step, columns } = this.many();
    const taken = spec.taken[door * spec.taken.length / spec.door.length + copies];
    const owners = [1, 0].flatMap((q) => Array(taken[q]).fill(q)), lists = copies + 1;
    const words = `Lists like A: ${lists}; like B: 1`;
    const seats = this.paintSeats(pen2, colors, width, owners, spec.door[door]);
    write(pen2, colors.ink, words, 2, queues + 8);
    for (let i = 0; i <= lists; i++) {
      const x = i % columns * step, y = queues + 14 + Math.floor(i / columns) * step;
      fill(pen2, i < lists ? colors.a : colors.b, [x, y, step - 3, step - 3]);
      if (step > 14) write(pen2, colors.stage, i < lists ? "A" : "B", x + (step - 3) / 2, y + step / 2 + 3, "center");
    }
    return `${seats}. ${words}.`;
  }
  /** The records around the present one. */
  magnify() {
    const { spec: { lists, unit }, merged } = this;
    const present = this.records() - 1, around = innerWidth < 600 ? LENS / 2 : LENS;
    const first = Math.max(0, Math.min(present - around, merged.length - 2 * around - 1));
    const signs = merged.slice(first, first + 2 * around + 1).map(({ q: q2, i: i2 }, step) => make(
      "i",
      { class: `${lists[q2].records[i2] === "R" ? "rel" : "irr"} ${q2 ? "b" : "a"}${first + step === present ? " here" : ""}` },
      lists[q2].records[i2] === "R" ? "●" : "×",
      make("small", {}, lists[q2].name.length === 1 ? lists[q2].name : `${q2 + 1}`)
    ));
    const { q, i } = merged[present], list = lists[q];
    const words = `Record ${(present + 1).toLocaleString("en")}${list.id ? ` (${list.id[i]})` : ""}${list.name.length === 1 ? ` of list ${list.name}` : `, query ${list.name}`}: ${list.records[i] === "R" ? "relevant" : "irrelevant"}, ${unit} = ${list.e[i]}`;
    this.lens.hidden = false;
    this.lens.replaceChildren(make("div", { class: "letters", "aria-hidden": "true" }, ...signs), make("p", {}, words));
  }
};

// tapviz/lesson/lesson.js
var ONE_COLUMN = 760;
var PLAY_TIME = 7e3;
var TELL_AFTER = 600;
function start(host, text, { explorer = "", collects = void 0 } = {}) {
  const lesson = decoded(text), state = remembered(lesson), { scenes } = lesson;
  const asks = scenes.flatMap((scene2) => scene2.asks).filter(({ question }) => lesson.codes.questions.some(({ name }) => name === question));
  const code = () => encode(lesson.codes.questions, lesson.codes.edition, state.answers);
  const root = make("div", { class: "lesson" }), main = make("main"), tip = explains(root, lesson.glossary);
  let scene = scenes[0];
  let charts = [];
  let lanes = [];
  let playing = null;
  let refresh = [];
  let telling;
  const said = make("p", { class: "said", role: "status" });
  let coming = null;
  let sending = false;
  let earlier = state.revealed.length > 0;
  let stays = make("div");
  const narrow = () => innerWidth < ONE_COLUMN;
  const core = scenes.filter((one2) => !one2.more);
  const verb = () => collects && scene.asks.some((ask) => asks.includes(ask)) ? "Send" : "Reveal";
  const known = (one2 = scene) => state.revealed.includes(one2.name);
  const controlsShown = () => scene.movesFirst || !scene.asks.length || known();
  function done(one2 = scene) {
    if (one2.asks.length && !known(one2)) return false;
    if (state.skipped.includes(one2.name)) return true;
    return one2.controls.every(({ name, goal, asked: asked2 }) => !asked2 || (goal == null ? state.moved.includes(name) : (state.reached[name] ?? -1) >= goal));
  }
  const controlOf2 = (name) => (
    /** @type {Control} */
    scene.controls.find((one2) => one2.name === name)
  );
  const answered = (ask) => state.answers[ask.question] !== void 0 && state.answers[ask.question] !== "";
  const slot = (name) => textAt(scene, state.at, name);
  const filled2 = (words) => words.replace(/\{(\w+)\}/g, (_, name) => slot(name));
  const layersNow = (chart) => layersAt(chart, scene, state.at, known(), controlsShown());
  function buildStage() {
    for (const one2 of charts) one2.drawn?.destroy();
    stays = make("div", { class: "stays" });
    const stage = make("section", { class: "stage", "aria-label": "Pictures" }, stays);
    const scale = scene.asks.find((ask) => ask.marks.length);
    if (scale) stays.append(predictionScale(scale));
    if (scene.extra.kind === "dots") stays.append(dotsPicture());
    if (scene.extra.kind === "crowd") stays.append(crowdPicture());
    lanes = scene.lanes.map((spec) => new Lanes(spec, colors, (i, at) => move(controlOf2(spec.control[i]), at)));
    stays.append(...lanes.map(({ element }) => element));
    charts = scene.charts.map((spec) => {
      const whole = spec.known.length === spec.picture.layers.length;
      const place = make("div", { class: "chart" }), words = make("p", { class: "inwords" });
      const figure = make("figure", {}, make("figcaption", {}, spec.title), place, words);
      const beside = narrow() && (scene.lanes.some(({ mode }) => mode === "merging") || scene.extra.kind === "dots");
      (beside ? stage : stays).append(figure);
      draggable(place, () => controlsShown() ? along(spec, place, (name, at) => move(controlOf2(name), at)) : null);
      return { chart: spec, place, words, whole, drawn: null };
    });
    if (scene.extra.kind === "rows" && (scene.extra.always || known())) stage.append(rowsTable());
    if (scene.extra.kind === "kept") stage.append(keptTable());
    return stage;
  }
  function drawCharts() {
    const merged = known() || !scene.asks.length;
    for (const one2 of lanes) one2.show(one2.spec.control.map((name) => state.at[name]), merged, controlsShown());
    for (const again of refresh) again();
    for (const one2 of charts) {
      const { chart, place, words } = one2;
      if (one2.whole && !known()) {
        place.replaceChildren(make("p", { class: "later" }, "Predict first: the curves come with the answer."));
        place.style.minHeight = `${Math.min(chart.height, 200)}px`;
        words.textContent = "";
        continue;
      }
      const label = filled2(known() && chart.told || chart.words);
      words.textContent = label;
      if (!one2.drawn) {
        place.replaceChildren();
        place.style.minHeight = "";
        const fit = () => innerHeight - 90 - stays.offsetHeight + place.offsetHeight;
        const height = () => Math.min(chart.height, narrow() ? 150 : Math.max(140, fit()));
        one2.drawn = draw(place, { ...chart.picture, layers: layersNow(chart) }, { label, height });
      } else {
        const layers = layersNow(chart), all = one2.known !== known();
        one2.drawn.update(layers.filter((layer) => all || layer.name in chart.follows), { label });
      }
      one2.known = known();
    }
    root.style.setProperty("--pinned", `${stays.offsetHeight}px`);
  }
  function colors() {
    const style = getComputedStyle(root), of = (name) => style.getPropertyValue(name).trim();
    return {
      ink: of("--ink"),
      soft: of("--soft"),
      you: of("--you"),
      rule: of("--rule"),
      a: of("--a"),
      b: of("--b"),
      door: of("--truth"),
      stage: of("--stage"),
      first: of("--first"),
      second: of("--second"),
      font: style.fontFamily
    };
  }
  function predictionScale(ask) {
    const place = make("div", { class: "scale", role: "img" });
    const paint2 = (...here) => {
      const value = state.answers[ask.question];
      const marks = ask.marks.map(([name, at]) => ({ name, at, text: at.toFixed(3), kind: "own" }));
      if (typeof value === "number") marks.push({ name: "you", at: value, text: value.toFixed(2), kind: "you" });
      if (known()) marks.push({ name: ask.name, at: ask.truth, text: ask.answer, kind: "truth" });
      fillScale(place, [...marks, ...here]);
    };
    refresh.push(() => paint2());
    draggable(place, () => (x) => {
      const field = (
        /** @type {HTMLInputElement} */
        main.querySelector(".asks input[type=number]")
      );
      const at = Math.max(0, Math.min(1, x / place.clientWidth)), text2 = at.toFixed(2);
      if (known() || coming) return paint2({ name: "here", at, text: text2, kind: "own" });
      field.value = text2;
      field.dispatchEvent(new Event("input"));
    });
    return make("figure", {}, make("figcaption", {}, ask.label.replace(", your prediction", known() ? "" : ": touch the line to predict")), place);
  }
  function dotsPicture() {
    const { element, paint: paint2 } = dots(scene.extra), control = controlOf2(scene.extra.control);
    refresh.push(() => paint2(state.at[control.name]));
    draggable(element, () => (x) => move(control, Math.floor(x / element.clientWidth * control.texts.length)));
    return element;
  }
  function crowdPicture() {
    const [control] = scene.controls, { element, paint: paint2 } = crowd(scene.extra, colors, (i) => {
      state.at[control.name] ^= 1 << i;
      if (slot("verdict") === scene.extra.verdict) move(control, state.at[control.name]);
      else changed();
    });
    refresh.push(() => paint2(state.at[control.name], controlsShown(), [slot("pooled_first"), slot("pooled_second")], slot("verdict"), slot("gone")));
    return element;
  }
  const cell = (words) => html(words.replace(/\{(\w+)\}/g, '<span data-slot="$1"></span>'), "span");
  function rowsTable() {
    const { caption, heads, rows } = scene.extra;
    return make("div", { class: "wide" }, make(
      "table",
      {},
      make("caption", {}, cell(caption)),
      make("thead", {}, make("tr", {}, ...heads.map((head) => make(head ? "th" : "td", head ? { scope: "col" } : {}, cell(head))))),
      make("tbody", {}, ...rows.map((row) => make(
        "tr",
        {},
        ...row.map((words, j) => make(j ? "td" : "th", j ? {} : { scope: "row" }, cell(words)))
      )))
    ));
  }
  const keptTable = () => tableOf((scene.more ? scenes : core).flatMap((one2) => one2.asks).filter((ask) => asks.includes(ask)), state, (ask) => scenes.some((one2) => one2.asks.includes(ask) && known(one2)));
  function askPart() {
    if (!scene.asks.length) return null;
    const set = ({ question }, value) => {
      state.answers[question] = value;
      changed();
    };
    const fields = scene.asks.map((ask) => askField(ask, state, { set: (value) => set(ask, value), noted: () => remember(state, lesson), enter: () => {
      if (!coming && !known() && scene.asks.every(answered)) revealed();
    } }));
    const button = make("button", { type: "button", class: "primary reveal", onclick: () => revealed() }, verb());
    const short = make("span", { class: "short" });
    refresh.push(() => {
      button.disabled = !!coming || !scene.asks.every(answered);
      button.hidden = known();
      const codes = collects ? [] : scene.asks.filter((ask) => asks.includes(ask) && answered(ask)).map((ask) => encodeOne(lesson.codes.questions, ask.question, state.answers[ask.question]));
      short.textContent = codes.length ? `For your teacher: ${codes.join(", ")}` : "";
      for (
        const field of
        /** @type {NodeListOf<HTMLInputElement>} */
        part2.querySelectorAll("input, textarea")
      ) field.disabled = !!coming || known() && !scene.open;
    });
    const part2 = make("div", { class: "asks" }, ...fields, button, " ", short);
    return part2;
  }
  const reveal = () => {
    if (!known()) state.revealed.push(scene.name);
  };
  const predicted = (of) => Object.fromEntries(of.flatMap((one2) => one2.asks).filter((ask) => asks.includes(ask)).map(({ question }) => [question, state.answers[question] ?? null]));
  const join = () => collects?.arrive(() => predicted(scenes.filter(known)));
  async function revealed() {
    const [lane] = still() ? [] : lanes, control = scene.controls.find(({ goal }) => goal != null);
    const own = coming = {}, here = () => coming === own, coded = scene.asks.filter((ask) => asks.includes(ask));
    let told = true;
    const answer = () => {
      if (!here()) return;
      reveal();
      if (!told) join();
      show({ focus: ".known" });
    };
    if (collects && coded.length) {
      sending = true;
      changed();
      told = await collects.revealed(predicted([...scenes.filter(known), scene]), coded.map(({ question }) => question), here);
      if (!here()) return;
      sending = false;
    }
    if (lane?.spec.mode === "merging") lane.run(answer);
    else if (lane && control) {
      for (const { name, start: start2 } of scene.controls) state.at[name] = start2;
      play(control, control.goal ?? 0, RUN_TIME, answer);
    } else return answer();
    changed();
  }
  function controlPart(control) {
    const id = `control-${control.name}`;
    const value = make("output", { for: id, "aria-live": "off" });
    const range = make("input", { type: "range", id, min: 0, max: control.texts.length - 1, step: 1, "data-move": control.name, oninput: () => move(control, +range.value) });
    const stops = control.stops.map((at) => make("button", { type: "button", class: "stop", onclick: () => move(control, at) }, control.texts[at]));
    const play2 = control.play ? make("button", { type: "button", class: "stop play", onclick: () => playing === control ? (pause(), changed()) : playOn(control) }) : null;
    refresh.push(() => {
      const at = state.at[control.name];
      value.textContent = control.texts[at];
      if (+range.value !== at) range.value = `${at}`;
      range.setAttribute("aria-valuetext", control.texts[at]);
      range.style.setProperty("--at", `${100 * at / (control.texts.length - 1)}%`);
      stops.forEach((stop, i) => stop.classList.toggle("here", control.stops[i] === at));
      if (play2) play2.textContent = playing === control ? "Pause" : "Play";
    });
    return make("div", { class: "control" }, make("label", { for: id }, make("span", {}, control.label), value), range, make("div", { class: "stops" }, play2, ...stops));
  }
  function move(control, at, { goesOn = false } = {}) {
    if (!goesOn) pause();
    at = Math.max(0, Math.min(control.texts.length - 1, at));
    state.at[control.name] = at;
    if (!state.moved.includes(control.name)) state.moved.push(control.name);
    state.reached[control.name] = Math.max(state.reached[control.name] ?? -1, at);
    clearTimeout(telling);
    telling = setTimeout(tell, TELL_AFTER);
    changed();
  }
  function tell() {
    const words = main.querySelector(".chart ~ .inwords") ?? main.querySelector(".now, .shown");
    if (!playing) said.textContent = words?.textContent ?? "";
  }
  const pause = () => {
    playing = null;
  };
  function playOn(control) {
    const last = control.texts.length - 1, goal = control.goal ?? last, now = state.at[control.name];
    if (now >= last) state.at[control.name] = 0;
    const end = now < goal ? goal : last;
    play(control, end, PLAY_TIME * Math.max(end - state.at[control.name], 1) / last);
  }
  function play(control, end, time, done2) {
    if (still()) return move(control, end);
    const begun = performance.now(), from = state.at[control.name];
    const step = (now) => {
      if (playing !== control || !root.isConnected) return;
      const at = Math.round(from + (end - from) * Math.min(1, (now - begun) / time));
      if (now - begun >= time) playing = null;
      if (at !== state.at[control.name] || !playing) move(control, at, { goesOn: true });
      if (playing) requestAnimationFrame(step);
      else done2?.();
    };
    playing = control;
    move(control, from, { goesOn: true });
    requestAnimationFrame(step);
  }
  function checkPart() {
    const { check } = scene;
    if (!check || !controlsShown()) return null;
    const answer = make("p", { class: "told", role: "status" });
    refresh.push(() => {
      const chosen = check.options.find(([words]) => words === state.checks[scene.name]);
      answer.innerHTML = chosen ? chosen[2] : "";
      answer.className = `told ${chosen?.[1] ? "right" : ""}`;
    });
    return make("div", { class: "check" }, make(
      "fieldset",
      {},
      html(check.question, "legend"),
      ...check.options.map(([words]) => make(
        "label",
        { class: "option" },
        make("input", { type: "radio", name: `check-${scene.name}`, checked: state.checks[scene.name] === words, onchange: () => {
          state.checks[scene.name] = words;
          changed();
        } }),
        html(words, "span")
      )),
      answer
    ));
  }
  function endPart() {
    if (scene.extra.kind !== "kept") return null;
    const said2 = make("span", { role: "status" });
    const ask = furthest(scenes.filter(known).flatMap((one2) => one2.asks), state.answers);
    return make(
      "div",
      { class: "keep" },
      make("button", { type: "button", class: "primary", onclick: savePage }, "Save my answers"),
      " ",
      ask ? make("button", { type: "button", onclick: () => saveCard(ask, state.answers[ask.question], lesson.title, colors()) }, "Save a card to share") : null,
      make("p", {}, "The same with your own two programs: ", make("code", {}, "tapviz lesson mine.m8 other.m8 --labels labels.tsv -o mine.html")),
      collects ? null : make(
        "p",
        {},
        "Your code for the class: ",
        make("code", { class: "code" }, code()),
        " ",
        make("button", { type: "button", class: "stop", onclick: () => navigator.clipboard?.writeText(code()).then(() => {
          said2.textContent = "copied";
        }) }, "Copy"),
        " ",
        said2
      )
    );
  }
  function againButton() {
    const calm = () => {
      button.textContent = "Start again";
    };
    const button = make("button", { type: "button", class: "stop anew", onblur: calm, onclick: () => {
      if (button.textContent === "Start again") button.textContent = "Forget my predictions?";
      else {
        if (state.revealed.length) collects?.another();
        Object.assign(state, remembered(lesson, { anew: true }));
        earlier = false;
        join();
        address("pushState");
        show({ focus: "h1" });
      }
    } }, "Start again");
    return button;
  }
  function earlierPart() {
    if (!earlier) return [];
    const mine = make("button", { type: "button", class: "stop", onclick: () => {
      earlier = false;
      part2.remove();
      join();
    } }, "These are mine");
    const part2 = make("p", { class: "earlier", role: "status" }, "This browser has predictions of an earlier visit.", mine, againButton());
    return [part2];
  }
  function address(how) {
    try {
      history[how](null, "", `#${scenes[state.place].name}`);
    } catch {
    }
  }
  function arrive() {
    const place = scenes.findIndex(({ name }) => `#${name}` === location.hash);
    if (place < 0 || place === state.place || !root.isConnected) return;
    pause();
    state.place = place;
    state.furthest = Math.max(state.furthest, place);
    show({ focus: "h1" });
  }
  function savePage() {
    const notes = scene.blocks.filter(([when]) => when !== "words").map(([, words]) => html(words));
    save("my-predictions.html", savedPage(lesson.title, keptTable(), state.answers.report, notes, code()), "text/html");
  }
  function blocks(of = scene) {
    const free = of.movesFirst || !of.asks.length || known(of);
    const seen = { now: free, known: known(of), shown: known(of), done: done(of), foot: true };
    return of.blocks.filter(([when]) => when !== "words" && seen[when]);
  }
  function print() {
    const paper = onPaper(lesson, state, (of) => [...of.blocks.filter(([when]) => when === "words"), ...scenes.indexOf(of) <= state.furthest ? blocks(of) : []]);
    root.querySelector(".paper")?.remove();
    root.append(paper);
  }
  function wordsPart(...kinds) {
    const part2 = make("div", { class: "answers", "aria-live": kinds.includes("now") ? null : "polite" });
    let have = null;
    refresh.push(() => {
      const now = blocks().filter(([when]) => kinds.includes(when)), names = now.map(([when]) => when).join();
      if (names === have) return;
      have = names;
      part2.replaceChildren(...now.map(([when, words]) => html(words, "div", { class: when, tabindex: when === "known" ? -1 : null })));
      for (const table of part2.querySelectorAll("table")) {
        for (const head of table.querySelectorAll("th")) head.scope = "col";
      }
    });
    return part2;
  }
  function footPart() {
    const call = make("p", { class: "call", role: "status" });
    const back = make("button", { type: "button", class: "back", onclick: () => go(state.place - 1) }, "Back");
    const help = make("button", { type: "button", class: "help", onclick: showMe });
    const next = make(
      "button",
      { type: "button", class: "primary next", onclick: () => go(state.place + 1) },
      scene === core[core.length - 1] ? "For those who report scores" : "Next"
    );
    refresh.push(() => {
      back.disabled = state.place === 0;
      help.disabled = done() || sending;
      help.textContent = scene.asks.length && !known() ? "Skip" : "Show me";
      next.hidden = state.place === scenes.length - 1;
      back.hidden = scenes.length === 1;
      help.hidden = back.hidden || done() && scene === core[core.length - 1];
      next.disabled = !done();
      const [before, after] = scene.call;
      const open = scene.asks.length && !known(), asked2 = scene.check?.options.every(([words, right]) => !right || words !== state.checks[scene.name]);
      let text2 = scene.asks.length && known() ? after || before : before || after;
      if (done()) text2 = scene.extra.kind === "kept" || next.hidden ? after : asked2 ? "Answer the question above, or press Next." : "Press Next.";
      if (open && scene.asks.every(answered)) text2 = sending ? "Sent. Your teacher reveals the answer." : coming ? "The answer comes when the picture rests." : "Press Reveal.";
      text2 = text2.replace("Reveal", verb());
      if (collects) text2 = text2.replace(", or give your teacher the code", "");
      if (call.textContent !== text2) call.textContent = text2;
    });
    return make("footer", {}, call, make("div", { class: "buttons" }, back, help, next));
  }
  function showMe() {
    pause();
    for (const ask of scene.asks) if (!answered(ask)) state.answers[ask.question] = null;
    if (collects && scene.asks.length && !known()) return revealed();
    if (scene.asks.length) reveal();
    state.skipped.push(scene.name);
    for (const control of scene.controls) {
      if (!control.asked || state.moved.includes(control.name)) continue;
      state.at[control.name] = control.goal ?? control.stops[control.stops.length - 1] ?? control.start;
    }
    show({ focus: scene.asks.length ? ".known" : ".done" });
  }
  function go(place) {
    if (place < 0 || place >= scenes.length || place > state.furthest && !done()) return;
    pause();
    state.place = place;
    state.furthest = Math.max(state.furthest, place);
    address("pushState");
    show({ focus: "h1" });
    root.scrollIntoView({ block: "start" });
  }
  function header() {
    const steps = scenes.map((one2, i) => make("li", { class: i === core.length ? "more" : null }, make("button", {
      type: "button",
      "aria-label": `${i + 1}. ${one2.title}`,
      title: `${i + 1}. ${one2.title}`,
      disabled: i > state.furthest,
      "aria-current": i === state.place ? "step" : null,
      class: i === state.place ? "here" : i < state.place ? "past" : "",
      onclick: () => go(i)
    })));
    const dark = make("button", { type: "button", class: "theme", title: "Light or dark", "aria-label": "Dark theme", "aria-pressed": String(isDark()), onclick: () => {
      state.dark = !isDark();
      dress();
      dark.setAttribute("aria-pressed", String(isDark()));
      changed();
    } }, "◐");
    const out = explorer && explorer !== "?" ? make("a", { href: explorer }, "Open the explorer") : explorer ? make("a", { href: "?view=scatter" }, "Open the explorer") : null;
    return make("header", {}, make("span", { class: "brand" }, make("b", {}, "tapviz"), ` ${lesson.title}`), make("nav", { "aria-label": "Scenes" }, make("ol", {}, ...steps)), make("span", { class: "out" }, out, againButton(), dark));
  }
  const isDark = () => state.dark ?? matchMedia("(prefers-color-scheme: dark)").matches;
  const dress = () => {
    root.dataset.ground = isDark() ? "dark" : "light";
  };
  function show({ focus = "" } = {}) {
    scene = scenes[state.place];
    coming = null;
    sending = false;
    refresh = [];
    const part2 = scenes.filter((one2) => one2.more === scene.more), step = part2.indexOf(scene);
    const left = part2.slice(step).reduce((sum, one2) => sum + one2.minutes, 0);
    const head = make(
      "section",
      { class: "head" },
      make("p", { class: "step" }, `${scene.more ? "For those who report scores, " : ""}${step + 1} of ${part2.length} · about ${Math.ceil(left)} minute${left > 1 ? "s" : ""} left`),
      make("h1", { tabindex: -1 }, scene.title),
      ...scene.blocks.filter(([when]) => when === "words").map(([, words]) => html(words, "div", { class: "words" }))
    );
    const link = make("p", { class: "link" });
    refresh.push(() => {
      if (!explorer || !scene.explorer || !done() || link.firstChild) return;
      link.append(make("a", { href: explorer === "?" ? scene.explorer : explorer + scene.explorer, target: "_blank" }, "Open this in the explorer"));
    });
    const stage = buildStage();
    const controls = [make("div", { class: "controls" }, ...controlsShown() && scene.extra.kind !== "crowd" ? scene.controls.map(controlPart) : []), wordsPart("now", "shown")];
    const predict = [askPart(), wordsPart("known")];
    const acts = (scene.movesFirst ? [...controls, ...predict] : [...predict, ...controls]).filter(Boolean);
    const act = make("section", { class: "act", "aria-label": "What to do" }, ...acts, wordsPart("done"), endPart(), wordsPart("foot"), checkPart(), link);
    main.dataset.scene = scene.name;
    main.replaceChildren(head, stage, act, footPart());
    clearTimeout(telling);
    said.textContent = "";
    root.replaceChildren(header(), ...earlierPart(), main, said, tip);
    dress();
    remember(state, lesson);
    fill2();
    if (focus) main.querySelector(focus)?.focus({ preventScroll: focus === "h1" });
  }
  let asked = false;
  function changed() {
    remember(state, lesson);
    if (asked) return;
    asked = true;
    const now = () => {
      if (asked) fill2();
    };
    if (root.isConnected && !document.hidden) requestAnimationFrame(now);
    else now();
  }
  function fill2() {
    asked = false;
    drawCharts();
    fillSlots(main, scene, state);
  }
  let width = 0, one = narrow();
  new ResizeObserver(() => {
    if (one !== narrow()) {
      one = narrow();
      width = root.clientWidth;
      show();
    } else if (root.clientWidth !== width && root.clientWidth) {
      width = root.clientWidth;
      for (const one2 of charts) one2.drawn?.resize();
      drawCharts();
    }
  }).observe(root);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    dress();
    drawCharts();
  });
  addEventListener("popstate", arrive);
  addEventListener("beforeprint", print);
  host.append(root);
  arrive();
  address("replaceState");
  show();
  if (!earlier) join();
}
function render({ model, el }) {
  const wait = make("p", { role: "status" }, "The lesson is being made …");
  const begin = () => {
    wait.remove();
    start(el, model.content, { explorer: model.explorer });
  };
  if (model.content) begin();
  else {
    el.append(wait);
    model.on("content", begin);
  }
}
export {
  render,
  start
};
