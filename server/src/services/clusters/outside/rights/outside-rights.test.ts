import { expect, it } from 'vitest'
import type { Connections } from '../../registry/connections.ts'
import type { ActionRights } from './action-rights.ts'
import type { HeldStore } from './held-store.ts'
import { createOutsideRights } from './outside-rights.ts'

const place = { tenantId: 't', clusterId: 'c', namespace: 'team-a', releaseName: 'web' }
const toBe = {
  ...{
    decisions: [],
    elevates: false,
    asksFor: [],
    fingerprints: [],
    approvalId: null,
    objects: [],
    item: { id: 'i', publisherId: null, sourceId: null },
  },
  around: { namespace: 'team-a', namespaces: new Map(), existing: new Map(), roles: new Map() },
}
const policies = 'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy'

/** A cluster on which nothing outside of the space is there yet. */
const reach = createOutsideRights({
  connections: {
    to: async () => ({
      resourceOf: async () => undefined,
      get: async () => undefined,
      list: async () => [],
      kinds: async () => [],
    }),
  } as unknown as Connections,
  held: { everHeld: async () => [] } as unknown as HeldStore,
  rights: { prepare: async () => undefined } as unknown as ActionRights,
})
const giveOutsideRights = (resourceScopes: [string, boolean][], more: object = {}) =>
  reach.giveOutsideRights({
    ...{ ...place, actionId: 'a', appId: 'b', spaceId: 's', toBe, asIs: [], isFirst: false, isStored: false },
    resourceScopes: new Map(resourceScopes),
    ...more,
  })

it('a release with nothing outside is compared only where no policy refuses bindings for others', async () => {
  expect(await giveOutsideRights([[policies, false]])).toEqual({})
  const { comparing } = await giveOutsideRights([['v1/Namespace', false]])
  expect(JSON.parse(comparing?.data ?? '{}')).toMatchObject({ namespace: 'team-a', allowed: [] })
})

it('nothing is compared where Helm renders nothing', async () => {
  expect(await giveOutsideRights([], { toBe: undefined })).toEqual({})
  expect(await giveOutsideRights([], { isStored: true })).toEqual({})
})

it.each([
  ['pre-delete', 'ClusterRole', true],
  ['post-install, post-delete', 'ClusterRole', true],
  ['pre-install', 'ClusterRole', false],
  ['pre-delete', 'ConfigMap', false],
])('a deletion with a hook %s that makes a %s leaves hooks out: %s', async (hook, kind, withoutHooks) => {
  const body = { metadata: { name: 'x', annotations: { 'helm.sh/hook': hook } } }
  const asIs = [{ apiVersion: kind === 'ConfigMap' ? 'v1' : 'rbac.authorization.k8s.io/v1', kind, name: 'x', body }]
  expect(await giveOutsideRights([[policies, false]], { toBe: undefined, asIs })).toEqual(
    withoutHooks ? { withoutHooks: expect.any(String) } : {},
  )
})

it('a rollback with anything outside is refused where the cluster cannot keep others from changing what it reads', async () => {
  const rollback = { ...place, actionId: 'a', spaceId: 's', revision: 1 }
  await expect(reach.lockRevision(rollback)).rejects.toMatchObject({
    code: 'approval.refused',
    message: expect.stringContaining('Upgrade to the version and values of that revision instead.'),
  })
})
