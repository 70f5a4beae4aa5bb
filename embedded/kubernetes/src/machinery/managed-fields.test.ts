import { expect, test } from 'vitest'
import { modelSchema } from '../resources/model-schema.ts'
import type { Doc } from '../store/doc.ts'
import { applyConfig, type ManagedEntry, trackUpdate } from './managed-fields.ts'

const schema = modelSchema('V1Deployment')
const TIME = '2030-01-01T00:00:00Z'

const writer = (manager: string) => ({ manager, apiVersion: 'apps/v1', time: TIME })
const web = (spec: Doc): Doc => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec })
const containers = (...list: Doc[]) => ({ template: { spec: { containers: list } } })

function apply(live: Doc | undefined, config: Doc, manager: string, force = false): Doc {
  const about = 'default/web; apps/v1, Kind=Deployment'
  const request = { schema, live, config, writer: writer(manager), force, hasStatus: true, about }
  const { object, managedFields } = applyConfig(request)
  return { ...object, metadata: { ...(object.metadata as Doc), managedFields } }
}

const managersOf = (object: Doc) => (object.metadata as { managedFields: ManagedEntry[] }).managedFields

test('applying again without a field removes it, with what was filled in below it', () => {
  const first = apply(
    undefined,
    web({ replicas: 2, ...containers({ name: 'a', livenessProbe: { exec: { command: ['x'] } } }) }),
    'helm',
  )
  const lived = structuredClone(first) as Doc
  const probe = (lived.spec as { template: { spec: { containers: { livenessProbe: Doc }[] } } }).template.spec
    .containers[0]
  Object.assign(probe?.livenessProbe ?? {}, { periodSeconds: 10 })
  const second = apply(lived, web(containers({ name: 'a' })), 'helm')
  expect(second.spec).toEqual(containers({ name: 'a' }))
})

test('an object keeps its name when its only manager takes the last label back', () => {
  const labelled = { ...web({ replicas: 2 }), metadata: { name: 'web', labels: { tier: 'front' } } }
  const left = apply(apply(undefined, labelled, 'helm'), web({ replicas: 2 }), 'helm')
  expect(left.metadata).toMatchObject({ name: 'web' })
  expect(left.metadata).not.toHaveProperty('labels')
})

test('a field of somebody else is a conflict with cause and owner, and is taken by force', () => {
  const live = apply(undefined, web({ replicas: 2 }), 'helm')
  expect(() => apply(live, web({ replicas: 3 }), 'ops')).toThrow(
    expect.objectContaining({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "helm": .spec.replicas',
      details: {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "helm"', field: '.spec.replicas' }],
      },
    }),
  )
  const forced = apply(live, web({ replicas: 3 }), 'ops', true)
  expect(forced.spec).toEqual({ replicas: 3 })
  expect(managersOf(forced).map(({ manager }) => manager)).toEqual(['ops'])
})

test('equal values are owned together, and stay while one owner is left', () => {
  const both = apply(apply(undefined, web({ replicas: 2, paused: true }), 'helm'), web({ replicas: 2 }), 'ops')
  const left = apply(both, web({ paused: true }), 'helm')
  expect(left.spec).toEqual({ replicas: 2, paused: true })
  expect(apply(left, web({}), 'ops').spec).toEqual({ paused: true })
})

test('list items are owned by their keys: each manager brings and takes its own', () => {
  const first = apply(undefined, web(containers({ name: 'a', image: '1' })), 'helm')
  const both = apply(first, web(containers({ name: 'sidecar', image: '2' })), 'mesh')
  expect(both.spec).toEqual(containers({ name: 'a', image: '1' }, { name: 'sidecar', image: '2' }))
  expect(apply(both, web({}), 'mesh').spec).toEqual(containers({ name: 'a', image: '1' }))
})

test('a list that names a key twice is refused as the API server does', () => {
  const env = [
    { name: 'A', value: '1' },
    { name: 'A', value: '2' },
  ]
  expect(() => apply(undefined, web(containers({ name: 'a', env })), 'helm')).toThrow(
    'failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.template.spec.containers[name="a"].env: duplicate entries for key [name="A"]',
  )
})

test('a plain write takes over what it changes', () => {
  const live = apply(undefined, web({ replicas: 2, paused: true }), 'helm')
  const next = { ...live, spec: { replicas: 5, paused: true } }
  const entries = trackUpdate(schema, live, next, writer('kubectl-edit'), true)
  expect(entries.map(({ manager, operation, fieldsV1 }) => ({ manager, operation, fieldsV1 }))).toEqual([
    { manager: 'helm', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:paused': {} } } },
    { manager: 'kubectl-edit', operation: 'Update', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
  ])
  expect(() =>
    apply({ ...next, metadata: { name: 'web', managedFields: entries } }, web({ replicas: 2 }), 'helm'),
  ).toThrow(`conflict with "kubectl-edit" using apps/v1 at ${TIME}: .spec.replicas`)
})

test('fields are written down in the form of FieldsV1', () => {
  const [entry] = trackUpdate(
    schema,
    undefined,
    web(containers({ name: 'a', env: [{ name: 'X' }] })),
    writer('kubectl'),
    true,
  )
  const env = { '.': {}, 'k:{"name":"X"}': { '.': {}, 'f:name': {} } }
  const list = { '.': {}, 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:env': env } }
  expect(entry?.fieldsV1).toEqual({ 'f:spec': { 'f:template': { 'f:spec': { 'f:containers': list } } } })
})
