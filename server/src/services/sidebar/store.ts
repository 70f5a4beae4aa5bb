import { type Selectable, sql, type Transaction } from 'kysely'
import type { SpaceCondition } from '../../platform/auth/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import { longId } from '../../platform/db/ids.ts'
import type { MenuEntryTable, Tables } from './tables.ts'

/** The owner of a side bar. */
export interface Owner {
  tenantId: string
  personId: string
}

export type EntryRow = Selectable<MenuEntryTable>
interface GroupRow {
  id: string
  title: string
}
/** Conditions for the items that somebody sees; undefined means all. */
export interface Sees {
  spaces?: SpaceCondition | undefined
  apps?: SpaceCondition | undefined
}
/** A pin with the name of its item, null unless that is a space or an app that its owner sees. */
export type EntryWithItem = EntryRow & { item_name: string | null }

type Trx = Transaction<Tables>

interface Limits {
  groups: number
  entries: number
}

type Within = <T>(owner: Pick<Owner, 'tenantId'>, run: (trx: Trx) => Promise<T>) => Promise<T>

/** Two at once must not both be the last one that fits. */
const alone = (trx: Trx, { tenantId, personId }: Owner) =>
  sql`select pg_advisory_xact_lock(hashtext(${`menu ${tenantId} ${personId}`}))`.execute(trx)

/** A person's groups and entries; every statement names the person, and PostgreSQL adds the tenant. */
export function createSidebarStore(db: Db, limits: Limits) {
  const within: Within = ({ tenantId }, run) => db.tenant(tenantId, run)

  return {
    read: (owner: Owner, sees: Sees) =>
      within(owner, async (trx) => ({
        groups: await groupsOf(trx, owner).orderBy('created_at').orderBy('id').execute(),
        entries: await entriesOf(trx, owner, sees).execute(),
      })),

    readGroup: (owner: Owner, id: string, sees: Sees) =>
      within(owner, async (trx) => {
        const group = await groupsOf(trx, owner).where('id', '=', id).executeTakeFirst()
        return group && { ...group, entries: await entriesOf(trx, owner, sees).where('group_id', '=', id).execute() }
      }),

    ...createGroups(within, limits.groups),

    ...createEntries(within, limits.entries),

    /** Owners of the pins in the tenant that point at an item, once for each pin. */
    pinnedBy: (tenantId: string, type: string, itemId: string): Promise<string[]> =>
      within({ tenantId }, async (trx) => {
        const rows = await pinsOf(trx, type, itemId).execute()
        return rows.map(({ person_id }) => person_id)
      }),
  }
}

/** Groups with their titles. */
function createGroups(within: Within, most: number) {
  return {
    addGroup: (owner: Owner, title: string): Promise<GroupRow | 'full'> =>
      within(owner, async (trx) => {
        await alone(trx, owner)
        if ((await groupsOf(trx, owner).execute()).length >= most) return 'full'
        const row = { id: longId(), tenant_id: owner.tenantId, person_id: owner.personId, title }
        await trx.insertInto('menu_groups').values(row).execute()
        return { id: row.id, title }
      }),
    renameGroup: (owner: Owner, id: string, title: string): Promise<boolean> =>
      within(owner, async (trx) => {
        const change = trx.updateTable('menu_groups').set({ title }).where('id', '=', id)
        return (await change.where('person_id', '=', owner.personId).executeTakeFirst()).numUpdatedRows > 0n
      }),
    deleteGroup: (owner: Owner, id: string): Promise<boolean> =>
      within(owner, async (trx) => {
        const gone = trx.deleteFrom('menu_groups').where('id', '=', id).where('person_id', '=', owner.personId)
        return (await gone.executeTakeFirst()).numDeletedRows > 0n
      }),
  }
}

/** Entries of groups, in their order. */
function createEntries(within: Within, most: number) {
  return {
    addEntry: (
      owner: Owner,
      entry: Omit<EntryRow, 'id' | 'tenant_id' | 'person_id' | 'position'>,
    ): Promise<EntryRow | 'full' | 'no group' | 'there'> =>
      within(owner, async (trx) => {
        await alone(trx, owner)
        const group = await groupsOf(trx, owner).where('id', '=', entry.group_id).executeTakeFirst()
        if (!group) return 'no group'
        const others = await entriesOf(trx, owner).where('group_id', '=', entry.group_id).execute()
        if (others.length >= most) return 'full'
        const position = (others.at(-1)?.position ?? 0) + 1
        const row = { ...entry, id: longId(), tenant_id: owner.tenantId, person_id: owner.personId, position }
        const made = trx.insertInto('menu_entries').values(row).returningAll()
        return (await made.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()) ?? 'there'
      }),
    /** False when these are not exactly the entries of the group. */
    order: (owner: Owner, groupId: string, ids: readonly string[]): Promise<boolean> =>
      within(owner, async (trx) => {
        await alone(trx, owner)
        const known = await entriesOf(trx, owner).where('group_id', '=', groupId).execute()
        const wanted = new Set(ids)
        if (wanted.size !== ids.length || known.length !== ids.length) return false
        if (!known.every(({ id }) => wanted.has(id))) return false
        await sql`update menu_entries e set position = w.position
          from unnest(${ids}::text[]) with ordinality as w (id, position)
          where e.id = w.id and e.group_id = ${groupId} and e.person_id = ${owner.personId}`.execute(trx)
        return true
      }),
    deleteEntry: (owner: Owner, groupId: string, id: string): Promise<boolean> =>
      within(owner, async (trx) => {
        const gone = trx.deleteFrom('menu_entries').where('id', '=', id).where('group_id', '=', groupId)
        return (await gone.where('person_id', '=', owner.personId).executeTakeFirst()).numDeletedRows > 0n
      }),
  }
}

/** Takes every pin of an item out of the side bars of the tenant. */
export async function removePins(trx: Trx, tenantId: string, type: string, itemId: string): Promise<void> {
  const all = trx.deleteFrom('menu_entries').where('tenant_id', '=', tenantId)
  await all.where('type', '=', type).where('selected_entry_id', '=', itemId).execute()
}

function pinsOf(trx: Trx, type: string, itemId: string) {
  return trx
    .selectFrom('menu_entries')
    .select('person_id')
    .where('type', '=', type)
    .where('selected_entry_id', '=', itemId)
}

function groupsOf(trx: Trx, { personId }: Owner) {
  return trx.selectFrom('menu_groups').select(['id', 'title']).where('person_id', '=', personId)
}

function entriesOf(trx: Trx, { personId }: Owner, sees: Sees = {}) {
  const [app, space] = [sees.apps?.('a.space_id') ?? sql`true`, sees.spaces?.('s.id') ?? sql`true`]
  return trx
    .selectFrom('menu_entries')
    .selectAll()
    .select(
      sql<string | null>`case type
        when 'apps' then (select a.display_name from apps a where a.id = selected_entry_id and ${app})
        when 'spaces' then (select s.display_name from spaces s where s.id = selected_entry_id and ${space}) end`.as(
        'item_name',
      ),
    )
    .where('person_id', '=', personId)
    .orderBy('position')
    .orderBy('id')
}
