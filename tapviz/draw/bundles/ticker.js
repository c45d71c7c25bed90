// Made by `npm run build` of the files named below: change those.
let result;
(() => {
  // tapviz/draw/ticker.js
  function ticker(levels2, range, enough2) {
    const seen = levels2.map((level) => level.filter((x) => x >= range.start && x <= range.end));
    return seen.find((level) => level.length >= enough2) ?? levels2[levels2.length - 1];
  }

  // tapviz/the call of ticker
  result = ticker(levels, cb_data, enough);
})();
return result
