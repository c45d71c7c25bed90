// Where a threshold is on the lines of a picture, and which one is at a place of it.
import { item } from "./columns.js"

/**
 * A line on which thresholds have places: `at` is that of each point on the axis of thresholds, and
 * `own` whether it is another column than x.
 *
 * @typedef {{ x: ArrayLike<number> | number, y: ArrayLike<number> | number, at: ArrayLike<number>,
 *     own: boolean, color: string }} Line
 */

/** Lines on which a threshold has a place of its own, on an axis of thresholds. */
export const ALONG = /^(curve |mean|median|rest )/

/**
 * The last point of a line at or before a threshold; -1 if there is none.
 *
 * @param {ArrayLike<number>} at thresholds of the points, rising or falling; undefined ones stand last
 * @param {number} threshold
 */
export function reached(at, threshold) {
    let low = 0, high = at.length
    while (high && Number.isNaN(at[high - 1])) high--
    const way = at[high - 1] < at[0] ? -1 : 1
    while (low < high) {
        const middle = (low + high) >> 1
        if (way * (at[middle] - threshold) <= 1e-9) low = middle + 1
        else high = middle
    }
    return low - 1
}

/**
 * The first of the nearest of n items, and how far away it is; -1 if none has a distance.
 *
 * @param {number} n
 * @param {(i: number) => number} distance of an item; NaN if it has none
 */
export function nearest(n, distance) {
    let best = -1, least = Infinity
    for (let i = 0; i < n; i++) {
        const far = distance(i)
        if (far < least) [best, least] = [i, far]
    }
    return { best, least }
}

/**
 * The threshold of the nearest point of all lines; NaN without lines.
 *
 * @param {Line[]} lines
 * @param {(x: number, y: number) => number} distance of a place
 */
export function thresholdAt(lines, distance) {
    let found = NaN, closest = Infinity
    for (const { x, y, at } of lines) {
        const { best, least } = nearest(at.length, (i) =>
            (Number.isNaN(at[i]) ? NaN : distance(item(x, i), item(y, i))))
        if (least < closest) [found, closest] = [at[best], least]
    }
    return found
}

/**
 * A dot on each line that is seen at a threshold, and where a rule across the picture is.
 *
 * @param {Line[]} lines
 * @param {number} threshold
 * @param {{ left: number, right: number, top: number, bottom: number, x: (at: number) => number,
 *     y: (at: number) => number }} frame in pixels, and its scales
 */
export function marksOf(lines, threshold, { left, right, top, bottom, x, y }) {
    const dots = []
    let across = NaN
    for (const line of lines) {
        const { at, own, color } = line, i = reached(at, threshold)
        if (i < 0) continue
        const cx = x(item(line.x, i)), cy = y(item(line.y, i))
        across = own ? cx : x(threshold)
        const beyond = !own && at[i] !== threshold && !Number.isFinite(at[i + 1])
        const inside = cx >= left - 1 && cx <= right + 1 && cy >= top - 1 && cy <= bottom + 1
        if (inside && !beyond) dots.push({ x: cx, y: cy, color })
    }
    return { dots, across }
}
