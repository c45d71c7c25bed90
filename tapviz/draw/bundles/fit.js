// Made by `npm run build` of the files named below: change those.
let result;
(() => {
  // tapviz/draw/fit.js
  function fit(renderer2, axis2, { most: most2, full: full2, smallest: smallest2 }, width) {
    const size = Math.max(smallest2, Math.min(most2, Math.floor(most2 * width / full2)));
    axis2.setv({ axis_label_text_font_size: `${size}px` }, { sync: false });
    renderer2.glyph.setv({ text_font_size: { value: `${size}px` } }, { sync: false });
  }

  // tapviz/the call of fit
  result = fit(renderer, axis, { most, full, smallest }, cb_obj.inner_width);
})();
return result
