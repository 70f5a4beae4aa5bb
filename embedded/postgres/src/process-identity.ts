import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Start time of a process, which tells it apart from a later one that was given the same number. Undefined when no such
 * process runs.
 */
export function processBirth(pid: number): string | undefined {
  if (process.platform === 'linux') return birthFromProc(pid)
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}

function birthFromProc(pid: number): string | undefined {
  try {
    return startTicks(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return undefined
  }
}

/** Field 22 of /proc/<pid>/stat; the name in field 2 may itself hold spaces and brackets. Zombies count as gone. */
export function startTicks(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? undefined : fields[19]
}
