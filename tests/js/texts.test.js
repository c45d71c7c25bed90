// Texts that a page takes apart: read-outs, names, cells, what follows a control.
import assert from "node:assert/strict"
import { test } from "node:test"
import { escaped } from "../../tapviz/draw/elements.js"
import { order } from "../../tapviz/explorer/order.js"
import { accumulated, isTrack, valueAt, whole } from "../../tapviz/draw/tracks.js"
import { upTo } from "../../tapviz/lesson/lanes.js"
import { decoded, inWords } from "../../tapviz/lesson/reader.js"
import { isNameOf, isOwn, ownersIn } from "../../tapviz/live/names.js"
import { readOut } from "../../tapviz/live/read_out.js"
import { bare, isNumeral } from "../../tapviz/live/typed.js"

test("a read-out is sorted as the lines lie, undefined ones last", () => {
    const { head, entries } = readOut("at 5 errors<br><b>a</b> TAP 0.2<br><b>b</b> none here<br><b>c</b> TAP 0.31 (EPQ 20)")
    assert.equal(head, "at 5 errors")
    assert.deepEqual(entries.map(({ name }) => name), ["c", "a", "b"])
    assert.equal(entries[0].html, "<b>c</b> TAP 0.31<small> (EPQ 20)</small>")
})

test("numbers of a read-out may have separators and exponents", () => {
    const { entries } = readOut("head<br><b>a</b> 1e-5<br><b>b</b> 12,000<br><b>c</b> 7<br><b>d</b> −3")
    assert.deepEqual(entries.map(({ number }) => number), [12000, 7, 1e-5, -3])
})

test("items of layers are of algorithms, whichever colour they have, or nobody's", () => {
    assert.deepEqual(ownersIn({ layer: ["curve BLASTP 2", "line"] }), ["BLASTP 2", ""])
    assert.deepEqual(ownersIn({ of: ["HMMER2 local", ""] }), ["HMMER2 local", ""])
    assert.deepEqual(ownersIn({}), [])
})

test("an algorithm has what is its own, and a system what its runs have", () => {
    assert.ok(isOwn("BLASTP", "BLASTP"))
    assert.ok(isOwn("esm2@seed1", "esm2"))
    assert.ok(!isOwn("BLASTP 2", "BLASTP"))
    assert.ok(!isOwn("", "line"))
})

test("a shortened text is the name of what begins and ends so", () => {
    assert.ok(isNameOf("BLASTP", "BLASTP"))
    assert.ok(!isNameOf("BLAST", "BLASTP"))
    assert.ok(isNameOf("a long na…", "a long name"))
    assert.ok(isNameOf("a long…seed 2…", "a long name with seed 2 and more"))
    assert.ok(!isNameOf("a long…seed 3…", "a long name with seed 2 and more"))
})

test("cells are sorted by their numbers, undefined ones last either way", () => {
    const sorted = (/** @type {boolean} */ rising) => [2, NaN, 1, 3].sort((a, b) => order(a, b, rising))
    assert.deepEqual(sorted(true), [1, 2, 3, NaN])
    assert.deepEqual(sorted(false), [3, 2, 1, NaN])
    assert.deepEqual(["run 10", "run 9"].sort((a, b) => order(a, b, true)), ["run 9", "run 10"])
})

test("a track has the value of the place of its control", () => {
    assert.ok(isTrack({ values: [1] }) && !isTrack([1]) && !isTrack(null) && !isTrack("text"))
    const place = () => 3
    assert.equal(valueAt({ values: ["always"] }, place), "always")
    assert.equal(valueAt({ control: "n", values: [..."abcd"] }, place), "d")
    const track = { control: "n", values: [..."ab"], runs: [0, 2, 1, 1, 0, 1] } // a a b a
    assert.deepEqual([0, 1, 2, 3].map((at) => valueAt(track, () => at)), [..."aaba"])
})

test("columns that differ from the longest only at their end are whole again", () => {
    const track = { values: [{ longest: 1 }, { alike: 2, rest: [9] }, [1, 2, 3, 4], [5]] }
    assert.deepEqual(whole(track).values, [[1, 2, 9], [1, 2, 3, 4], [5]])
    const plain = { values: [[1], [2]] }
    assert.equal(whole(plain), plain)
})

test("TAPs of two queries are added up from place to place", () => {
    // The first query goes from 256 on by 1, the second stays at 2: three changes, high bytes first.
    const bytes = new Uint8Array([0b11100000, 1, 0, 0, 0, 1, 2])
    assert.deepEqual([...accumulated(bytes, 2, 2)], [256, 2, 257, 2])
})

test("records up to each error", () => {
    assert.deepEqual(upTo("RIRRI"), [0, 2, 5])
    assert.deepEqual(upTo(""), [0])
})

test("predictions are said in words, and what is skipped as well", () => {
    const said = (/** @type {any} */ value, high = 1, options = {}) =>
        inWords(/** @type {any} */ ({ options, high }), value)
    assert.deepEqual([said(0.5), said(12000, 2e6), said("A", 1, { A: "list A" })], ["0.50", "12,000", "list A"])
    assert.deepEqual([said(null), said(undefined)], ["skipped", "—"])
})

test("the lesson travels encoded, with letters of any alphabet", () => {
    const text = Buffer.from(JSON.stringify({ title: "ROCₙ" })).toString("base64")
    assert.deepEqual(decoded(` ${text}\n`), { title: "ROCₙ" })
})

test("text is not HTML", () => {
    assert.equal(escaped(`<a href="x">&</a>`), "&#60;a href=&#34;x&#34;&#62;&#38;&#60;/a&#62;")
})

test("a number may be typed with blanks around it and separators of thousands", () => {
    assert.deepEqual([" 20 ", "1,000", "12 345,678", "-1,000"].map(bare), ["20", "1000", "12345678", "-1000"])
    assert.deepEqual(["1,5", "0,001", "1,0000", "1,00", ",100", "1000,000", "a,100"].map(bare), ["1,5", "0,001", "1,0000", "1,00", ",100", "1000,000", "a,100"])
    assert.deepEqual(["", "-", "20", "0.5", "1e", "1E-3", "1,5", "abc", "2x"].map(isNumeral), [true, true, true, true, true, true, false, false, false])
})
