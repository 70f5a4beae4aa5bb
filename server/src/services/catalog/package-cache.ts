import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fail, isDiskFull } from '../../platform/http/errors.ts'

/** Stored packages as files, for Helm, which reads nothing else. A file is only used while its digest is right. */
interface PackageCache {
  fileOf(digest: string, read: () => Promise<Buffer>): Promise<string>
}

export function createPackageCache(dataDir: string): PackageCache {
  const folder = join(dataDir, 'packages')
  const underway = new Map<string, Promise<string>>()

  async function make(digest: string, read: () => Promise<Buffer>): Promise<string> {
    const path = join(folder, `${digest.replace('sha256:', '')}.tgz`)
    if (digestOf(await readFile(path).catch(ignoreMissing)) === digest) return path
    const bytes = await read()
    if (digestOf(bytes) !== digest) throw new Error(`package ${digest} is not what was stored`)
    const draft = `${path}.${randomUUID()}`
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(draft, bytes, { mode: 0o600, flush: true })
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw isDiskFull(error) ? fail('catalog.disk-full', { cause: error }) : error
    }
    return path
  }

  return {
    fileOf(digest, read) {
      const known = underway.get(digest)
      if (known) return known
      const making = make(digest, read).finally(() => underway.delete(digest))
      underway.set(digest, making)
      return making
    },
  }
}

function digestOf(bytes: Buffer | undefined): string | undefined {
  return bytes && `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
