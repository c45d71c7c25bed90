// Made by `npm run build` of the files named below: change those.
let result;
(() => {
  // tapviz/draw/power.js
  function power(tick2, { zero: zero2, compressed: compressed2, kink: kink2, squeeze: squeeze2 }) {
    if (zero2 !== null && Math.abs(tick2 - zero2) < 1e-6) return "0";
    const below = squeeze2 * Math.expm1(Math.max(kink2 - tick2, 0) / squeeze2);
    const decade = compressed2 && tick2 < kink2 ? kink2 - below : tick2;
    const whole = Math.floor(decade);
    const [mantissa, carried] = Math.pow(10, decade - whole).toExponential(1).split("e").map(Number);
    const exponent = whole + carried;
    if (exponent >= -2 && exponent <= 3) return String(Number((mantissa * Math.pow(10, exponent)).toPrecision(2)));
    const text = "10" + [...String(exponent)].map((c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]).join("");
    return mantissa === 1 ? text : `${mantissa}·${text}`;
  }

  // tapviz/the call of power
  result = power(tick, { zero, compressed, kink, squeeze });
})();
return result
