// In the head of a page: its first frame is light or dark as it should be.
import { dress, isDark } from "./theme.js"

dress(isDark())
