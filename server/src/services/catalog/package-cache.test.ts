import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPackageCache } from './package-cache.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packages-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const bytes = Buffer.from('a package')
const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`

describe('packages on disk', () => {
  it('are written once, however many ask, and leave no drafts', async () => {
    const cache = createPackageCache(folder)
    let reads = 0
    const read = async () => {
      reads += 1
      return bytes
    }
    const paths = await Promise.all([cache.fileOf(digest, read), cache.fileOf(digest, read)])
    expect(await cache.fileOf(digest, read)).toBe(paths[0])
    expect(reads).toBe(1)
    expect((await readdir(join(folder, 'packages'))).length).toBe(1)
  })

  it('are written again when somebody changed them', async () => {
    const cache = createPackageCache(folder)
    const path = await cache.fileOf(digest, async () => bytes)
    await writeFile(path, 'something else')
    await cache.fileOf(digest, async () => bytes)
    expect(await readFile(path)).toEqual(bytes)
  })

  it('are not handed out when what was stored is not what it should be', async () => {
    const cache = createPackageCache(folder)
    await expect(cache.fileOf(digest, async () => Buffer.from('x'))).rejects.toThrow(/not what was stored/)
  })
})
