import { expect, it } from 'vitest'
import type { Connections } from '../../registry/connections.ts'
import type { ActionRights } from './action-rights.ts'
import type { HeldStore } from './held-store.ts'
import { createReach } from './reach.ts'

const place = { tenantId: 't', clusterId: 'c', namespace: 'team-a', releaseName: 'web' }
const toBe = {
  ...{
    decisions: [],
    elevates: false,
    asksFor: [],
    fingerprints: [],
    approvalId: null,
    objects: [],
    item: { id: 'i', publisherId: null },
  },
  around: { namespace: 'team-a', namespaces: new Map(), existing: new Map(), roles: new Map() },
}
const policies = 'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy'

/** A cluster on which nothing outside of the space is there yet. */
const reach = createReach({
  connections: {
    to: async () => ({ resourceOf: async () => undefined, get: async () => undefined, list: async () => [] }),
  } as unknown as Connections,
  held: { everHeld: async () => [] } as unknown as HeldStore,
  rights: { prepare: async () => undefined } as unknown as ActionRights,
})
const reachOut = (resourceScopes: [string, boolean][], more: object = {}) =>
  reach.reachOut({
    ...{ ...place, actionId: 'a', appId: 'b', spaceId: 's', toBe, asIs: [], isFirst: false, isStored: false },
    resourceScopes: new Map(resourceScopes),
    ...more,
  })

it('a release with nothing outside is compared only where no policy refuses bindings for others', async () => {
  expect(await reachOut([[policies, false]])).toEqual({})
  const { comparing } = await reachOut([['v1/Namespace', false]])
  expect(JSON.parse(comparing?.data ?? '{}')).toMatchObject({ namespace: 'team-a', allowed: [] })
})

it('nothing is compared where Helm renders nothing', async () => {
  expect(await reachOut([], { toBe: undefined })).toEqual({})
  expect(await reachOut([], { isStored: true })).toEqual({})
})

it.each([
  ['pre-delete', 'ClusterRole', true],
  ['post-install, post-delete', 'ClusterRole', true],
  ['pre-install', 'ClusterRole', false],
  ['pre-delete', 'ConfigMap', false],
])('a deletion with a hook %s that makes a %s leaves hooks out: %s', async (hook, kind, withoutHooks) => {
  const body = { metadata: { name: 'x', annotations: { 'helm.sh/hook': hook } } }
  const asIs = [{ apiVersion: kind === 'ConfigMap' ? 'v1' : 'rbac.authorization.k8s.io/v1', kind, name: 'x', body }]
  expect(await reachOut([[policies, false]], { toBe: undefined, asIs })).toEqual(
    withoutHooks ? { withoutHooks: expect.any(String) } : {},
  )
})
