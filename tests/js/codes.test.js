// Codes of a class, and their histograms. tests/test_codes.py has the same cases for Python.
import assert from "node:assert/strict"
import { test } from "node:test"
import { decode, encode } from "../../tapviz/lesson/codes.js"
import { bins, exponent, middle, read } from "../../tapviz/lesson/histogram.js"

/** @type {import("../../tapviz/lesson/codes.js").Question[]} */
const TWO = [
    { name: "list", options: [["A", "list A"], ["B", "list B"]], low: 0, high: 1, step: 0.01 },
    { name: "score", options: [], low: 0, high: 1, step: 0.01 },
]
const EDITION = "7Q"

test("a code worked by hand", () => {
    // B is answer 2 of 3, and 0.58 answer 59 of 102: 2 x 102 + 59 = 263. 263 x 1021 = 268,523, which is
    // 8, 6, 7 and 11 to the base 32, and the digit 11 is B.
    assert.equal(encode(TWO, EDITION, { list: "B", score: 0.58 }), "7Q86-7B")
    assert.equal(encode(TWO, EDITION, {}), "7Q00-00")
    assert.deepEqual(decode(TWO, EDITION, "7q 867b"), { list: "B", score: 0.58 })
})

test("every prediction survives", () => {
    for (const list of [null, "A", "B"]) {
        for (const score of [null, ...Array.from({ length: 101 }, (_, i) => i / 100)]) {
            assert.deepEqual(decode(TWO, EDITION, encode(TWO, EDITION, { list, score })), { list, score })
        }
    }
})

test("letters that look like digits are read as these", () => {
    const code = encode(TWO, EDITION, {})
    assert.deepEqual(decode(TWO, EDITION, code.replaceAll("0", "o")), { list: null, score: null })
})

test("every slip of one character is found", () => {
    const code = "7Q867B"
    for (let i = 2; i < code.length; i++) {
        for (const wrong of "0123456789ABCDEFGHJKMNPQRSTVWXYZ".replace(code[i], "")) {
            assert.throws(() => decode(TWO, EDITION, code.slice(0, i) + wrong + code.slice(i + 1)), /mistyped/)
        }
    }
})

test("what is no code is named", () => {
    assert.throws(() => decode(TWO, EDITION, "7Q86-7"), { message: "has 5 characters, not 6" })
    assert.throws(() => decode(TWO, EDITION, "7Q_867B"), { message: "_ is in no code" })
    assert.throws(() => decode(TWO, EDITION, "he110"), { message: "begins with HE, not 7Q: mistyped, or of another lesson" })
})

test("lines of a class are codes, with names before a colon, and others are said", () => {
    const { read: codes, problems } = read(TWO, EDITION, "Ada: 7Q86-7B\r\n7Q00-00\n\nBo: \nCy: 7Q86-7C\n7Q00-00")
    assert.deepEqual(codes, [{ list: "B", score: 0.58 }, { list: null, score: null }])
    assert.deepEqual(problems, [
        "Line 4: “Bo:” has no code after the colon.",
        "Line 5, “Cy: 7Q86-7C”, is not counted: mistyped: compare it with the student's.",
        "Line 6 has the code of line 2, which counts once.",
    ])
})

test("a code counts once, however it is written and wherever it stands", () => {
    const lines = ["7Q86-7B", "7q86 7b", "“7Q86–7B”", "Bob - 7Q867B", "1. 7Q86-7B", "7Q86-7B Carol", "Dan: 7Q86-7B, Eve: 7Q86-7B"]
    for (const line of lines) assert.deepEqual(read(TWO, EDITION, line).read, [{ list: "B", score: 0.58 }], line)
    assert.equal(read(TWO, EDITION, lines.join("\n")).read.length, 1)
    assert.equal(read(TWO, EDITION, lines.join("\n")).problems.length, 7)
    assert.deepEqual(read(TWO, EDITION, "7Q86-7B 7Q00-00"), { read: [{ list: "B", score: 0.58 }, { list: null, score: null }], problems: [] })
})

test("bins of options are these, and each number belongs to one bin", () => {
    assert.deepEqual(bins(TWO[0]).map(({ label, holds }) => [label, holds("B")]), [["list A", false], ["list B", true]])
    const twenty = bins(TWO[1])
    assert.deepEqual([twenty[0].label, twenty[19].label], ["0 to below 0.05", "0.95 to 1"])
    for (let i = 0; i <= 100; i++) {
        const place = twenty.findIndex(({ holds }) => holds(i / 100))
        assert.equal(place, Math.min(Math.floor(i / 5), 19))
        assert.equal(twenty.filter(({ holds }) => holds(i / 100)).length, 1)
    }
})

test("numbers that span decades have a bin for 0 and for each decade", () => {
    const decades = bins({ name: "errors", options: [], low: 0, high: 1000, step: 0.5 })
    assert.deepEqual(decades.map(({ label }) => label),
        ["0", "above 0, below 1", "1 to below 10", "10 to below 100", "100 to below 1,000"])
    assert.deepEqual([0, 0.5, 1, 10, 999].map((one) => decades.findIndex(({ holds }) => holds(one))), [0, 1, 2, 3, 4])
})

test("the median and the exponent of a power of ten", () => {
    assert.deepEqual([middle([3, 1, 2]), middle([10, 9, 1, 2])], [2, 5.5])
    assert.deepEqual([1000, 1e12].map(exponent), ["³", "¹²"])
})
