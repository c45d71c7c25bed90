// A prediction and its answer as a picture to hand on.
import { make } from "../draw/elements.js"

const WIDTH = 1200, HEIGHT = 630, EDGE = 80

/**
 * @import { Ask } from "./reader.js"
 * @typedef {{ ink: string, soft: string, stage: string, you: string, door: string, font: string }} Colors
 */

/**
 * The prediction that is furthest from its answer, of those from 0 to 1.
 *
 * @param {Ask[]} asks whose answers are known @param {Record<string, any>} answers
 * @returns {Ask | undefined}
 */
export function furthest(asks, answers) {
    const apart = (/** @type {Ask} */ { question, truth }) => Math.abs(answers[question] - truth)
    return asks.filter(({ question, high }) => high === 1 && typeof answers[question] === "number").sort((a, b) => apart(b) - apart(a))[0]
}

/**
 * Have the browser save the card.
 *
 * @param {Ask} ask @param {number} said @param {string} title of the lesson @param {Colors} colors
 */
export function saveCard(ask, said, title, colors) {
    const canvas = make("canvas", { width: WIDTH, height: HEIGHT }), pen = canvas.getContext("2d")
    if (!pen) return
    /** @param {string} text @param {number} y @param {number} size @param {string} color @param {string} weight */
    const write = (text, y, size, color, weight = "400") => {
        pen.font = `${weight} ${size}px ${colors.font}`
        pen.fillStyle = color
        pen.fillText(text, EDGE, y, WIDTH - 2 * EDGE)
    }
    pen.fillStyle = colors.stage
    pen.fillRect(0, 0, WIDTH, HEIGHT)
    write(ask.label.replace(", your prediction", ""), 110, 36, colors.soft)
    write(`You said ${said.toFixed(2)}.`, 225, 92, colors.you, "700")
    write(`It is ${ask.answer}.`, 340, 92, colors.door, "700")
    pen.fillStyle = colors.soft
    pen.fillRect(EDGE, 419, WIDTH - 2 * EDGE, 2)
    for (const [at, color] of /** @type {const} */ ([[said, colors.you], [ask.truth, colors.door]])) {
        pen.fillStyle = color
        pen.beginPath()
        pen.arc(EDGE + at * (WIDTH - 2 * EDGE), 420, 18, 0, 7)
        pen.fill()
    }
    write("0", 470, 26, colors.soft)
    pen.fillText("1", WIDTH - EDGE - 14, 470)
    write(`${title}. What would you have said?`, 560, 36, colors.ink, "600")
    make("a", { href: canvas.toDataURL("image/png"), download: "my-prediction.png" }).click()
}
