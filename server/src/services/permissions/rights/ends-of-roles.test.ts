import { expect, test } from 'vitest'
import { endsOfRoles } from './ends-of-roles.ts'

const [soon, late] = [new Date('2031-01-01'), new Date('2032-01-01')]
const group = { kind: 'group', id: 'g1', name: 'Harbour' } as const
const inside = (id: string) => ({ kind: 'role', id, name: id }) as const

test.each([
  ['given for a while', [{ id: 'a:x', through: [] }], { 'a:x': soon }],
  ['with what is inside it', [{ id: 'b:y', through: [inside('a:x')] }], { 'b:y': soon }],
  [
    'in a role that lasts as well',
    [
      { id: 'b:y', through: [inside('a:x')] },
      { id: 'b:y', through: [inside('crew')] },
    ],
    {},
  ],
  [
    'by a group as well',
    [
      { id: 'a:x', through: [] },
      { id: 'a:x', through: [group] },
    ],
    {},
  ],
  ['by a group that has a role of that name', [{ id: 'b:y', through: [group, inside('a:x')] }], {}],
  [
    'in two of them',
    [
      { id: 'c:z', through: [inside('d:w')] },
      { id: 'c:z', through: [inside('a:x')] },
    ],
    { 'c:z': late },
  ],
  [
    'mapped as well',
    [
      { id: 'b:y', through: [inside('a:x')] },
      { id: 'b:y', through: [] },
    ],
    {},
  ],
])('a role %s', (_, roles, ends) => {
  const given = new Map([
    ['a:x', soon],
    ['d:w', late],
  ])
  expect(Object.fromEntries(endsOfRoles(roles, given))).toEqual(ends)
})
