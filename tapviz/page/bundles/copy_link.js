// Made by `npm run build` of the files named below: change those.
// tapviz/page/copy_link.js
function render({ model }) {
  const container = document.createElement("div");
  const button = document.createElement("button");
  const field = document.createElement("input");
  const status = document.createElement("span");
  container.className = "copy-link";
  button.textContent = "Copy link";
  field.readOnly = field.hidden = true;
  field.setAttribute("aria-label", "link to this view");
  status.setAttribute("role", "status");
  button.addEventListener("click", () => {
    model.presses += 1;
  });
  model.on("query", async () => {
    const url = new URL(location.href);
    url.search = model.query.slice(model.query.indexOf("?"));
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
  container.append(button, field, status);
  return container;
}
export {
  render
};
