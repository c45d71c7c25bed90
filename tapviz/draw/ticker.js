/**
 * Ticks of an axis, finer where less of it is seen: the first level of which enough are seen.
 *
 * @param {number[][]} levels from coarse to fine
 * @param {{ start: number, end: number }} range what is seen
 * @param {number} enough
 */
export default function ticker(levels, range, enough) {
    const seen = levels.map((level) => level.filter((x) => x >= range.start && x <= range.end))
    return seen.find((level) => level.length >= enough) ?? levels[levels.length - 1]
}
