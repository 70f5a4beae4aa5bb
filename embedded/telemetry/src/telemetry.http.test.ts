import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { writeRequest } from './http/write-request.test-support.ts'
import { startTelemetry, type Telemetry } from './telemetry.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'telemetry-'))
const token = 'a-token-of-the-test'
let telemetry: Telemetry

const start = () => startTelemetry({ dataDir, port: 0, token, heapMiB: 24, query: { samples: 10_000 } })
const now = Math.floor(Date.now() / 1000)

beforeAll(async () => {
  telemetry = await start()
})
afterAll(async () => {
  await telemetry.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const call = (path: string, options: RequestInit = {}) =>
  fetch(telemetry.url + path, { ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } })

const write = (body: Uint8Array) =>
  call('/api/v1/write', {
    method: 'POST',
    body: body as BodyInit,
    headers: { 'content-encoding': 'snappy', 'content-type': 'application/x-protobuf' },
  })

async function answer(path: string, parameters: Record<string, string>) {
  const reply = await call(`/api/v1/${path}?${new URLSearchParams(parameters)}`)
  return { code: reply.status, body: await reply.json() }
}

test('nobody reads or writes without the token', async () => {
  for (const authorization of ['', 'Bearer another']) {
    const reply = await call('/api/v1/query?query=1', { headers: { authorization } })
    expect(reply.status).toBe(401)
  }
})

test('samples that were written are read back, also by another start on the same folder', async () => {
  const body = writeRequest([
    {
      labels: { __name__: 'up', job: 'shop' },
      samples: [
        [(now - 60) * 1000, 1],
        [now * 1000, 2],
      ],
    },
    { labels: { __name__: 'up', job: 'mail' }, samples: [[now * 1000, Infinity]] },
  ])
  expect((await write(body)).status).toBe(204)
  expect((await write(body)).status).toBe(204)
  await telemetry.close()
  telemetry = await start()
  expect(await answer('query', { query: 'up', time: String(now) })).toEqual({
    code: 200,
    body: {
      status: 'success',
      data: {
        resultType: 'vector',
        result: [
          { metric: { __name__: 'up', job: 'shop' }, value: [now, '2'] },
          { metric: { __name__: 'up', job: 'mail' }, value: [now, '+Inf'] },
        ],
      },
    },
  })
})

test('ranges, series and labels are answered, to forms as well', async () => {
  const range = { query: 'sum(up{job="shop"})', start: String(now - 60), end: String(now), step: '30s' }
  const reply = await call('/api/v1/query_range', { method: 'POST', body: new URLSearchParams(range) })
  expect((await reply.json()).data).toEqual({
    resultType: 'matrix',
    result: [
      {
        metric: {},
        values: [
          [now - 60, '1'],
          [now - 30, '1'],
          [now, '2'],
        ],
      },
    ],
  })
  expect((await answer('labels', {})).body.data).toEqual(['__name__', 'job'])
  expect((await answer('label/job/values', { 'match[]': 'up' })).body.data).toEqual(['mail', 'shop'])
  expect((await answer('series', { 'match[]': 'up{job="mail"}' })).body.data).toEqual([{ __name__: 'up', job: 'mail' }])
})

test.each<[string, Record<string, string>, number, RegExp]>([
  ['query', {}, 400, /"query"/],
  ['query', { query: 'sum(' }, 400, /parse error/],
  ['query', { query: 'up', time: 'today' }, 400, /"time"/],
  ['query_range', { query: 'up', start: '2', end: '1', step: '1' }, 400, /"end"/],
  ['query_range', { query: 'up', start: '0', end: '100000', step: '1' }, 400, /11000 points/],
  ['query_range', { query: 'vector(1) + vector(2)', start: '0', end: '10000', step: '1' }, 422, /too many samples/],
  ['series', {}, 400, /match/],
  ['admin/tsdb/delete_series', {}, 404, /no such path/],
])('%s %j is refused', async (path, parameters, code, reason) => {
  const found = await answer(path, parameters)
  expect(found.code).toBe(code)
  expect(found.body).toMatchObject({ status: 'error', error: expect.stringMatching(reason) })
})

test('a file that is damaged is set aside, and the engine begins with an empty one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'telemetry-'))
  writeFileSync(join(folder, 'metrics.sqlite'), 'no database '.repeat(1000))
  const other = await startTelemetry({ dataDir: folder, port: 0, token })
  const reply = await fetch(`${other.url}/api/v1/labels`, { headers: { authorization: `Bearer ${token}` } })
  expect(await reply.json()).toEqual({ status: 'success', data: [] })
  expect(readFileSync(join(folder, 'metrics.sqlite.damaged'), 'utf8')).toContain('no database')
  await other.close()
  rmSync(folder, { recursive: true })
})

test('a body that is no request of remote write is refused', async () => {
  expect((await write(new Uint8Array([1, 2, 3]))).status).toBe(400)
  expect((await write(writeRequest([{ labels: { job: 'nameless' }, samples: [[1, 1]] }]))).status).toBe(400)
})

test('a thread that runs out of memory is started again at the same address, with what it had', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const many = Array.from({ length: 150_000 }, (_, index) => ({
    labels: { __name__: 'many', number: String(index) },
    samples: [] as [number, number][],
  }))
  await expect(write(writeRequest(many))).rejects.toThrow()
  const again = () => answer('query', { query: 'up{job="shop"}', time: String(now) }).catch(() => undefined)
  await expect.poll(again).toMatchObject({ code: 200, body: { data: { result: [{ value: [now, '2'] }] } } })
  expect(said).toHaveBeenCalled()
})
