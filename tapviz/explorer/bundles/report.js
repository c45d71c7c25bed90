// Made by `npm run build` of the files named below: change those.
// tapviz/draw/columns.js
var item = (column, i) => Array.isArray(column) || ArrayBuffer.isView(column) ? (
  /** @type {any} */
  column[i] ?? NaN
) : column;

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
var escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
var dress = (dark2) => {
  document.documentElement.dataset.tapviz = dark2 ? "dark" : "light";
};

// tapviz/draw/layout.js
var APART = 6;
function scaled(axis, end, from, to) {
  const at = axis.log ? Math.log10 : (value) => value;
  const first = at(axis.start), last = at(end === axis.start ? end + 1 : end);
  const factor = (to - from) / (last - first);
  return (value) => from + (at(value) - first) * factor;
}
function ticksWithRoom(levels, scale, width, gap) {
  const clear = (one, other) => Math.abs(scale(one[0]) - scale(other[0])) >= (width(one[1]) + width(other[1])) / 2 + gap;
  const fits = (ticks2) => ticks2.every((tick, i) => !i || clear(tick, ticks2[i - 1]));
  for (const level of [...levels].reverse()) if (level.length > 1 && fits(level)) return level;
  const all = levels[0] ?? [];
  const kept = all.length > 1 ? [all[0], all[all.length - 1]] : [...all];
  for (const tick of all.slice(1, -1)) {
    if (kept.every((other) => clear(tick, other))) kept.push(tick);
  }
  return kept.length === 2 && !clear(kept[0], kept[1]) ? [all[0]] : kept;
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
  const placed = blocks.flatMap(({ mean, size }) => Array(size).fill(Math.min(Math.max(mean, low), most)));
  const result = [];
  order.forEach((i, place) => {
    result[i] = placed[place] + gap * place;
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
function reached(at, threshold2) {
  let low = 0, high = at.length;
  while (high && Number.isNaN(at[high - 1])) high--;
  const way = at[high - 1] < at[0] ? -1 : 1;
  while (low < high) {
    const middle = low + high >> 1;
    if (way * (at[middle] - threshold2) <= 1e-9) low = middle + 1;
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
function marksOf(lines, threshold2, { left, right, top, bottom, x, y }) {
  const dots = [];
  let across = NaN;
  for (const line of lines) {
    const { at, own, color } = line, i = reached(at, threshold2);
    if (i < 0) continue;
    const cx = x(item(line.x, i)), cy = y(item(line.y, i));
    across = own ? cx : x(threshold2);
    const beyond = !own && at[i] !== threshold2 && !Number.isFinite(at[i + 1]);
    const inside = cx >= left - 1 && cx <= right + 1 && cy >= top - 1 && cy <= bottom + 1;
    if (inside && !beyond) dots.push({ x: cx, y: cy, color });
  }
  return { dots, across };
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
  const parts2 = /* @__PURE__ */ new Map();
  const size = shown.fontSize;
  let hidden2 = options.hidden ?? /* @__PURE__ */ new Set();
  let frame;
  let reached2 = null;
  host.style.position ||= "relative";
  const svg = drawn("svg", { role: "img", "aria-label": options.label ?? "", tabindex: 0 });
  svg.style.cssText = "display:block;max-width:100%;height:auto;touch-action:pan-y;overflow:hidden";
  const back = drawn("g", {}, svg);
  const clip = drawn("clipPath", { id: `clip-${Math.random().toString(36).slice(2)}` }, svg);
  const clipBox = drawn("rect", {}, clip);
  const still = drawn("g", {}, svg);
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
    const group = drawn("g", { "data-layer": layer.name }, layer.moving ? moving : still);
    if (layer.kind !== "points" && layer.kind !== "texts") {
      group.setAttribute("clip-path", `url(#${clip.id})`);
    }
    parts2.set(layer.name, { group, items: [], leaders: { group, items: [] }, piles: { group, items: [] } });
  }
  let width = 0, family = "sans-serif";
  function endOfX(width2, font) {
    const { x } = shown;
    if (x.log || x.end <= x.start) return x.end;
    let end = x.end;
    for (const layer of shown.layers) {
      if (layer.kind !== "texts" || layer.moving || layer.style.align !== "left") continue;
      for (let i = 0; i < layer.size; i++) {
        if (hidden2.has(item(layer.columns.color, i))) continue;
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
    const write = (text, [tx, ty], anchor, more = {}) => {
      const made = drawn("text", { x: tx, y: ty, "text-anchor": anchor, ...more }, back);
      made.textContent = text;
      made.style.fill = paint(TICK);
      return made;
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
      const kept = Math.min(frame.width - half, Math.max(half, place));
      write(text, [kept, bottom + size + 5], "middle", { "data-tick": "x" });
    }
    const first = frame.height - 5 - (xLabels.length - 1) * size * 1.25;
    xLabels.forEach((text, i) => {
      const middle2 = (left + right) / 2, half = widthOf(text, font) / 2;
      const kept = Math.max(half + 2, Math.min(middle2, frame.width - half - 2));
      write(text, [kept, first + i * size * 1.25], "middle");
    });
    rule(INK, [left, top], [left, bottom]);
    for (const [at2, text] of yTicks) {
      rule(INK, [left - 4, yScale(at2)], [left, yScale(at2)]);
      write(text, [left - 7, yScale(at2) + 0.35 * letters], "end", { "data-tick": "y", "font-size": letters });
    }
    const middle = (top + bottom) / 2;
    yLabels.forEach((text, i) => write(text, [0, 0], "middle", {
      transform: `translate(${size * (1 + 1.25 * i)}, ${middle}) rotate(-90)`
    }));
  }
  const hideFrom = (part, count) => part.items.slice(count).forEach((one) => {
    one.style.display = "none";
  });
  function pool(part, count, create) {
    while (part.items.length < count) part.items.push(create(part.group));
    hideFrom(part, count);
    return part.items;
  }
  const seen = (x, y) => x >= frame.left - 7 && x <= frame.right + 7 && y >= frame.top - 9 && y <= frame.bottom + 9;
  function onePath({ style }, part, d) {
    const [path] = pool(part, 1, (group) => drawn("path", { fill: "none" }, group));
    path.setAttribute("d", d);
    path.style.display = hidden2.has(style.color) ? "none" : "";
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
    line(layer, part) {
      const { x, y } = layer.columns, { xScale, yScale } = frame;
      stroke(onePath(layer, part, linePath(layer.size, (i) => xScale(item(x, i)), (i) => yScale(item(y, i)))), layer.style);
    },
    segments(layer, part) {
      stroke(onePath(layer, part, corners(layer).map(([a, b, c, e]) => `M${a} ${b}L${c} ${e}`).join("")), layer.style);
    },
    boxes(layer, part) {
      const { style } = layer;
      const path = onePath(layer, part, corners(layer).map(([a, b, c, e]) => `M${a} ${b}H${c}V${e}H${a}Z`).join(""));
      path.style.fill = paint(style.color);
      path.style.stroke = style.line_alpha ? paint(style.line_color) : "none";
      const { fill_alpha, line_alpha, line_width } = style;
      setAttributes(path, { "fill-opacity": fill_alpha, "stroke-opacity": line_alpha, "stroke-width": line_width });
    },
    points(layer, part) {
      const { columns: { x, y, color, marker }, style } = layer;
      const isDash = style.marker === "dash";
      if (!style.line_color && !isDash && layer.size > MANY) {
        piles(layer, part);
        return;
      }
      hideFrom(part.piles, 0);
      const items = pool(part, layer.size, (group) => {
        const made = drawn("path", { "fill-opacity": style.fill_alpha, "stroke-width": style.line_width }, group);
        if (!isDash) made.style.stroke = paint(style.line_color);
        return made;
      });
      for (let i = 0; i < layer.size; i++) {
        const px = frame.xScale(item(x, i)), py = frame.yScale(item(y, i));
        const one = items[i], of = item(color, i), shape = marker === void 0 ? style.marker : item(marker, i);
        const display = seen(px, py) && !hidden2.has(of) ? "" : "none";
        if (one.style.display !== display) one.style.display = display;
        if (display) continue;
        const at2 = `translate(${px.toFixed(1)},${py.toFixed(1)})`;
        if (one.at !== at2) one.setAttribute("transform", at2);
        if (one.shape !== shape) one.setAttribute("d", SHAPES[shape](style.size / 2));
        if (one.color !== of) one.style[isDash ? "stroke" : "fill"] = paint(of);
        Object.assign(one, { at: at2, shape, color: of });
      }
    },
    texts(layer, part) {
      const { columns, style } = layer;
      const { x, y, text, color } = columns;
      const items = pool(part, layer.size, (group) => {
        const made = drawn("text", {
          "text-anchor": ALIGN[style.align],
          "stroke-width": 3,
          "stroke-opacity": 0.75,
          "stroke-linejoin": "round"
        }, group);
        made.style.paintOrder = "stroke";
        made.style.stroke = paint("white");
        return made;
      });
      const lines = pool(part.leaders, columns.from_x === void 0 ? 0 : layer.size, (group) => {
        const made = drawn("line", { "stroke-width": 0.8 });
        group.prepend(made);
        return made;
      });
      const places = [];
      for (let i = 0; i < layer.size; i++) {
        const px = frame.xScale(item(x, i)) + style.shift, py = frame.yScale(item(y, i));
        const inside = seen(px - style.shift, py) && !hidden2.has(item(color, i));
        if (inside) places.push({ i, px, py, width: widthOf(item(text, i), frame.font) });
        items[i].style.display = inside ? "" : "none";
        if (lines[i]) lines[i].style.display = "none";
      }
      const atLines = hidden2.size && (!Array.isArray(x) || x.every((one) => one === x[0]));
      const lineOf = (i) => frame.yScale(item(columns.from_y, i));
      if (style.align === "left") moveApart(places, atLines ? lineOf : null, size, frame);
      for (const { i, px, py, width: width2 } of places) {
        const one = items[i];
        const before = { left: 0, center: width2 / 2, right: width2 }[
          /** @type {"left"} */
          style.align
        ];
        const kept = Math.max(before + 1, Math.min(px, frame.width - 1 - (width2 - before)));
        setPlaces(one, { x: kept, y: py + HEIGHT[style.baseline] * size });
        if (one.textContent !== item(text, i)) one.textContent = item(text, i);
        one.style.fill = inked(item(color, i));
        const from = lines[i] && [
          frame.xScale(item(columns.from_x, i)),
          frame.yScale(item(columns.from_y, i))
        ];
        if (!from?.every(Number.isFinite)) continue;
        setPlaces(lines[i], { x1: from[0], y1: from[1], x2: kept - 2, y2: py });
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
  function piles({ columns: { x, y, color, marker }, style, size: count }, part) {
    const ways = /* @__PURE__ */ new Map(), { xScale, yScale } = frame;
    for (let i = 0; i < count; i++) {
      const px = xScale(item(x, i)), py = yScale(item(y, i)), of = item(color, i);
      if (!seen(px, py) || hidden2.has(of)) continue;
      const mark2 = marker === void 0 ? style.marker : item(marker, i), key = `${of} ${mark2}`;
      if (!ways.has(key)) {
        const shape = SHAPES[mark2](style.size / 2);
        ways.set(key, { of, shape, d: Array(PILES).fill(""), next: 0 });
      }
      const way = ways.get(key);
      way.d[way.next] += `M${Math.round(px * 10) / 10} ${Math.round(py * 10) / 10}${way.shape}`;
      way.next = (way.next + 1) % PILES;
    }
    hideFrom(part, 0);
    const paths = pool(part.piles, ways.size * PILES, (group) => drawn("path", { "fill-opacity": style.fill_alpha }, group));
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
  const drawLayer = (layer) => drawers[layer.kind](layer, named(parts2, layer.name));
  const placeOf2 = ({ layer, i }) => ({
    x: frame.xScale(item(layer.columns.x, i)),
    y: frame.yScale(item(layer.columns.y, i))
  });
  const linesAlong = () => shown.layers.flatMap((layer) => {
    const { columns: { x, y, threshold: threshold2 }, style } = layer;
    if (layer.kind !== "line" || hidden2.has(style.color)) return [];
    const at2 = threshold2 ?? (shown.x.threshold && ALONG.test(layer.name) ? x : null);
    if (!Array.isArray(at2)) return [];
    return [{ x, y, at: at2.map((one) => one ?? NaN), color: style.color, own: threshold2 !== void 0 }];
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
  function mark(threshold2) {
    marked = threshold2;
    marks.replaceChildren();
    if (!Number.isFinite(threshold2) || !frame) return;
    const { left, right, top, bottom, xScale, yScale } = frame;
    const { dots, across } = marksOf(linesAlong(), threshold2, { left, right, top, bottom, x: xScale, y: yScale });
    if (shown.x.threshold && across >= left && across <= right) {
      const ends = { x1: across, x2: across, y1: top, y2: bottom, "stroke-dasharray": "2 3" };
      drawn("line", ends, marks).style.stroke = paint(INK);
    }
    for (const { x, y, color } of dots) {
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
        if (hidden2.has(item(layer2.columns.color, i))) return NaN;
        const { x, y } = placeOf2({ layer: layer2, i }), far = Math.hypot(x - px, y - py);
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
    return order.filter((i) => !hidden2.has(item(layer.columns.color, i))).sort((a, b) => item(layer.columns.x, a) - item(layer.columns.x, b) || a - b).map((i) => ({ layer, i }));
  }
  function point(mouse) {
    if (reached2 && reached2.i >= reached2.layer.size) reached2 = null;
    pointer.style.display = "none";
    tooltip.style.display = reached2 ? "block" : "none";
    if (!reached2) return;
    const { layer, i } = reached2;
    let { x, y } = placeOf2(reached2);
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
        const { x, y } = placeOf2(reached2);
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
  const watcher2 = new ResizeObserver(() => {
    if (host.clientWidth !== room) resize();
  });
  watcher2.observe(host);
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
      const names2 = changed.some(({ kind, moving: follows }) => kind === "texts" && !follows);
      if (moved || names2 && endOfX(frame.right - frame.left, frame.font) !== frame.end) layOut();
      else changed.forEach(drawLayer);
      if (!moved && reached2) point();
    },
    mark,
    /** @param {Iterable<string>} colors */
    hide(colors) {
      hidden2 = new Set(colors);
      if (reached2 && hidden2.has(item(reached2.layer.columns.color ?? "", reached2.i))) reached2 = null;
      if (frame) layOut();
    },
    resize,
    destroy() {
      watcher2.disconnect();
      svg.remove();
      tooltip.remove();
    }
  };
}

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
function accumulated(bytes, places, row) {
  const bits = Math.ceil(places * row / 8), size = (bytes.length - bits) / 2;
  const taps = new Uint16Array(places * row);
  let more = bits;
  for (let query = 0, bit = 0; query < row; query++) {
    for (let place = 0, tap = 0; place < places; place++, bit++) {
      if (bytes[bit >> 3] & 128 >> (bit & 7)) {
        tap += bytes[more] << 8 | bytes[size + more];
        more++;
      }
      taps[place * row + query] = tap;
    }
  }
  return taps;
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

// tapviz/live/turn_rows.js
var cellsOf = (rows) => {
  const table2 = document.createElement("template");
  table2.innerHTML = `<table><tbody>${rows.map((html) => `<tr>${html}</tr>`).join("")}</tbody></table>`;
  return [...table2.content.querySelectorAll("tr")].map(({ children }) => [...children]);
};
var turnRows = (element, view, at) => {
  const table2 = element.querySelector("table");
  if (!table2?.tHead) return;
  const parts2 = [];
  for (const [place, cell, track] of view.head) {
    const row = table2.tHead.rows[place];
    if (row?.cells[cell]) parts2.push({ row, before: [row.cells[cell]], html: at(track) });
  }
  const [body2] = table2.tBodies;
  const rows = {};
  for (const row of body2.rows) rows[row.dataset.algorithm ?? ""] = row;
  for (const [name, tracks] of Object.entries(view.rows)) {
    const row = rows[name];
    if (!row) continue;
    const all = [...row.cells];
    const end = all.length - all.filter((cell) => cell.classList.contains("compared")).length;
    const now2 = {
      at_threshold: all.slice(0, end - view.others),
      others: all.slice(end - view.others, end),
      compared: all.slice(end)
    };
    for (const [part, track] of Object.entries(tracks)) parts2.push({ row, before: now2[part], html: at(track) });
  }
  const cells = cellsOf(parts2.map(({ html }) => html));
  for (const [i, { row, before }] of parts2.entries()) turnAllInto(row, before, cells[i]);
  if (!view.order) return;
  const order = at(view.order).filter((name) => rows[name]);
  if (order.every((name, i) => rows[name] === body2.rows[i])) return;
  const wanted = (
    /** @type {HTMLTableSectionElement} */
    body2.cloneNode(true)
  );
  const places = Object.fromEntries([...wanted.rows].map((row) => [row.dataset.algorithm, row]));
  wanted.append(...order.map((name) => places[name]));
  turnInto(body2, wanted);
};

// tapviz/explorer/report.js
var $ = (selector) => document.querySelector(selector);
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream);
}
var tables = await (await inflated($("#tables").textContent)).json();
var { labels, start } = tables;
var algorithms = tables.algorithms;
var asked = new URLSearchParams(location.hash.slice(1)).getAll("run").map((one) => algorithms.findIndex(({ name }) => name === one)).filter((i) => i >= 0);
var hidden = new Set(algorithms.flatMap(({ shown }, i) => (asked.length ? asked.includes(i) : shown) ? [] : [`a${i}`]));
var hiddenAtFirst = new Set(hidden);
var choice = { mode: tables.mode, k: start.k, e0: start.e0, n: start.n };
var threshold = () => choice.mode === "k" ? choice.k : labels.k.length + choice.e0;
var placeOf = (control) => control === "threshold" ? threshold() : choice[control];
var now = (track) => valueAt(track, placeOf);
function isAway(control) {
  if (control === "programs") return algorithms.some(({ shown }, i) => shown === hidden.has(`a${i}`));
  if (control !== "threshold") return choice[control] !== start[control];
  return choice.mode !== tables.mode || choice[choice.mode] !== start[choice.mode];
}
function sentence(words, each, ofAll) {
  if (typeof words === "string") {
    const all = ofAll && hidden.size ? ` All ${algorithms.length} programs count here, ticked or not.` : "";
    return words + all;
  }
  const [before, after, ...parts2] = words;
  const seen = parts2.filter(([i]) => !each || !hidden.has(`a${i}`)).map(([, part]) => part);
  return seen.length ? before + seen.join("; ") + after : "No algorithm is ticked.";
}
var LivePlot = class {
  /** @param {Table} table */
  constructor(table2) {
    this.table = table2;
    this.figure = $(`figure[data-plot="${table2.name}"]`);
    this.moving = [];
    for (const layer of table2.picture.layers) {
      for (const [of, name] of [...Object.keys(layer.columns).map((column) => [layer.columns, column]), [layer, "size"]]) {
        if (!isTrack(of[name])) continue;
        const track = whole(of[name]);
        of[name] = now(track);
        if (track.control) this.moving.push({ layer, of, name, track });
      }
    }
    for (const axis of ["x", "y"]) if (table2[axis]) table2.picture[axis] = now(table2[axis]);
    this.seen = false;
    this.stale = /* @__PURE__ */ new Set();
    if (table2.pairs) this.pair = new Pair(table2, this);
    if (table2.still) {
      this.figure.querySelector(".caption").before(make("span", { class: "where" }, `${table2.still.at}, as written. `));
    }
    this.write();
    const host = this.figure.querySelector(".live");
    host.hidden = false;
    this.drawn = draw(host, table2.picture, {
      label: this.label(),
      hidden: table2.each ? hidden : /* @__PURE__ */ new Set(),
      readout: table2.each ? withoutHidden : void 0,
      onthreshold: markAll,
      onpick: table2.pick ? (layer, i) => openQuery(layer.columns.query?.[i]) : void 0
    });
    this.figure.querySelector(".still").hidden = true;
  }
  text() {
    return this.pair ? this.pair.text() : sentence(now(this.table.text), this.table.each, this.table.each && this.table.all);
  }
  label() {
    return `${this.figure.querySelector("b").textContent}. ${this.text()}`;
  }
  /** Caption and text, where they are not what stands there. */
  write() {
    if (!this.pair) put(this.figure.querySelector(".caption"), now(this.table.caption));
    put(this.figure.querySelector(".text"), this.text());
  }
  /** Show where the controls are now. */
  refresh() {
    const { stale, table: table2 } = this, changed = /* @__PURE__ */ new Set();
    for (const { layer, of, name, track } of this.moving) {
      if (!track.control || !stale.has(track.control)) continue;
      of[name] = now(track);
      changed.add(layer);
    }
    const moved = {};
    for (const axis of ["x", "y"]) if (stale.has(table2[axis]?.control)) moved[axis] = now(table2[axis]);
    const layers = this.pair && stale.has("threshold") ? this.pair.layers() : [...changed].map(({ name, size, columns }) => ({ name, size, columns: { ...columns } }));
    this.figure.querySelector(".where")?.classList.toggle("away", table2.still.controls.some(isAway));
    stale.clear();
    this.write();
    if (layers.length || moved.x || moved.y) this.drawn.update(layers, { ...moved, label: this.label() });
  }
};
function markAll(threshold2) {
  for (const { drawn: drawn2, seen } of plots) if (seen) drawn2.mark(threshold2);
}
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
var Pair = class {
  /** @param {Table} table @param {LivePlot} plot */
  constructor(table2, plot) {
    this.pairs = table2.pairs;
    this.plot = plot;
    this.chosen = asked.length === 2 && asked.every((i) => i in this.pairs.taps) && asked[0] !== asked[1] ? asked : [...this.pairs.chosen];
    this.taps = [];
    const caption = plot.figure.querySelector(".caption");
    this.selects = ["A", "B"].map((letter, side) => make(
      "select",
      { "aria-label": letter, onchange: ({ target }) => this.choose(side, Number(target.value)) },
      ...Object.keys(this.pairs.taps).map((i) => new Option(algorithms[Number(i)].name, i))
    ));
    this.show();
    caption.replaceChildren(...this.selects.map((select, side) => make("label", {}, `${"AB"[side]} `, select)));
  }
  /** Another algorithm on one side; that of the other side changes places with it. @param {number} side @param {number} algorithm */
  async choose(side, algorithm) {
    const before = this.chosen[side];
    if (this.chosen[1 - side] === algorithm) this.chosen[1 - side] = before;
    this.chosen[side] = algorithm;
    this.show();
    await this.load();
    this.plot.stale.add("threshold");
    this.plot.refresh();
  }
  show() {
    this.selects.forEach((select, side) => {
      select.value = `${this.chosen[side]}`;
    });
  }
  /** Unpack the TAPs of those chosen. */
  async load() {
    const { taps, queries } = this.pairs;
    for (const one of this.chosen) {
      this.taps[one] ??= accumulated(new Uint8Array(await (await inflated(taps[one])).arrayBuffer()), labels.k.length + labels.e0.length, queries.length);
    }
  }
  get words() {
    return this.pairs.of.find(({ pair }) => pair.every((one, i) => one === this.chosen[i]));
  }
  text() {
    return now(this.words.text);
  }
  layers() {
    const { pairs, words, chosen: [a, b] } = this, place = threshold(), size = pairs.queries.length;
    const notice = now(words.notice), none = notice !== null;
    const better = words.better;
    const unlike = new Map(better.filter(([at]) => at === place).map(([, row, side]) => [row, side]));
    const [x, y] = [[], []];
    const color = [], marker = [];
    const counts = { 1: 0, 0: 0, "-1": 0 };
    for (let row = 0, at = place * size; row < size && !none; row++, at++) {
      const left = this.taps[a][at], below = this.taps[b][at];
      const side = unlike.get(row) ?? Math.sign(left - below);
      x.push(below / pairs.steps);
      y.push(left / pairs.steps);
      color.push(words.colors[side]);
      marker.push(pairs.markers[side]);
      counts[side]++;
    }
    const said = [1, 0, -1].map((side, i) => words.before[i] + counts[side].toLocaleString("en"));
    const corners = none ? [[], []] : [said.slice(0, 2), said.slice(2)];
    const ring = none || pairs.focus === null ? [] : [pairs.focus];
    const texts = Object.entries(
      /** @type {Record<string, object>} */
      words.places
    ).map(([name, columns], i) => ({ name, size: corners[i].length, columns: { ...columns, text: corners[i] } }));
    const focus = { x: ring.map((i) => x[i]), y: ring.map((i) => y[i]), color: pairs.accent };
    const point = { x, y, color, marker, query: pairs.queries, total: pairs.totals };
    return [
      { name: "point", size: x.length, tooltip: words.tooltip, columns: point },
      { name: "focus", size: ring.length, columns: focus },
      { name: "diagonal", size: none ? 0 : words.diagonal.x.length, columns: words.diagonal },
      { name: "notice", size: none ? notice.text.length : 0, columns: notice ?? {} },
      ...texts
    ];
  }
};
function withoutHidden(text) {
  const gone = algorithms.filter((_, i) => hidden.has(`a${i}`)).map(({ name }) => pythonEscaped(name));
  return text.split("<br>").filter((line) => !gone.some((name) => line.startsWith(`<b>${name}</b>`))).join("<br>");
}
var pythonEscaped = (name) => name.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/'/g, "&#x27;");
var table = $("table.scores");
var [body] = table.tBodies;
var names = Object.keys(tables.table.rows);
body.replaceChildren();
for (const name of names) body.insertRow().dataset.algorithm = name;
var scores = {
  figure: table,
  seen: true,
  stale: /* @__PURE__ */ new Set(["threshold"]),
  refresh() {
    this.stale.clear();
    turnRows(table.parentElement, tables.table, now);
  },
  hide() {
    for (const row of body.rows) {
      const of = tables.table.of[names.indexOf(row.dataset.algorithm)];
      row.hidden = of.every((one) => hidden.has(`a${one}`) && !algorithms[one].baseline);
    }
  }
};
var { ranked } = tables;
var chosen = $("#query");
var lists = $("#lists");
var listed = null;
if (ranked.pair.length > 1) {
  put($("#ranked label"), `The queries for which ${ranked.pair.join(" and ")} differ most, as written:`);
}
for (const [i, { query, total }] of ranked.queries.entries()) {
  chosen.append(new Option(`${query}, T(q) = ${total.toLocaleString("en")}`, i));
}
function openQuery(query) {
  const place = ranked.queries.findIndex((one) => one.query === query);
  if (place < 0) return put($("#query-problem"), `The lists of ${query} are not in this report.`);
  chosen.value = place;
  showQuery();
  $("#ranked").scrollIntoView({ block: "nearest" });
}
function showQuery() {
  listed = chosen.value === "" ? null : ranked.queries[chosen.value];
  $("#query-problem").textContent = "";
  lists.replaceChildren();
  if (!listed) return;
  for (const [i, { name }] of algorithms.entries()) {
    const one = listed.lists[name], box = make("section", { class: "list", "data-algorithm": i });
    const rows = one.score.map((score, j) => `<tr class="${one.relevant[j] ? "relevant" : "irrelevant"}"><td>${j + 1}</td><th scope="row">${escaped(one.record[j] ?? "")}</th><td>${score}</td><td>${one.relevant[j] ? "R" : "I"}</td><td>${one.precision[j]}</td></tr>`).join("");
    const rest = one.n - one.score.length;
    const more = rest > 0 ? `<p class="note">and ${rest.toLocaleString("en")} more</p>` : "";
    box.innerHTML = `<h3>${escaped(name)}</h3><p class="at"></p><div class="rows" tabindex="0" role="region" aria-label="${escaped(name)}, ranked list"><table><thead><tr><th scope=col>rank</th><th scope=col>record</th><th scope=col>score</th><th scope=col></th><th scope=col>precision</th></tr></thead><tbody>${rows}</tbody></table>${more}</div>`;
    lists.append(box);
  }
  followQuery();
}
function followQuery() {
  if (!listed) return;
  for (const box of lists.children) {
    const { name } = algorithms[box.dataset.algorithm];
    const { at, n } = listed.lists[name];
    const [retrieved, tap] = now(at);
    box.hidden = hidden.has(`a${box.dataset.algorithm}`);
    box.querySelector(".at").textContent = retrieved < 0 ? "no threshold" : `TAP ${tap}, ${retrieved.toLocaleString("en")} of ${n.toLocaleString("en")} retrieved`;
    box.querySelectorAll("tbody tr").forEach((row, i) => {
      row.classList.toggle("last", i === retrieved - 1);
    });
  }
}
chosen.addEventListener("change", showQuery);
var plots = tables.plots.map((one) => new LivePlot(one));
var parts = [scores, ...plots];
var pending = /* @__PURE__ */ new Set();
var resting;
function follow(...controls) {
  if (!pending.size) requestAnimationFrame(showAll);
  for (const control of controls) pending.add(control);
}
function showAll() {
  for (const part of parts) {
    for (const control of pending) part.stale.add(control);
    if (part.seen) part.refresh();
  }
  if (pending.has("threshold")) followQuery();
  pending.clear();
  $("#away").hidden = !isAway("threshold");
  $("main").classList.toggle("away", ["threshold", "n", "programs"].some(isAway));
  clearTimeout(resting);
  resting = setTimeout(showRest, 200);
}
function showRest() {
  const next = parts.find((one) => one.stale.size);
  if (!next) return;
  next.refresh();
  resting = setTimeout(showRest);
}
var inputs = {};
for (const name of ["k", "e0", "n"]) {
  const input = inputs[name] = $(`#${name}`), said = $(`output[for=${name}]`);
  Object.assign(input, { min: 0, max: labels[name].length - 1, step: 1, value: choice[name] });
  const tell = () => {
    said.textContent = labels[name][choice[name]];
    input.setAttribute("aria-valuetext", labels[name][choice[name]]);
  };
  input.addEventListener("input", () => {
    choice[name] = Number(input.value);
    tell();
    if (name !== "n") setMode(name);
    follow(...name === "n" ? ["n"] : name === "k" ? ["threshold", "k"] : ["threshold"]);
  });
  tell();
}
var radios = document.querySelectorAll("[name=mode]");
function setMode(mode) {
  choice.mode = mode;
  for (const radio of radios) radio.checked = radio.value === mode;
  for (const name of ["k", "e0"]) $(`#${name}`).closest(".control").classList.toggle("off", name !== mode);
}
for (const radio of radios) {
  radio.addEventListener("change", () => {
    setMode(radio.value);
    follow("threshold");
  });
}
setMode(choice.mode);
$("#reset").addEventListener("click", () => {
  for (const name of ["k", "e0", "n"]) {
    inputs[name].value = start[name];
    inputs[name].dispatchEvent(new Event("input"));
  }
  setMode(tables.mode);
  for (const [i, box] of [...ticks.querySelectorAll("input")].entries()) {
    if (box.checked === hiddenAtFirst.has(`a${i}`)) box.click();
  }
});
var ticks = $("#algorithms");
algorithms.forEach(({ name, dash }, i) => {
  const onchange = ({ target }) => {
    if (target.checked) hidden.delete(`a${i}`);
    else hidden.add(`a${i}`);
    for (const plot of plots) {
      if (!plot.table.each) continue;
      plot.drawn.hide(hidden);
      plot.write();
    }
    scores.hide();
    followQuery();
    follow();
  };
  const label = make("label", { onchange });
  label.innerHTML = `<input type="checkbox"${hidden.has(`a${i}`) ? "" : " checked"}><svg width="34" height="10" aria-hidden="true"><line x1="1" y1="5" x2="33" y2="5" stroke-width="2.4" stroke-dasharray="${dash.join(" ")}" style="stroke:var(--on-a${i})"/></svg><span>${escaped(name)}</span>`;
  ticks.append(label);
});
var dark = $("#dark");
var prefers = matchMedia("(prefers-color-scheme: dark)");
function setDark(on) {
  dress(on);
  dark.setAttribute("aria-pressed", on);
}
dark.addEventListener("click", () => setDark(dark.getAttribute("aria-pressed") !== "true"));
setDark(prefers.matches);
var watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const part = parts.find(({ figure }) => figure === target);
    if (!part) continue;
    part.seen = isIntersecting;
    if (isIntersecting && part.stale.size) part.refresh();
  }
});
for (const { figure } of parts) watcher.observe(figure);
addEventListener("beforeprint", () => {
  for (const part of parts) if (part.stale.size) part.refresh();
});
for (const { pair, drawn: drawn2 } of plots) {
  if (!pair) continue;
  await pair.load();
  drawn2.update(pair.layers());
}
scores.refresh();
scores.hide();
follow();
document.documentElement.dataset.live = "";
