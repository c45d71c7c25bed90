// Shows the lesson, whose words and numbers come as data: no measure is computed here.

import { draw } from "../draw/browser.js"
import { html, make, save } from "../draw/elements.js"
import { askField, fillScale } from "./asks.js"
import { encode, encodeOne } from "./codes.js"
import { crowd, dots } from "./crowd.js"
import { along, draggable } from "./drag.js"
import { explains } from "./explain.js"
import { fillSlots, furthest, onPaper, saveCard, savedPage, tableOf } from "./keepsakes.js"
import { Lanes, RUN_TIME, still } from "./lanes.js"
import { layersAt, textAt } from "./positions.js"
import { decoded, remember, remembered } from "./reader.js"

/**
 * @import { Collects } from "./collects.js"
 * @import { Ask, Chart, Control, Scene } from "./reader.js"
 * @typedef {{ chart: Chart, place: HTMLElement, words: HTMLElement, whole: boolean,
 *     drawn: ReturnType<typeof draw> | null, known?: boolean }} Drawn a chart on the page
 */

const ONE_COLUMN = 760  // pixels below which picture and text share one column
const PLAY_TIME = 7000, TELL_AFTER = 600  // milliseconds

/**
 * Show the lesson in an element.
 *
 * text: the lesson, encoded. explorer: address of an explorer, "?" for that at the same address,
 * empty for none. collects: the server of a class, if predictions go there.
 *
 * @param {Element} host @param {string} text @param {{ explorer?: string, collects?: Collects }} options
 */
export function start(host, text, { explorer = "", collects = undefined } = {}) {
    const lesson = decoded(text), state = remembered(lesson), { scenes } = lesson
    const asks = scenes.flatMap((scene) => scene.asks).filter(({ question }) => lesson.codes.questions.some(({ name }) => name === question))
    const code = () => encode(lesson.codes.questions, lesson.codes.edition, state.answers)
    const root = make("div", { class: "lesson" }), main = make("main"), tip = explains(root, lesson.glossary)
    let scene = scenes[0]
    /** @type {Drawn[]} */
    let charts = []
    /** @type {Lanes[]} */
    let lanes = []
    /** @type {Control | null} */
    let playing = null
    /** @type {(() => void)[]} */
    let refresh = []
    /** @type {ReturnType<typeof setTimeout>} */
    let telling
    const said = make("p", { class: "said", role: "status" })  // the only words that a screen reader hears of a move
    /** @type {object | null} */
    let coming = null  // that the pictures run, after which the answer comes
    let sending = false  // whether the teacher is waited for before that
    let earlier = state.revealed.length > 0  // whether somebody was here before
    let stays = make("div")  // pictures that stay in sight while the text is read
    const narrow = () => innerWidth < ONE_COLUMN
    const core = scenes.filter((one) => !one.more)
    const verb = () => collects && scene.asks.some((ask) => asks.includes(ask)) ? "Send" : "Reveal"

    const known = (one = scene) => state.revealed.includes(one.name)
    const controlsShown = () => scene.movesFirst || !scene.asks.length || known()

    function done(one = scene) {
        if (one.asks.length && !known(one)) return false
        if (state.skipped.includes(one.name)) return true
        return one.controls.every(({ name, goal, asked }) => !asked
            || (goal == null ? state.moved.includes(name) : (state.reached[name] ?? -1) >= goal))
    }

    const controlOf = (/** @type {string} */ name) => /** @type {Control} */ (scene.controls.find((one) => one.name === name))
    const answered = (/** @type {Ask} */ ask) => state.answers[ask.question] !== undefined && state.answers[ask.question] !== ""

    // --- texts of the present position ----------------------------------------------------------

    const slot = (/** @type {string} */ name) => textAt(scene, state.at, name)
    const filled = (/** @type {string} */ words) => words.replace(/\{(\w+)\}/g, (_, name) => slot(name))

    // --- pictures -------------------------------------------------------------------------------

    const layersNow = (/** @type {Chart} */ chart) => layersAt(chart, scene, state.at, known(), controlsShown())

    function buildStage() {
        for (const one of charts) one.drawn?.destroy()
        stays = make("div", { class: "stays" })
        const stage = make("section", { class: "stage", "aria-label": "Pictures" }, stays)
        const scale = scene.asks.find((ask) => ask.marks.length)
        if (scale) stays.append(predictionScale(scale))
        if (scene.extra.kind === "dots") stays.append(dotsPicture())
        if (scene.extra.kind === "crowd") stays.append(crowdPicture())
        lanes = scene.lanes.map((spec) => new Lanes(spec, colors, (i, at) => move(controlOf(spec.control[i]), at)))
        stays.append(...lanes.map(({ element }) => element))
        charts = scene.charts.map((spec) => {
            const whole = spec.known.length === spec.picture.layers.length
            const place = make("div", { class: "chart" }), words = make("p", { class: "inwords" })
            const figure = make("figure", {}, make("figcaption", {}, spec.title), place, words)
            // In one column there is no room for the curves, too, where lists merge, nor for what comes later.
            const beside = narrow() && (scene.lanes.some(({ mode }) => mode === "merging") || (scene.extra.kind === "dots"))
            ;(beside ? stage : stays).append(figure)
            draggable(place, () => controlsShown() ? along(spec, place, (name, at) => move(controlOf(name), at)) : null)
            return { chart: spec, place, words, whole, drawn: null }
        })
        if (scene.extra.kind === "rows" && (scene.extra.always || known())) stage.append(rowsTable())
        if (scene.extra.kind === "kept") stage.append(keptTable())
        return stage
    }

    function drawCharts() {
        const merged = known() || !scene.asks.length
        for (const one of lanes) one.show(one.spec.control.map((name) => state.at[name]), merged, controlsShown())
        for (const again of refresh) again()
        for (const one of charts) {
            const { chart, place, words } = one
            if (one.whole && !known()) {
                place.replaceChildren(make("p", { class: "later" }, "Predict first: the curves come with the answer."))
                place.style.minHeight = `${Math.min(chart.height, 200)}px`
                words.textContent = ""
                continue
            }
            const label = filled((known() && chart.told) || chart.words)
            words.textContent = label
            if (!one.drawn) {
                place.replaceChildren()
                place.style.minHeight = ""
                const fit = () => innerHeight - 90 - stays.offsetHeight + place.offsetHeight
                const height = () => Math.min(chart.height, narrow() ? 150 : Math.max(140, fit()))
                one.drawn = draw(place, { ...chart.picture, layers: layersNow(chart) }, { label, height })
            } else {
                const layers = layersNow(chart), all = one.known !== known()
                one.drawn.update(layers.filter((layer) => all || layer.name in chart.follows), { label })
            }
            one.known = known()
        }
        root.style.setProperty("--pinned", `${stays.offsetHeight}px`)
    }

    function colors() {
        const style = getComputedStyle(root), of = (/** @type {string} */ name) => style.getPropertyValue(name).trim()
        return {
            ink: of("--ink"), soft: of("--soft"), you: of("--you"), rule: of("--rule"), a: of("--a"), b: of("--b"), door: of("--truth"), stage: of("--stage"),
            first: of("--first"), second: of("--second"), font: style.fontFamily,
        }
    }

    /** What is known, said and right, on a line from 0 to 1. @param {Ask} ask */
    function predictionScale(ask) {
        const place = make("div", { class: "scale", role: "img" })
        const paint = (/** @type {import("./asks.js").Mark[]} */ ...here) => {
            const value = state.answers[ask.question]
            const marks = ask.marks.map(([name, at]) => ({ name, at, text: at.toFixed(3), kind: "own" }))
            if (typeof value === "number") marks.push({ name: "you", at: value, text: value.toFixed(2), kind: "you" })
            if (known()) marks.push({ name: ask.name, at: ask.truth, text: ask.answer, kind: "truth" })
            fillScale(place, [...marks, ...here])
        }
        refresh.push(() => paint())
        draggable(place, () => (x) => {
            const field = /** @type {HTMLInputElement} */ (main.querySelector(".asks input[type=number]"))
            const at = Math.max(0, Math.min(1, x / place.clientWidth)), text = at.toFixed(2)
            if (known() || coming) return paint({ name: "here", at, text, kind: "own" })
            field.value = text
            field.dispatchEvent(new Event("input"))
        })
        return make("figure", {}, make("figcaption", {}, ask.label.replace(", your prediction", known() ? "" : ": touch the line to predict")), place)
    }

    function dotsPicture() {
        const { element, paint } = dots(scene.extra), control = controlOf(scene.extra.control)
        refresh.push(() => paint(state.at[control.name]))
        draggable(element, () => (x) => move(control, Math.floor((x / element.clientWidth) * control.texts.length)))
        return element
    }

    function crowdPicture() {
        const [control] = scene.controls, { element, paint } = crowd(scene.extra, colors, (i) => {
            state.at[control.name] ^= 1 << i
            if (slot("verdict") === scene.extra.verdict) move(control, state.at[control.name])
            else changed()
        })
        refresh.push(() => paint(state.at[control.name], controlsShown(), [slot("pooled_first"), slot("pooled_second")], slot("verdict"), slot("gone")))
        return element
    }

    const cell = (/** @type {string} */ words) => html(words.replace(/\{(\w+)\}/g, '<span data-slot="$1"></span>'), "span")

    function rowsTable() {
        const { caption, heads, rows } = scene.extra
        return make("div", { class: "wide" }, make("table", {},
            make("caption", {}, cell(caption)),
            make("thead", {}, make("tr", {}, ...heads.map((/** @type {string} */ head) => make(head ? "th" : "td", head ? { scope: "col" } : {}, cell(head))))),
            make("tbody", {}, ...rows.map((/** @type {string[]} */ row) => make("tr", {},
                ...row.map((words, j) => make(j ? "td" : "th", j ? {} : { scope: "row" }, cell(words)))))),
        ))
    }

    const keptTable = () => tableOf((scene.more ? scenes : core).flatMap((one) => one.asks).filter((ask) => asks.includes(ask)), state, (ask) => scenes.some((one) => one.asks.includes(ask) && known(one)))

    // --- what the reader does -------------------------------------------------------------------

    function askPart() {
        if (!scene.asks.length) return null
        /** @param {Ask} ask @param {any} value */
        const set = ({ question }, value) => {
            state.answers[question] = value
            changed()
        }
        const fields = scene.asks.map((ask) => askField(ask, state, { set: (value) => set(ask, value), noted: () => remember(state, lesson), enter: () => { if (!coming && !known() && scene.asks.every(answered)) revealed() } }))
        const button = make("button", { type: "button", class: "primary reveal", onclick: () => revealed() }, verb())
        const short = make("span", { class: "short" })
        refresh.push(() => {
            button.disabled = !!coming || !scene.asks.every(answered)
            button.hidden = known()
            const codes = collects ? [] : scene.asks.filter((ask) => asks.includes(ask) && answered(ask)).map((ask) => encodeOne(lesson.codes.questions, ask.question, state.answers[ask.question]))
            short.textContent = codes.length ? `For your teacher: ${codes.join(", ")}` : ""
            for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (part.querySelectorAll("input, textarea"))) field.disabled = !!coming || (known() && !scene.open)
        })
        const part = make("div", { class: "asks" }, ...fields, button, " ", short)
        return part
    }

    const reveal = () => { if (!known()) state.revealed.push(scene.name) }

    /** Predictions of scenes, as the teacher's page takes them. @param {Scene[]} of */
    const predicted = (of) => Object.fromEntries(of.flatMap((one) => one.asks).filter((ask) => asks.includes(ask)).map(({ question }) => [question, state.answers[question] ?? null]))

    /** Tell the class, if there is one, who is there. */
    const join = () => collects?.arrive(() => predicted(scenes.filter(known)))

    /** Let the pictures run, in a class once the teacher reveals, then show the answer and lead the focus to it. */
    async function revealed() {
        const [lane] = still() ? [] : lanes, control = scene.controls.find(({ goal }) => goal != null)
        const own = coming = {}, here = () => coming === own, coded = scene.asks.filter((ask) => asks.includes(ask))
        let told = true
        const answer = () => {
            if (!here()) return
            reveal()
            if (!told) join()
            show({ focus: ".known" })
        }
        if (collects && coded.length) {
            sending = true
            changed()
            told = await collects.revealed(predicted([...scenes.filter(known), scene]), coded.map(({ question }) => question), here)
            if (!here()) return
            sending = false
        }
        if (lane?.spec.mode === "merging") lane.run(answer)
        else if (lane && control) {
            for (const { name, start } of scene.controls) state.at[name] = start
            play(control, control.goal ?? 0, RUN_TIME, answer)
        } else return answer()
        changed()
    }

    /** @param {Control} control */
    function controlPart(control) {
        const id = `control-${control.name}`
        const value = make("output", { for: id, "aria-live": "off" })
        const range = make("input", { type: "range", id, min: 0, max: control.texts.length - 1, step: 1, "data-move": control.name, oninput: () => move(control, +range.value) })
        const stops = control.stops.map((at) => make("button", { type: "button", class: "stop", onclick: () => move(control, at) }, control.texts[at]))
        const play = control.play ? make("button", { type: "button", class: "stop play", onclick: () => (playing === control ? (pause(), changed()) : playOn(control)) }) : null
        refresh.push(() => {
            const at = state.at[control.name]
            value.textContent = control.texts[at]
            if (+range.value !== at) range.value = `${at}`
            range.setAttribute("aria-valuetext", control.texts[at])
            range.style.setProperty("--at", `${(100 * at) / (control.texts.length - 1)}%`)
            stops.forEach((stop, i) => stop.classList.toggle("here", control.stops[i] === at))
            if (play) play.textContent = playing === control ? "Pause" : "Play"
        })
        return make("div", { class: "control" }, make("label", { for: id }, make("span", {}, control.label), value), range, make("div", { class: "stops" }, play, ...stops))
    }

    /** @param {Control} control @param {number} at @param {{ goesOn?: boolean }} options */
    function move(control, at, { goesOn = false } = {}) {
        if (!goesOn) pause()
        at = Math.max(0, Math.min(control.texts.length - 1, at))
        state.at[control.name] = at
        if (!state.moved.includes(control.name)) state.moved.push(control.name)
        state.reached[control.name] = Math.max(state.reached[control.name] ?? -1, at)
        clearTimeout(telling)
        telling = setTimeout(tell, TELL_AFTER)
        changed()
    }

    /** Say in a sentence where the pictures have come to rest. */
    function tell() {
        const words = main.querySelector(".chart ~ .inwords") ?? main.querySelector(".now, .shown")
        if (!playing) said.textContent = words?.textContent ?? ""
    }

    const pause = () => { playing = null }

    /** @param {Control} control */
    function playOn(control) {
        const last = control.texts.length - 1, goal = control.goal ?? last, now = state.at[control.name]
        if (now >= last) state.at[control.name] = 0
        const end = now < goal ? goal : last
        play(control, end, (PLAY_TIME * Math.max(end - state.at[control.name], 1)) / last)
    }

    /** @param {Control} control @param {number} end @param {number} time in milliseconds @param {() => void} [done] */
    function play(control, end, time, done) {
        if (still()) return move(control, end)
        const begun = performance.now(), from = state.at[control.name]
        const step = (/** @type {number} */ now) => {
            if (playing !== control || !root.isConnected) return
            const at = Math.round(from + (end - from) * Math.min(1, (now - begun) / time))
            if (now - begun >= time) playing = null
            if (at !== state.at[control.name] || !playing) move(control, at, { goesOn: true })
            if (playing) requestAnimationFrame(step)
            else done?.()
        }
        playing = control
        move(control, from, { goesOn: true })
        requestAnimationFrame(step)
    }

    function checkPart() {
        const { check } = scene
        if (!check || !controlsShown()) return null  // what is said of options tells the answer of a prediction
        const answer = make("p", { class: "told", role: "status" })
        refresh.push(() => {
            const chosen = check.options.find(([words]) => words === state.checks[scene.name])
            answer.innerHTML = chosen ? chosen[2] : ""
            answer.className = `told ${chosen?.[1] ? "right" : ""}`
        })
        return make("div", { class: "check" }, make("fieldset", {}, html(check.question, "legend"),
            ...check.options.map(([words]) => make("label", { class: "option" },
                make("input", { type: "radio", name: `check-${scene.name}`, checked: state.checks[scene.name] === words, onchange: () => { state.checks[scene.name] = words; changed() } }), html(words, "span"))),
            answer))
    }

    function endPart() {
        if (scene.extra.kind !== "kept") return null
        const said = make("span", { role: "status" })
        const ask = furthest(scenes.filter(known).flatMap((one) => one.asks), state.answers)
        return make("div", { class: "keep" },
            make("button", { type: "button", class: "primary", onclick: savePage }, "Save my answers"), " ",
            ask ? make("button", { type: "button", onclick: () => saveCard(ask, state.answers[ask.question], lesson.title, colors()) }, "Save a card to share") : null,
            make("p", {}, "The same with your own two programs: ", make("code", {}, "tapviz lesson mine.m8 other.m8 --labels labels.tsv -o mine.html")),
            collects ? null : make("p", {}, "Your code for the class: ", make("code", { class: "code" }, code()), " ",
                make("button", { type: "button", class: "stop", onclick: () => navigator.clipboard?.writeText(code()).then(() => { said.textContent = "copied" }) }, "Copy"), " ", said))
    }

    /** Forget all predictions, once that is confirmed. */
    function againButton() {
        const calm = () => { button.textContent = "Start again" }
        const button = make("button", { type: "button", class: "stop anew", onblur: calm, onclick: () => {
            if (button.textContent === "Start again") button.textContent = "Forget my predictions?"
            else {
                if (state.revealed.length) collects?.another()
                Object.assign(state, remembered(lesson, { anew: true }))
                earlier = false
                join()
                address("pushState")
                show({ focus: "h1" })
            }
        } }, "Start again")
        return button
    }

    /** Ask whose predictions those of an earlier visit are. */
    function earlierPart() {
        if (!earlier) return []
        const mine = make("button", { type: "button", class: "stop", onclick: () => { earlier = false; part.remove(); join() } }, "These are mine")
        const part = make("p", { class: "earlier", role: "status" }, "This browser has predictions of an earlier visit.", mine, againButton())
        return [part]
    }

    /** Give the scene an address, where the page may have one. @param {"pushState" | "replaceState"} how */
    function address(how) {
        try { history[how](null, "", `#${scenes[state.place].name}`) } catch { /* in a frame */ }
    }

    /** Go where the address says. */
    function arrive() {
        const place = scenes.findIndex(({ name }) => `#${name}` === location.hash)
        if (place < 0 || place === state.place || !root.isConnected) return
        pause()
        state.place = place
        state.furthest = Math.max(state.furthest, place)
        show({ focus: "h1" })
    }

    /** A page with what the reader predicted, as a file. */
    function savePage() {
        const notes = scene.blocks.filter(([when]) => when !== "words").map(([, words]) => html(words))
        save("my-predictions.html", savedPage(lesson.title, keptTable(), state.answers.report, notes, code()), "text/html")
    }

    // --- the page -------------------------------------------------------------------------------

    /** Words of a scene that are seen now, but for the first ones. */
    function blocks(of = scene) {
        const free = of.movesFirst || !of.asks.length || known(of)
        /** @type {Record<string, boolean>} */
        const seen = { now: free, known: known(of), shown: known(of), done: done(of), foot: true }
        return of.blocks.filter(([when]) => when !== "words" && seen[when])
    }

    function print() {
        const paper = onPaper(lesson, state, (of) => [...of.blocks.filter(([when]) => when === "words"), ...(scenes.indexOf(of) <= state.furthest ? blocks(of) : [])])
        root.querySelector(".paper")?.remove()
        root.append(paper)
    }

    /** Words that come and go, in the order in which the scene has them. @param {string[]} kinds */
    function wordsPart(...kinds) {
        const part = make("div", { class: "answers", "aria-live": kinds.includes("now") ? null : "polite" })
        /** @type {string | null} */
        let have = null
        refresh.push(() => {
            const now = blocks().filter(([when]) => kinds.includes(when)), names = now.map(([when]) => when).join()
            if (names === have) return
            have = names
            part.replaceChildren(...now.map(([when, words]) => html(words, "div", { class: when, tabindex: when === "known" ? -1 : null })))
            for (const table of part.querySelectorAll("table")) {
                for (const head of table.querySelectorAll("th")) head.scope = "col"
            }
        })
        return part
    }

    function footPart() {
        const call = make("p", { class: "call", role: "status" })
        const back = make("button", { type: "button", class: "back", onclick: () => go(state.place - 1) }, "Back")
        const help = make("button", { type: "button", class: "help", onclick: showMe })
        const next = make("button", { type: "button", class: "primary next", onclick: () => go(state.place + 1) },
            scene === core[core.length - 1] ? "For those who report scores" : "Next")
        refresh.push(() => {
            back.disabled = state.place === 0
            help.disabled = done() || sending
            help.textContent = scene.asks.length && !known() ? "Skip" : "Show me"
            next.hidden = state.place === scenes.length - 1
            back.hidden = scenes.length === 1
            help.hidden = back.hidden || (done() && scene === core[core.length - 1])  // Next has a long name there
            next.disabled = !done()
            const [before, after] = scene.call
            const open = scene.asks.length && !known(), asked = scene.check?.options.every(([words, right]) => !right || words !== state.checks[scene.name])
            let text = scene.asks.length && known() ? after || before : before || after  // what is left to do
            if (done()) text = scene.extra.kind === "kept" || next.hidden ? after : asked ? "Answer the question above, or press Next." : "Press Next."
            if (open && scene.asks.every(answered)) text = sending ? "Sent. Your teacher reveals the answer." : coming ? "The answer comes when the picture rests." : "Press Reveal."
            text = text.replace("Reveal", verb())
            if (collects) text = text.replace(", or give your teacher the code", "")
            if (call.textContent !== text) call.textContent = text
        })
        return make("footer", {}, call, make("div", { class: "buttons" }, back, help, next))
    }

    function showMe() {
        pause()
        for (const ask of scene.asks) if (!answered(ask)) state.answers[ask.question] = null
        if (collects && scene.asks.length && !known()) return revealed()
        if (scene.asks.length) reveal()
        state.skipped.push(scene.name)
        for (const control of scene.controls) {
            if (!control.asked || state.moved.includes(control.name)) continue
            state.at[control.name] = control.goal ?? control.stops[control.stops.length - 1] ?? control.start
        }
        show({ focus: scene.asks.length ? ".known" : ".done" })
    }

    /** @param {number} place */
    function go(place) {
        if (place < 0 || place >= scenes.length || (place > state.furthest && !done())) return
        pause()
        state.place = place
        state.furthest = Math.max(state.furthest, place)
        address("pushState")
        show({ focus: "h1" })
        root.scrollIntoView({ block: "start" })
    }

    function header() {
        const steps = scenes.map((one, i) => make("li", { class: i === core.length ? "more" : null }, make("button", {
            type: "button", "aria-label": `${i + 1}. ${one.title}`, title: `${i + 1}. ${one.title}`, disabled: i > state.furthest,
            "aria-current": i === state.place ? "step" : null, class: i === state.place ? "here" : i < state.place ? "past" : "", onclick: () => go(i),
        })))
        const dark = make("button", { type: "button", class: "theme", title: "Light or dark", "aria-label": "Dark theme", "aria-pressed": String(isDark()), onclick: () => {
            state.dark = !isDark()
            dress()
            dark.setAttribute("aria-pressed", String(isDark()))
            changed()
        } }, "◐")
        const out = explorer && explorer !== "?" ? make("a", { href: explorer }, "Open the explorer") : explorer ? make("a", { href: "?view=scatter" }, "Open the explorer") : null
        return make("header", {}, make("span", { class: "brand" }, make("b", {}, "tapviz"), ` ${lesson.title}`), make("nav", { "aria-label": "Scenes" }, make("ol", {}, ...steps)), make("span", { class: "out" }, out, againButton(), dark))
    }

    const isDark = () => state.dark ?? matchMedia("(prefers-color-scheme: dark)").matches
    const dress = () => { root.dataset.ground = isDark() ? "dark" : "light" }

    /** Build the present scene anew. */
    function show({ focus = "" } = {}) {
        scene = scenes[state.place]
        coming = null
        sending = false
        refresh = []
        const part = scenes.filter((one) => one.more === scene.more), step = part.indexOf(scene)
        const left = part.slice(step).reduce((sum, one) => sum + one.minutes, 0)
        const head = make("section", { class: "head" },
            make("p", { class: "step" }, `${scene.more ? "For those who report scores, " : ""}${step + 1} of ${part.length} · about ${Math.ceil(left)} minute${left > 1 ? "s" : ""} left`),
            make("h1", { tabindex: -1 }, scene.title), ...scene.blocks.filter(([when]) => when === "words").map(([, words]) => html(words, "div", { class: "words" })))
        const link = make("p", { class: "link" })
        refresh.push(() => {
            if (!explorer || !scene.explorer || !done() || link.firstChild) return
            link.append(make("a", { href: explorer === "?" ? scene.explorer : explorer + scene.explorer, target: "_blank" }, "Open this in the explorer"))
        })
        const stage = buildStage()
        const controls = [make("div", { class: "controls" }, ...(controlsShown() && scene.extra.kind !== "crowd" ? scene.controls.map(controlPart) : [])), wordsPart("now", "shown")]
        const predict = [askPart(), wordsPart("known")]
        const acts = (scene.movesFirst ? [...controls, ...predict] : [...predict, ...controls]).filter(Boolean)
        const act = make("section", { class: "act", "aria-label": "What to do" }, ...acts, wordsPart("done"), endPart(), wordsPart("foot"), checkPart(), link)
        main.dataset.scene = scene.name
        main.replaceChildren(head, stage, act, footPart())
        clearTimeout(telling)
        said.textContent = ""
        root.replaceChildren(header(), ...earlierPart(), main, said, tip)
        dress()
        // At once, whatever waits for the next frame: what is to have the focus must be there.
        remember(state, lesson)
        fill()
        if (focus) /** @type {HTMLElement | null} */ (main.querySelector(focus))?.focus({ preventScroll: focus === "h1" })
    }

    let asked = false
    /** Everything that follows the state; once a frame at most. */
    function changed() {
        remember(state, lesson)
        if (asked) return
        asked = true
        const now = () => { if (asked) fill() }
        if (root.isConnected && !document.hidden) requestAnimationFrame(now)
        else now()
    }

    function fill() {
        asked = false
        drawCharts()
        fillSlots(main, scene, state)
    }

    let width = 0, one = narrow()
    new ResizeObserver(() => {
        if (one !== narrow()) {
            one = narrow()
            width = root.clientWidth
            show()
        } else if (root.clientWidth !== width && root.clientWidth) {
            width = root.clientWidth
            for (const one of charts) one.drawn?.resize()
            drawCharts()
        }
    }).observe(root)
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { dress(); drawCharts() })

    addEventListener("popstate", arrive)
    addEventListener("beforeprint", print)
    host.append(root)
    arrive()
    address("replaceState")
    show()
    if (!earlier) join()
}

/** For Panel: the same in a component of a page, as soon as the server has made the lesson. @param {{ model: any, el: Element }} component */
export function render({ model, el }) {
    const wait = make("p", { role: "status" }, "The lesson is being made …")
    const begin = () => {
        wait.remove()
        start(el, model.content, { explorer: model.explorer })
    }
    if (model.content) begin()
    else {
        el.append(wait)
        model.on("content", begin)
    }
}
