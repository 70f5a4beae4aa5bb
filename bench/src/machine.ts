import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, totalmem } from 'node:os'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** Where and with what something was measured. */
export function machine() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return {
    product: version,
    commit: commit(),
    node: process.version,
    platform: `${platform()} ${arch()}`,
    processors: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    at: new Date().toISOString(),
  }
}

/** How busy the machine was over the last minute. */
export const load = () => Number(loadavg()[0]?.toFixed(2) ?? 0)

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}
