import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { promisify } from 'node:util'
import { extractHelm, shipped } from './extract-helm.ts'
import { findProgram } from './limits.ts'

interface HelmBinary {
  path: string
  version: string
}

class HelmMissingError extends Error {
  override name = 'HelmMissingError'
}

const major = 4

/** The Helm to use: the one that was named, else a Helm 4 on the path, else the one that came with the packages. */
export async function findHelm(options: {
  named: string | undefined
  searchPath: readonly string[]
  binFolder: string
}): Promise<HelmBinary> {
  if (options.named) {
    const path = await realpath(options.named).catch(() => undefined)
    if (!path) throw new HelmMissingError(`HELM_BIN: there is no file ${options.named}`)
    const version = await versionOf(path)
    if (majorOf(version) !== major)
      throw new HelmMissingError(`HELM_BIN: ${options.named} is not Helm ${major} (${version ?? 'it does not run'})`)
    return { path, version: version as string }
  }
  const onPath = findProgram('helm', options.searchPath)
  const version = onPath && (await versionOf(onPath))
  if (onPath && version && majorOf(version) === major) return { path: onPath, version }
  const path = await extractHelm(options.binFolder)
  const own = await versionOf(path)
  if (own !== shipped.version)
    throw new HelmMissingError(`Helm was unpacked to ${path} but does not run there. Is the folder mounted noexec?`)
  return { path, version: own }
}

async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['version', '--template', '{{.Version}}'], {
      env: { HOME: '/nonexistent', PATH: '' },
      timeout: 10_000,
      maxBuffer: 4096,
    })
    return /^v\d+\.\d+\.\d+\S*$/.exec(stdout.trim())?.[0]
  } catch {
    return undefined
  }
}

function majorOf(version: string | undefined): number | undefined {
  const found = /^v(\d+)\./.exec(version ?? '')?.[1]
  return found ? Number(found) : undefined
}
