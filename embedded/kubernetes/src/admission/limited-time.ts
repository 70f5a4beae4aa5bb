import { createContext, Script } from 'node:vm'

/** Thrown where work has taken longer than it may. */
export class TookTooLong extends Error {
  override name = 'TookTooLong'
}

const place = createContext({ work: undefined as (() => unknown) | undefined })
const script = new Script('work()')

/**
 * Does work that a stranger's patterns and expressions can make endless, for a time at most: nothing else is done in this
 * process meanwhile. It can be cut off at any point, so it changes nothing.
 */
export function limitedTime<T>(limitMs: number, work: () => T): T {
  place.work = work
  try {
    return script.runInContext(place, { timeout: limitMs }) as T
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new TookTooLong(`more than ${limitMs} ms`)
  } finally {
    place.work = undefined
  }
}
