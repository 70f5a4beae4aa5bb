import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'

const sources = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/package.json',
  'web/vite.config.ts',
  'contract/src',
  'values/src',
]

/** Tells whether the built pages are older than what they are made of, or not there. */
export function webIsStale(root: string): boolean {
  const built = statSync(join(root, 'web/dist/index.html'), { throwIfNoEntry: false })
  return !built || sources.some((path) => newest(join(root, path)) > built.mtimeMs)
}

function newest(path: string): number {
  const status = statSync(path, { throwIfNoEntry: false })
  if (!status) return 0
  if (!status.isDirectory()) return status.mtimeMs
  return Math.max(status.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

/** Builds beside and renames, so that a build cut short is never served. */
export async function buildWeb(root: string): Promise<void> {
  const [draft, dist] = [join(root, 'web/.build/dist'), join(root, 'web/dist')]
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  rmSync(draft, { recursive: true, force: true })
  try {
    await promisify(execFile)(process.execPath, [vite, 'build', 'web', '--outDir', draft, '--emptyOutDir'], {
      cwd: root,
    })
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    throw new Obstacle(`The web pages could not be built:\n${output.trim().slice(-3000)}`)
  }
  rmSync(dist, { recursive: true, force: true })
  renameSync(draft, dist)
}

/** Rebuilds the pages whenever their sources change; returns what ends that. */
export function watchWeb(root: string): () => Promise<void> {
  const args = [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web', '--watch']
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  const gone = once(child, 'exit')
  return async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await gone
  }
}
