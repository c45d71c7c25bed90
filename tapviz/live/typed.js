// Numbers as people type them.
const NUMBER = /^[-+]?\d*\.?\d*(e[-+]?\d*)?$/i

/** Without blanks around it, and separators of thousands: 1,000, not 0,001. @param {string} text */
export const bare = (text) => text.trim().replace(/(?<=^[-+]?[1-9]\d{0,2}(?:[,\s]\d{3})*)[,\s](?=\d{3}(?:[,\s]\d{3})*$)/g, "")

/** Whether a text is a number, or can become one when more is typed. @param {string} text */
export const isNumeral = (text) => NUMBER.test(text)
