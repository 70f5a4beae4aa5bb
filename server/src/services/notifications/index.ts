import type { Notice, Subscriptions } from '@quayside/contract/notifications/endpoints'
import { expiringDays, maxNotices, noticeDays, noticeKinds } from '@quayside/contract/notifications/rules'
import type { Actor } from '../../platform/auth/actor.ts'
import { readerOf } from '../../platform/auth/reader.ts'
import type { Rights } from '../../platform/auth/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import { unlessUnderWay } from '../../platform/db/exclusive.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Deployments } from '../deployments/index.ts'
import type { PersonalTokenService } from '../personal-tokens/index.ts'
import type { OutageNotice, Outages } from './outages.ts'
import type { PeopleStore } from './people-store.ts'

interface NotificationDeps {
  db: Pick<Db, 'pool'>
  jobs: Pick<Jobs, 'every'>
  live: Pick<Live, 'changed'>
  rights: Pick<Rights, 'condition'>
  outages: Outages
  people: PeopleStore
  failures: Deployments['failures']
  expiring: PersonalTokenService['expiring']
}

type Told = Omit<Notice, 'isRead'>

const range = { days: noticeDays, limit: maxNotices }
/** An outage that has lasted for years still ends. */
const everyOutage = { days: 3650, limit: 5000 }
const dayMs = 86_400_000
const forgetEveryMs = 3_600_000

/**
 * The inbox of each person. Nothing is written for anybody when something happens: an inbox is read from the ledger, from
 * outages of apps and from the person's tokens, so that it holds what they may see now.
 */
export function createNotifications(deps: NotificationDeps) {
  const { outages, people, live } = deps
  const toldTo = createSources(deps)

  async function inbox(actor: Actor): Promise<Notice[]> {
    const [told, { read_before, muted }, marks] = await Promise.all([
      toldTo(actor),
      people.person(actor),
      people.marks(actor),
    ])
    return told
      .filter(({ kind }) => !muted.includes(kind))
      .map((one) => ({ ...one, isRead: marks.get(one.id) ?? isFromBefore(one, read_before) }))
      .sort((one, other) => other.at.localeCompare(one.at) || one.id.localeCompare(other.id))
      .slice(0, maxNotices)
  }

  const changed = ({ tenantId, userId }: Actor) => live.changed(tenantId, 'inbox', userId)

  return {
    async list(actor: Actor) {
      const data = await inbox(actor)
      return { data, unread: data.filter(({ isRead }) => !isRead).length }
    },

    async mark(actor: Actor, id: string, isRead: boolean): Promise<void> {
      if (!(await inbox(actor)).some((one) => one.id === id)) throw fail('notice.not-found')
      await people.mark(actor, id, isRead)
      changed(actor)
    },

    async readAll(actor: Actor): Promise<void> {
      const byMark = (await inbox(actor)).filter(({ kind }) => isReadByMark(kind))
      await people.readAll(
        actor,
        byMark.map(({ id }) => id),
      )
      changed(actor)
    },

    subscriptions: async (actor: Actor) => toSubscriptions((await people.person(actor)).muted),

    async subscribe(actor: Actor, wanted: Subscriptions): Promise<Subscriptions> {
      const muted = noticeKinds.filter((kind) => !wanted[kind])
      await people.mute(actor, muted)
      changed(actor)
      return toSubscriptions(muted)
    },

    /** Outages that people are told of, and their ends, in all spaces. */
    health: (tenantId: string): Promise<OutageNotice[]> => outages.list(tenantId, undefined, everyOutage),

    start(): void {
      deps.jobs.every(outages.sweepEveryMs, () => unlessUnderWay(deps.db.pool, 'app outages', sweep))
      deps.jobs.every(forgetEveryMs, async () => void (await people.forgetMarks(noticeDays + 1)))
    },
  }

  /** Pages that show apps read them again; the inbox does as well. */
  async function sweep(): Promise<void> {
    for (const { tenantId, spaceId } of await outages.sweep(noticeDays))
      live.changed(tenantId, 'apps', undefined, spaceId)
  }
}
/** A token can come within a week of its end at once, when the tenant shortens its life: no time says that this was read. */
const isReadByMark = (kind: Notice['kind']) => kind === 'token-expiring'

const isFromBefore = ({ kind, at }: Told, readBefore: Date) =>
  !isReadByMark(kind) && Date.parse(at) <= readBefore.getTime()

/** Reads what somebody is told from where it is known, as far as they may see it now. */
function createSources({
  rights,
  outages,
  ...deps
}: Pick<NotificationDeps, 'rights' | 'outages' | 'failures' | 'expiring'>) {
  return async (actor: Actor): Promise<Told[]> => {
    const { tenantId } = actor
    const seen = rights.condition(actor, 'app.view')
    const actsIn = [rights.condition(actor, 'space.deploy'), rights.condition(actor, 'app.manage')]
    const [failed, health, tokens] = await Promise.all([
      deps.failures({ ...readerOf(actor, seen), actsIn }, range),
      outages.list(tenantId, seen, range),
      actor.within ? [] : deps.expiring(actor, expiringDays),
    ])
    const nothing = { space: null, action: null, says: null, until: null }
    return [
      ...failed.map(({ id, kind, name, space, at, reason }) => ({
        ...{ ...nothing, id, kind: 'action-failed' as const, at: at.toISOString(), about: { id, name } },
        ...{ space, action: kind, says: reason },
      })),
      ...health.map(toTold),
      ...tokens.map(({ id, name, end }) => ({
        ...{ ...nothing, id: `${id}-end`, kind: 'token-expiring' as const, about: { id, name } },
        ...{ at: new Date(end.getTime() - expiringDays * dayMs).toISOString(), until: end.toISOString() },
      })),
    ]
  }
}

export type Notifications = ReturnType<typeof createNotifications>

const toTold = ({ id, kind, at, app, space, says }: OutageNotice): Told => ({
  ...{ id, kind, at: at.toISOString(), about: app, space, says, action: null, until: null },
})

const toSubscriptions = (muted: readonly string[]) =>
  Object.fromEntries(noticeKinds.map((kind) => [kind, !muted.includes(kind)])) as Subscriptions
