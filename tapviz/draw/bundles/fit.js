// Made by `npm run build` of the files named below: change those.
let result;
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

  // tapviz/draw/ink.js
  var pen = null;
  function widthOf(text, font) {
    pen ??= make("canvas").getContext("2d");
    if (!pen) return 0;
    if (pen.font !== font) pen.font = font;
    return pen.measureText(text).width;
  }

  // tapviz/draw/fit.js
  var ROW = 0.09;
  var CLOSE = 1.1;
  var APART = 6;
  var AROUND = 16;
  var NAMES = 0.42;
  var LEGIBLE = 10;
  var LEAST = 0.5;
  var of = (property) => property?.value ?? property;
  var isWhole = (range) => range.start === range.reset_start && [range.reset_end, range.longer].includes(range.end);
  var makeRoom = (figure, renderers, most2, widthOf2) => {
    const { inner_width: wide, x_range: range, x_scale, below: [axis] } = figure;
    if (!Array.isArray(axis.bounds) || !isWhole(range)) return;
    const [at, back] = x_scale.type === "LogScale" ? [Math.log10, (place) => 10 ** place] : [Number, Number];
    const start = at(range.start), length = at(range.reset_end) - start;
    let times = 1;
    for (const { glyph, data_source: { data } } of renderers) {
      if (of(glyph.text_align) !== "left") continue;
      const font = `${most2}px ${of(glyph.text_font)}`, shift = of(glyph.x_offset) ?? 0;
      for (let i = 0; i < data.text.length; i++) {
        const place = (at(data.x[i]) - start) / length;
        if (!data.text[i] || !(place <= 1)) continue;
        const room = 1 - (widest(data.text[i], font, widthOf2) * LEGIBLE / most2 + shift) / wide;
        times = Math.max(times, place / Math.max(room, LEAST));
      }
    }
    range.times = (range.times ?? /* @__PURE__ */ new Map()).set(figure, times);
    const longest = Math.max(...range.times.values());
    range.longer = longest > 1 ? back(start + longest * length) : range.reset_end;
    if (range.end !== range.longer) range.setv({ end: range.longer }, { sync: false });
  };
  var widest = (text, font, widthOf2) => Math.max(...text.split("\n").map((line) => widthOf2(line, font)));
  function fit(figure, renderers, { most: most2, smallest: smallest2 }, widthOf2 = widthOf) {
    if (figure.properties.inner_height.is_unset) return;
    makeRoom(figure, renderers, most2, widthOf2);
    const { inner_width: wide, inner_height: high, x_range: { start, end }, x_scale } = figure;
    const size = (wanted) => Math.max(smallest2, Math.min(most2, Math.floor(wanted)));
    for (
      const [[axis], long] of
      /** @type {[any[], number][]} */
      [[figure.below, wide], [figure.left, high]]
    ) {
      const width = widthOf2(axis.axis_label ?? "", `${most2}px ${axis.axis_label_text_font}`);
      axis.setv({ axis_label_text_font_size: `${size(most2 * (long + AROUND) / width)}px` }, { sync: false });
    }
    const [left] = figure.left, given = left.major_label_overrides, named = given instanceof Map ? [...given.values()] : [];
    if (named.length) {
      const width = Math.max(...named.map((name) => widthOf2(name, `${most2}px ${left.major_label_text_font}`)));
      const letters = `${size(most2 * NAMES * figure.outer_width / width)}px`;
      left.setv({ major_label_text_font_size: letters }, { sync: false });
    }
    const at = x_scale.type === "LogScale" ? Math.log10 : (place) => place;
    for (const { glyph, data_source: { data } } of renderers) {
      const align = of(glyph.text_align), font = `${most2}px ${of(glyph.text_font)}`, shift = of(glyph.x_offset) ?? 0;
      const columns = /* @__PURE__ */ new Map();
      const places = Array.from(data.x, (x) => (at(x) - at(start)) / (at(end) - at(start)) * wide + shift);
      let share = 1;
      for (let i = 0; i < data.text.length; i++) {
        const x = places[i];
        if (!data.text[i] || !(x >= 0 && x <= wide)) continue;
        columns.set(data.x[i], (columns.get(data.x[i]) ?? 0) + 1);
        const next = Math.min(wide, ...places.filter((other, j) => other > x && data.y[j] === data.y[i]).map((other) => other - APART));
        const room = align === "left" ? next - x : align === "right" ? x : 2 * Math.min(x, wide - x);
        share = Math.min(share, room / widest(data.text[i], font, widthOf2));
      }
      const rows = Math.max(...columns.values(), 1), row = rows > 1 ? high * Math.min(ROW, 1 / rows) : Infinity;
      glyph.setv({ text_font_size: { value: `${size(Math.min(most2 * share, CLOSE * row))}px` } }, { sync: false });
    }
  }
  function keepFitting(figure, sizes, widthOf2 = widthOf) {
    const renderers = figure.renderers.filter(({ glyph }) => glyph?.type === "Text"), { x_range: held } = figure;
    const again = () => keepFitting(figure, sizes, widthOf2);
    for (const { data_source: source } of renderers) source.fitted ||= figure.connect(source.properties.data.change, again);
    figure.fitted ||= figure.connect(held.change, () => isWhole(held) && again());
    fit(figure, renderers, sizes, widthOf2);
  }

  // tapviz/the call of fit
  result = keepFitting(cb_obj, { most, smallest });
})();
return result
