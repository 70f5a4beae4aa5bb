import { missingScope, scopes } from '@quayside/contract/permissions/scopes'
import { expect, it } from 'vitest'
import { withoutScope, withScope } from './scope-choice.ts'

it('a scope brings what it is of no use without', () => {
  expect(withScope([], 'space.deploy.elevated')).toEqual([
    'space.view',
    'space.deploy',
    'space.deploy.elevated',
    'app.view',
  ])
})

it('a scope takes with it what is of no use without it, and nothing else', () => {
  expect(withoutScope(['space.view', 'space.deploy', 'app.view', 'app.manage', 'space.edit'], 'app.view')).toEqual([
    'space.view',
    'space.edit',
  ])
})

it.each(scopes)('whatever is chosen beside %s can be saved', (scope) => {
  expect(missingScope(withScope([], scope))).toBeUndefined()
  expect(missingScope(withoutScope(scopes, scope))).toBeUndefined()
  expect(withoutScope(scopes, scope)).not.toContain(scope)
})
