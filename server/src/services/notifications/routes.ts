import { notifications as endpoints } from '@quayside/contract/notifications/endpoints'
import { notificationPolicies } from '@quayside/contract/notifications/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Notifications } from './index.ts'

export function routes(http: Http, notifications: Notifications): void {
  serve(http, endpoints, notificationPolicies, {
    listNotices: ({ actor }) => notifications.list(actor),
    markNotice: ({ actor, params, body }) => notifications.mark(actor, params.id, body.isRead),
    readNotices: ({ actor }) => notifications.readAll(actor),
    subscriptions: ({ actor }) => notifications.subscriptions(actor),
    setSubscriptions: ({ actor, body }) => notifications.subscribe(actor, body),
  })
}
