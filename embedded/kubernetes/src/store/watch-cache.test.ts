import { expect, test } from 'vitest'
import type { GroupResource, KubeObject, ObjectStore, StoreEvent } from '../object-store.ts'
import { createWatchCache } from './watch-cache.ts'

const things: GroupResource = '/things'

/** A store that tells of changes, numbered one after the other. */
function changing() {
  let version = 0
  const listeners = new Set<(resource: GroupResource, event: StoreEvent) => void>()
  const store = {
    get resourceVersion() {
      return String(version)
    },
    subscribe(listener: (resource: GroupResource, event: StoreEvent) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  } as unknown as ObjectStore
  const change = (times: number) => {
    for (let at = 0; at < times; at += 1) {
      version += 1
      const object = { metadata: { name: `t${version}`, resourceVersion: String(version) } } as KubeObject
      for (const listener of listeners) listener(things, { type: 'ADDED', object })
    }
  }
  return { store, change }
}

test('a watch gets every change after its version, or is told that some are forgotten', () => {
  const { store, change } = changing()
  const cache = createWatchCache(store)
  let forgotten = 0
  for (const times of [1, 10, 4000, 90, 2000, 5000]) {
    change(times)
    const now = Number(store.resourceVersion)
    for (let from = 0; from <= now; from += 1) {
      const found = cache.since(things, from)
      if (found === undefined) forgotten = Math.max(forgotten, from + 1)
      else if (found.length !== now - from) expect([from, found.length]).toEqual([from, now - from])
    }
    expect(cache.since(things, now)).toEqual([])
    expect(now - forgotten).toBeGreaterThanOrEqual(Math.min(now, 2048))
  }
  expect(forgotten).toBeGreaterThan(0)
})
