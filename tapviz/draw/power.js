/**
 * Text of a tick on a scale of powers of ten: what `tick_label` of `PowerScale.values` says in Python.
 *
 * @param {number} tick place on the axis, in decades
 * @param {{ zero: number | null, compressed: boolean, kink: number, squeeze: number }} scale
 */
export default function power(tick, { zero, compressed, kink, squeeze }) {
    if (zero !== null && Math.abs(tick - zero) < 1e-6) return "0"
    const below = squeeze * Math.expm1(Math.max(kink - tick, 0) / squeeze)
    const decade = compressed && tick < kink ? kink - below : tick
    const whole = Math.floor(decade)
    const [mantissa, carried] = Math.pow(10, decade - whole).toExponential(1).split("e").map(Number)
    const exponent = whole + carried
    if (exponent >= -2 && exponent <= 3) return String(Number((mantissa * Math.pow(10, exponent)).toPrecision(2)))
    const text = "10" + [...String(exponent)].map((c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]).join("")
    return mantissa === 1 ? text : `${mantissa}·${text}`
}
