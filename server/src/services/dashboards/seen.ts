import type { DashboardScope } from '@quayside/contract/dashboards/rules'
import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Holder } from '../../platform/auth/actor.ts'
import type { Tables } from './tables.ts'

/** Keeps the entries of permission lists that mean the caller: the person, their groups, their roles, everyone. */
function meansCaller({ userId, groupIds, realmRoles, resourceRoles }: Holder): RawBuilder<SqlBool> {
  // A role of the realm that is called as one of a client would be taken for it.
  const roles = [...[...realmRoles].filter((name) => !name.includes(':')), ...resourceRoles]
  return sql<SqlBool>`(p.principal_type = 'everyone'
    or (p.principal_type = 'user' and p.principal_id = ${userId})
    or (p.principal_type = 'group' and p.principal_id = any(${[...groupIds]}::text[]))
    or (p.principal_type = 'role' and p.principal_id = any(${roles}::text[])))`
}

/** Every dashboard of the tenant, each with what its permission list gives the caller. */
export function allDashboards(trx: Transaction<Tables>, actor: Holder) {
  const mine = sql<DashboardScope[]>`(select coalesce(array_agg(distinct s.scope), '{}') from dashboard_permissions p,
    unnest(p.scopes) as s (scope) where p.dashboard_id = dashboards.id and ${meansCaller(actor)})`
  const starred = sql<boolean>`exists (select from dashboard_stars t
    where t.dashboard_id = dashboards.id and t.person_id = ${actor.userId})`
  return trx
    .selectFrom('dashboards')
    .select(['id', 'tenant_id', 'display_name', 'description', 'tags', 'panels', 'space_ids', 'widget_ids'])
    .select(['owner_id', 'owner', 'revision', 'created_at', 'updated_at', 'updated_by', 'deleted_at'])
    .select([mine.as('mine'), starred.as('starred')])
}

/** The dashboards of which the permission list gives the caller something. */
export function seenDashboards(trx: Transaction<Tables>, actor: Holder) {
  return allDashboards(trx, actor).where(
    sql<SqlBool>`exists (select from dashboard_permissions p
      where p.dashboard_id = dashboards.id and ${meansCaller(actor)})`,
  )
}

export function starredBy(actor: Holder): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select from dashboard_stars t
    where t.dashboard_id = dashboards.id and t.person_id = ${actor.userId})`
}

/** The same for dashboards in the trash: they are there for those who manage them. */
export function managedBy(actor: Holder): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select from dashboard_permissions p where p.dashboard_id = dashboards.id
    and 'dashboard.manage' = any(p.scopes) and ${meansCaller(actor)})`
}
