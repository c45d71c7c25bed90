// What Bokeh does for each change, left out where it would only find what it found before. There is
// nothing to do so before the first plots and sliders are in the page.
import { glideMarks, hasPlots, layOutOnlyWhenMoved, skipEqualStyles } from "./compat.js"

let quick = false

export const quicken = () => {
    if (quick || !hasPlots()) return
    skipEqualStyles()
    layOutOnlyWhenMoved()
    glideMarks()
    quick = true
}
