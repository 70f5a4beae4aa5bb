import type { StampedLine } from './log-lines.ts'

/**
 * How far a container's log was read. The cluster takes whole seconds for where to go on, so that each further reading
 * begins with lines that are known already; these are left out, and none that is new.
 */
export function createLogPosition() {
  let last: string | null = null
  /** Lines of that very moment that were passed on. */
  let ofLast = 0

  return {
    /** Where the next reading goes on; null before the first line. */
    since: (): string | null => last,

    /** Tells, for the lines of one more reading in their order, which are new. */
    reading(): (line: StampedLine) => boolean {
      const known = { at: last, count: ofLast }
      let again = 0
      return ({ at }) => {
        if (at === null) return true
        if (known.at !== null && at < known.at) return false
        if (at === known.at && ++again <= known.count) return false
        if (last === null || at > last) [last, ofLast] = [at, 1]
        else if (at === last) ofLast++
        return true
      }
    },
  }
}
