// Makes the texts that Python hands to a page: a file of tapviz/ with all that it imports, as one text
// in the folder `bundles` of its room. They are committed, so that nobody needs Node to run tapviz.
//
//     npm run build                       makes them
//     node scripts/bundle.js --check      exit code 1 if they are not those of the sources
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const PACKAGE = fileURLToPath(new URL("../tapviz", import.meta.url))
/** Modules: a component of Panel, which exports `render`, or the script of an HTML file. */
const MODULES = [
    "explorer/report", "lesson/class", "lesson/lesson", "live/accessibility", "live/controls_button",
    "live/hand", "live/live_text", "live/notebook_sync",
    "page/copy_link", "page/drawer", "page/header_buttons", "page/heading", "page/on_the_way", "page/queries",
]
/** What a page runs once, as it is. */
const SCRIPTS = ["explorer/site", "lesson/collects", "live/at_first", "live/connecting", "live/connection_lost", "live/dress"]
/**
 * Functions that Bokeh calls. It takes the text of a body only, whose variables it gives: here is
 * what the default export of the file is called with.
 */
const BODIES = {
    "draw/fit": "cb_obj, { most, smallest }",
    "draw/others": "special_vars.glyph_view.parent.model.data_source.data, special_vars.index",
    "draw/plain": "tick",
    "draw/power": "tick, { zero, compressed, kink, squeeze }",
    "draw/ticker": "levels, cb_data, enough",
}
const MADE = "// Made by `npm run build` of the files named below: change those.\n"

/** @param {import("esbuild").BuildOptions} options */
async function bundle(options) {
    const { outputFiles = [] } = await build({
        absWorkingDir: dirname(PACKAGE), bundle: true, charset: "utf8", target: "es2022", write: false,
        tsconfigRaw: "{}", ...options,
    })
    return outputFiles[0].text
}

/** @param {string} path */
const source = (path) => ({ entryPoints: [`tapviz/${path}.js`] })

/** @param {string} path @param {string} given */
function body(path, given) {
    const name = path.slice(path.indexOf("/") + 1)
    const contents = `import act from "./${path}.js"\nresult = act(${given})`
    return bundle({
        stdin: { contents, resolveDir: PACKAGE, sourcefile: `the call of ${name}` },
        format: "iife", banner: { js: "let result;" }, footer: { js: "return result" },
    })
}

const texts = Object.fromEntries(await Promise.all([
    ...MODULES.map(async (path) => [path, await bundle({ ...source(path), format: "esm" })]),
    ...SCRIPTS.map(async (path) => [path, await bundle({ ...source(path), format: "iife" })]),
    ...Object.entries(BODIES).map(async ([path, given]) => [path, await body(path, given)]),
].map(async (one) => {
    const [path, text] = await one
    return [path.replace("/", "/bundles/") + ".js", MADE + text]
})))

/** @type {Record<string, string>} */
const before = {}
for (const room of new Set(Object.keys(texts).map(dirname))) {
    await mkdir(`${PACKAGE}/${room}`, { recursive: true })
    for (const name of await readdir(`${PACKAGE}/${room}`)) {
        before[`${room}/${name}`] = await readFile(`${PACKAGE}/${room}/${name}`, "utf8")
    }
}
const differ = [...new Set([...Object.keys(texts), ...Object.keys(before)])]
    .filter((path) => texts[path] !== before[path])
if (process.argv.includes("--check")) {
    for (const path of differ) console.error(`tapviz/${path} is not what its source says: npm run build`)
    process.exitCode = differ.length ? 1 : 0
} else {
    for (const path of differ) {
        if (path in texts) await writeFile(`${PACKAGE}/${path}`, texts[path])
        else await rm(`${PACKAGE}/${path}`)
        console.log(`tapviz/${path}`)
    }
}
