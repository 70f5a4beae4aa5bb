import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** Processes of Helm that write one of these releases, from the process table. */
export function helmOf(...releaseNames: readonly string[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const [program = '', ...argv] = textOf(`/proc/${pid}/cmdline`).split('\0')
      return (
        /(^|\/)helm[^/]*$/.test(program) && argv.some((one) => releaseNames.includes(one)) && !argv.includes('template')
      )
    })
    .filter((pid) => !/^\S+ \(.*\) [ZX]/.test(textOf(`/proc/${pid}/stat`)))
    .map(Number)
}

/** Looks again and again how many write these releases at once, and when the first of them was there. */
export function traceHelm(...releaseNames: readonly string[]) {
  let most = 0
  let startedAt: number | undefined
  const timer = setInterval(() => {
    const found = helmOf(...releaseNames).length
    if (found > 0) startedAt ??= Date.now()
    most = Math.max(most, found)
  }, 100)
  return { mostAtOnce: () => most, startedAt: () => startedAt, stop: () => clearInterval(timer) }
}

/**
 * Looks again and again for Helm, of whatever release, that lives on after the portal that started it: where it works
 * says whose it is. `longestMs` is how long one did.
 */
export function watchOrphans(runsFolder: string) {
  const since = new Map<string, number>()
  let longestMs = 0
  const timer = setInterval(() => {
    for (const { pid, owner } of programsIn(runsFolder)) {
      if (owner === undefined || isAlive(owner)) continue
      const first = since.get(`${pid} ${owner}`) ?? performance.now()
      since.set(`${pid} ${owner}`, first)
      longestMs = Math.max(longestMs, performance.now() - first)
    }
  }, 100)
  return { longestMs: () => longestMs, stop: () => clearInterval(timer) }
}

/** Processes that work in run folders; a folder's name has the pid of its portal: `run-<machine>-<portal>-<any>`. */
export function programsIn(runsFolder: string): { pid: number; owner: number | undefined }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const folder = folderOf(pid)
      if (!folder.startsWith(`${runsFolder}/run-`)) return []
      const owner = /^run-[A-Za-z0-9]+-(\d+)-/.exec(basename(folder))?.[1]
      return [{ pid: Number(pid), owner: owner === undefined ? undefined : Number(owner) }]
    })
}

function isAlive(pid: number): boolean {
  return !/^(\S+ \(.*\) [ZX]|$)/.test(textOf(`/proc/${pid}/stat`))
}

function folderOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
