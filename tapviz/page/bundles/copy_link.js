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

// tapviz/page/copy_link.js
function render({ model }) {
  const button = make("button", { onclick: () => model.send_msg("copy") }, "Copy link");
  const field = make("input", { readonly: true, hidden: true, "aria-label": "link to this view" });
  const status = make("span", { role: "status" });
  model.on("msg:custom", async (message) => {
    const url = new URL(location.href);
    url.search = message.data ?? message;
    field.value = url.href;
    try {
      await navigator.clipboard.writeText(url.href);
      status.textContent = "copied";
      field.hidden = true;
    } catch {
      field.hidden = false;
      field.focus();
      field.select();
      status.textContent = "press Ctrl+C";
    }
    setTimeout(() => {
      status.textContent = "";
    }, 4e3);
  });
  return make("div", { class: "copy-link" }, button, field, status);
}
export {
  render
};
