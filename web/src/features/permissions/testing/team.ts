import type { AccessRequest } from '@quayside/contract/permissions/access-requests'
import type { SpaceMember, SpaceRole } from '@quayside/contract/permissions/endpoints'
import type { Explanation } from '@quayside/contract/permissions/explain'
import type { NamedPrincipal, Permission } from '@quayside/contract/permissions/permission-entry'
import { type Scope, spaceRoles } from '@quayside/contract/permissions/scopes'
import type { Space } from '@quayside/contract/spaces/endpoints'

/** A space called Shop that the person manages, or where they hold just what is given. */
export const shop = (scopes: readonly Scope[] = [...spaceRoles.manager.scopes, 'space.delete']): Space => ({
  ...{
    id: 'shop123',
    name: 'shop',
    displayName: 'Shop',
    identifier: 'shop',
    freeze: null,
    description: '',
    namespace: 'shop-shop123',
  },
  ...{ apps: [], clusters: [], scopes: [...scopes], createdAt: '2026-01-01T00:00:00.000Z' },
})
export const myScopes = (space: Space) => ({ data: [{ spaceId: space.id, scopes: space.scopes }] })

export const roles: SpaceRole[] = (Object.keys(spaceRoles) as (keyof typeof spaceRoles)[]).map((id) => ({
  ...{ id, name: spaceRoles[id].name, description: spaceRoles[id].description, builtIn: true },
  scopes: [...spaceRoles[id].scopes],
}))

export const person = (id: string, name: string): NamedPrincipal => ({
  ...{ type: 'user', id, name, detail: id, isGone: false },
})
export const group = (id: string, name: string): NamedPrincipal => ({
  ...{ type: 'group', id, name, detail: `/Teams/${name}`, isGone: false },
})

export const entry = (principal: NamedPrincipal, role: 'viewer' | 'deployer' | 'manager', more = {}): Permission => ({
  ...{ id: `p-${principal.id}`, principal, role: { id: role, name: spaceRoles[role].name } },
  ...{ scopes: [...spaceRoles[role].scopes], owner: false, expiresAt: null },
  ...{ grantedBy: 'mara', grantedByName: 'Mara Keller', grantedAt: '2026-01-01T00:00:00.000Z', ...more },
})

export const member = (name: string, role: 'viewer' | 'deployer' | 'manager', through?: string): SpaceMember => ({
  person: { id: name.toLowerCase(), username: name.toLowerCase(), name },
  scopes: [...spaceRoles[role].scopes],
  owner: false,
  ways: [
    {
      steps: [
        { kind: 'user', id: name.toLowerCase(), name },
        ...(through === undefined ? [] : [{ kind: 'group' as const, id: through, name: through }]),
        { kind: 'space-role', id: role, name: spaceRoles[role].name },
      ],
      ...{ scopes: [...spaceRoles[role].scopes], expiresAt: null, permissionId: 'p1' },
    },
  ],
})

export const request = (more: Partial<AccessRequest> = {}): AccessRequest => ({
  ...{
    id: 'r1',
    space: { id: 'shop123', displayName: 'Shop' },
    person: { id: 'ravi', name: 'Ravi Sandoval', username: 'ravi' },
  },
  ...{ role: { id: 'deployer', name: 'Deployer' }, reason: 'Hotfix of the cart', hours: 8, state: 'open' },
  ...{
    answeredBy: null,
    answeredByName: null,
    note: null,
    createdAt: new Date().toISOString(),
    answeredAt: null,
    ...more,
  },
})

export const page = <T>(...data: T[]) => ({ data, page: { skip: 0, limit: 50, total: data.length }, next: null })

/** A viewer of Shop who wants to upgrade. */
export const explanation = (more: Partial<Explanation> = {}): Explanation => ({
  ...{ allowed: false, needs: 'app.manage', person: { id: 'u1', name: 'Gil Amari' } },
  ...{ space: { id: 'shop123', displayName: 'Shop' }, ways: member('Gil', 'viewer', 'Guests').ways },
  ...{
    missing: ['app.manage'],
    spaceRoles: [
      { id: 'deployer', name: 'Deployer' },
      { id: 'manager', name: 'Manager' },
    ],
  },
  ...{ tenantRoles: ['quayside-operator'], grantors: [person('ines', 'Ines Duarte')] },
  ...{ mayRequest: true, openRequestId: null, tenantRolesToAskFor: [], ...more },
})
