/**
 * Make the letters of names, and of the title of an axis, smaller on a narrow plot, which would cut them.
 *
 * @param {any} renderer of the names
 * @param {any} axis
 * @param {{ most: number, full: number, smallest: number }} sizes the largest letters, the width of a
 *     plot in which they have room, and the smallest, in pixels
 * @param {number} width of the plot
 */
export default function fit(renderer, axis, { most, full, smallest }, width) {
    const size = Math.max(smallest, Math.min(most, Math.floor(most * width / full)))
    axis.setv({ axis_label_text_font_size: `${size}px` }, { sync: false })
    renderer.glyph.setv({ text_font_size: { value: `${size}px` } }, { sync: false })
}
