// What changes with every frame under a hand, and need not be shown as often.

/**
 * Something done at once with what is given first, and then with the latest that is given within each
 * pause; given nothing, it forgets what it has not done.
 *
 * @template T
 * @param {() => number} pause milliseconds, as of now
 * @param {(given: T) => void} act
 */
export function paced(pause, act) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer
    /** @type {T | undefined} */
    let latest
    const go = () => {
        timer = undefined
        if (latest === undefined) return
        timer = setTimeout(go, pause())
        act(latest)
        latest = undefined
    }
    return (/** @type {T | undefined} */ given) => {
        latest = given
        if (timer === undefined) go()
    }
}

/**
 * The function, called once in a frame however often it is asked for.
 *
 * @param {() => void} act
 */
export function oncePerFrame(act) {
    let asked = false
    return () => {
        if (asked) return
        asked = true
        requestAnimationFrame(() => { asked = false; act() })
    }
}
