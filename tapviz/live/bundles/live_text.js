// Made by `npm run build` of the files named below: change those.
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

// tapviz/live/roving.js
var stops = (bar, all, at = bar.stop) => {
  bar.stop = all.includes(at) ? at : all[0];
  for (const tool of all) tool.tabIndex = tool === bar.stop ? 0 : -1;
};
var goOn = (bar, all, event) => {
  const at = all.indexOf(event.composedPath()[0]);
  const next = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1 + all.length, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
  if (at < 0 || next === void 0) return false;
  stops(bar, all, all[next % all.length]);
  bar.stop.focus();
  event.preventDefault();
  return true;
};

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

// tapviz/live/live_text.js
var boxesIn = (element) => [.../** @type {NodeListOf<HTMLButtonElement>} */
element.querySelectorAll("button[role=checkbox]")];
var menuOf = (box) => box.closest(".ticks");
var PATIENCE = 5e3;
function render({ model, view }) {
  const container = make("div", {
    onclick: (event) => {
      const button = event.target.closest("button");
      if (!button || button.popoverTargetElement && !button.value) return;
      model.choice = button.role === "checkbox" ? ticked(button) : button.value;
      model.pressed += 1;
    },
    onkeydown: (event) => {
      const menu = menuOf(
        /** @type {Element} */
        event.composedPath()[0]
      );
      if (menu) goOn(menu, boxesIn(menu), event);
    }
  });
  container.innerHTML = model.text;
  const pressed = /* @__PURE__ */ new Map();
  const keyOf = (box) => `${menuOf(box).id}
${box.value}`;
  const overlay = (element) => {
    for (const box of boxesIn(element)) {
      const last = pressed.get(keyOf(box));
      if (!last) continue;
      if (box.ariaChecked === last.checked || performance.now() - last.at > PATIENCE) pressed.delete(keyOf(box));
      else box.ariaChecked = last.checked;
    }
  };
  const ticked = (box) => {
    box.ariaChecked = box.ariaChecked === "true" ? "false" : "true";
    pressed.set(keyOf(box), { checked: box.ariaChecked, at: performance.now() });
    const menu = menuOf(box);
    const names = boxesIn(menu).filter((one) => one.ariaChecked === "true").map((one) => one.value);
    return [menu.id, ...names].join("\n");
  };
  const keepFocus = (change) => {
    const root = (
      /** @type {Document | ShadowRoot} */
      container.getRootNode()
    );
    const held = (
      /** @type {any} */
      root.activeElement
    ), around = [held, held?.parentElement, container];
    const within = container.contains(held);
    change();
    if (!within || container.contains(root.activeElement)) return;
    const place = around.find((one) => container.contains(one));
    place.tabIndex = -1;
    place.addEventListener("blur", () => place.removeAttribute("tabindex"), { once: true });
    place.focus({ preventScroll: true });
  };
  let turned = false;
  const show = () => {
    const wanted = make("div");
    wanted.innerHTML = model.text;
    overlay(wanted);
    turned = false;
    keepFocus(() => turnInto(container, wanted));
  };
  model.on("text", show);
  document.addEventListener("tapviz-turn", ({ detail }) => {
    if (detail.of !== view.model.document || detail.slot !== model.slot || !container.isConnected) return;
    turned = true;
    keepFocus(() => detail.turn(container));
  });
  document.addEventListener("tapviz-settle", () => {
    if (turned) show();
  });
  return container;
}
export {
  render
};
