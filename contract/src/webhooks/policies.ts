import { holding, type Policies, role } from '../http/policy.ts'
import type { webhooks } from './endpoints.ts'

// The address of a webhook can hold a credential of its receiver, so that who only looks on does not read it either.
const manages = holding(role('iam-loginsettings', 'loginsettings.edit'))

export const webhookPolicies: Policies<typeof webhooks> = {
  listWebhooks: manages,
  addWebhook: manages,
  changeWebhook: manages,
  switchWebhook: manages,
  deleteWebhook: manages,
  testWebhook: manages,
  listDeliveries: manages,
}
