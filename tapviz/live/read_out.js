// The text that reads out a place of a plot: a head, and a line for each algorithm.

// "<b>BLASTP</b> TAP 0.312 (EPQ median 20)": a name, a number to sort by, and what a narrow strip leaves out.
const PARTS = /^<b>(.*?)<\/b> (.*?)((?: \(| · |, threshold ).*)?$/
const NUMBER = /[-−]?\d[\d,]*\.?\d*(?:e[-+]?\d+)?/

/** @param {string} line */
const entry = (line) => {
    const [, name, value, more = ""] = PARTS.exec(line) ?? ["", "", line]
    const number = /^no/.test(value) ? NaN : parseFloat(NUMBER.exec(value)?.[0].replaceAll(",", "").replace("−", "-") ?? "")
    return { name, html: `<b>${name}</b> ${value}<small>${more}</small>`, number: Number.isNaN(number) ? -Infinity : number }
}

/**
 * The head, and the lines as their algorithms lie in the plot: largest first, undefined ones last.
 *
 * @param {string} text HTML
 */
export const readOut = (text) => {
    const [head, ...lines] = text.split("<br>")
    return { head, entries: lines.map(entry).sort((a, b) => b.number - a.number || 0) }
}
