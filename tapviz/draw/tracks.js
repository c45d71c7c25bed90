// Values that follow a control: "values", and which of them is shown at each place of the control.

/**
 * `runs` says how often each value stands in succession, as pairs of its place and a number; without
 * them there is one for each place. `at`, what runs say in full, is made when it is first asked for.
 *
 * @typedef {{ control?: string, values: any[], runs?: number[], at?: number[] }} Track
 */

/** @param {any} value @returns {value is Track} */
export const isTrack = (value) => value !== null && typeof value === "object" && !Array.isArray(value)

/**
 * A track with its values in full: long columns are kept as what differs from the longest.
 *
 * @param {Track} track
 * @returns {Track}
 */
export function whole(track) {
    const [first, ...rest] = track.values
    if (first === null || typeof first !== "object" || !("longest" in first)) return track
    const longest = rest[first.longest]
    const values = rest.map((one) => (
        one !== null && typeof one === "object" && "alike" in one
            ? longest.slice(0, one.alike).concat(one.rest) : one
    ))
    return { ...track, values }
}

/**
 * What a track has at a place of its control.
 *
 * @param {Track} track
 * @param {(control: string) => number} placeOf where each control is
 */
export function valueAt(track, placeOf) {
    if (!track.control) return track.values[0]
    if (track.runs) {
        track.at = []
        for (let i = 0; i < track.runs.length; i += 2) {
            for (let times = track.runs[i + 1]; times > 0; times--) track.at.push(track.runs[i])
        }
        delete track.runs
    }
    const place = placeOf(track.control)
    return track.values[track.at ? track.at[place] : place]
}

/**
 * TAPs of queries at all places of a threshold, place by place, from bytes that are query by query:
 * first a bit for each place, whether it has another TAP than the place before; then what is added
 * where it has, all high bytes and all low ones.
 *
 * @param {Uint8Array} bytes
 * @param {number} places
 * @param {number} row how many queries there are
 */
export function accumulated(bytes, places, row) {
    const bits = Math.ceil((places * row) / 8), size = (bytes.length - bits) / 2
    const taps = new Uint16Array(places * row)
    let more = bits
    for (let query = 0, bit = 0; query < row; query++) {
        for (let place = 0, tap = 0; place < places; place++, bit++) {
            if (bytes[bit >> 3] & (128 >> (bit & 7))) {
                tap += (bytes[more] << 8) | bytes[size + more]
                more++
            }
            taps[place * row + query] = tap
        }
    }
    return taps
}
