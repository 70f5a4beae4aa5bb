import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

/** Limits of one run of Helm. The kernel enforces address space and CPU time where it can, the portal the time. */
export interface RunLimits {
  addressSpaceBytes: number
  cpuSeconds: number
  deadlineSeconds: number
  fileBytes: number
  openFiles: number
}

/** From asking Helm to end to killing it. */
export const graceMs = 10_000

const mebibyte = 1024 * 1024

/** Rendering needs no cluster: 0.8 GB of address space is Helm's floor, a template bomb ends at 2. */
export const renderLimits: RunLimits = {
  addressSpaceBytes: 2_000_000_000,
  cpuSeconds: 30,
  deadlineSeconds: 20,
  fileBytes: 64 * mebibyte,
  openFiles: 256,
}

/** A write renders too, and then holds watches on everything that it waits for until the timeout is over. */
export function writeLimits(timeoutSeconds: number): RunLimits {
  return {
    addressSpaceBytes: 4_000_000_000,
    cpuSeconds: 180,
    // Helm's own timeout does not hold on a call that hangs.
    deadlineSeconds: timeoutSeconds + Math.min(30, Math.max(8, timeoutSeconds)),
    fileBytes: 64 * mebibyte,
    openFiles: 1024,
  }
}

/** Programs of util-linux, by absolute path; undefined where the system has none. */
interface Wrappers {
  setpriv: string | undefined
  prlimit: string | undefined
}

export function findWrappers(platform: NodeJS.Platform, folders: readonly string[]): Wrappers {
  if (platform !== 'linux') return { setpriv: undefined, prlimit: undefined }
  return { setpriv: findProgram('setpriv', folders), prlimit: findProgram('prlimit', folders) }
}

/** The first executable file of that name. */
export function findProgram(name: string, folders: readonly string[]): string | undefined {
  return folders
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The command that runs Helm: it dies with us, gains no rights, and stays inside the limits. */
export function wrapped(wrappers: Wrappers, limits: RunLimits, helm: string, argv: readonly string[]): string[] {
  const { setpriv, prlimit } = wrappers
  return [
    ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--'] : []),
    ...(prlimit
      ? [
          prlimit,
          `--as=${limits.addressSpaceBytes}`,
          `--cpu=${limits.cpuSeconds}`,
          `--nofile=${limits.openFiles}`,
          `--fsize=${limits.fileBytes}`,
          '--core=0',
          '--',
        ]
      : []),
    helm,
    ...argv,
  ]
}
