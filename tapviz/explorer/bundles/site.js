// Made by `npm run build` of the files named below: change those.
(() => {
  // tapviz/explorer/order.js
  function order(a, b, rising) {
    const sign = rising ? 1 : -1;
    if (typeof a === "string" || typeof b === "string") {
      return sign * String(a).localeCompare(String(b), "en", { numeric: true });
    }
    if (isNaN(a) || isNaN(b)) return Number(isNaN(a)) - Number(isNaN(b));
    return sign * (a - b);
  }

  // tapviz/explorer/site.js
  var table = (
    /** @type {HTMLTableElement} */
    document.querySelector("table.board")
  );
  var body = table.tBodies[0];
  var heads = [...table.tHead?.rows[0].cells ?? []];
  var sort = (place, rising) => {
    const key = (row) => {
      const cell = row.cells[place];
      const { value } = cell.dataset;
      return value === void 0 ? (cell.textContent ?? "").trim() : value === "" ? NaN : Number(value);
    };
    const rows = [...body.rows].map((row) => ({ row, key: key(row) }));
    rows.sort((a, b) => order(a.key, b.key, rising));
    body.append(...rows.map(({ row }) => row));
    heads.forEach((head, other) => {
      if (other === place) head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    for (const row of body.rows) {
      [...row.cells].forEach((cell, other) => cell.classList.toggle("sorted", other === place));
    }
  };
  heads.forEach((head, place) => {
    head.querySelector("button")?.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      sort(place, now ? now === "descending" : head.dataset.first === "ascending");
    });
  });
})();
