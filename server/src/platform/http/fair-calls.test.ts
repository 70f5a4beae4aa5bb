import { anyone } from '@quayside/contract/http/policy'
import { expect, test } from 'vitest'
import type { Actor } from '../auth/actor.ts'
import type { Rights } from '../auth/rights.ts'
import { callers } from '../concurrency/fair-places.ts'
import type { Caller } from '../concurrency/fairness.ts'
import { createLogger } from '../logging/logger.ts'
import { shareFairly } from './fair-calls.ts'
import { createHttp } from './http.ts'

test.each([
  ['GET', false, true],
  ['POST', false, false],
  ['POST', true, true],
] as const)('%s, declared as reading: %s, has the queue of reads: %s', async (method, onlyReads, isRead) => {
  const seen: (Caller | undefined)[] = []
  const actor = { tenantId: 'demo', userId: 'u1' } as Actor
  const http = createHttp(createLogger('silent'), { actorOf: async () => actor, knows: () => true }, {} as Rights)
  shareFairly(http, { assertMayQueue: (caller) => void seen.push(caller) })
  http.route({
    ...{ method, url: '/one', config: { policy: anyone, onlyReads } },
    handler: async () => void seen.push(callers.getStore()),
  })
  await http.inject({ method, url: '/one', headers: { authorization: 'Bearer one' } })
  expect(seen.length).toBeGreaterThan(0)
  for (const caller of seen) expect(caller).toMatchObject({ onlyReads: isRead })
})
