import type { LastRun } from '../recovery.ts'

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
