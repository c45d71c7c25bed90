// In the head of a page: its first frame is light or dark as it should be, and what comes later rests.
import { dress } from "../draw/elements.js"
import { restDroppers } from "./compat.js"
import { isDark } from "./theme.js"

dress(isDark())
restDroppers()
