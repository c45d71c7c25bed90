// Made by `npm run build` of the files named below: change those.
let result;
(() => {
  // tapviz/draw/columns.js
  var item = (column, i) => Array.isArray(column) || ArrayBuffer.isView(column) ? (
    /** @type {any} */
    column[i] ?? NaN
  ) : column;

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

  // tapviz/the call of others
  result = others(special_vars.glyph_view.parent.model.data_source.data, special_vars.index);
})();
return result
