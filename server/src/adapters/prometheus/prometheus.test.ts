import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPrometheus, type Prometheus } from './prometheus.ts'

let answer: (request: IncomingMessage, response: ServerResponse) => void
const server = createServer((request, response) => answer(request, response))
let prometheus: Prometheus
const samples = [{ labels: { __name__: 'up', tenant: 'demo' }, value: 1 }]

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prometheus`
  prometheus = createPrometheus({ url, writeUrl: `${url}/push`, authorization: 'Bearer secret' })
})
afterAll(() => server.close())

const says = (status: number, body = '') => {
  answer = (_, response) => void response.writeHead(status).end(body)
}
const refused = { code: 'metrics.refused' }

test('shows its secret at the address that is written to', async () => {
  let seen: IncomingMessage | undefined
  answer = (request, response) => {
    seen = request
    response.writeHead(204).end()
  }
  expect(await prometheus.write(samples, 1000)).toBe(true)
  expect(seen).toMatchObject({
    url: '/prometheus/push',
    headers: { authorization: 'Bearer secret', 'content-encoding': 'snappy' },
  })
})

test('tells samples that were refused in part from a request that was not taken', async () => {
  says(400, 'out of order')
  expect(await prometheus.write(samples, 1000)).toBe(false)
  for (const status of [401, 404, 500]) {
    says(status)
    await expect(prometheus.write(samples, 1000)).rejects.toMatchObject(refused)
  }
})

test('keeps the beginning of a long reason', async () => {
  says(500, `too many series ${'x'.repeat(100_000)}`)
  const refusal = await prometheus.write(samples, 1000).catch((error: Error) => error)
  expect(String((refusal as Error).cause)).toMatch(/answers 500: too many series x{1984}$/)
})

test('follows no redirect, which would take the secret along', async () => {
  answer = (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
  await expect(prometheus.write(samples, 1000)).rejects.toMatchObject({ code: 'metrics.unreachable' })
})

test('reads values by time', async () => {
  const metric = { __name__: 'up' }
  says(
    200,
    JSON.stringify({
      status: 'success',
      data: {
        result: [
          {
            metric,
            values: [
              [1, '0.5'],
              [2, 'NaN'],
            ],
          },
        ],
      },
    }),
  )
  expect(await prometheus.range('up', { from: 1000, to: 2000, stepSeconds: 1 })).toEqual([
    {
      labels: metric,
      values: [
        [1, 0.5],
        [2, Number.NaN],
      ],
    },
  ])
})

test.each([
  ['no JSON', 'moment please'],
  ['an error', '{"status":"error","error":"no"}'],
  ['another form', '{"status":"success","data":{"result":[{"value":1}]}}'],
])('takes %s for no figures', async (_, body) => {
  says(200, body)
  await expect(prometheus.now('up')).rejects.toMatchObject(refused)
})

test('gives an answer up that does not end', async () => {
  answer = (_, response) => {
    response.writeHead(200)
    const part = Buffer.alloc(2 ** 20, ' ')
    const more = (): void => void response.write(part, (error) => (error ? undefined : more()))
    more()
  }
  await expect(prometheus.now('up')).rejects.toMatchObject({ code: 'metrics.unreachable' })
})
