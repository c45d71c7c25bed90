// Plots come when the page is already there, and something else may just change its size.
import { skipPlotsNotLaidOut } from "./compat.js"

skipPlotsNotLaidOut()
