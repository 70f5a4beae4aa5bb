import type { Tries } from './tries.ts'
import type { Tenant } from './two-teams.ts'

const nothing = 'nothing'

/** A webhook that is off, at an address where nobody is. */
export const someWebhook = { name: 'Pager', url: 'https://hooks.invalid', events: ['action-failed'], enabled: false }

/** Tries of the calls about webhooks of the tenant. */
export function webhookTries({ webhook }: Tenant): Tries {
  const { id, name, url } = webhook
  const [it, away] = [{ params: { id } }, { params: { id: nothing } }]
  const body = { name: 'Taken', url, events: ['action-failed'], enabled: false }
  return {
    'GET /im/v1/webhooks': {},
    'POST /im/v1/webhooks': { body, mild: { body: { ...body, name } }, isEmptyAbroad: true },
    'PUT /im/v1/webhooks/:id': { ...it, body, mild: { ...away, body } },
    'PATCH /im/v1/webhooks/:id': { ...it, body: { enabled: true }, mild: { ...away, body: { enabled: true } } },
    'DELETE /im/v1/webhooks/:id': { ...it, mild: away },
    'POST /im/v1/webhooks/:id/test': { ...it, mild: away },
    'GET /im/v1/webhooks/:id/deliveries': it,
  }
}
