/**
 * A number of a linear axis written out, 140,000 and 0.0002, not as a power of ten.
 *
 * @param {number} tick
 */
export default function plain(tick) {
    return tick.toLocaleString("en-US", { maximumSignificantDigits: 6 }).replace("-", "−")
}
