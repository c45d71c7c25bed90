// Codes of a class, and their histograms. tests/test_class_pages.py has the same cases for Python.
import assert from "node:assert/strict"
import { test } from "node:test"
import { decode, decodeOne, encode, encodeOne } from "../../tapviz/lesson/codes.js"
import { bins, exponent, middle, oneByOne, read } from "../../tapviz/lesson/histogram.js"

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

test("what is not a code is named", () => {
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

const THREE = [...TWO, { name: "errors", options: [], low: 0, high: 2_000_000, step: 0.1 }]

test("a code of one question worked by hand", () => {
    // 0.58 is answer 59 of the score, the second question, whose place is 1: 59 x 37 + 1 = 2184 = 2 x 1024 + 4 x 32 + 8.
    assert.equal(encodeOne(TWO, "score", 0.58), "248")
    assert.equal(encodeOne(TWO, "list", null), "000")
    // 1.3 has the digits 13, the fourth of the second decade of 90 from 0.1 on: 2 + 90 + 3 = 95. 95 x 37 + 2 = 3517 = 3 x 1024 + 13 x 32 + 29.
    assert.equal(encodeOne(THREE, "errors", 1.3), "3DX")
})

test("every prediction of one question survives, numbers without end with two digits", () => {
    for (const score of [null, ...Array.from({ length: 101 }, (_, i) => i / 100)]) {
        assert.equal(decodeOne(TWO, "score", encodeOne(TWO, "score", score)), score)
    }
    for (const list of [null, "A", "B"]) assert.equal(decodeOne(TWO, "list", encodeOne(TWO, "list", list)), list)
    for (const errors of [null, 0, 0.1, 0.9, 1, 1.5, 9.9, 10, 99, 100, 12_000, 999_999, 2_000_000]) {
        const kept = errors && Number(errors.toPrecision(2))
        assert.equal(decodeOne(THREE, "errors", encodeOne(THREE, "errors", errors)), kept)
    }
})

test("every slip and every exchange in a code of one question is found", () => {
    const all = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    for (const code of ["248", encodeOne(TWO, "score", 1), encodeOne(TWO, "score", null)]) {
        for (let i = 0; i < 3; i++) {
            for (const wrong of all.replace(code[i], "")) {
                assert.equal(decodeOne(TWO, "score", code.slice(0, i) + wrong + code.slice(i + 1)), undefined)
            }
        }
        for (const [i, j, k] of [[1, 0, 2], [0, 2, 1], [2, 1, 0]]) {
            const swapped = code[i] + code[j] + code[k]
            if (swapped !== code) assert.equal(decodeOne(TWO, "score", swapped), undefined)
        }
    }
})

test("what is not a code of the question is named, and the rest is read", () => {
    const ada = encodeOne(TWO, "score", 0.58), list = encodeOne(TWO, "list", "B")
    assert.deepEqual(oneByOne(TWO, "score", `Ada: ${ada.toLowerCase()}, “${ada}” ${list} 24 2488 U48 Cy:001`),
        { read: [0.58, 0.58, null], wrong: [list, "24", "2488", "U48"] })
    assert.deepEqual(oneByOne(TWO, "score", ""), { read: [], wrong: [] })
    assert.deepEqual(oneByOne(TWO, "score", "oo1 OOL"), { read: [null, null], wrong: [] })
})

test("counts of hundreds have decades, too, and none below 1 where there are only whole numbers", () => {
    assert.deepEqual(bins({ name: "lifted", options: [], low: 0, high: 862, step: 1 }).map(({ label }) => label),
        ["0", "1 to below 10", "10 to below 100", "100 to below 1,000"])
})
