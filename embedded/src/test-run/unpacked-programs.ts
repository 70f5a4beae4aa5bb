import { linkSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of a test run for programs that its portals have unpacked; a World alone has none. */
export const programsVariable = 'QUAYSIDE_TEST_PROGRAMS'

/**
 * Gives a portal what another one has unpacked: sixty megabytes take longer to unpack and remove than many tests. A folder
 * on another disk has them unpacked anew.
 */
export function lendPrograms(binFolder: string): void {
  linkAll(process.env[programsVariable], binFolder)
}

/** Keeps what a portal has unpacked for those that are started later. */
export function keepPrograms(binFolder: string): void {
  const { [programsVariable]: kept } = process.env
  if (kept) linkAll(binFolder, kept)
}

function linkAll(from: string | undefined, to: string): void {
  const names = from === undefined ? [] : namesIn(from)
  if (from === undefined || names.length === 0) return
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of names) link(join(from, name), join(to, name))
}

/** Programs only: a draft that is still being written has an extension more. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^helm-v[\d.]+$/.test(name))
  } catch {
    return []
  }
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!['EEXIST', 'EXDEV'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
