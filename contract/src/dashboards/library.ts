import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, DisplayName, Id, nameOf, textOf } from '../http/primitives.ts'
import { entryBytes, mostNames, type PanelKind, panelKindNames } from './rules.ts'
import { Panel, PanelLinks, Plugin } from './spec.ts'

const endpoint = endpointsOf('dashboard')

const Kind = z.enum(panelKindNames as [PanelKind, ...PanelKind[]])
const SettingName = z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,39}$/, 'letters and digits, at most 40')

/** A list answers whole entries, so each of them is small. */
const isSmall = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length <= entryBytes
const small = <T extends z.ZodType>(schema: T) => schema.refine(isSmall, `at most ${entryBytes / 1024} KiB of JSON`)
const named = <T extends z.ZodType>(value: T) =>
  z.record(SettingName, value).refine((record) => Object.keys(record).length <= mostNames, `at most ${mostNames} names`)

/** Settings of a widget that somebody is asked for; data alone, no code. */
const SettingsSchema = z.strictObject({
  type: z.literal('object').default('object'),
  properties: named(
    z.strictObject({
      type: z.literal('string'),
      title: DisplayName,
      enum: z.array(z.string().max(200)).max(50).optional(),
      default: z.string().max(2000).optional(),
    }),
  ).default({}),
})

export const Widget = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  kind: Kind,
  title: z.string(),
  description: z.string(),
  category: z.string(),
  source: z.enum(['built-in', 'tenant', 'package']),
  settingsSchema: SettingsSchema,
  /** The field of the panel that each of these settings goes to. */
  bindings: named(SettingName),
  /** Settings that a panel of it begins with. */
  defaults: Plugin,
  size: z.object({ w: z.number(), h: z.number() }),
  /** How many dashboards have a panel of it. */
  usedBy: z.number(),
})
export type Widget = z.infer<typeof Widget>

const described = {
  title: DisplayName,
  description: textOf(longest.description).default(''),
  category: nameOf(40, 'Category required'),
}
export const WidgetInput = z.strictObject({ ...described, panel: small(Panel) })
export type WidgetInput = z.infer<typeof WidgetInput>

/** A kind of widget: a kind of panel, what it asks for, and which field of the panel each setting goes to. */
export const WidgetRegistration = z.strictObject({
  ...described,
  category: described.category.default('Other'),
  name: z.string().regex(/^[a-z][a-z0-9-]{0,59}$/, 'small letters, digits and -, at most 60'),
  version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/, 'a version such as 1.0.0'),
  kind: Kind,
  settingsSchema: small(SettingsSchema).default({ type: 'object', properties: {} }),
  bindings: named(SettingName).default({}),
})
export type WidgetRegistration = z.infer<typeof WidgetRegistration>

const configurationKinds = ['variables', 'datasource', 'thresholds', 'links'] as const
const values = {
  variables: named(z.string().max(2000)),
  datasource: z.strictObject({ clusterId: Id }),
  thresholds: z.array(z.strictObject({ value: z.number(), state: z.enum(['good', 'warning', 'bad']) })).max(20),
  links: PanelLinks,
} as const
const configuration = <K extends keyof typeof values, V extends z.ZodType>(kind: K, value: V) =>
  z.strictObject({
    id: Id.optional(),
    name: DisplayName,
    kind: z.literal(kind),
    value: small(value),
    spaceId: Id.optional(),
    baseRevision: z.number().int().min(1).optional(),
  })
/** With an id the one that is there is changed, and `baseRevision` says which revision of it. */
export const ConfigurationInput = z.discriminatedUnion('kind', [
  configuration('variables', values.variables),
  configuration('datasource', values.datasource),
  configuration('thresholds', values.thresholds),
  configuration('links', values.links),
])
export type ConfigurationInput = z.infer<typeof ConfigurationInput>

export const Configuration = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(configurationKinds),
  value: z.union([values.links, values.thresholds, values.datasource, values.variables]),
  /** Seen by those alone who see the space; null: by everybody of the tenant. */
  spaceId: z.string().nullable(),
  revision: z.number(),
  updatedAt: z.string(),
  updatedBy: z.string(),
})
export type Configuration = z.infer<typeof Configuration>

export const dashboardLibrary = {
  listWidgets: endpoint('GET', '/v1/library', {
    summary: 'Widgets that panels are made from; filters: category, source',
    query: ListQuery,
    reply: listOf(Widget),
  }),
  addWidget: endpoint('POST', '/v1/library', {
    summary: 'Keep a configured panel for reuse',
    body: WidgetInput,
    reply: Widget,
    status: 201,
  }),
  registerWidget: endpoint('POST', '/v1/library/register', {
    summary: 'Register a kind of widget; the same again changes nothing',
    body: WidgetRegistration,
    reply: Widget,
    status: 201,
  }),
  removeWidget: endpoint('DELETE', '/v1/library/:id', {
    summary: 'Remove a widget from the library; panels that were made from it stay',
    params: ById,
    status: 204,
  }),
  listConfigurations: endpoint('GET', '/v1/configurations', {
    summary: 'Settings that panels refer to; filters: kind, spaceId',
    query: ListQuery,
    reply: listOf(Configuration),
  }),
  saveConfiguration: endpoint('POST', '/v1/configurations', {
    summary: 'Make a configuration, or change the one that the id names',
    body: ConfigurationInput,
    reply: Configuration,
  }),
  getConfiguration: endpoint('GET', '/v1/configurations/:id', {
    summary: 'One configuration',
    params: ById,
    reply: Configuration,
  }),
  deleteConfiguration: endpoint('DELETE', '/v1/configurations/:id', {
    summary: 'Delete a configuration; panels that refer to it show nothing of it any more',
    params: ById,
    status: 204,
  }),
}
