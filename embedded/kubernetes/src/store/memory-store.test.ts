import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock } from '../clock.ts'
import type { StoreEvent } from '../object-store.ts'
import { openJournal } from './journal.ts'
import { createStore } from './memory-store.ts'

let folder = ''
const clock = createClock()
const open = () => createStore({ clock, journal: openJournal(folder), hasGeneration: () => true })
const thing = (name: string, more: Record<string, unknown> = {}) => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, namespace: 'default' },
  ...more,
})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('what was written is there again, a torn last line is not', () => {
  const first = open()
  first.create('/things', thing('b'))
  const a = first.create('/things', thing('a', { spec: { size: 1 } }))
  first.create('/things', thing('gone'))
  first.delete('/things', 'default', 'gone')
  const { resourceVersion } = first
  first.close()
  appendFileSync(join(folder, 'objects.jsonl'), '{"put":"/things","object":{"metadata":{"name":"torn"')
  const second = open()
  expect(second.list('/things').map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
  expect(second.get('/things', 'default', 'a')).toEqual(a)
  expect(second.resourceVersion).toBe(resourceVersion)
  second.create('/things', thing('c'))
  second.close()
  expect(readFileSync(join(folder, 'objects.jsonl'), 'utf8')).not.toContain('torn')
  const third = open()
  expect(third.list('/things')).toHaveLength(3)
  third.close()
})

test('spec changes raise the generation, status changes do not, equal writes are none', () => {
  const store = createStore({ clock, hasGeneration: () => true })
  store.create('/things', thing('a', { spec: { size: 1 } }))
  const grown = store.update('/things', 'default', 'a', (now) => ({ ...now, spec: { size: 2 } }))
  expect(grown.metadata.generation).toBe(2)
  const told = store.update('/things', 'default', 'a', (now) => ({ ...now, spec: {}, status: { ok: true } }), {
    status: true,
  })
  expect(told).toMatchObject({ spec: { size: 2 }, status: { ok: true }, metadata: { generation: 2 } })
  const same = store.update('/things', 'default', 'a', (now) => ({ ...now, status: { ok: true } }))
  expect(same.metadata.resourceVersion).toBe(told.metadata.resourceVersion)
})

test('finalizers hold an object until the last one is taken away', () => {
  const store = createStore({ clock })
  const events: string[] = []
  store.subscribe((_resource, event: StoreEvent) => events.push(event.type))
  store.create('/things', { ...thing('a'), metadata: { name: 'a', namespace: 'default', finalizers: ['x'] } })
  store.delete('/things', 'default', 'a')
  expect(store.get('/things', 'default', 'a')?.metadata.deletionTimestamp).toBeDefined()
  store.update('/things', 'default', 'a', (now) => ({ ...now, metadata: { ...now.metadata, finalizers: [] } }))
  expect(store.get('/things', 'default', 'a')).toBeUndefined()
  expect(events).toEqual(['ADDED', 'MODIFIED', 'DELETED'])
})

test('a pod on a node gets its grace period, one without a node goes at once', () => {
  const store = createStore({ clock })
  const pod = (name: string, spec: object) => store.create('/pods', { ...thing(name), kind: 'Pod', spec })
  pod('placed', { nodeName: 'n', terminationGracePeriodSeconds: 7 })
  pod('waiting', {})
  store.delete('/pods', 'default', 'placed')
  store.delete('/pods', 'default', 'waiting')
  expect(store.list('/pods').map(({ metadata }) => metadata.deletionGracePeriodSeconds)).toEqual([7])
  store.remove('/pods', 'default', 'placed')
  expect(store.list('/pods')).toEqual([])
})

test('dependents are found by their owner', () => {
  const store = createStore({ clock })
  const owner = store.create('/things', thing('owner'))
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Thing', name: 'owner', uid: owner.metadata.uid }]
  store.create('/parts', { ...thing('part'), metadata: { name: 'part', namespace: 'default', ownerReferences } })
  expect(store.ownedBy(owner.metadata.uid).map(({ object }) => object.metadata.name)).toEqual(['part'])
  store.delete('/parts', 'default', 'part')
  expect(store.ownedBy(owner.metadata.uid)).toEqual([])
})

test('changes made while others are told of one come to all listeners in order', () => {
  const store = createStore({ clock })
  const heard: string[] = []
  store.subscribe((_resource, { type, object }) => {
    if (type === 'ADDED') store.update('/things', 'default', object.metadata.name, (now) => ({ ...now, status: 1 }))
  })
  store.subscribe((_resource, { type }) => heard.push(type))
  store.create('/things', thing('a'))
  expect(heard).toEqual(['ADDED', 'MODIFIED'])
})
