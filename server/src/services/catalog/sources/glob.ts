import { setImmediate } from 'node:timers/promises'

/**
 * Tells whether a name fits a pattern in which `*` stands for any text and `?` for one character. It takes as long as
 * both are, and not more: a pattern is what somebody has typed.
 */
export function matchesGlob(pattern: string, name: string): boolean {
  let at = 0
  let place = 0
  let star = -1
  let from = 0
  while (at < name.length) {
    if (pattern[place] === '*') {
      star = place
      from = at
      place += 1
    } else if (pattern[place] === '?' || pattern[place] === name[at]) {
      place += 1
      at += 1
    } else if (star >= 0) {
      place = star + 1
      from += 1
      at = from
    } else return false
  }
  return [...pattern.slice(place)].every((sign) => sign === '*')
}

/** Tells whether a chart is wanted: by one of the patterns, or by none when there are none, and by no `!` pattern. */
export function isWanted(patterns: readonly string[], chart: string): boolean {
  const without = patterns.filter((pattern) => pattern.startsWith('!'))
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'))
  if (without.some((pattern) => matchesGlob(pattern.slice(1), chart))) return false
  return wanted.length === 0 || wanted.some((pattern) => matchesGlob(pattern, chart))
}

/** Names that are looked at before others get their turn: 50 patterns take a millisecond for a long name. */
const atATime = 20

/** Finds the charts that are wanted among many names, each once, and lets others work in between. */
export async function wantedAmong(patterns: readonly string[], charts: Iterable<string>): Promise<Set<string>> {
  const wanted = new Set<string>()
  let looked = 0
  for (const chart of new Set(charts)) {
    if (isWanted(patterns, chart)) wanted.add(chart)
    looked += 1
    if (looked % atATime === 0) await setImmediate()
  }
  return wanted
}
