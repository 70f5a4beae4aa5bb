import { expect, it } from 'vitest'
import { withoutApiServer } from './without-api-server.ts'

const binding = (name: string, subject: object) => ({
  ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', name, namespace: undefined },
  body: { subjects: [subject] },
})

it('says that pods have rights that they cannot use, by the binding that gives them', () => {
  const said = withoutApiServer([
    binding('operator', { kind: 'ServiceAccount', name: 'a' }),
    binding('watcher', { kind: 'ServiceAccount', name: 'b' }),
  ])
  expect(said).toMatch(/^RoleBinding operator and 1 more gives pods of this release rights at the API server/)
})

it('says nothing of a release whose accounts have no rights', () => {
  expect(withoutApiServer([binding('people', { kind: 'Group', name: 'crew' })])).toBeUndefined()
  expect(withoutApiServer([])).toBeUndefined()
})
