import type { Section } from '@quayside/contract/permissions/roles'
import type { MenuEntry, MenuEntryInput, MenuGroup } from '@quayside/contract/sidebar/endpoints'
import { mostEntries, mostGroups } from '@quayside/contract/sidebar/rules'
import { type Actor, holds } from '../../platform/auth/actor.ts'
import type { Rights } from '../../platform/auth/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import { tablesIn, type UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { fail } from '../../platform/http/errors.ts'
import type { ClusterName } from '../spaces/index.ts'
import { createSidebarStore, type EntryRow, type EntryWithItem, type Owner, removePins, type Sees } from './store.ts'
import type { Tables } from './tables.ts'

interface SidebarPorts {
  /** Clusters that somebody knows of. */
  clusterNamesFor(actor: Actor): Promise<Map<string, ClusterName>>
  rights: Rights
  spaceName(tenantId: string, id: string): Promise<string | undefined>
  appName(tenantId: string, id: string): Promise<string | undefined>
  /** Those of these dashboards that somebody sees, by id. */
  dashboardNames(actor: Actor, ids: readonly string[]): Promise<Map<string, string>>
  changed(tenantId: string, topic: 'menu', personId: string): void
}

type Pinned = Exclude<MenuEntry['type'], 'externalLink'>

/** Where a pinned thing is opened: without access to it a pin leads nowhere. */
const sections = {
  apps: 'apps',
  spaces: 'spaces',
  clusters: 'clusters',
  dashboards: 'dashboards',
} as const satisfies Record<Pinned, Section>
const unknown = {
  apps: 'app.not-found',
  spaces: 'space.not-found',
  clusters: 'cluster.not-found',
  dashboards: 'dashboard.not-found',
} as const

/** The personal custom sidebar, and what others have to know of pins when they delete what is pinned. */
export function createSidebar(db: Db, ports: SidebarPorts) {
  const view = createView(db, ports)
  const { store, ownerOf, seesOf, namesFor } = view
  return {
    async list(actor: Actor): Promise<MenuGroup[]> {
      const { groups, entries } = await store.read(ownerOf(actor), seesOf(actor))
      const names = await namesFor(actor, entries)
      return groups.map(({ id, title }) => ({
        id,
        title,
        entries: entries.filter((row) => row.group_id === id).map((row) => entryOf(row, actor, names)),
      }))
    },

    ...createGroups(view),

    ...createEntries(view),

    /** How many pins of how many people point at an app. */
    async pinsOfApp(tenantId: string, appId: string): Promise<{ pins: number; people: number }> {
      const owners = await store.pinnedBy(tenantId, 'apps', appId)
      return { pins: owners.length, people: new Set(owners).size }
    },

    /** Inside the transaction that deletes the app; side bars that show it look again when the apps have changed. */
    removePinsOfApp: (tenantId: string, appId: string, within: UnitOfWork): Promise<void> =>
      removePins(tablesIn<Tables>(within), tenantId, 'apps', appId),
  }
}

/** Groups of a side bar. */
function createGroups({ store, ownerOf, tell, group }: View) {
  return {
    async addGroup(actor: Actor, title: string): Promise<MenuGroup> {
      const made = await store.addGroup(ownerOf(actor), title)
      if (made === 'full') throw fail('menu.full', { field: 'title' })
      tell(actor)
      return { ...made, entries: [] }
    },
    async renameGroup(actor: Actor, id: string, title: string): Promise<MenuGroup> {
      if (!(await store.renameGroup(ownerOf(actor), id, title))) throw fail('menu.group-not-found')
      tell(actor)
      return group(actor, id)
    },
    async deleteGroup(actor: Actor, id: string): Promise<void> {
      if (!(await store.deleteGroup(ownerOf(actor), id))) throw fail('menu.group-not-found')
      tell(actor)
    },
  }
}

/** Entries of a group. */
function createEntries(view: View) {
  const { store, ownerOf, tell, group, nameOfItem } = view

  return {
    async addEntry(actor: Actor, groupId: string, input: MenuEntryInput): Promise<MenuEntry> {
      if (input.groupId !== undefined && input.groupId !== groupId)
        throw fail('request.invalid', { field: 'groupId', message: 'groupId: differs from the group in the path' })
      const { type, name, icon } = input
      const isLink = type === 'externalLink'
      if (!isLink) await mustBeOpen(view, actor, type, input.selectedEntryId)
      const row = {
        ...{ group_id: groupId, name, icon, type },
        link: isLink ? input.link : 'routerLink',
        selected_entry_id: isLink ? null : input.selectedEntryId,
      }
      const made = await store.addEntry(ownerOf(actor), row)
      if (made === 'no group') throw fail('menu.group-not-found')
      if (made === 'full') throw fail('menu.full')
      if (made === 'there') throw fail('menu.already-pinned', { field: isLink ? 'link' : 'selectedEntryId' })
      tell(actor)
      const itemName = isLink ? null : ((await nameOfItem(actor, type, input.selectedEntryId)) ?? null)
      return { ...plain(made), itemName, state: isLink || itemName !== null ? 'open' : 'gone' }
    },
    async orderEntries(actor: Actor, groupId: string, ids: readonly string[]): Promise<MenuGroup> {
      const before = await group(actor, groupId)
      if (!(await store.order(ownerOf(actor), groupId, ids)))
        throw fail('request.invalid', {
          field: 'ids',
          message: `ids: exactly the entries of ${before.title}, each once`,
        })
      tell(actor)
      return group(actor, groupId)
    },
    async deleteEntry(actor: Actor, groupId: string, id: string): Promise<void> {
      if (!(await store.deleteEntry(ownerOf(actor), groupId, id))) throw fail('menu.entry-not-found')
      tell(actor)
    },
  }
}

export type Sidebar = ReturnType<typeof createSidebar>

function entryOf(row: EntryWithItem, actor: Actor, names: ReadonlyMap<string, string>): MenuEntry {
  const entry = plain(row)
  if (entry.type === 'externalLink') return { ...entry, itemName: null, state: 'open' }
  if (!holds(actor, sections[entry.type], 'access')) return { ...entry, itemName: null, state: 'closed' }
  const itemName = names.get(`${entry.type} ${entry.selectedEntryId}`) ?? row.item_name
  return { ...entry, itemName, state: itemName === null ? 'gone' : 'open' }
}

function plain(row: EntryRow): Omit<MenuEntry, 'itemName' | 'state'> {
  return {
    ...{ id: row.id, groupId: row.group_id, name: row.name, icon: row.icon, link: row.link },
    selectedEntryId: row.selected_entry_id,
    type: row.type as MenuEntry['type'],
  }
}

type View = ReturnType<typeof createView>

/** Side bars as their owners see them. */
function createView(db: Db, ports: SidebarPorts) {
  const store = createSidebarStore(db, { groups: mostGroups, entries: mostEntries })
  const ownerOf = ({ tenantId, userId }: Actor): Owner => ({ tenantId, personId: userId })
  const tell = ({ tenantId, userId }: Actor) => ports.changed(tenantId, 'menu', userId)

  const seesOf = (actor: Actor): Sees => ({
    spaces: ports.rights.condition(actor, 'space.view'),
    apps: ports.rights.condition(actor, 'app.view'),
  })

  /** Undefined for what is not there, and for what they do not see. */
  async function nameOfItem(actor: Actor, type: Pinned, id: string): Promise<string | undefined> {
    if (type === 'dashboards') return (await ports.dashboardNames(actor, [id])).get(id)
    if (type === 'clusters') return (await ports.clusterNamesFor(actor)).get(id)?.displayName
    const kind = type === 'apps' ? 'app' : 'space'
    if (!(await ports.rights.at(actor, kind, [id])).has(id)) return undefined
    return kind === 'app' ? ports.appName(actor.tenantId, id) : ports.spaceName(actor.tenantId, id)
  }

  async function group(actor: Actor, id: string): Promise<MenuGroup> {
    const found = await store.readGroup(ownerOf(actor), id, seesOf(actor))
    if (!found) throw fail('menu.group-not-found')
    const names = await namesFor(actor, found.entries)
    return { id, title: found.title, entries: found.entries.map((row) => entryOf(row, actor, names)) }
  }

  /** Names of pinned clusters and dashboards that the caller sees, by kind and id; the others come with the rows. */
  async function namesFor(actor: Actor, rows: EntryRow[]): Promise<ReadonlyMap<string, string>> {
    const hasClusters = rows.some(({ type }) => type === 'clusters')
    const pinned = rows.flatMap((row) => (row.type === 'dashboards' ? (row.selected_entry_id ?? []) : []))
    const [clusters, dashboards] = await Promise.all([
      hasClusters ? ports.clusterNamesFor(actor) : new Map<string, ClusterName>(),
      pinned.length > 0 ? ports.dashboardNames(actor, pinned) : new Map<string, string>(),
    ])
    return new Map([
      ...[...clusters].map(([id, { displayName }]) => [`clusters ${id}`, displayName] as const),
      ...[...dashboards].map(([id, name]) => [`dashboards ${id}`, name] as const),
    ])
  }

  return { store, ownerOf, tell, seesOf, nameOfItem, group, namesFor }
}

/** Throws for an item that the caller cannot open: it is not pinned. */
async function mustBeOpen({ nameOfItem }: View, actor: Actor, type: Pinned, id: string): Promise<void> {
  const section = sections[type]
  if (!holds(actor, section, 'access'))
    throw fail('auth.forbidden', { field: 'selectedEntryId', details: { needs: [{ section, role: 'access' }] } })
  if ((await nameOfItem(actor, type, id)) === undefined) throw fail(unknown[type], { field: 'selectedEntryId' })
}
