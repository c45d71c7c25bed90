// Made by `npm run build` of the files named below: change those.
let result;
(() => {
  // tapviz/live/compat.js
  var bokeh = () => (
    /** @type {any} */
    globalThis.Bokeh
  );
  var stillness = matchMedia("(prefers-reduced-motion: reduce)");
  var elementOf = (model) => bokeh()?.index?.find_one?.(model)?.el;

  // tapviz/page/tab_area.js
  function follow({ body: body2, caption: caption2, names: names2 }, chosen) {
    const shown = () => body2.children.find((place) => place.visible)?.css_classes[0];
    const parts = [body2, caption2].map(elementOf).filter(Boolean);
    const first = parts[0];
    const words = "labels" in chosen ? chosen.labels[chosen.active] : chosen.value;
    if (!first || !names2[words]) return;
    const waited = first.asked;
    first.asked = names2[words];
    const check = () => {
      const there = shown() === first.asked;
      for (const part of parts) part.style.visibility = there ? "" : "hidden";
      if (there) first.asked = null;
      else requestAnimationFrame(check);
    };
    if (!waited) check();
  }

  // tapviz/the call of tab_area
  result = follow({ body, caption, names }, cb_obj);
})();
return result
