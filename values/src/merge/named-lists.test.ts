import { expect, test } from 'vitest'
import { mergedByName, placesIn } from './named-lists.ts'
import { mergeDocuments } from './three-way.ts'

const ann = { name: 'ann', password: 'a' }
const bob = { name: 'bob', password: 'b' }
const eve = { name: 'eve', password: 'e' }
const other = (one: typeof ann) => ({ ...one, password: 'other' })

test.each([
  ['one changed here, another there', [ann, bob], [ann, other(bob)], [other(ann), bob], [other(ann), other(bob)]],
  ['one changed here and gone there', [ann, bob], [ann, other(bob)], [ann], undefined],
  ['one gone here, another changed there', [ann, bob], [bob], [ann, other(bob)], [other(bob)]],
  ['one added on each side', [ann], [ann, bob], [eve, ann], [eve, ann, bob]],
  ['the same added on both sides', [ann], [ann, bob], [ann, bob], [ann, bob]],
  ['another added under the same name', [ann], [ann, bob], [ann, other(bob)], undefined],
  ['the same one changed on both sides', [ann], [other(ann)], [{ ...ann, password: 'third' }], undefined],
  ['two settings of one', [ann], [{ ...ann, age: 1 }], [other(ann)], [{ ...other(ann), age: 1 }]],
  ['a setting that one side gave up', [ann], [{ name: 'ann' }], [{ ...ann, age: 1 }], [{ name: 'ann', age: 1 }]],
  ['another order here, a change there', [ann, bob], [bob, ann], [other(ann), bob], [bob, other(ann)]],
  ['another order on both sides', [ann, bob, eve], [bob, ann, eve], [ann, eve, bob], undefined],
  ['a name that is there twice', [ann, ann], [ann], [ann, other(ann)], undefined],
  ['entries without names', [{ a: 1 }], [{ a: 2 }], [{ a: 1 }, { a: 3 }], undefined],
  ['texts', ['a'], ['a', 'b'], ['c'], undefined],
])('%s', (_, before, yours, theirs, merged) => {
  expect(mergedByName(before, yours, theirs)).toEqual(merged)
})

const text = (a: string, b: string) =>
  `auth:\n  users:\n    # the first\n    - name: ann\n      password: ${a}\n    - name: bob # from the pier\n      password: ${b}\n`

test('a document keeps its comments, and says what is kept and what was taken', () => {
  const { yaml, conflicts, kept, taken } = mergeDocuments(text('a', 'b'), text('a', 'mine'), text('theirs', 'b'))
  expect(conflicts).toEqual([])
  expect([kept, taken]).toEqual([[['auth', 'users']], [['auth', 'users']]])
  expect(yaml).toBe(text('theirs', 'mine'))
})

test('a conflict says where each side is another one than before', () => {
  const { conflicts } = mergeDocuments(text('a', 'b'), text('a', 'mine'), text('theirs', 'chart'))
  expect(conflicts).toMatchObject([
    { path: ['auth', 'users'], places: { yours: ['bob.password'], theirs: ['ann.password', 'bob.password'] } },
  ])
})

test('places are named, or counted from one', () => {
  expect(placesIn([ann, bob], [other(ann), eve])).toEqual(['ann.password', 'eve (added)', 'bob (removed)'])
  expect(placesIn([ann, bob], [bob, ann])).toEqual(['the order'])
  expect(placesIn(['a', { b: 1 }], ['a', { b: 2 }, 'c'])).toEqual(['#2.b', '#3 (added)'])
  expect(placesIn([ann], 'text')).toEqual([])
})
