import type { ValuesMerge } from '@quayside/contract/deployments/upgrade'
import { expect, test } from 'vitest'
import { decisionOf, keyOf, openConflicts, reportOf } from './merge-choice.ts'

const conflict = { path: ['replicas'], reason: 'changed', before: 1, yours: 3, theirs: 2 } as const
const merge: ValuesMerge = {
  conflicts: [{ ...conflict, path: ['replicas'] }],
  kept: [['title'], ['image', 'tag']],
  taken: [],
  added: [['floors']],
  removed: [],
}
const one = { ...conflict, path: ['replicas'] }

test.each([
  ['nobody decided', {}, 'replicas: 3', undefined],
  ['yours was chosen', { [keyOf(one)]: 'yours' }, 'replicas: 3', 'yours'],
  ['the new default was chosen', { [keyOf(one)]: 'theirs' }, 'replicas: 2', 'theirs'],
  ['chosen, then written over by hand', { [keyOf(one)]: 'theirs' }, 'replicas: 9', 'other'],
  ['only written by hand', {}, 'replicas: 9', 'other'],
  ['written by hand as the old default', {}, 'replicas: 1', 'before'],
  ['while the text cannot be read the choice stays', { [keyOf(one)]: 'yours' }, 'replicas: [', 'yours'],
] as const)('%s', (_, choices, yaml, decision) => {
  expect(decisionOf(one, choices, yaml)).toBe(decision)
  expect(openConflicts(merge, choices, yaml)).toBe(decision === undefined ? 1 : 0)
})

test('without a merge nothing is open', () => {
  expect(openConflicts(null, {}, 'a: 1')).toBe(0)
})

test('the report counts and names', () => {
  expect(reportOf(merge)).toEqual([
    { words: '2 settings of yours kept', paths: ['title', 'image.tag'] },
    { words: '1 conflict decided', paths: ['replicas'] },
    { words: '1 new setting', paths: ['floors'] },
  ])
})
