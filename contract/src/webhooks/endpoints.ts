import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ById, Id, nameOf } from '../http/primitives.ts'
import {
  deliveryStates,
  webhookLimits as most,
  webhookEvents,
  webhookSecretProblem,
  webhookUrlProblem,
} from './rules.ts'

const endpoint = endpointsOf('im')

/** An address outside of the portal that is told of events of the tenant. Its signing secret is never told again. */
export const Webhook = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  isSigned: z.boolean(),
  events: z.array(z.enum(webhookEvents)),
  /** Spaces that it is told of; null: all. The name is null where the caller does not see the space. */
  spaces: z.array(z.object({ id: z.string(), name: z.string().nullable() })).nullable(),
  enabled: z.boolean(),
  /** A sentence about why the portal has switched it off; null while it is on, or when a person has. */
  offReason: z.string().nullable(),
  waiting: z.number(),
  /** Deliveries that were dropped because too many waited. */
  dropped: z.number(),
  /** The last attempt; null: there was none. */
  lastAttempt: z.object({ at: z.string(), isDelivered: z.boolean() }).nullable(),
  createdAt: z.string(),
  createdBy: z.string(),
})
export type Webhook = z.infer<typeof Webhook>

/** One event for one webhook. */
export const WebhookDelivery = z.object({
  /** The `webhook-id` that it is sent under, however often. */
  id: z.string(),
  type: z.string(),
  /** The name of the app or of what the action was about. */
  about: z.string(),
  at: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  nextAttemptAt: z.string().nullable(),
  /** The HTTP status of the last answer; null: there was none. */
  status: z.number().nullable(),
  /** A sentence about the last attempt; empty before the first. */
  says: z.string(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const checked = (problemOf: (text: string) => string | undefined) => (text: string, context: z.RefinementCtx) => {
  const message = problemOf(text)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
}

const Input = z.strictObject({
  name: nameOf(longest.displayName),
  url: z.string().max(most.url, `at most ${most.url} characters`).trim().superRefine(checked(webhookUrlProblem)),
  signing: z
    .enum(['generate', 'typed', 'keep', 'none'])
    .optional()
    .describe(
      'where the signing secret comes from; left out, a new webhook gets one, and one that is there keeps its own',
    ),
  secret: z
    .string()
    .max(most.secret, `at most ${most.secret} characters`)
    .superRefine(checked(webhookSecretProblem))
    .optional()
    .describe('only for `typed`: as the Standard Webhooks specification writes it'),
  events: z.array(z.enum(webhookEvents)).min(1, 'at least one').max(webhookEvents.length),
  spaceIds: z
    .array(Id)
    .min(1, 'at least one')
    .max(most.spaces)
    .nullable()
    .default(null)
    .describe('null for all spaces'),
  enabled: z.boolean().default(true),
})

const isWhole = ({ signing, secret }: z.output<typeof Input>, context: z.RefinementCtx) => {
  if ((signing === 'typed') === (secret !== undefined)) return
  const message = signing === 'typed' ? 'Signing secret required' : 'only where `signing` is typed'
  context.addIssue({ code: 'custom', path: ['secret'], message })
}
const WebhookInput = Input.superRefine(isWhole)
export type WebhookInput = z.output<typeof WebhookInput>

/** A webhook that was saved, with the secret that was generated for it, which is told this once. */
const SavedWebhook = Webhook.extend({ secret: z.string().nullable() })
export type SavedWebhook = z.infer<typeof SavedWebhook>

/** Webhooks of the tenant. */
export const webhooks = {
  listWebhooks: endpoint('GET', '/v1/webhooks', {
    summary: 'Webhooks of the tenant by name, without their signing secrets',
    reply: z.object({ data: z.array(Webhook) }),
  }),
  addWebhook: endpoint('POST', '/v1/webhooks', {
    summary: 'Add a webhook; a generated signing secret is told this once',
    body: WebhookInput,
    reply: SavedWebhook,
    status: 201,
  }),
  changeWebhook: endpoint('PUT', '/v1/webhooks/:id', {
    summary: 'Change a webhook',
    params: ById,
    body: WebhookInput,
    reply: SavedWebhook,
  }),
  switchWebhook: endpoint('PATCH', '/v1/webhooks/:id', {
    summary: 'Switch a webhook on or off, and leave everything else as it is',
    params: ById,
    body: z.strictObject({ enabled: z.boolean() }),
    reply: Webhook,
  }),
  deleteWebhook: endpoint('DELETE', '/v1/webhooks/:id', {
    summary: 'Delete a webhook; what waits for it is not sent any more',
    params: ById,
    status: 204,
  }),
  testWebhook: endpoint('POST', '/v1/webhooks/:id/test', {
    summary: 'Send a test to a webhook now, also to one that is off, and say what it answers',
    params: ById,
    reply: WebhookDelivery,
  }),
  listDeliveries: endpoint('GET', '/v1/webhooks/:id/deliveries', {
    summary: `The newest deliveries of a webhook within ${most.keptDays} days, at most ${most.shown}`,
    params: ById,
    reply: z.object({ data: z.array(WebhookDelivery) }),
  }),
}
