// What Bokeh does for each change, left out where it would only find what it found before.
import {
    layOutOnlyWhenMoved, sayLatestWhenPainted, skipEqualStyles, skipMessageOnRelease,
} from "./compat.js"

skipEqualStyles()
layOutOnlyWhenMoved()
skipMessageOnRelease()
sayLatestWhenPainted()
