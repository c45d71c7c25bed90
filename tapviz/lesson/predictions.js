// What a reader predicted, as a short code that can be read aloud, and back.
//
// Predictions are an object {question: value}: a number, the place of an option from 0, or null if
// the reader skipped it. Questions are known by their order. A code is letters and digits without
// those that look alike, in groups of four; the last two characters check the others.

const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const VERSION = 1
const SKIPPED = 0, MISSING = 1
const CHECKED = 1021  // a prime below 32 * 32: any one wrong character, or two swapped, are noticed

/** Whole numbers as characters: five bits each, the first of which says whether there are more. */
function written(number) {
    let text = ""
    do {
        const rest = Math.floor(number / 16)
        text += LETTERS[(number % 16) + (rest ? 16 : 0)]
        number = rest
    } while (number)
    return text
}

function checked(text) {
    let sum = 0
    for (const letter of text) sum = (sum * 33 + LETTERS.indexOf(letter) + 1) % CHECKED
    return LETTERS[Math.floor(sum / 32)] + LETTERS[sum % 32]
}

/** Code of predictions; `questions` are [{question, options, step}], in their order. */
export function encode(questions, predictions) {
    let text = LETTERS[VERSION]
    for (const { question, options, step } of questions) {
        const value = predictions[question]
        if (value === undefined) text += LETTERS[MISSING]
        else if (value === null) text += LETTERS[SKIPPED]
        else if (options.length) text += written(2 + options.indexOf(value))
        else text += written(2 + Math.round(value / step))
    }
    return (text + checked(text)).match(/.{1,4}/g).join("-")
}

/** Predictions of a code; throws an Error that says what is wrong with it. */
export function decode(questions, code) {
    const text = code.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1")
    const strange = [...text].find((letter) => !LETTERS.includes(letter))
    if (strange) throw new Error(`“${strange}” is in no code`)
    if (text.length < 4) throw new Error("too short for a code")
    if (checked(text.slice(0, -2)) !== text.slice(-2)) throw new Error("mistyped: its check does not agree")
    if (text[0] !== LETTERS[VERSION]) throw new Error("made by another version of the lesson")
    const digits = [...text.slice(1, -2)].map((letter) => LETTERS.indexOf(letter))
    const predictions = {}
    for (const { question, options, step } of questions) {
        let number = 0, factor = 1, digit
        do {
            digit = digits.shift()
            if (digit === undefined) throw new Error("ends too early")
            number += (digit % 16) * factor
            factor *= 16
        } while (digit >= 16)
        if (number === MISSING) continue
        if (number === SKIPPED) predictions[question] = null
        else if (options.length) {
            if (number - 2 >= options.length) throw new Error("names an answer that there is not")
            predictions[question] = options[number - 2]
        } else predictions[question] = (number - 2) * step
    }
    if (digits.length) throw new Error("is too long")
    return predictions
}
