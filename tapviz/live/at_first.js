// What the page does from the first on, besides what its components do.
import "./skip.js"
import "./keys.js"
import "./late_plots.js"
import "./highlight.js"
import "./crosshair.js"
