import { expect, test } from 'vitest'
import { matchPath } from './path-match.ts'

test.each([
  ['/users/:id', '/users/7', { id: '7' }],
  ['/users/:id', '/users/a%20b', { id: 'a b' }],
  ['/users/:id', '/users', undefined],
  ['/users/:id', '/users/7/groups', undefined],
  ['/users/:id', '/users/%ff', undefined],
  ['/by-path/*path', '/by-path/A/B%2FC', { path: 'A/B/C' }],
  ['', '', {}],
])('%s on %s gives %j', (pattern, path, params) => {
  expect(matchPath(pattern, path)).toEqual(params)
})
