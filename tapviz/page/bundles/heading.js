// Made by `npm run build` of the files named below: change those.
// tapviz/page/heading.js
function render({ model }) {
  const heading = document.createElement("h2");
  heading.tabIndex = -1;
  heading.textContent = model.text;
  const take = (frames) => {
    heading.focus();
    if (heading.matches(":focus") || !frames) model.shown = true;
    else requestAnimationFrame(() => take(frames - 1));
  };
  setTimeout(take, 0, 60);
  return heading;
}
export {
  render
};
