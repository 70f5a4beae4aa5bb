import { z } from 'zod'
import { durationSeconds } from '../http/durations.ts'
import { longest } from '../http/limits.ts'
import { Id, nameOf, textOf } from '../http/primitives.ts'
import { isWebLink, longestAddress } from '../sidebar/rules.ts'
import { gridColumns, longestMarkdown, mostPanels } from './rules.ts'

export const PanelLink = z.strictObject({
  name: nameOf(longest.displayName),
  url: z
    .string()
    .trim()
    .max(longestAddress, `at most ${longestAddress} characters`)
    .refine(isWebLink, 'a full address that begins with http:// or https://'),
})
export type PanelLink = z.infer<typeof PanelLink>
export const PanelLinks = z.array(PanelLink).max(50)

const inSpace = { spaceId: Id.optional() }

/** Settings of a panel by its kind. */
const pluginSpecs = {
  AppStates: z.strictObject(inSpace),
  Deployments: z.strictObject(inSpace),
  Events: z.strictObject({ ...inSpace, type: z.enum(['Normal', 'Warning']).optional() }),
  ClusterMap: z.strictObject({}),
  SpaceQuota: z.strictObject(inSpace),
  Usage: z.strictObject({ ...inSpace, resource: z.enum(['cpu', 'memory']).default('cpu') }),
  Links: z.strictObject({ links: PanelLinks.default([]), configurationId: Id.optional() }),
  Markdown: z.strictObject({ text: textOf(longestMarkdown) }),
} as const

const plugin = <K extends keyof typeof pluginSpecs>(kind: K) =>
  z.strictObject({ kind: z.literal(kind), spec: pluginSpecs[kind] })

export const Plugin = z.discriminatedUnion('kind', [
  plugin('AppStates'),
  plugin('Deployments'),
  plugin('Events'),
  plugin('ClusterMap'),
  plugin('SpaceQuota'),
  plugin('Usage'),
  plugin('Links'),
  plugin('Markdown'),
])
export type Plugin = z.infer<typeof Plugin>

export const Panel = z.strictObject({
  kind: z.literal('Panel'),
  spec: z.strictObject({
    display: z.strictObject({ name: textOf(longest.displayName), description: textOf(longest.description).optional() }),
    plugin: Plugin,
    /** The widget of the library that the panel was made from. */
    widgetId: Id.optional(),
  }),
})
export type Panel = z.infer<typeof Panel>

const Key = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/, 'letters, digits, - and _, at most 40')
const cells = (min: number, max: number) => z.number().int().min(min).max(max)
const Item = z.strictObject({
  x: cells(0, gridColumns - 1),
  y: cells(0, 10_000),
  width: cells(1, gridColumns),
  height: cells(1, 100),
  // A record, because a property of this name is taken for a reference by readers of JSON schemas.
  content: z.record(
    z.literal('$ref'),
    z
      .string()
      .max(80)
      .regex(/^#\/spec\/panels\/[A-Za-z0-9_-]{1,40}$/, 'such as #/spec/panels/apps'),
  ),
})
const Grid = z.strictObject({
  kind: z.literal('Grid'),
  spec: z.strictObject({
    display: z.strictObject({ title: textOf(longest.displayName) }).optional(),
    items: z.array(Item).max(mostPanels),
  }),
})
const [leastRefresh, longestRange] = [5, 90 * 86_400]
const Duration = z
  .string()
  .refine((text) => durationSeconds(text) !== undefined, { error: 'a duration such as 30s, 1h or 7d', abort: true })
/** @param isAllowed tells whether a number of seconds is */
const durationOf = (isAllowed: (seconds: number) => boolean, message: string) =>
  Duration.refine((text) => isAllowed(durationSeconds(text) ?? 0), message)
const Range = durationOf((seconds) => seconds > 0 && seconds <= longestRange, 'longer than nothing and at most 90d')
const Refresh = durationOf(
  (seconds) => seconds === 0 || seconds >= leastRefresh,
  `0s for never, or at least ${leastRefresh}s`,
)

/** The `spec` of a Perses dashboard, as far as this version draws it. */
export const DashboardSpec = z
  .strictObject({
    duration: Range.default('24h'),
    refreshInterval: Refresh.default('0s'),
    panels: z.record(Key, Panel).default({}),
    layouts: z.array(Grid).max(20).default([]),
  })
  .superRefine(({ panels, layouts }, context) => {
    const keys = Object.keys(panels)
    const refuse = (message: string, path: (string | number)[]) => context.addIssue({ code: 'custom', message, path })
    if (keys.length > mostPanels) refuse(`at most ${mostPanels} panels`, ['panels'])
    const placed = new Set<string>()
    layouts.forEach(({ spec: { items } }, at) => {
      items.forEach(({ content, x, width }, index) => {
        const path = ['layouts', at, 'spec', 'items', index]
        const key = content.$ref.slice('#/spec/panels/'.length)
        if (!Object.hasOwn(panels, key)) refuse('there is no panel of this name', [...path, 'content', '$ref'])
        if (placed.has(key)) refuse('this panel lies on the grid already', [...path, 'content', '$ref'])
        if (x + width > gridColumns) refuse(`x and width reach beyond the ${gridColumns} columns`, [...path, 'width'])
        placed.add(key)
      })
    })
    const lost = keys.find((key) => !placed.has(key))
    if (lost !== undefined) refuse('lies on no grid', ['panels', lost])
  })
export type DashboardSpec = z.infer<typeof DashboardSpec>
