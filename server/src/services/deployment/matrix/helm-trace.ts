import { readdirSync, readFileSync } from 'node:fs'

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

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
