// Made by `npm run build` of the files named below: change those.
let result;
(() => {
  // tapviz/draw/plain.js
  function plain(tick2) {
    return tick2.toLocaleString("en-US", { maximumSignificantDigits: 6 }).replace("-", "−");
  }

  // tapviz/the call of plain
  result = plain(tick);
})();
return result
