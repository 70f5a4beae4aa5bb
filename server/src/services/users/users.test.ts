import type { User } from '@quayside/contract/users/endpoints'
import { expect, test } from 'vitest'
import { sortUsers, windowOf } from './index.ts'

test.each([
  [
    { total: 10, skip: 0, limit: 3 },
    { first: 7, max: 3 },
  ],
  [
    { total: 10, skip: 3, limit: 3 },
    { first: 4, max: 3 },
  ],
  [
    { total: 10, skip: 9, limit: 3 },
    { first: 0, max: 1 },
  ],
  [
    { total: 10, skip: 10, limit: 3 },
    { first: 0, max: 0 },
  ],
  [
    { total: 0, skip: 0, limit: 3 },
    { first: 0, max: 0 },
  ],
])('counting down, %j asks for %j', ({ total, skip, limit }, window) => {
  expect(windowOf(total, skip, limit, true)).toEqual(window)
})

test('counting up it asks for what was asked', () => {
  expect(windowOf(10, 3, 3, false)).toEqual({ first: 3, max: 3 })
})

const user = (username: string, more: Partial<User> = {}): User => ({
  ...{ id: username, username, email: null, firstName: null, lastName: null, enabled: true, createdAt: null },
  ...more,
})

test('users are sorted by what is seen of them, and who has no value comes last either way', () => {
  const users = [
    user('c', { email: 'b@x.org' }),
    user('b'),
    user('a', { email: 'a@x.org', firstName: 'Zoe', enabled: false }),
  ]
  const names = (...order: Parameters<typeof sortUsers>[1]) => sortUsers(users, order).map(({ username }) => username)
  expect(names(['email', 'asc'])).toEqual(['a', 'c', 'b'])
  expect(names(['email', 'desc'])).toEqual(['c', 'a', 'b'])
  expect(names(['name', 'asc'])).toEqual(['b', 'c', 'a'])
  expect(names(['enabled', 'desc'])).toEqual(['b', 'c', 'a'])
  expect(names(['enabled', 'asc'], ['username', 'desc'])).toEqual(['a', 'c', 'b'])
})
