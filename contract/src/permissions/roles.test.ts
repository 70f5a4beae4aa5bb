import { expect, it } from 'vitest'
import { allRoles, type RoleId, type RoleRef, realmRoles, roleName } from './roles.ts'

const namesOf = (realmRole: keyof typeof realmRoles) => allRoles.filter(realmRoles[realmRole].holds).map(roleName)

it('operators change nothing in the catalog and on clusters', () => {
  const withheld = ['catalog.publish', 'clusters.create', 'clusters.edit', 'clusters.delete', 'clusters.deregister']
  const held = namesOf('quayside-operator')
  for (const name of withheld) expect(held.filter((each) => each.endsWith(`:${name}`))).toEqual([])
  expect(held).toContain('quayside-portal-ui-clusters:clusters.view')
  expect(held).toContain('quayside-portal-ui-spaces:spaces.manage')
  expect(held.filter((name) => name.startsWith('quayside-portal-ui-iam-'))).toEqual([])
})

it('members see the catalog and write YAML, and what else they may do is in lists of spaces', () => {
  expect(namesOf('quayside-member').filter((name) => !name.endsWith(':access'))).toEqual([
    'quayside-portal-ui-catalog-apps:catalog.view',
    'quayside-portal-ui-catalog-apps:catalog.apps.deploy.infrastructure.yaml',
  ])
})

it('a role that its section does not have does not compile', () => {
  // @ts-expect-error The clusters have no such role.
  const typo: RoleRef = { section: 'clusters', role: 'clusters.edti' }
  // @ts-expect-error This role is one of the catalog.
  const elsewhere: RoleId = 'clusters:catalog.publish'
  expect(allRoles.map(roleName)).not.toContain(roleName(typo))
  expect(allRoles.map(({ section, role }) => `${section}:${role}`)).not.toContain(elsewhere)
})
