import { expect, it } from 'vitest'
import { eventOfAction, eventOfOutage, isWanted } from './event.ts'

const portal = { url: 'https://portal.example.org', tenantId: 'harbour' }
const [app, space] = [
  { id: 'crane1', name: 'Crane' },
  { id: 'dock001', name: 'Dock' },
]
const at = new Date('2026-01-02T03:04:05.678Z')
const failed = {
  id: '01abc',
  kind: 'Upgrade',
  hasFailed: true,
  app,
  name: 'Crane',
  space,
  at,
  says: 'No image.',
} as const

it('an action that failed is a CloudEvent with what the ledger says, and leads to its page', () => {
  expect(JSON.parse(eventOfAction(portal, failed).body)).toEqual({
    specversion: '1.0',
    id: '01abc',
    source: 'https://portal.example.org/tenants/harbour',
    type: 'quayside.action.failed',
    subject: 'actions/01abc',
    time: '2026-01-02T03:04:05.678Z',
    datacontenttype: 'application/json',
    data: {
      summary: 'No image.',
      link: 'https://portal.example.org/en/cloud-automation/01abc',
      ...{ app, space },
      action: { id: '01abc', kind: 'Upgrade', state: 'failed', about: 'Crane' },
    },
  })
})

it('an outage leads to its app, and a long sentence is cut', () => {
  const says = 'x'.repeat(2000)
  const { type, body } = eventOfOutage(portal, { id: 'o-down', kind: 'app-unhealthy', at, app, space, says })
  const { subject, data } = JSON.parse(body)
  expect([type, subject, data.link]).toEqual(['quayside.app.unhealthy', 'apps/crane1', `${portal.url}/en/apps/crane1`])
  expect(data.summary).toHaveLength(1000)
})

it('an event is for who wants its kind, its space and its time', () => {
  const event = { kind: 'action-failed', spaceId: space.id, at } as const
  const all = { events: ['action-failed'] as const, space_ids: null, since: at }
  expect(isWanted(event, all)).toBe(true)
  expect(isWanted({ ...event, spaceId: null }, all)).toBe(true)
  expect(isWanted(event, { ...all, events: ['app-health'] })).toBe(false)
  expect(isWanted(event, { ...all, since: new Date(at.getTime() + 1) })).toBe(false)
  expect(isWanted(event, { ...all, space_ids: [space.id] })).toBe(true)
  expect(isWanted(event, { ...all, space_ids: ['other01'] })).toBe(false)
  expect(isWanted({ ...event, spaceId: null }, { ...all, space_ids: [space.id] })).toBe(false)
})
