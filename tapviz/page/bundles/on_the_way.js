// Made by `npm run build` of the files named below: change those.
// tapviz/page/on_the_way.js
var ON_THE_WAY = /* @__PURE__ */ new Set([1, 2, 3, 7, 9]);
var EVENTS = ["addfile", "processfile", "processfileabort", "removefile", "error", "warning"];
function render({ model }) {
  const count = ({ detail }) => {
    const files = detail.pond.getFiles();
    model.files = files.filter((file) => ON_THE_WAY.has(file.status)).length;
  };
  const gone = new AbortController(), { signal } = gone;
  for (const name of EVENTS) document.addEventListener(`FilePond:${name}`, count, { signal });
  model.on("remove", () => gone.abort());
  return document.createElement("span");
}
export {
  render
};
