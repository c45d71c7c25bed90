// In the head of a page: its first frame is light or dark as it should be.
import { dress } from "../draw/elements.js"
import { isDark } from "./theme.js"

dress(isDark())
