import { readdirSync, readFileSync } from 'node:fs'

export interface Memory {
  pid: number
  name: string
  /** Shared pages counted once, by the share of each process. */
  pssMiB: number
  rssMiB: number
}

/** A process and everything below it, with what each holds in memory (Linux). */
export function memoryBelow(rootPid: number): Memory[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) if (/^\d+$/.test(name)) parents.set(Number(name), parentOf(name))
  const isBelow = (pid: number): boolean => pid === rootPid || (parents.has(pid) && isBelow(parents.get(pid) ?? 0))
  return [...parents.keys()].filter(isBelow).flatMap(memoryOf)
}

function parentOf(pid: string): number {
  const status = read(`/proc/${pid}/status`)
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? 0)
}

function memoryOf(pid: number): Memory[] {
  const rollup = read(`/proc/${pid}/smaps_rollup`)
  const mebibytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1] ?? 0) / 1024
  if (rollup === '') return []
  return [{ pid, name: nameOf(pid), pssMiB: mebibytes('Pss'), rssMiB: mebibytes('Rss') }]
}

function nameOf(pid: number): string {
  const line = read(`/proc/${pid}/cmdline`)
  if (line.includes('server/src/main.ts')) return 'portal'
  if (line.includes('launch.js')) return 'launcher'
  return /postgres/.test(line) ? 'PostgreSQL' : (line.split('\0')[0] ?? String(pid))
}

/** Empty when the process has ended in between. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
