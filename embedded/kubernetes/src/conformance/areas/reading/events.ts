import assert from 'node:assert/strict'
import { expectCode, holds, invalid, refused } from '../../answers.ts'
import { area } from '../../check.ts'

const leaseOf = (spec: object) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'leader' },
  spec,
})

export const leasesAndEvents = area('leases and events', (check) => {
  const LEASES = 'coordination.k8s.io/v1/leases'
  check('a lease is taken, kept and lost', async (t) => {
    const made = await t.make(
      LEASES,
      leaseOf({ holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' }),
    )
    assert.equal(made.spec.renewTime, '2026-01-01T00:00:00.000000Z')
    expectCode(await t.put(`${LEASES}/leader`, { ...made, spec: { ...made.spec, holderIdentity: 'b' } }), 200)
    refused(await t.put(`${LEASES}/leader`, { ...made, spec: { ...made.spec, holderIdentity: 'c' } }), 409, 'Conflict')
  })
  check('a lease lasts longer than nothing', async (t) => {
    invalid(await t.post(LEASES, leaseOf({ holderIdentity: 'a', leaseDurationSeconds: 0 })), [
      'spec.leaseDurationSeconds',
      'Invalid value: 0: must be greater than 0',
    ])
  })
  const event = (namespace: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', namespace, name: 'web', apiVersion: 'v1' },
    reason: 'Started',
    message: 'it runs',
    type: 'Normal',
    ...more,
  })
  check('an event is seen by both groups', async (t) => {
    await t.make('v1/events', event(t.namespace, { count: 3, source: { component: 'tests' } }))
    const seen = await t.read('events.k8s.io/v1/events/e')
    holds(seen, { regarding: { kind: 'Pod', name: 'web' }, note: 'it runs', deprecatedCount: 3, reason: 'Started' })
    assert.equal(seen.deprecatedSource.component, 'tests')
  })
  check('an event of the new group needs its parts', async (t) => {
    const body = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'e' },
      regarding: { namespace: t.namespace, name: 'web', kind: 'Pod' },
    }
    const answer = await t.post('events.k8s.io/v1/events', body)
    refused(answer, 422, 'Invalid', /eventTime: Required value/)
  })
  check('events are found by what they are about', async (t) => {
    await t.make('v1/events', event(t.namespace))
    const query = 'fieldSelector=involvedObject.name=web,reason=Started,type=Normal'
    assert.equal((await t.read(`v1/events?${query}`)).items.length, 1)
    assert.equal((await t.read('v1/events?fieldSelector=involvedObject.name=other')).items.length, 0)
  })
  check('an event is about something in its namespace', async (t) => {
    const answer = await t.post('v1/events', event('elsewhere'))
    refused(
      answer,
      422,
      'Invalid',
      /involvedObject\.namespace: Invalid value: "elsewhere": does not match event\.namespace/,
    )
  })
  check('kubectl shows events', async (t) => {
    const now = new Date().toISOString().replace(/\.\d+Z/, 'Z')
    await t.make('v1/events', event(t.namespace, { count: 1, firstTimestamp: now, lastTimestamp: now }))
    const { out } = await t.kubectl('get events')
    assert.match(out, /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE$/m)
    assert.match(out, /^\S+ +Normal +Started +pod\/web +it runs$/m)
    assert.match((await t.kubectl('events')).out, /Pod\/web +it runs/)
  })
})
