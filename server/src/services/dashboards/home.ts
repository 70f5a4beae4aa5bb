import type { Home, HomeChoice } from '@quayside/contract/dashboards/home'
import { defaultHomeTag, recommendedHomeTag } from '@quayside/contract/dashboards/rules'
import { sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Find } from './index.ts'
import type { DashboardStore } from './store.ts'
import type { Tables } from './tables.ts'

interface Options {
  /** A dashboard tagged as the default is offered, and is the Home only of those who choose it. */
  requireConfirmation: boolean
  /** Tells the other browsers of the person. */
  changedFor(actor: Actor): void
}
type Tagged = Awaited<ReturnType<DashboardStore['tagged']>>

/** Decides which dashboard is somebody's Home: their own choice, the default of the tenant, then what it recommends. */
export function createHome(db: Db, store: DashboardStore, find: Find, { requireConfirmation, changedFor }: Options) {
  const choiceOf = ({ tenantId, userId }: Actor) =>
    db.tenantOne<Tables, { dashboard_id: string | null } | undefined>(tenantId, (trx) =>
      trx.selectFrom('dashboard_homes').select('dashboard_id').where('person_id', '=', userId).executeTakeFirst(),
    )

  async function get(actor: Actor): Promise<Home> {
    const choice = await choiceOf(actor)
    const byDefault = named(await store.tagged(actor, defaultHomeTag))
    const offered = requireConfirmation && byDefault?.id !== choice?.dashboard_id ? byDefault : null
    if (choice?.dashboard_id === null) return { dashboard: null, reason: 'own', offered }
    if (choice) {
      const id = choice.dashboard_id
      const displayName = (await store.names(actor, [id])).get(id)
      if (displayName !== undefined) return { dashboard: { id, displayName }, reason: 'own', offered }
    }
    if (byDefault && !requireConfirmation) return { dashboard: byDefault, reason: 'default', offered: null }
    const recommended = named(await store.tagged(actor, recommendedHomeTag))
    return { dashboard: recommended, reason: recommended ? 'recommended' : 'none', offered }
  }

  return {
    get,
    async choose(actor: Actor, input: HomeChoice): Promise<Home> {
      const { tenantId: tenant_id, userId: person_id } = actor
      const dashboard_id =
        input.choice === 'dashboard' ? (await find(actor, input.dashboardId, 'dashboard.view')).id : null
      await db.tenant<Tables, unknown>(tenant_id, (trx) =>
        input.choice === 'default'
          ? trx.deleteFrom('dashboard_homes').where('person_id', '=', person_id).execute()
          : trx
              .insertInto('dashboard_homes')
              .values({ tenant_id, person_id, dashboard_id })
              .onConflict((conflict) =>
                conflict.columns(['tenant_id', 'person_id']).doUpdateSet({ dashboard_id: sql`excluded.dashboard_id` }),
              )
              .execute(),
      )
      changedFor(actor)
      return get(actor)
    },
  }
}

const named = (row: Tagged) => (row ? { id: row.id, displayName: row.display_name } : null)
