import { usualRight } from '@quayside/contract/clusters/asked-right'
import { expect, it } from 'vitest'
import { type AskedApproval, type Court, decideOutside, fits } from './decide-outside.ts'
import type { Judged } from './judge-outside.ts'

const one: Judged = {
  ...{
    apiVersion: 'a/v1',
    group: 'a',
    kind: 'K',
    name: 'web',
    namespace: null,
    elevates: false,
    grants: [],
    elsewhere: [],
  },
  ...{ digest: 'd', never: null, isForAll: false, isHook: false, isDefinitionFile: false },
}
const court: Court = {
  ...{ isOn: true, rules: [], item: { id: 'i', publisherId: 'p', sourceId: null }, approvals: [], now: new Date(1000) },
}
const verdict = (judged: Judged, more: Partial<Court>) =>
  decideOutside([judged], { ...court, ...more })[0]?.need.verdict
const whole = { group: 'a', kind: 'K', name: null, item_id: null, item_source_id: null }
const rule = { ...whole, publisher: null, publisher_id: null }
const brought = { id: 'i', publisherId: null, sourceId: 's' }
const approval: AskedApproval = {
  ...{
    id: '1',
    state: 'granted',
    expires_at: null,
    fingerprint: '',
    asks_for: null,
    objects: [{ key: 'a/K//web', digest: 'd' }],
  },
}

it.each([
  ['nothing is said of it', one, {}, 'ask'],
  ['charts make nothing outside here', one, { isOn: false, rules: [rule] }, 'never'],
  ['nobody may have it', { ...one, never: 'why' }, { rules: [rule], approvals: [approval] }, 'never'],
  ['the list has it', one, { rules: [rule] }, 'rule'],
  ['the list has it under a pattern', one, { rules: [{ ...rule, name: 'w*' }] }, 'rule'],
  ['the list has another name', one, { rules: [{ ...rule, name: 'x*' }] }, 'ask'],
  ['the list has it of another item', one, { rules: [{ ...rule, item_id: 'j' }] }, 'ask'],
  ['the list has it of this item', one, { rules: [{ ...rule, item_id: 'i' }] }, 'rule'],
  [
    'the list has it of an uploaded item, and a source has added this version',
    one,
    { rules: [{ ...rule, item_id: 'i' }], item: brought },
    'ask',
  ],
  [
    'the list has it of an item of this source',
    one,
    { rules: [{ ...rule, item_id: 'i', item_source_id: 's' }], item: brought },
    'rule',
  ],
  [
    'the list has it of an item of another source',
    one,
    { rules: [{ ...rule, item_id: 'i', item_source_id: 't' }], item: brought },
    'ask',
  ],
  [
    'the list has it of an item of a source, and somebody has uploaded this version',
    one,
    { rules: [{ ...rule, item_id: 'i', item_source_id: 's' }] },
    'rule',
  ],
  [
    'the list has it for everybody, and a source has brought this version',
    one,
    { rules: [rule], item: brought },
    'rule',
  ],
  ['the list has it of another publisher', one, { rules: [{ ...rule, publisher: 'q' }] }, 'ask'],
  ['the list has it, and it changes what all others get', { ...one, isForAll: true }, { rules: [rule] }, 'ask'],
  ['the list has it, and it was read from where others write', { ...one, isStored: true }, { rules: [rule] }, 'rule'],
  [
    'the list has it of this item, and it was read from where others write',
    { ...one, isStored: true },
    { rules: [{ ...rule, item_id: 'i' }] },
    'ask',
  ],
  [
    'the list has it of this publisher, and it was read from where others write',
    { ...one, isStored: true },
    { rules: [{ ...rule, publisher: 'p', publisher_id: 'p' }] },
    'ask',
  ],
  ['it is approved', one, { approvals: [approval] }, 'approved'],
  ['another content was approved', { ...one, digest: 'e' }, { approvals: [approval] }, 'ask'],
  ['another name was approved', { ...one, name: 'x' }, { approvals: [approval] }, 'ask'],
  ['the approval is over', one, { approvals: [{ ...approval, expires_at: new Date(1000) }] }, 'ask'],
  ['the approval was ended', one, { approvals: [{ ...approval, state: 'ended' as const }] }, 'ask'],
  ['somebody was asked', one, { approvals: [{ ...approval, state: 'open' as const }] }, 'waiting'],
  ['somebody said no', one, { approvals: [{ ...approval, state: 'declined' as const }] }, 'declined'],
] as const)('when %s', (_, judged, more, expected) => {
  expect(verdict(judged as Judged, more as Partial<Court>)).toBe(expected)
})

it('takes a star for any text, and nothing else for more than it is', () => {
  expect(['web', 'w*', '*b', '*', 'w*b', 'we*b'].every((pattern) => fits(pattern, 'web'))).toBe(true)
  expect(['we', 'w.b', '*x*', 'web*b', 'b*', 'W*'].some((pattern) => fits(pattern, 'web'))).toBe(false)
})

it('an object that elevates asks for the rights that its approvals name, and for the usual one otherwise', () => {
  const elevating = { ...one, elevates: true }
  const asked = { type: 'role', id: 'harbour-crew' } as const
  const rightOf = (judged: Judged, more: Partial<Court>) => decideOutside([judged], { ...court, ...more })[0]?.asksFor
  const naming = { ...approval, asks_for: asked }
  expect(rightOf(elevating, { approvals: [naming] })).toEqual([asked])
  expect(rightOf(elevating, { approvals: [naming], rules: [rule] })).toEqual([usualRight])
  expect(rightOf(elevating, { approvals: [approval] })).toEqual([usualRight])
  expect(rightOf(elevating, { approvals: [approval, naming] })).toEqual([usualRight, asked])
  expect(rightOf(elevating, { approvals: [approval, { ...naming, state: 'ended' }] })).toEqual([usualRight])
  expect(rightOf(one, { approvals: [naming] })).toEqual([])
})
