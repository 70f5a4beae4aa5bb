import { expect, it } from 'vitest'
import type { ActionRow } from '../../tables.ts'
import { createSharing } from './sharing.ts'

it('a place that becomes free is not lost to a parked action that has ended meanwhile', async () => {
  const [begun, ended] = [[] as string[], new Set<string>()]
  const running = new Map<string, () => void>()
  const woken: Promise<void>[] = []
  const take = createSharing({
    ...{ log: { debug: () => undefined }, places: { working: 1, waiting: 0 } },
    ...{ areTenantsSeveral: async () => false, isStopping: () => false },
    sharerOf: async (id) => (ended.has(id) ? undefined : { tenant_id: 't', space_id: 's' }),
    wake: async (id) => void woken.push(take(id)),
    claimed: async (id) => ({ id }) as ActionRow,
    async carryOut({ id }, place) {
      begun.push(id)
      await new Promise<void>((resolve) => running.set(id, resolve))
      place.end()
    },
  })
  const first = take('first')
  await expect.poll(() => begun).toEqual(['first'])
  await take('second')
  await take('third')
  ended.add('second')
  running.get('first')?.()
  await first
  await expect.poll(() => begun).toEqual(['first', 'third'])
  running.get('third')?.()
  await Promise.all(woken)
})
