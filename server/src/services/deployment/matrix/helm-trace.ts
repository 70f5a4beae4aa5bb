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

/** Looks again and again how many write these releases at once. */
export function traceHelm(...releaseNames: readonly string[]): { mostAtOnce(): number; stop(): void } {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, helmOf(...releaseNames).length)
  }, 100)
  return { mostAtOnce: () => most, stop: () => clearInterval(timer) }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
