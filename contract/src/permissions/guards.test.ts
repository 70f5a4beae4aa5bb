import { describe, expect, it } from 'vitest'
import { guardedCalls } from '../capabilities.ts'
import { guardedByRole, guardedByScope, scopesWithoutUse } from './guards.ts'
import { allRoles, realmRoles, resourceRoles, roleName, sections } from './roles.ts'
import { missingScope, rolesEverywhere, type Scope, scopes, scopesOfTenantRole, spaceRoles } from './scopes.ts'

describe('the table of what each role and scope guards', () => {
  it('knows the 49 roles of the specification, and two of ours', () => {
    const named = sections.flatMap((section) => [...resourceRoles[section]])
    expect(new Set(named).size).toBe(51)
    expect(named.filter((role) => ['spaces.manage', 'audit.view'].includes(role))).toHaveLength(2)
    expect(allRoles).toHaveLength(51 + sections.length)
  })

  it.each(allRoles.map((ref) => [roleName(ref), ref] as const))('%s opens something', (_, ref) => {
    const guarded = guardedByRole(ref)
    expect([...Object.values(guarded).flat(), ...scopesOfTenantRole(ref)]).not.toEqual([])
  })

  it('asks for every scope somewhere; deploying where apps hold cluster rights is asked for by the deployment itself', () => {
    expect(scopesWithoutUse).toEqual(['space.deploy.elevated'])
  })

  it('has one policy for each call, and each address once', () => {
    const addresses = guardedCalls.map(({ address }) => address)
    expect(new Set(addresses).size).toBe(addresses.length)
    expect(guardedCalls.filter(({ policy }) => policy.kind === 'public')).toEqual([])
  })

  it.each(guardedCalls.filter(({ policy }) => policy.kind === 'scope').map((call) => [call.address, call] as const))(
    '%s finds the id that its policy names',
    (_, { policy, endpoint }) => {
      if (policy.kind !== 'scope') throw new Error('not a scope')
      const [part = '', name = ''] = policy.id.split('.')
      expect(['params', 'body', 'query']).toContain(part)
      if (part === 'params') expect(endpoint.path).toContain(`:${name}`)
      else expect(JSON.stringify(Object.keys(shapeOf(endpoint.body)))).toContain(name.replace('[]', ''))
    },
  )

  it('opens no section and no space by the role access alone', () => {
    for (const section of sections) {
      const { calls } = guardedByRole({ section, role: 'access' })
      expect(calls).toEqual([])
      expect(rolesEverywhere.some((ref) => ref.section === section && ref.role === 'access')).toBe(false)
    }
    expect(guardedByScope('space.delete').calls.map(({ key }) => key)).toEqual(['deleteSpace'])
  })
})

describe('roles and scopes', () => {
  it.each(Object.entries(spaceRoles))('%s holds nothing that is of no use by itself', (_, role) => {
    expect(missingScope(role.scopes)).toBeUndefined()
  })

  it('nobody deploys with cluster rights by a built-in role of a space', () => {
    const held = Object.values(spaceRoles).flatMap((role): readonly Scope[] => role.scopes)
    expect(held).not.toContain('space.deploy.elevated')
    expect(held).not.toContain('space.delete')
  })

  it('a scope that needs another one is told', () => {
    expect(missingScope(['app.manage'])).toEqual({ scope: 'app.manage', needs: 'space.view' })
    expect(missingScope(['space.view', 'app.manage'])).toEqual({ scope: 'app.manage', needs: 'app.view' })
    expect(missingScope([...scopes])).toBeUndefined()
  })

  it('members of teams hold nothing that reaches every space, viewers nothing that changes one', () => {
    const held = (name: keyof typeof realmRoles) => rolesEverywhere.filter(realmRoles[name].holds).map(roleName)
    expect(held('quayside-member')).toEqual([])
    expect(held('quayside-viewer')).toEqual(['quayside-portal-ui-catalog-apps:catalog.deployments.view'])
    expect(held('quayside-operator')).not.toContain('quayside-portal-ui-clusters:clusters.edit')
    expect(held('quayside-admin')).toHaveLength(rolesEverywhere.length)
  })
})

function shapeOf(schema: unknown): Record<string, unknown> {
  return (schema as { shape?: Record<string, unknown> }).shape ?? {}
}
