import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'

const metricsToken = 'a-token-of-prometheus'
let world: World

beforeAll(async () => {
  world = await World.start({ cluster: false, env: { QUAYSIDE_METRICS_TOKEN: metricsToken } })
})
afterAll(() => world?.close())

test('the figures are for who shows their token, and for no user however mighty', async () => {
  const admin = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  for (const token of [undefined, admin, 'guess', `${metricsToken}x`]) {
    const answer = await world.api('/metrics', { token })
    expect(answer.status, String(token)).toBe(401)
    expect(await answer.text()).not.toMatch(/process_|nodejs_/)
  }
  const answer = await world.api('/metrics', { token: metricsToken })
  expect(answer.status).toBe(200)
  const figures = await answer.text()
  expect(figures).toMatch(/^process_cpu_user_seconds_total /m)
  expect(figures).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  expect(figures).toMatch(/^quayside_http_requests_total\{method="GET",route="\/metrics",status="401"\} 4$/m)
  expect(figures).toMatch(/^quayside_http_request_seconds_count\{method="GET",route="\/metrics"\} 4$/m)
  expect(figures).toMatch(/^quayside_database_connections\{state="idle"\} [1-9]/m)
  expect(figures).toMatch(/^quayside_database_calls\{state="waiting"\} 0$/m)
  expect(figures).toMatch(/^quayside_calls_refused_total 0$/m)
  expect(figures).toMatch(/^quayside_sockets 0$/m)
})

test('addresses that are none are one series', async () => {
  for (const path of ['/portal-api/nothing', '/guess/1', '/guess/2']) await world.api(path)
  const figures = await (await world.api('/metrics', { token: metricsToken })).text()
  expect(figures).toMatch(/^quayside_http_requests_total\{method="GET",route="none",status="404"\} 3$/m)
  expect(figures).not.toContain('guess')
})

test('the portal is ready, and says what is missing', async () => {
  expect(await (await world.api('/readyz')).json()).toEqual({ status: 'ready', missing: [] })
})

test('without a token there are no figures at all', async () => {
  await using other = await World.start({ cluster: false })
  const answer = await other.api('/metrics')
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ code: 'request.not-found' })
})
