import { randomBytes } from 'node:crypto'
import type { SavedWebhook, Webhook, WebhookDelivery, WebhookInput } from '@quayside/contract/webhooks/endpoints'
import type { Poster } from '../../adapters/outgoing/post.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { createLines, LineIsFull } from '../../platform/concurrency/lines.ts'
import { longId, shortId } from '../../platform/db/ids.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Live } from '../../platform/live/live.ts'
import { testEvent } from './event.ts'
import { toDelivery, toWebhook } from './present.ts'
import type { Sender, WebhookSecrets } from './sender.ts'
import { createSight, type SightPorts } from './sight.ts'
import type { Listed, WebhookStore } from './store.ts'

interface WebhookDeps extends SightPorts {
  store: WebhookStore
  secrets: WebhookSecrets
  send: Sender
  refuses: Poster['refuses']
  spaceName(tenantId: string, id: string): Promise<string | undefined>
  changed: Live['changed']
  portalUrl: string
}

/** Tests of a tenant that are sent or wait for it. */
const mostTests = 5

/** Webhooks of tenants, as people manage them. */
export function createWebhooks({ store, secrets, send, ...deps }: WebhookDeps) {
  /** Tests of a tenant are sent one after the other; a receiver may let each of them wait for a while. */
  const inLine = createLines({ most: mostTests })
  const untilEnd = new AbortController().signal

  async function found(tenantId: string, id: string): Promise<Listed> {
    const one = await store.one(tenantId, id)
    if (!one) throw fail('webhook.not-found')
    return one
  }

  /** Names of those spaces that the caller sees. */
  async function presented(actor: Actor, rows: readonly Listed[]): Promise<Webhook[]> {
    const ids = [...new Set(rows.flatMap(({ space_ids }) => space_ids ?? []))]
    const seen = ids.length === 0 ? [] : [...(await deps.rights.at(actor, 'space', ids)).keys()]
    const names = new Map<string, string>()
    for (const id of seen) names.set(id, (await deps.spaceName(actor.tenantId, id)) ?? id)
    return rows.map((row) => toWebhook(row, secrets.address(row), names))
  }

  const saved = createSaving(deps, { ...{ store, secrets, presented, found } })

  return {
    list: async (actor: Actor) => ({ data: await presented(actor, await store.all(actor.tenantId)) }),
    add: (actor: Actor, input: WebhookInput) => saved(actor, shortId(10), input, undefined),
    change: async (actor: Actor, id: string, input: WebhookInput) =>
      saved(actor, id, input, await found(actor.tenantId, id)),

    async switch(actor: Actor, id: string, enabled: boolean): Promise<Webhook> {
      await store.change(actor.tenantId, id, { enabled })
      deps.changed(actor.tenantId, 'webhooks', id)
      const [one] = await presented(actor, [await found(actor.tenantId, id)])
      return one as Webhook
    },

    async remove({ tenantId }: Actor, id: string): Promise<void> {
      if (!(await store.remove(tenantId, id))) throw fail('webhook.not-found')
      deps.changed(tenantId, 'webhooks', id)
    },

    /** Those about spaces whose apps the caller sees: they name apps, and a receiver may repeat what it was sent. */
    async deliveries(actor: Actor, id: string): Promise<{ data: WebhookDelivery[] }> {
      await found(actor.tenantId, id)
      const within = deps.rights.condition(actor, 'app.view')
      return { data: (await store.deliveries(actor.tenantId, id, within)).map(toDelivery) }
    },

    /** A test says how the receiver answers, and counts neither for nor against the webhook. */
    async test({ tenantId }: Actor, id: string): Promise<WebhookDelivery> {
      const event = testEvent({ url: deps.portalUrl, tenantId }, longId(), await found(tenantId, id))
      const { id: eventId, type, about, at, body } = event
      // Its address or secret may have been changed while the test waited.
      const attempt = await inLine(tenantId, async () =>
        send(await found(tenantId, id), { id: eventId, body }, untilEnd),
      ).catch((error: unknown) => {
        throw error instanceof LineIsFull ? fail('request.too-many', { cause: error }) : error
      })
      const row = {
        ...{ webhook_id: id, event_id: eventId, space_id: null, type, about, at, body: '', attempts: 1, next_at: null },
        ...{
          state: attempt.isDelivered ? ('delivered' as const) : ('failed' as const),
          status: attempt.status,
          says: attempt.says,
        },
      }
      await store.addTest(tenantId, row)
      deps.changed(tenantId, 'webhooks', id)
      return toDelivery(row)
    },
  }
}
export type Webhooks = ReturnType<typeof createWebhooks>

interface SavingPorts extends Pick<WebhookDeps, 'store' | 'secrets'> {
  presented(actor: Actor, rows: readonly Listed[]): Promise<Webhook[]>
  found(tenantId: string, id: string): Promise<Listed>
}

/** Adds webhooks and changes them. */
function createSaving(
  deps: Pick<WebhookDeps, 'rights' | 'holdsForGood' | 'refuses' | 'changed' | 'spaceName'>,
  { store, secrets, presented, found }: SavingPorts,
) {
  const mayPointThere = createSight(deps)

  /** The secret from now on, and whether it is new, and so to be told this once. */
  function secretOf({ signing, secret }: WebhookInput, before: Listed | undefined) {
    const how = signing ?? (before ? 'keep' : 'generate')
    if (how === 'generate') return { secret: `whsec_${randomBytes(32).toString('base64')}`, isMade: true }
    if (how !== 'keep') return { secret: how === 'typed' ? secret : undefined, isMade: false }
    if (before) return { secret: secrets.secret(before), isMade: false }
    throw fail('request.invalid', { field: 'signing', message: 'signing: there is no secret to keep yet' })
  }

  return async (actor: Actor, id: string, input: WebhookInput, before: Listed | undefined): Promise<SavedWebhook> => {
    const { tenantId, username } = actor
    if (deps.refuses(new URL(input.url)))
      throw fail('webhook.address', {
        field: 'url',
        message: 'url: the portal sends by https alone, and to addresses on the public internet.',
      })
    const spaceIds = input.spaceIds && [...new Set(input.spaceIds)]
    await mayPointThere(
      actor,
      { ...input, spaceIds },
      before && { ...before, url: secrets.address(before), spaceIds: before.space_ids },
    )
    for (const spaceId of spaceIds ?? []) {
      // A space that was deleted since is kept until somebody takes it out.
      if (before?.space_ids?.includes(spaceId)) continue
      if ((await deps.spaceName(tenantId, spaceId)) === undefined) throw fail('space.not-found', { field: 'spaceIds' })
    }
    const { secret, isMade } = secretOf(input, before)
    const settings = {
      ...{ name: input.name, events: [...new Set(input.events)], space_ids: spaceIds, enabled: input.enabled },
      address: secrets.encrypt(tenantId, id, 'address', input.url),
      secret: secret === undefined ? null : secrets.encrypt(tenantId, id, 'secret', secret),
    }
    await (before
      ? store.change(tenantId, id, settings)
      : store.add(tenantId, { ...settings, id, created_by: username }))
    deps.changed(tenantId, 'webhooks', id)
    const [one] = await presented(actor, [await found(tenantId, id)])
    return { ...(one as Webhook), secret: isMade ? (secret ?? null) : null }
  }
}
