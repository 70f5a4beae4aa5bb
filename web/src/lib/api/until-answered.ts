import { createEmitter } from '../emitter.ts'
import { isBusy, isPassing } from './api-error.ts'

/** How long a command is sent again before its failure is told. */
export const timeoutMs = 60_000
const longestPauseMs = 5000

const changes = createEmitter<void>()
let unanswered = 0

/** Tells whether a command is being sent again now, for whoever has to say so. */
export const awaiting = { is: () => unanswered > 0, onChange: changes.on }

function count(by: 1 | -1) {
  unanswered += by
  changes.emit()
}

/** Sends what does no harm when it arrives twice, again and again while nobody answers it; any other answer is one. */
export async function untilAnswered<T>(send: () => Promise<T>): Promise<T> {
  const until = performance.now() + timeoutMs
  let isCounted = false
  try {
    for (let tries = 0; ; tries += 1) {
      try {
        return await send()
      } catch (error) {
        const pause = Math.min(longestPauseMs, 1000 * 2 ** tries)
        if (!(isPassing(error) || isBusy(error)) || performance.now() + pause > until) throw error
        if (!isCounted && isPassing(error)) {
          count(1)
          isCounted = true
        }
        await pauseOrOnline(pause)
      }
    }
  } finally {
    if (isCounted) count(-1)
  }
}

/** A network that comes back is not waited for any longer. */
export function pauseOrOnline(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      window.removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, milliseconds)
    window.addEventListener('online', go)
  })
}
