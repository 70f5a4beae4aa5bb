import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Failure } from '../../platform/http/errors.ts'
import { receivePackage } from './upload.ts'
import { createUploadFolder } from './upload-folder.ts'

const MiB = 1024 * 1024
const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.tgz"\r\n\r\n'
const tail = '\r\n--x--\r\n'
/** One for all uploads, so that the sender's own memory does not grow with them. */
const piece = Buffer.alloc(64 * 1024, 7)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

let dataDir: string
let server: FastifyInstance
/** Sizes of packages that have arrived whole, in bytes. */
let received: number[]
/** Messages of uploads whose sender was gone before they were read. */
let refused: unknown[]

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'uploads-'))
  received = []
  refused = []
  const folder = createUploadFolder(dataDir)
  server = Fastify()
  await server.register(multipart)
  server.post('/', (request) =>
    folder.withFile(async (file) => {
      await receivePackage(request, file)
      received.push((await file.stat()).size)
      return 'received'
    }),
  )
  server.post('/gone', (request) =>
    folder.withFile(async (file) => {
      // Not once(): it listens for errors as well, and ends by the one that a broken connection then raises.
      await new Promise((resolve) => request.raw.on('close', resolve))
      await receivePackage(request, file).catch((error: Failure) => refused.push(error.message))
    }),
  )
  server.setErrorHandler((error, _request, reply) => {
    const { status, message, field } = error as Failure
    return reply.status(error instanceof Failure ? status : 500).send({ message, field })
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  server.server.closeAllConnections()
  await server.close()
  await rm(dataDir, { recursive: true, force: true })
})

const filesOnDisk = () => readdir(join(dataDir, 'uploads')).catch(() => [])

async function bytesOnDisk(): Promise<number> {
  const files = await filesOnDisk()
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(dataDir, 'uploads', name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Begins an upload and sends `bytes` of its package; `end` sends the rest, `abort` breaks the connection. */
function begin(bytes: number, path = '/') {
  const { port } = server.server.address() as AddressInfo
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const call = httpRequest({ port, host: '127.0.0.1', method: 'POST', path, headers })
  const status = new Promise<number>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
  })
  status.catch(() => undefined)
  call.write(head)
  for (let sent = 0; sent < bytes; sent += piece.length) call.write(piece.subarray(0, bytes - sent))
  return {
    end() {
      call.end(tail)
      return status
    },
    abort: () => call.destroy(),
  }
}

function usedMemory(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describe('a package that arrives', () => {
  it('lies on disk and not in memory, however many arrive at once', async () => {
    const size = 9 * MiB
    const first = begin(size)
    await expect.poll(bytesOnDisk, { timeout: 30_000 }).toBe(size)
    expect(await first.end()).toBe(200)
    const before = usedMemory()
    const uploads = Array.from({ length: 8 }, () => begin(size))
    await expect.poll(bytesOnDisk, { timeout: 60_000 }).toBe(8 * size)
    // Held in memory they would be 72 MiB; half of one of them is left for sockets and parsers of all eight. The memory of
    // a buffer that nobody holds any more is given back a moment after the collection.
    await expect.poll(() => usedMemory() - before).toBeLessThan(size / 2)
    expect(await Promise.all(uploads.map((upload) => upload.end()))).toEqual(Array(8).fill(200))
    expect(received).toEqual(Array(9).fill(size))
    expect(await filesOnDisk()).toEqual([])
  }, 120_000)

  it('leaves no file when its sender breaks off', async () => {
    const upload = begin(MiB)
    await expect.poll(bytesOnDisk, { timeout: 30_000 }).toBe(MiB)
    upload.abort()
    await expect.poll(filesOnDisk, { timeout: 30_000 }).toEqual([])
    expect(received).toEqual([])
  })

  it('leaves no file when its sender was gone before it was read', async () => {
    const upload = begin(0, '/gone')
    await expect.poll(filesOnDisk, { timeout: 30_000 }).toHaveLength(1)
    upload.abort()
    await expect.poll(filesOnDisk, { timeout: 30_000 }).toEqual([])
    expect(refused).toEqual(['file: the upload broke off or is not well formed'])
  })

  it('is refused over 10 MiB with no more than that on disk, and leaves no file', async () => {
    const upload = begin(14 * MiB)
    await expect.poll(bytesOnDisk, { timeout: 30_000 }).toBe(10 * MiB)
    expect(await upload.end()).toBe(413)
    expect(await filesOnDisk()).toEqual([])
  })
})

describe('the folder of uploads', () => {
  it('removes the file when the work on it fails', async () => {
    const work = createUploadFolder(dataDir).withFile(async (file) => {
      await file.write('begun')
      throw new Error('the work failed')
    })
    await expect(work).rejects.toThrow('the work failed')
    expect(await filesOnDisk()).toEqual([])
  })

  it('is swept of what a killed process left, while an upload of another process keeps its content', async () => {
    const folder = createUploadFolder(dataDir)
    const text = await folder.withFile(async (file) => {
      await file.write('begun')
      await createUploadFolder(dataDir).sweep()
      expect(await filesOnDisk()).toEqual([])
      return (await file.read(Buffer.alloc(5), 0, 5, 0)).buffer.toString()
    })
    expect(text).toBe('begun')
  })

  it('is readable for its own user only', async () => {
    await createUploadFolder(dataDir).withFile(async (file) => {
      expect((await file.stat()).mode & 0o777).toBe(0o600)
      expect((await stat(join(dataDir, 'uploads'))).mode & 0o777).toBe(0o700)
    })
  })
})
