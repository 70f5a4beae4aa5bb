import { events as endpoints } from '@quayside/contract/events/endpoints'
import { eventPolicies } from '@quayside/contract/events/policies'
import { pathOf } from '@quayside/contract/http/path'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Events } from './index.ts'

export function routes(http: Http, events: Events): void {
  serve(http, endpoints, eventPolicies, {
    findEvents: ({ actor, query }) => events.find(actor, query, pathOf(endpoints.findEvents)),
    findAdminEvents: ({ actor, query }) => events.findAdmin(actor, query, pathOf(endpoints.findAdminEvents)),
    eventSettings: ({ actor }) => events.settings(actor),
    setEventSettings: ({ actor, body }) => events.setSettings(actor, body),
  })
}
