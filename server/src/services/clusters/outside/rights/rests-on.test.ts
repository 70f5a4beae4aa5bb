import { describe, expect, test } from 'vitest'
import { keyOf } from '../outside-objects.ts'
import { type CourtNow, type RestsOn, whyNotAnyMore } from './rests-on.ts'

const now = new Date('2026-01-01T12:00:00Z')
const object = {
  ...{ group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'web', namespace: null },
  ...{ digest: 'd', never: null, isForAll: false },
}
const resting: RestsOn = {
  appId: 'a',
  item: { id: 'i', publisherId: null, sourceId: null },
  objects: [object],
  fingerprint: null,
}
const rule = {
  group: object.group,
  kind: 'ClusterRole',
  name: null,
  item_id: null,
  item_source_id: null,
  publisher: null,
  publisher_id: null,
}
const approval = {
  ...{ id: '1', state: 'granted' as const, expires_at: null, fingerprint: 'f', answered_by: 'anna', asks_for: null },
  objects: [{ key: keyOf(object), digest: 'd' }],
}
const none: CourtNow = { isOn: true, rules: [], item: resting.item, approvals: [], now }

describe('rights of an action that runs', () => {
  test.each([
    ['an entry of the list', { rules: [rule] }],
    ['an approval', { approvals: [approval] }],
    ['a later approval of the same', { approvals: [approval, { ...approval, state: 'ended' as const }] }],
  ])('stay with %s', (_, court) => {
    expect(whyNotAnyMore(resting, { ...none, ...court })).toBeUndefined()
  })

  test.each([
    [
      'its approval was ended',
      { approvals: [{ ...approval, state: 'ended' as const }] },
      'anna has ended its approval',
    ],
    ['its approval has run out', { approvals: [{ ...approval, expires_at: now }] }, 'the time of its approval is over'],
    ['the entry is gone', {}, 'the list of the cluster does not have it any more'],
    ['the cluster is closed', { isOn: false, rules: [rule] }, 'the cluster takes nothing from charts outside'],
  ])('go when %s, with the reason', (_, court, why) => {
    expect(whyNotAnyMore(resting, { ...none, ...court })).toContain(`ClusterRole web may not be made any more: ${why}`)
  })

  test('go with the approval by which somebody was let into an elevated space, also when the list has the object', () => {
    const by = { ...resting, fingerprint: 'f' }
    expect(whyNotAnyMore(by, { ...none, rules: [rule], approvals: [approval] })).toBeUndefined()
    const ended = { ...approval, state: 'ended' as const }
    expect(whyNotAnyMore(by, { ...none, rules: [rule], approvals: [ended] })).toContain('anna has ended its approval')
  })
})
