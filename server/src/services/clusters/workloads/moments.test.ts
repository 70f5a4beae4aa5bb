import { expect, it } from 'vitest'
import type { Part } from '../releases/app-parts.ts'
import { lastMoment, lastMoved } from './moments.ts'

const at = (time: string) => `2026-01-01T${time}Z`
const moment = (metadata: object) =>
  lastMoment({ metadata: { name: 'x', creationTimestamp: at('08:00:00'), ...metadata } })

it('an object last moved when it was made, written, or told to go', () => {
  expect(moment({})).toBe(Date.parse(at('08:00:00')))
  const managedFields = [{ time: at('09:00:00') }, { time: at('10:00:00'), subresource: 'status' }]
  expect(moment({ managedFields })).toBe(Date.parse(at('09:00:00')))
  // The stamp of a deletion lies at the end of the grace.
  const going = { deletionTimestamp: at('09:30:30'), deletionGracePeriodSeconds: 30 }
  expect(moment({ managedFields, ...going })).toBe(Date.parse(at('09:30:00')))
  expect(lastMoment({ metadata: { name: 'x', creationTimestamp: 'yesterday' } })).toBe(0)
})

it('what workloads make counts, what a schedule makes does not', () => {
  const part = (id: string, kind: string, parent: string | null, time: string) =>
    ({ id, kind, parent, object: { metadata: { name: id, creationTimestamp: at(time) } } }) as unknown as Part
  const own = [part('web', 'Deployment', null, '08:00:00'), part('nightly', 'CronJob', null, '08:00:00')]
  expect(lastMoved([...own, part('job', 'Job', 'nightly', '11:00:00'), part('pod', 'Pod', 'job', '11:00:00')])).toBe(
    Date.parse(at('08:00:00')),
  )
  expect(lastMoved([...own, part('web-1', 'Pod', 'web', '10:00:00')])).toBe(Date.parse(at('10:00:00')))
  expect(lastMoved([])).toBe(0)
})
