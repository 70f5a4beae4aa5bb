import { type MouseEvent, useEffect, useLayoutEffect, useState } from 'react'

/** Milliseconds within which nearly every system counts two clicks as a double-click. */
const settleMs = 500

/**
 * The buttons of one step stand where those of the step before stood. The second half of a double-click is meant for
 * what was there at the first: it is for nobody, and for a moment no pointer reaches buttons that have just come.
 */
export function useSettled(shown: string) {
  const [moving, setMoving] = useState(true)
  // Before anything is painted that could be hit.
  useLayoutEffect(() => setMoving(shown !== undefined), [shown])
  useEffect(() => {
    if (!moving || shown === undefined) return
    const timer = setTimeout(() => setMoving(false), settleMs)
    return () => clearTimeout(timer)
  }, [moving, shown])
  return { isMoving: moving, guard: { onClickCapture: ignoreSecond } }
}

/** Keys click with a count of 0, a pointer counts from 1. */
function ignoreSecond(event: MouseEvent): void {
  if (event.detail <= 1) return
  event.preventDefault()
  event.stopPropagation()
}
