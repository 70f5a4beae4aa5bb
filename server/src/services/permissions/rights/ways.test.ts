import { describe, expect, it } from 'vitest'
import { type ListedGrant, scopesOfWays, waysOf } from './ways.ts'

const grant = (id: string, principal: string, role: string, more: Partial<ListedGrant> = {}): ListedGrant => ({
  ...{ id, principal, role, roleName: role, scopes: null, owner: false, expiresAt: null },
  ...more,
})
const ines = {
  person: { id: 'u1', name: 'Ines' },
  groups: [
    { id: 'g2', through: [{ kind: 'group', id: 'g2', name: 'Guests' } as const] },
    {
      id: 'g1',
      through: [
        { kind: 'group', id: 'g2', name: 'Guests' } as const,
        { kind: 'group', id: 'g1', name: 'Storefront' } as const,
      ],
    },
  ],
  roles: [
    { id: 'quayside-member', through: [{ kind: 'group', id: 'g1', name: 'Storefront' } as const] },
    {
      id: 'quayside-portal-ui-catalog-apps:catalog.deploy',
      through: [{ kind: 'role', id: 'operator', name: 'operator' } as const],
    },
  ],
}
const named = (steps: { name: string }[]) => steps.map(({ name }) => name).join(' → ')

describe('the ways of somebody into a space', () => {
  it('go by themselves, by a group above theirs, and by a role that they hold', () => {
    const ends = new Date('2031-05-01T00:00:00Z')
    const ways = waysOf(ines, [
      grant('a', 'user:u1', 'viewer'),
      grant('b', 'group:g1', 'deployer', { expiresAt: ends }),
      grant('c', 'role:quayside-member', 'viewer', { owner: true }),
      grant('d', 'user:u2', 'manager'),
      grant('e', 'group:g3', 'manager'),
    ])
    expect(ways.map(({ steps, permissionId, expiresAt }) => [named(steps), permissionId, expiresAt])).toEqual([
      ['Ines → viewer', 'a', null],
      ['Ines → Guests → Storefront → deployer', 'b', ends.toISOString()],
      ['Ines → Storefront → quayside-member → viewer → Owner', 'c', null],
      ['Ines → operator → catalog.deploy', null, null],
    ])
    expect(ways.at(-1)?.scopes).toEqual(['space.view', 'app.view', 'space.deploy'])
  })

  it('give together what each of them gives', () => {
    const ways = waysOf(ines, [grant('a', 'user:u1', 'viewer', { owner: true })])
    expect(scopesOfWays(ways)).toEqual([
      ...['space.view', 'space.edit', 'space.delete', 'space.members', 'space.deploy', 'app.view'],
    ])
  })

  it('are none for somebody whom nothing names', () => {
    expect(
      waysOf({ person: { id: 'u9', name: 'X' }, groups: [], roles: [] }, [grant('a', 'user:u1', 'viewer')]),
    ).toEqual([])
  })
})
