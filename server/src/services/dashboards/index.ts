import type { Dashboard, DashboardInput, DashboardRow, NewDashboard } from '@quayside/contract/dashboards/endpoints'
import { dashboards as endpoints } from '@quayside/contract/dashboards/endpoints'
import { type DashboardScope, dashboardScopes, homeTags } from '@quayside/contract/dashboards/rules'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { pathOf } from '@quayside/contract/http/path'
import { type Actor, holds } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import { listReply } from '../../platform/http/listing.ts'
import { mustGiveHome } from './home-tags.ts'
import type { Orphans } from './orphans.ts'
import type { Principals } from './permission-list.ts'
import { type DashboardStore, isTrue, type Owner } from './store.ts'
import type { SeenDashboard } from './tables.ts'

interface Ports {
  orphans: Orphans
  principals: Pick<Principals, 'principal'>
  changed(tenantId: string): void
  /** Tells the other browsers of the person. */
  changedFor(actor: Actor): void
}

/** Finds the dashboard that a call names, as far as its permission list lets the caller. */
export function createFind(store: Pick<DashboardStore, 'one'>) {
  return async function find(actor: Actor, id: string, scope: DashboardScope): Promise<SeenDashboard> {
    const row = await store.one(actor, id)
    const isThere = row && (row.deleted_at === null || row.mine.includes('dashboard.manage'))
    if (!isThere || (row.deleted_at !== null && scope !== 'dashboard.manage')) throw fail('dashboard.not-found')
    if (!row.mine.includes(scope)) throw fail('dashboard.forbidden', { details: { scope } })
    return row
  }
}
export type Find = ReturnType<typeof createFind>

/** Dashboards as documents: made, copied, saved, deleted and restored. */
export function createDashboards(
  store: DashboardStore,
  find: Find,
  { orphans, principals, changed, changedFor }: Ports,
) {
  async function present(actor: Actor, id: string): Promise<Dashboard> {
    const [row, spec] = await Promise.all([find(actor, id, 'dashboard.view'), store.spec(actor, id)])
    if (!spec) throw fail('dashboard.not-found')
    return { ...toRow(row), spec }
  }

  return {
    async list(actor: Actor, query: ListQuery): Promise<ListReply<DashboardRow>> {
      const { rows, total } = await store.page(actor, query, await orphansFor(actor, query, orphans))
      return listReply(rows.map(toRow), total, query, pathOf(endpoints.listDashboards))
    },

    get: present,

    async create(actor: Actor, input: NewDashboard): Promise<Dashboard> {
      const { from, displayName = '', description = '', tags = [], spec = emptySpec } = input
      const content = from
        ? copyOf(await present(actor, from.dashboardId), input)
        : { displayName, description, tags, spec }
      mustGiveHome(actor, content.tags)
      const id = await store.add(actor, content, await ownerOf(principals, actor, input.ownerId))
      if (id === undefined) throw fail('dashboard.too-many', { message: 'You cannot own more dashboards.' })
      changed(actor.tenantId)
      return present(actor, id)
    },

    async update(actor: Actor, id: string, { baseRevision, ...content }: DashboardInput): Promise<Dashboard> {
      const before = await find(actor, id, 'dashboard.edit')
      // Home tags are judged by what was read, so that nothing newer may be saved over.
      if (before.revision !== baseRevision) throw revisionChanged(before)
      mustGiveHome(actor, content.tags, before.tags)
      if (!(await store.save(actor, id, content, baseRevision)))
        throw revisionChanged(await find(actor, id, 'dashboard.view'))
      changed(actor.tenantId)
      return present(actor, id)
    },

    async remove(actor: Actor, id: string): Promise<void> {
      const { deleted_at, tags } = await find(actor, id, 'dashboard.manage')
      if (deleted_at !== null) throw fail('dashboard.not-found')
      mustGiveHome(actor, tags)
      await store.setDeleted(actor.tenantId, id, true)
      changed(actor.tenantId)
    },

    async restore(actor: Actor, id: string): Promise<Dashboard> {
      mustGiveHome(actor, (await find(actor, id, 'dashboard.manage')).tags)
      await store.setDeleted(actor.tenantId, id, false)
      changed(actor.tenantId)
      return present(actor, id)
    },

    async takeOver(actor: Actor, id: string): Promise<Dashboard> {
      await orphans.takeOver(actor, id)
      return present(actor, id)
    },

    async star(actor: Actor, id: string, isStarred: boolean): Promise<void> {
      await find(actor, id, 'dashboard.view')
      await store.star(actor, id, isStarred)
      changedFor(actor)
    },

    tags: async (actor: Actor, search: string | undefined) => ({ data: await store.tags(actor, search) }),
    names: store.names,
    emptyTrash: store.emptyTrash,
  }
}

/** The caller, or somebody else for whom an administrator makes a dashboard. */
async function ownerOf(principals: Ports['principals'], actor: Actor, userId = actor.userId): Promise<Owner> {
  if (userId === actor.userId) return actor
  if (!holds(actor, 'spaces', 'spaces.manage'))
    throw fail('auth.forbidden', {
      field: 'ownerId',
      message: 'ownerId: a dashboard for somebody else takes the role spaces.manage',
      details: { needs: [{ section: 'spaces', role: 'spaces.manage' }] },
    })
  const found = await principals.principal(actor.realm, { type: 'user', id: userId })
  if (!found) throw fail('request.invalid', { field: 'ownerId', message: 'ownerId: there is no user with this id' })
  return { userId, username: found.detail ?? found.name }
}

/** The content of a copy, with the texts and tags that are given. */
function copyOf({ displayName, description, tags, spec }: Dashboard, wanted: NewDashboard) {
  return {
    displayName: wanted.displayName ?? `${displayName.slice(0, 70)} (copy)`,
    description: wanted.description ?? description,
    tags: wanted.tags ?? tags.filter((tag) => !homeTags.includes(tag)),
    spec,
  }
}

/** Undefined for a list of what the caller sees. */
async function orphansFor(actor: Actor, { filters }: ListQuery, orphans: Orphans): Promise<string[] | undefined> {
  if (!isTrue(filters, 'orphaned')) return undefined
  if (holds(actor, 'spaces', 'spaces.manage')) return orphans.ids(actor)
  throw fail('auth.forbidden', {
    field: 'filters.orphaned',
    message: 'filters.orphaned: the role spaces.manage lists dashboards that nobody manages any more',
    details: { needs: [{ section: 'spaces', role: 'spaces.manage' }] },
  })
}

const emptySpec = { duration: '24h', refreshInterval: '0s', panels: {}, layouts: [] }

function revisionChanged({ revision, updated_by, updated_at }: SeenDashboard) {
  return fail('dashboard.revision-changed', {
    field: 'baseRevision',
    details: { revision, by: updated_by, at: updated_at.toISOString() },
  })
}

function toRow(row: SeenDashboard): DashboardRow {
  return {
    ...{ id: row.id, displayName: row.display_name, description: row.description, tags: row.tags },
    scopes: dashboardScopes.filter((scope) => row.mine.includes(scope)),
    ...{ ownerId: row.owner_id, owner: row.owner, panels: row.panels, spaceIds: row.space_ids },
    ...{ starred: row.starred, revision: row.revision, updatedBy: row.updated_by },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    deletedAt: row.deleted_at?.toISOString() ?? null,
  }
}
