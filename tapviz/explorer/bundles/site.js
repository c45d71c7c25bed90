// Made by `npm run build` of the files named below: change those.
(() => {
  // tapviz/explorer/site.js
  var table = document.querySelector("table.board");
  var body = table.tBodies[0];
  var heads = [...table.tHead.rows[0].cells];
  var sort = (place, rising) => {
    const sign = rising ? 1 : -1;
    const key = (row) => {
      const cell = row.cells[place];
      const { value } = cell.dataset;
      return value === void 0 ? cell.textContent.trim() : value === "" ? NaN : Number(value);
    };
    const compare = (a, b) => {
      if (typeof a === "string") return sign * a.localeCompare(b, "en", { numeric: true });
      if (isNaN(a) || isNaN(b)) return isNaN(a) - isNaN(b);
      return sign * (a - b);
    };
    const rows = [...body.rows].map((row) => [key(row), row]);
    rows.sort(([a], [b]) => compare(a, b));
    body.append(...rows.map(([, row]) => row));
    heads.forEach((head, other) => {
      if (other === place) head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    for (const row of body.rows)
      [...row.cells].forEach((cell, other) => cell.classList.toggle("sorted", other === place));
  };
  heads.forEach((head, place) => {
    const button = head.querySelector("button");
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      sort(place, now ? now === "descending" : head.dataset.first === "ascending");
    });
  });
})();
