import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Rights } from '../platform/auth/rights.ts'
import { createHttp } from '../platform/http/http.ts'
import { createLogger } from '../platform/logging/logger.ts'
import { health } from './health.ts'
import { createIdentityWatch } from './identity-watch.ts'

let identity: Server
let asked = 0
let url = ''

/** An identity server that takes calls and answers none. */
beforeEach(async () => {
  asked = 0
  identity = createServer(() => {
    asked += 1
  })
  await new Promise<void>((listening) => identity.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(identity.address() as AddressInfo).port}`
})
afterEach(() => {
  identity.closeAllConnections()
  identity.close()
})

test('nobody waits for an identity server that hangs, and it is asked once at a time', async () => {
  const isThere = createIdentityWatch(url, 'demo')
  expect([isThere(), isThere()]).toEqual([true, true])
  await vi.waitFor(() => expect(isThere()).toBe(false), { timeout: 5000 })
  expect(asked).toBe(1)
})

test.each([
  [true, true, 200, []],
  [true, false, 200, ['identity server']],
  [false, true, 503, ['database']],
  [false, false, 503, ['database', 'identity server']],
])('with a database: %s, with an identity server: %s, readiness is %i, and names %j', async (...the) => {
  const [hasDatabase, hasIdentity, status, missing] = the
  const auth = { actorOf: () => Promise.reject(new Error('not asked for')), knows: () => false }
  const http = createHttp(createLogger('silent'), auth, {} as Rights)
  health(http, {
    db: { ping: () => (hasDatabase ? Promise.resolve() : Promise.reject(new Error('away'))) },
    config: { metricsToken: undefined },
    metrics: new Registry(),
    isIdentityThere: () => hasIdentity,
    isStopping: () => false,
  })
  const answer = await http.inject('/readyz')
  expect([answer.statusCode, answer.json().missing]).toEqual([status, missing])
})
