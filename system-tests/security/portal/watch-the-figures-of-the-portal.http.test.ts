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
  expect(await answer.text()).toMatch(/^process_cpu_user_seconds_total /m)
})

test('without a token there are no figures at all', async () => {
  await using other = await World.start({ cluster: false })
  const answer = await other.api('/metrics')
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ code: 'request.not-found' })
})
