import { holding, role } from '../http/policy.ts'
import type { Topics } from '../live/topic-rule.ts'

export const webhookTopics = {
  webhooks: { policy: holding(role('iam-loginsettings', 'loginsettings.edit')) },
} satisfies Topics
