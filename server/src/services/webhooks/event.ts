import type { WebhookEvent } from '@quayside/contract/webhooks/rules'
import type { EndedAction } from '../deployments/ledger/ended.ts'
import type { OutageNotice } from '../notifications/outages.ts'

/** Something that happened, as it is told outside. */
export interface Event {
  /** The id under which it is sent, however often and to whomever. */
  id: string
  kind: WebhookEvent
  type: string
  about: string
  spaceId: string | null
  at: Date
  body: string
}

interface Portal {
  url: string
  tenantId: string
}

interface Told {
  id: string
  type: string
  subject: string
  at: Date
  data: Record<string, unknown>
}

const longestText = 1000
export const testType = 'quayside.webhook.test'

/** The body of a message: a CloudEvent in its structured JSON form. Its shape is promised in docs/webhooks.md. */
function cloudEvent({ url, tenantId }: Portal, { id, type, subject, at, data }: Told): string {
  return JSON.stringify({
    ...{ specversion: '1.0', id, source: `${url}/tenants/${tenantId}`, type, subject, time: at.toISOString() },
    ...{ datacontenttype: 'application/json', data },
  })
}

const cut = (text: string | null) =>
  text !== null && text.length > longestText ? `${text.slice(0, longestText - 1).toWellFormed()}…` : text

export function eventOfAction(portal: Portal, action: EndedAction): Event {
  const { id, kind, hasFailed, app, name, space, at, says } = action
  const type = hasFailed ? 'quayside.action.failed' : 'quayside.action.finished'
  const data = {
    ...{ summary: cut(says), link: `${portal.url}/en/cloud-automation/${id}`, app, space },
    action: { id, kind, state: hasFailed ? 'failed' : 'finished', about: name },
  }
  return {
    ...{ id, kind: hasFailed ? 'action-failed' : 'action-finished', type, about: name, spaceId: space?.id ?? null, at },
    body: cloudEvent(portal, { id, type, subject: `actions/${id}`, at, data }),
  }
}

export function eventOfOutage(portal: Portal, { id, kind, at, app, space, says }: OutageNotice): Event {
  const type = kind === 'app-unhealthy' ? 'quayside.app.unhealthy' : 'quayside.app.healthy'
  const data = { summary: cut(says), link: `${portal.url}/en/apps/${app.id}`, app, space, action: null }
  return {
    ...{ id, kind: 'app-health', type, about: app.name, spaceId: space.id, at },
    body: cloudEvent(portal, { id, type, subject: `apps/${app.id}`, at, data }),
  }
}

export function testEvent(portal: Portal, id: string, webhook: { id: string; name: string }): Omit<Event, 'kind'> {
  const [type, at] = [testType, new Date()]
  const data = {
    ...{ summary: 'This is a test.', link: `${portal.url}/en/cloud-automation?tab=webhooks` },
    ...{ app: null, space: null, action: null },
  }
  return {
    ...{ id, type, about: webhook.name, spaceId: null, at },
    body: cloudEvent(portal, { id, type, subject: `webhooks/${webhook.id}`, at, data }),
  }
}

/** Tells whether somebody wants to be told of an event; one in no space is told to who hears of all of them. */
export function isWanted(
  { kind, spaceId, at }: Pick<Event, 'kind' | 'spaceId' | 'at'>,
  wanted: { events: readonly WebhookEvent[]; space_ids: readonly string[] | null; since: Date },
): boolean {
  const isThere = wanted.space_ids === null || (spaceId !== null && wanted.space_ids.includes(spaceId))
  return isThere && wanted.events.includes(kind) && at >= wanted.since
}
