import { readFileSync } from 'node:fs'
import type { ErrorReply } from '@quayside/contract/http/errors'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
let token: string

beforeAll(async () => {
  world = await World.start({ env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
})
afterAll(() => world?.close())

const list = async () =>
  ((await (await world.api('/cluster/v2/clusters', { token })).json()) as { data: unknown[] }).data.length

test('a kubeconfig in which one reader sees this server and another one that is refused, and nothing is kept', async () => {
  const own = readFileSync(world.kubeconfig, 'utf8')
  const hidden = {
    server: own.replace(/( +)(server: .*)/, '$1server: https://169.254.169.254\n$1$2'),
    clusters: `clusters: []\n${own}`,
  }
  for (const [key, kubeconfig] of Object.entries(hidden)) {
    expect(kubeconfig).not.toBe(own)
    const answer = await world.api('/cluster/v1/clusters', { token, body: { displayName: key, kubeconfig } })
    expect(answer.status, key).toBe(400)
    const { code, message } = (await answer.json()) as ErrorReply
    expect(code).toBe('cluster.kubeconfig-refused')
    expect(message).toContain('stands there twice')
  }
  expect(await list()).toBe(0)
  const made = await world.api('/cluster/v1/clusters', { token, body: { displayName: 'Once', kubeconfig: own } })
  expect(made.status).toBe(201)
})
