import type { Widget, WidgetInput, WidgetRegistration } from '@quayside/contract/dashboards/library'
import { dashboardLibrary as endpoints } from '@quayside/contract/dashboards/library'
import { type PanelKind, panelKindNames, panelKinds } from '@quayside/contract/dashboards/rules'
import { Plugin } from '@quayside/contract/dashboards/spec'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { pathOf } from '@quayside/contract/http/path'
import { type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Db } from '../../../platform/db/db.ts'
import { longId } from '../../../platform/db/ids.ts'
import { fail } from '../../../platform/http/errors.ts'
import { filterValues, likePattern, listReply, mustKnowFilters, orderOf } from '../../../platform/http/listing.ts'
import type { Trx } from '../store.ts'
import type { Tables, WidgetRow } from '../tables.ts'
import { changeWithinLimits } from './entry-limits.ts'

type Stored = Omit<WidgetRow, 'tenant_id' | 'created_at' | 'created_by'>
const shownColumns = [
  ...(['id', 'name', 'version', 'kind', 'title', 'description', 'category', 'source'] as const),
  ...(['settings_schema', 'bindings', 'defaults'] as const),
] as const
type Shown = Omit<Pick<WidgetRow, (typeof shownColumns)[number]>, 'source'> & Pick<Widget, 'source' | 'usedBy'>
const noSettings = { type: 'object' as const, properties: {} }

/** Reads and writes the widgets of a tenant, beside those that the portal has. */
function createWidgetStore(db: Db) {
  /** A page of all widgets; how often they are used is counted for those on it alone. */
  const page = (tenantId: string, query: ListQuery) =>
    db.tenant<Tables, { rows: Shown[]; total: number }>(tenantId, async (trx) => {
      const found = matching(trx, query)
      const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
      const [[, direction]] = orderOf(query.sort, { title: 'title' }, [['title', 'asc']]) as [
        readonly ['title', 'asc' | 'desc'],
      ]
      const { limit, skip } = query.page
      const rows = await found
        .selectAll()
        .orderBy(sql`lower(title)`, direction)
        .orderBy('id', direction)
        .limit(limit)
        .offset(skip)
        .execute()
      const ids = rows.map(({ id }) => id)
      const used = await sql<{ id: string; count: number }>`select w.id, count(*)::int as count
        from dashboards d, unnest(d.widget_ids) as w (id)
        where d.deleted_at is null and w.id = any(${ids}::text[]) group by w.id`.execute(trx)
      const counts = new Map(used.rows.map(({ id, count }) => [id, count]))
      return { rows: rows.map((row) => ({ ...row, usedBy: counts.get(row.id) ?? 0 })), total }
    })

  /** Adds a widget; gives back the one that was there under the same name and version. */
  const add = ({ tenantId, username }: Actor, widget: Stored) =>
    db.tenant<Tables, { row: WidgetRow; isNew: boolean }>(tenantId, (trx) =>
      changeWithinLimits(trx, tenantId, 'dashboard_widgets', async () => {
        const there = await trx
          .selectFrom('dashboard_widgets')
          .selectAll()
          .where('source', '=', widget.source)
          .where('name', '=', widget.name)
          .where('version', '=', widget.version)
          .executeTakeFirst()
        if (there) return { row: there, isNew: false }
        const { settings_schema, bindings, defaults, ...rest } = widget
        const json = {
          settings_schema: JSON.stringify(settings_schema),
          bindings: JSON.stringify(bindings),
          defaults: JSON.stringify(defaults),
        }
        const made = trx
          .insertInto('dashboard_widgets')
          .values({ ...rest, ...json, tenant_id: tenantId, created_by: username })
        const row = await made.returningAll().executeTakeFirstOrThrow()
        return { row, isNew: true }
      }),
    )

  /** False when there is no such widget. */
  const remove = (tenantId: string, id: string) =>
    db.tenantOne<Tables, boolean>(tenantId, async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('dashboard_widgets')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    })

  return { page, add, remove }
}

/** Widgets of the tenant and those of the portal, as far as they match. */
function matching(trx: Trx, { filters, search }: ListQuery) {
  mustKnowFilters(filters, ['category', 'source'])
  const own = trx.selectFrom('dashboard_widgets').select(shownColumns)
  const ofPortal = sql<Shown>`select * from jsonb_to_recordset(${builtInRows}::jsonb) as b (id text, name text,
    version text, kind text, title text, description text, category text, source text, settings_schema jsonb, bindings jsonb,
    defaults jsonb)`
  let found = trx.selectFrom(sql<Omit<Shown, 'usedBy'>>`(${own} union all ${ofPortal})`.as<'w'>(sql`w`))
  for (const name of ['category', 'source'] as const) {
    const values = filterValues(filters, name)
    if (values.length > 0) found = found.where(name, '=', sql<never>`any(${values}::text[])`)
  }
  if (!search) return found
  return found.where(sql<SqlBool>`concat_ws(' ', title, description, category) ilike ${likePattern(search)}`)
}

/** Widgets that panels are made from: kinds of panels that the portal has, configured panels and registered kinds. */
export function createWidgets(db: Db, changed: (tenantId: string) => void) {
  const { page, add, remove } = createWidgetStore(db)
  return {
    async list({ tenantId }: Actor, query: ListQuery): Promise<ListReply<Widget>> {
      const { rows, total } = await page(tenantId, query)
      return listReply(rows.map(toWidget), total, query, pathOf(endpoints.listWidgets))
    },

    async remove({ tenantId }: Actor, id: string): Promise<void> {
      if (panelKindNames.some((kind) => kind === id)) throw fail('widget.built-in')
      if (!(await remove(tenantId, id))) throw fail('widget.not-found')
      changed(tenantId)
    },

    async keep(actor: Actor, { panel, ...texts }: WidgetInput): Promise<Widget> {
      const id = longId()
      const { plugin } = panel.spec
      const { row } = await add(actor, {
        ...{ id, source: 'tenant', name: id, version: '1.0.0', kind: plugin.kind, ...texts },
        ...{ settings_schema: noSettings, bindings: {}, defaults: plugin },
      })
      changed(actor.tenantId)
      return toWidget({ ...row, usedBy: 0 })
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
      return { widget: toWidget({ ...row, usedBy: 0 }), isNew }
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

const builtInRows = JSON.stringify(
  panelKindNames.map((kind) => {
    const { title, description, category } = panelKinds[kind]
    return {
      ...{ id: kind, name: kind, version: '1.0.0', kind, title, description, category, source: 'built-in' },
      ...{ settings_schema: noSettings, bindings: {}, defaults: emptyPlugins[kind] },
    }
  }),
)

/** The settings of a panel of this kind before anybody has changed one; refuses a binding that leads nowhere. */
function defaultsOf({ kind, settingsSchema, bindings }: WidgetRegistration): Plugin {
  const spec: Record<string, unknown> = { ...emptyPlugins[kind].spec }
  for (const [setting, target] of Object.entries(bindings)) {
    const { properties } = settingsSchema
    const property = Object.hasOwn(properties, setting) ? properties[setting] : undefined
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

function toWidget({ settings_schema: settingsSchema, ...row }: Shown): Widget {
  const { w, h } = panelKinds[row.kind]
  const { id, name, version, kind, title, description, category, source, bindings, defaults, usedBy } = row
  const texts = { id, name, version, kind, title, description, category, source }
  return { ...texts, settingsSchema, bindings, defaults, size: { w, h }, usedBy }
}
