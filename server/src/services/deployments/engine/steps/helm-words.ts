import type { LastRun } from '../recovery.ts'

const mostReasonLines = 6
const longestReason = 1000
/** Where in the chart it stopped itself, in front of its own message. */
const byChart =
  /(?:template: \S+: )?(?:executing "[^"]*" at <.*?>: )?(?:error calling \w+: )*execution error at \([^)]*\): */g

/** The reason of Helm for its end: its last error, which may go on over several lines. */
export function lastWords(stderr: string): string | null {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const at = lines.findLastIndex((line) => line.startsWith('Error:'))
  const said = at < 0 ? lines.slice(-1) : lines.slice(at, at + mostReasonLines)
  const words = said
    .map((line) => line.trim())
    .join(' ')
    .replace(/^Error: /, '')
    .slice(0, longestReason)
  return words === '' ? null : plainly(words)
}

/** A chart that stops itself says why in its own words: those count, and not the place where they stand. */
function plainly(words: string): string {
  const plain = words.replace(byChart, '').trim()
  return plain === '' ? words : plain
}

const locked = /another operation \([^)]*\) is in progress/
/** Helm calls an installation that is gone on with an upgrade. */
const prefix = /^(?:INSTALLATION|UPGRADE|ROLLBACK|UNINSTALLATION) FAILED: /
const longestInDescription = 300

/** Why an action has failed: mostly in Helm's words, which say more, but not where the table knows better. */
export function reasonOf(lastError: string | null, last: LastRun, because: string, isHeld: boolean): string {
  if (lastError === null) return because
  if (locked.test(lastError))
    return isHeld ? because : `${because}. Another Helm was at work on the release at that moment: try again`
  const said = lastError.replace(prefix, '')
  return last === 'api-unavailable' ? `${because}: ${said}` : said
}

/** The description of a revision that was left locked, and so the message of its app. */
export function interruption(because: string, lastError: string | null): string {
  const said = lastError?.replace(prefix, '')
  return `Interrupted: ${because}${said ? `: ${said.slice(0, longestInDescription)}` : ''}`
}
