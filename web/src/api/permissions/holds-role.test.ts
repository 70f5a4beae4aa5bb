import { role } from '@quayside/contract/http/policy'
import { expect, it } from 'vitest'
import { holdsRole } from './my-scopes.ts'

const token = { resourceAccess: { 'quayside-portal-ui-clusters': [{ name: 'clusters.edit' }] } }

it.each([
  ['a role that is held on the client of its section', role('clusters', 'clusters.edit'), true],
  ['another role of the client', role('clusters', 'clusters.create'), false],
  ['the same name on another client', role('apps', 'access'), false],
])('%s', (_, ref, isHeld) => {
  expect(holdsRole(token, ref)).toBe(isHeld)
})

it('a mistyped role does not compile', () => {
  // @ts-expect-error The clusters have no such role.
  expect(holdsRole(token, role('clusters', 'clusters.edti'))).toBe(false)
  // @ts-expect-error This role is one of the catalog.
  expect(holdsRole(token, role('clusters', 'catalog.publish'))).toBe(false)
})
