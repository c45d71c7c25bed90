// Made by `npm run build` of the files named below: change those.
// tapviz/live/shadow.js
var find = (root, selector) => {
  for (const element of root.querySelectorAll("*")) {
    if (element.matches(selector)) return element;
    const nested = element.shadowRoot && find(element.shadowRoot, selector);
    if (nested) return nested;
  }
  return null;
};

// tapviz/live/tour.js
var KEPT = "tapviz-tour";
var BESIDE = 10;
var text = (selector) => find(document, selector)?.innerText.trim() ?? "";
var first = () => text("table.scores tbody tr[data-algorithm] th") || "The best program";
var score = () => text("table.scores thead th:nth-child(2)");
var STEPS = [
  [".verdict", "The answer, in words", () => "Which program does better, by how much, and between which there is no clear difference. An interval of a difference that excludes 0 is a difference beyond chance."],
  [".scrolled:has(> table.scores)", "The scores, best first", () => `${first()} is in the first row. The sentence above compares the programs; the intervals here are of each alone. Point at a row to see its program in all plots, and at ${score()} or any other head to read what it means.`],
  [".leads-to-threshold", "Where the threshold goes", () => "Say how many errors per query you accept, and get the loosest threshold of each program, with the share of relevant records that it finds."],
  [".opens-export", "Take it with you", () => "Figures for print with caption and methods, the numbers, the settings, and a report as one file."]
];
var kept = () => {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
};
var keep = () => {
  try {
    localStorage.setItem(KEPT, "closed");
  } catch {
  }
};
function render({ model }) {
  const container = document.createElement("div");
  const button = document.createElement("button");
  container.className = "tour";
  container.append(button);
  let card = null, ring = null, at = 0, frame = 0;
  const name = () => {
    button.textContent = "Tour";
    if (!kept()) {
      const more = document.createElement("span");
      more.textContent = `: ${STEPS.length} steps`;
      button.append(more);
    }
    button.title = "What is where on this page, shown on what is open";
    button.setAttribute("aria-expanded", card !== null);
  };
  const place = () => {
    frame = requestAnimationFrame(place);
    const target = find(document, STEPS[at][0]);
    const box = target?.getBoundingClientRect();
    const seen = box && box.width > 0;
    ring.hidden = !seen;
    const { innerWidth: width, innerHeight: height } = window;
    const { offsetWidth: wide, offsetHeight: tall } = card;
    const room = (place2, most) => Math.max(8, Math.min(place2, most - 8));
    let top = 60, left = (width - wide) / 2;
    if (seen) {
      const below = box.bottom + BESIDE, above = box.top - BESIDE - tall;
      top = below + tall < height ? below : above > 0 ? above : height - tall - 8;
      left = box.left;
      Object.assign(ring.style, {
        left: `${box.left - 4}px`,
        top: `${box.top - 4}px`,
        width: `${box.width + 4}px`,
        height: `${box.height + 4}px`
      });
    }
    Object.assign(card.style, { left: `${room(left, width - wide)}px`, top: `${room(top, height - tall)}px` });
  };
  const close = () => {
    if (!card) return;
    cancelAnimationFrame(frame);
    card.remove();
    ring.remove();
    card = ring = null;
    keep();
    name();
    button.focus();
  };
  const show = (step) => {
    at = step;
    const [selector, title, words] = STEPS[at];
    find(document, selector)?.scrollIntoView({ block: "nearest" });
    card.querySelector("small").textContent = `${at + 1} of ${STEPS.length}`;
    card.querySelector("h2").textContent = title;
    card.querySelector("p").textContent = words();
    card.querySelector(".back").disabled = at === 0;
    card.querySelector(".next").textContent = at + 1 < STEPS.length ? "Next" : "Done";
    card.querySelector("h2").focus({ preventScroll: true });
  };
  const open = () => {
    ring = document.createElement("div");
    ring.id = "tapviz-tour-ring";
    card = document.createElement("div");
    card.id = "tapviz-tour";
    card.setAttribute("role", "dialog");
    card.setAttribute("aria-labelledby", "tapviz-tour-title");
    card.setAttribute("aria-describedby", "tapviz-tour-words");
    card.innerHTML = `<small></small><h2 id="tapviz-tour-title" tabindex="-1"></h2>
            <p id="tapviz-tour-words"></p>
            <button class="back">Back</button><button class="next"></button><button class="close">Close</button>`;
    card.querySelector(".back").addEventListener("click", () => show(at - 1));
    card.querySelector(".next").addEventListener("click", () => {
      if (at + 1 < STEPS.length) show(at + 1);
      else close();
    });
    card.querySelector(".close").addEventListener("click", close);
    document.body.append(ring, card);
    name();
    show(0);
    place();
  };
  button.addEventListener("click", () => card ? close() : open());
  const key = (event) => {
    if (event.key !== "Escape" || !card) return;
    event.stopPropagation();
    close();
  };
  document.addEventListener("keydown", key, { capture: true });
  model.on("remove", () => {
    document.removeEventListener("keydown", key, { capture: true });
    if (card) {
      cancelAnimationFrame(frame);
      card.remove();
      ring.remove();
    }
  });
  name();
  return container;
}
export {
  render
};
