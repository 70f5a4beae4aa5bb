import type { Widget, WidgetInput, WidgetRegistration } from '@quayside/contract/dashboards/library'
import { dashboardLibrary as endpoints } from '@quayside/contract/dashboards/library'
import { mostWidgets, type PanelKind, panelKindNames, panelKinds } from '@quayside/contract/dashboards/rules'
import { Plugin } from '@quayside/contract/dashboards/spec'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { pathOf } from '@quayside/contract/http/path'
import { sql } from 'kysely'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Db } from '../../../platform/db/db.ts'
import { longId } from '../../../platform/db/ids.ts'
import { fail } from '../../../platform/http/errors.ts'
import { filterValues, listReply, mustKnowFilters, orderOf } from '../../../platform/http/listing.ts'
import type { Tables, WidgetRow } from '../tables.ts'

type Stored = Omit<WidgetRow, 'tenant_id' | 'created_at' | 'created_by'>
const noSettings = { type: 'object' as const, properties: {} }

/** Reads and writes the widgets of a tenant, beside those that the portal has. */
function createWidgetStore(db: Db) {
  const usage = (tenantId: string) =>
    db.tenant<Tables, Map<string, number>>(tenantId, async (trx) => {
      const rows = await sql<{ id: string; count: number }>`select w.id, count(*)::int as count
        from dashboards d, unnest(d.widget_ids) as w (id) where d.deleted_at is null group by w.id`.execute(trx)
      return new Map(rows.rows.map(({ id, count }) => [id, count]))
    })

  const stored = (tenantId: string) =>
    db.tenant<Tables, WidgetRow[]>(tenantId, (trx) => trx.selectFrom('dashboard_widgets').selectAll().execute())

  /** Adds a widget; gives back the one that was there under the same name and version. */
  const add = ({ tenantId, username }: Actor, widget: Stored) =>
    db.tenant<Tables, { row: WidgetRow; isNew: boolean }>(tenantId, async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${`widgets ${tenantId}`}))`.execute(trx)
      const there = await trx
        .selectFrom('dashboard_widgets')
        .selectAll()
        .where('source', '=', widget.source)
        .where('name', '=', widget.name)
        .where('version', '=', widget.version)
        .executeTakeFirst()
      if (there) return { row: there, isNew: false }
      const all = trx.selectFrom('dashboard_widgets').select(sql<number>`count(*)::int`.as('count'))
      if ((await all.executeTakeFirstOrThrow()).count >= mostWidgets) throw fail('dashboard.too-many')
      const { settings_schema, bindings, defaults, ...rest } = widget
      const json = {
        settings_schema: JSON.stringify(settings_schema),
        bindings: JSON.stringify(bindings),
        defaults: JSON.stringify(defaults),
      }
      const made = trx
        .insertInto('dashboard_widgets')
        .values({ ...rest, ...json, tenant_id: tenantId, created_by: username })
      return { row: await made.returningAll().executeTakeFirstOrThrow(), isNew: true }
    })

  return { usage, stored, add }
}

/** Widgets that panels are made from: kinds of panels that the portal has, configured panels and registered kinds. */
export function createWidgets(db: Db, changed: (tenantId: string) => void) {
  const { usage, stored, add } = createWidgetStore(db)
  return {
    async list({ tenantId }: Actor, query: ListQuery): Promise<ListReply<Widget>> {
      const { filters, search = '', page } = query
      mustKnowFilters(filters, ['category', 'source'])
      const [[, direction]] = orderOf(query.sort, { title: 'title' }, [['title', 'asc']]) as [
        readonly ['title', string],
      ]
      const [counts, rows] = await Promise.all([usage(tenantId), stored(tenantId)])
      const all = [...builtIn, ...rows.map(toWidget)].map((one) => ({ ...one, usedBy: counts.get(one.id) ?? 0 }))
      const isWanted = (name: string, value: string) => {
        const wanted = filterValues(filters, name)
        return wanted.length === 0 || wanted.includes(value)
      }
      const text = search.trim().toLowerCase()
      const found = all.filter(
        ({ title, description, category, source }) =>
          isWanted('category', category) &&
          isWanted('source', source) &&
          `${title} ${description} ${category}`.toLowerCase().includes(text),
      )
      const key = ({ title }: Widget) => title.toLowerCase()
      found.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id < b.id ? -1 : 1))
      if (direction === 'desc') found.reverse()
      return listReply(
        found.slice(page.skip, page.skip + page.limit),
        found.length,
        query,
        pathOf(endpoints.listWidgets),
      )
    },

    async keep(actor: Actor, { panel, ...texts }: WidgetInput): Promise<Widget> {
      const id = longId()
      const { plugin } = panel.spec
      const { row } = await add(actor, {
        ...{ id, source: 'tenant', name: id, version: '1.0.0', kind: plugin.kind, ...texts },
        ...{ settings_schema: noSettings, bindings: {}, defaults: plugin },
      })
      changed(actor.tenantId)
      return toWidget(row)
    },

    /** The same registration again changes nothing, and says so. */
    async register(actor: Actor, input: WidgetRegistration): Promise<{ widget: Widget; isNew: boolean }> {
      const { settingsSchema, ...rest } = input
      const widget: Stored = {
        ...{ ...rest, id: longId(), source: 'package', settings_schema: settingsSchema },
        defaults: defaultsOf(input),
      }
      const { row, isNew } = await add(actor, widget)
      if (!isNew && !isSame(row, widget)) throw fail('widget.exists', { field: 'version' })
      if (isNew) changed(actor.tenantId)
      return { widget: toWidget(row), isNew }
    },
  }
}

const emptyPlugins: Readonly<Record<PanelKind, Plugin>> = {
  AppStates: { kind: 'AppStates', spec: {} },
  Deployments: { kind: 'Deployments', spec: {} },
  Events: { kind: 'Events', spec: {} },
  ClusterMap: { kind: 'ClusterMap', spec: {} },
  SpaceQuota: { kind: 'SpaceQuota', spec: {} },
  Usage: { kind: 'Usage', spec: { resource: 'cpu' } },
  Links: { kind: 'Links', spec: { links: [] } },
  Markdown: { kind: 'Markdown', spec: { text: '' } },
}

const builtIn: readonly Widget[] = panelKindNames.map((kind) => {
  const { w, h, ...texts } = panelKinds[kind]
  return {
    ...{ id: kind, name: kind, version: '1.0.0', kind, ...texts, source: 'built-in' as const },
    ...{ settingsSchema: noSettings, defaults: emptyPlugins[kind], size: { w, h }, usedBy: 0 },
  }
})

/** The settings of a panel of this kind before anybody has changed one; refuses a binding that leads nowhere. */
function defaultsOf({ kind, settingsSchema, bindings }: WidgetRegistration): Plugin {
  const spec: Record<string, unknown> = { ...emptyPlugins[kind].spec }
  for (const [setting, target] of Object.entries(bindings)) {
    const property = settingsSchema.properties[setting]
    if (!property) throw invalid(`bindings.${setting}`, 'the settings have no such name')
    if (property.default !== undefined) spec[target] = property.default
    const tried = Plugin.safeParse({ kind, spec: { ...spec, [target]: property.default ?? property.enum?.[0] ?? 'a' } })
    if (!tried.success) throw invalid(`bindings.${setting}`, `${kind} has no setting ${target} that takes this text`)
  }
  const unbound = Object.keys(settingsSchema.properties).find((name) => !Object.hasOwn(bindings, name))
  if (unbound !== undefined) throw invalid(`settingsSchema.properties.${unbound}`, 'no binding says what this sets')
  return Plugin.parse({ kind, spec })
}

const invalid = (field: string, message: string) => fail('request.invalid', { field, message: `${field}: ${message}` })

function isSame(row: WidgetRow, widget: Stored): boolean {
  const { id, tenant_id, created_at, created_by, ...there } = row
  const { id: _, ...asked } = widget
  return JSON.stringify(sorted(there)) === JSON.stringify(sorted(asked))
}

/** PostgreSQL keeps the names of an object in an order of its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([key, one]) => [key, sorted(one)]),
  )
}

function toWidget(row: WidgetRow): Widget {
  const { w, h } = panelKinds[row.kind]
  return {
    ...{ id: row.id, name: row.name, version: row.version, kind: row.kind, title: row.title },
    ...{ description: row.description, category: row.category, source: row.source },
    ...{ settingsSchema: row.settings_schema, defaults: row.defaults, size: { w, h }, usedBy: 0 },
  }
}
