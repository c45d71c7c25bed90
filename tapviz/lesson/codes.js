// A student's predictions as a short code: codes.py says how it is made, and its tests hold both.

/**
 * @typedef {{ name: string, options: [value: string, words: string][], low: number, high: number, step: number }} Question
 * @typedef {string | number | null | undefined} Answer none if the question was skipped
 */

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
/** @type {Record<string, string>} */
const ALIKE = {O: "0", I: "1", L: "1"}
const CHECK = 1021n
const GROUP = 4
// A code of one question: three characters for a multiple of a prime above 31, which no slip of one character and no
// exchange of two is, plus the place of the question.
const ONE = 3, PRIME = 37, MOST = Math.floor(32 ** ONE / PRIME)

const values = (/** @type {Question} */ question) => question.options.map(([value]) => value)

/** @param {Question} question */
function positions(question) {
    const options = values(question).length
    return BigInt(options ? options + 1 : Math.round((question.high - question.low) / question.step) + 2)
}

/** @param {Question} question @param {Answer} answer */
function position(question, answer) {
    if (answer == null) return 0n
    if (typeof answer === "string") return BigInt(values(question).indexOf(answer) + 1)
    return BigInt(Math.round((answer - question.low) / question.step) + 1)
}

/** @param {Question} question @param {number} place */
function answerAt(question, place) {
    if (place === 0) return null
    const options = values(question)
    if (options.length) return options[place - 1]
    return Number((question.low + question.step * (place - 1)).toPrecision(12))
}

/** @param {string} code what is read as something else, or not at all, replaced */
const plain = (code) => code.toUpperCase().replace(/[ -]/g, "").replace(/[OIL]/g, (one) => ALIKE[one])
/** A number in base 32. @param {bigint} number @param {number} width */
const written = (number, width) => Array.from({ length: width }, (_, i) => ALPHABET[Number(number >> BigInt(5 * (width - 1 - i)) & 31n)]).join("")
const numberOf = (/** @type {string} */ text) => [...text].reduce((sum, one) => sum * 32n + BigInt(ALPHABET.indexOf(one)), 0n)
const states = (/** @type {Question[]} */ questions) => questions.reduce((product, one) => product * positions(one), 1n)

/** @param {Question[]} questions */
function digits(questions) {
    const largest = CHECK * (states(questions) - 1n)
    return Math.max(1, Math.ceil(largest.toString(2).length / 5))
}

/**
 * @param {Question[]} questions
 * @param {string} edition
 * @param {Record<string, Answer>} predictions by the names of questions
 */
export function encode(questions, edition, predictions) {
    const number = questions.reduce((sum, one) => sum * positions(one) + position(one, predictions[one.name]), 0n)
    const text = written(number * CHECK, digits(questions))
    return (edition + text).match(new RegExp(`.{1,${GROUP}}`, "g"))?.join("-") ?? ""
}

/**
 * Predictions of a code. Throws an Error that says what is wrong with it.
 *
 * @param {Question[]} questions
 * @param {string} edition
 * @param {string} code
 */
export function decode(questions, edition, code) {
    const text = plain(code), strange = [...text].find((one) => !ALPHABET.includes(one))
    if (strange) throw new Error(`${strange} is in no code`)
    if (!text.startsWith(edition)) throw new Error(`begins with ${text.slice(0, 2)}, not ${edition}: mistyped, or of another lesson`)
    const length = 2 + digits(questions)
    if (text.length !== length) throw new Error(`has ${text.length} characters, not ${length}`)
    let number = numberOf(text.slice(2))
    if (number % CHECK || number / CHECK >= states(questions)) throw new Error("mistyped: compare it with the student's")
    number /= CHECK
    /** @type {Record<string, Answer>} */
    const found = {}
    for (const question of [...questions].reverse()) {
        const count = positions(question)
        found[question.name] = answerAt(question, Number(number % count))
        number /= count
    }
    return found
}

/** A number with two digits, as its place among all of these. @param {number} value @param {number} first power of ten */
function twoDigits(value, first) {
    if (!value) return 0
    const [digits, power] = value.toExponential(1).split("e")
    return 1 + 90 * (Number(power) - first) + Math.round(10 * Number(digits) - 10)
}

const power = (/** @type {Question} */ { step }) => Math.floor(Math.log10(step) + 1e-9)

/**
 * A prediction as three characters: in a class without a network a teacher can ask for them, question by question.
 * Numbers of which there are more than such a code holds are given with two digits.
 *
 * @param {Question[]} questions @param {string} name of one of them @param {Answer} answer
 */
export function encodeOne(questions, name, answer) {
    const place = questions.findIndex((one) => one.name === name), question = questions[place]
    const short = positions(question) > MOST && typeof answer === "number"
    const at = short ? 1 + twoDigits(answer, power(question)) : Number(position(question, answer))
    return written(BigInt(PRIME * at + place), ONE)
}

/**
 * The prediction of a question's code, undefined if it is none of this question.
 *
 * @param {Question[]} questions @param {string} name of one of them @param {string} code
 * @returns {Answer}
 */
export function decodeOne(questions, name, code) {
    const text = code.toUpperCase().replace(/[OIL]/g, (one) => ALIKE[one])
    const place = questions.findIndex((one) => one.name === name), question = questions[place]
    const at = (Number(numberOf(text)) - place) / PRIME
    if (!/^[0-9A-HJKMNP-TV-Z]{3}$/.test(text) || at < 0 || at % 1) return undefined
    if (positions(question) <= MOST) return at < positions(question) ? answerAt(question, at) : undefined
    const value = at < 2 ? 0 : Number(`${(10 + (at - 2) % 90) / 10}e${power(question) + Math.floor((at - 2) / 90)}`)
    return at === 0 ? null : value <= question.high ? value : undefined
}
