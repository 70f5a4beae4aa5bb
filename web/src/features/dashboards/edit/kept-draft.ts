import { keep, readKept } from '../../../lib/kept-json.ts'
import type { Content } from './use-draft.ts'

interface KeptDraft {
  /** The revision that was changed. */
  revision: number
  content: Content
}

const keyOf = (personId: string, dashboardId: string) => `dashboard draft ${personId} ${dashboardId}`

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isList = <T>(value: unknown, isOne: (one: unknown) => one is T): value is T[] =>
  Array.isArray(value) && value.every(isOne)

/** Tells whether everything is there that is drawn of a draft; the server checks the rest when it is saved. */
function isDraft(value: unknown): value is KeptDraft {
  if (!isRecord(value) || !isRecord(value.content)) return false
  const { displayName, description, tags, spec } = value.content
  return (
    Number.isInteger(value.revision) && [displayName, description].every(isText) && isList(tags, isText) && isSpec(spec)
  )
}

const isSpec = (value: unknown): value is Content['spec'] =>
  isRecord(value) &&
  [value.duration, value.refreshInterval].every(isText) &&
  isRecord(value.panels) &&
  Object.values(value.panels).every(isPanel) &&
  isList(value.layouts, isGrid)

const isPanel = (value: unknown): boolean =>
  isRecord(value) &&
  isRecord(value.spec) &&
  isRecord(value.spec.display) &&
  isText(value.spec.display.name) &&
  isRecord(value.spec.plugin) &&
  isText(value.spec.plugin.kind) &&
  isRecord(value.spec.plugin.spec)

const isGrid = (value: unknown): value is Content['spec']['layouts'][number] =>
  isRecord(value) && isRecord(value.spec) && isTitled(value.spec.display) && isList(value.spec.items, isItem)

const isTitled = (display: unknown): boolean => display === undefined || (isRecord(display) && isText(display.title))

const isItem = (value: unknown): value is Content['spec']['layouts'][number]['spec']['items'][number] =>
  isRecord(value) &&
  [value.x, value.y, value.width, value.height].every(Number.isInteger) &&
  isRecord(value.content) &&
  isText(value.content.$ref)

/** The draft that this tab has kept over a reload. */
export const readDraft = (personId: string, dashboardId: string): KeptDraft | undefined =>
  readKept(keyOf(personId, dashboardId), isDraft, 'sessionStorage')

/** Keeps a draft until the tab is closed; undefined forgets it. */
export const keepDraft = (personId: string, dashboardId: string, draft: KeptDraft | undefined): void =>
  keep(keyOf(personId, dashboardId), draft, 'sessionStorage')
