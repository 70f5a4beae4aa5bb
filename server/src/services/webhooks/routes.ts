import { webhooks as endpoints } from '@quayside/contract/webhooks/endpoints'
import { webhookPolicies } from '@quayside/contract/webhooks/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Webhooks } from './index.ts'

export function routes(http: Http, webhooks: Webhooks): void {
  serve(http, endpoints, webhookPolicies, {
    listWebhooks: ({ actor }) => webhooks.list(actor),
    addWebhook: ({ actor, body }) => webhooks.add(actor, body),
    changeWebhook: ({ actor, params, body }) => webhooks.change(actor, params.id, body),
    switchWebhook: ({ actor, params, body }) => webhooks.switch(actor, params.id, body.enabled),
    deleteWebhook: ({ actor, params }) => webhooks.remove(actor, params.id),
    testWebhook: ({ actor, params }) => webhooks.test(actor, params.id),
    listDeliveries: ({ actor, params }) => webhooks.deliveries(actor, params.id),
  })
}
