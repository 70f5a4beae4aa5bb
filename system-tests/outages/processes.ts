import { readFileSync } from 'node:fs'
import { helmOf } from '../fault-matrix/helm-trace.ts'

/** The one of these portals below which Helm works on the release, from the process table. */
export function workerOn(releaseName: string, portals: readonly number[]): number | undefined {
  return helmOf(releaseName)
    .map((pid) => ancestorAmong(pid, portals))
    .find((pid) => pid !== undefined)
}

function ancestorAmong(pid: number, wanted: readonly number[]): number | undefined {
  let at = pid
  while (at > 1) {
    if (wanted.includes(at)) return at
    at = parentOf(at)
  }
  return undefined
}

function parentOf(pid: number): number {
  try {
    return Number(/^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
