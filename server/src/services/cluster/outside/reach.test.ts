import { expect, it } from 'vitest'
import type { Connections } from '../connections.ts'
import type { ActionRights } from './action-rights.ts'
import type { HeldStore } from './held-store.ts'
import { createReach } from './reach.ts'

const place = { tenantId: 't', clusterId: 'c', namespace: 'team-a', releaseName: 'web' }
const toBe = {
  ...{ decisions: [], elevates: false, fingerprints: [], approvalId: null, objects: [] },
  around: { namespace: 'team-a', namespaces: new Map(), existing: new Map(), roles: new Map() },
}
const policies = 'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy'

/** Neither asks the cluster for anything: a release without objects outside has no rights to give. */
const reach = createReach({
  connections: { to: async () => ({}) } as unknown as Connections,
  held: { held: async () => [] } as unknown as HeldStore,
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
