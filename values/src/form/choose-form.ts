import { isAlias } from 'yaml'
import { coalesce, defaultAt, givenFor } from '../merge/coalesce.ts'
import { forbids, stepsOfName } from '../schema/schema-forbids.ts'
import { resolveSchema } from '../schema/schema-resolve.ts'
import { blockText } from '../yaml/block-text.ts'
import { applyEdits, besideAt } from '../yaml/edits.ts'
import { sameValue, valueAt } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import { endOf, isBlock, type Path, type Slot, slotAt } from '../yaml/slot.ts'
import { type Change, writtenFields } from '../yaml/write-field.ts'
import { type OpenText, openText, YamlRefused } from '../yaml/yaml-document.ts'
import { type Former, type Forms, fittedTo } from './fitted-value.ts'
import { type FormMemory, keyOfPath, type Region, type Shelved } from './form-memory.ts'

/** A value that several forms may take, with the one it has and the one that it shall have. */
interface Choosing extends Forms {
  /** Where it is in the text at hand. */
  path: Path
  /** The chart's own values, and how they are written; read only when something of them comes back. */
  defaults: unknown
  written: () => OpenText | undefined
}

/**
 * Gives a value another of its forms. A default of the chart that the form forbids is written as null, by which Helm
 * removes it; a value that only the person has written is removed. Both come back when a form has room for them again,
 * and to the byte as long as nobody has edited the value meanwhile.
 */
export function chooseForm(before: OpenText, choosing: Choosing, memory: FormMemory) {
  const key = keyOfPath(choosing.whole)
  const now = regionOf(before, choosing.path)
  const known = memory.texts.get(key)
  const byForm = { ...(known?.made === now ? known.byForm : {}), [choosing.current]: now }
  const chosen = new Map(memory.chosen).set(key, choosing.choice)
  const former = byForm[choosing.choice]
  const restored = former === undefined ? undefined : withRegion(before, choosing.path, former)
  const next = restored
    ? { after: restored, shelf: withoutPlace(memory.shelf, choosing.whole) }
    : remade(before, choosing, memory)
  const made = regionOf(next.after, choosing.path)
  const texts = new Map(memory.texts).set(key, { made, byForm: { ...byForm, [choosing.choice]: made } })
  return { after: next.after, memory: { shelf: next.shelf, texts, chosen } }
}

function withoutPlace(shelf: FormMemory['shelf'], place: Path): FormMemory['shelf'] {
  return new Map([...shelf].filter(([, { path }]) => !place.every((part, at) => path[at] === part)))
}

/** The bytes of a value from behind its colon on, with what is said beside it. */
function regionOf({ text, document }: OpenText, path: Path): Region {
  const found = slotAt(text, document, path)
  if (found?.depth !== path.length) return (found?.depth ?? path.length) - path.length
  return text.slice(found.slot.mark, regionEnd(text, found.slot))
}

function regionEnd(text: string, slot: Slot): number {
  const end = endOf(text, slot)
  return end + besideAt(text, end)
}

function withRegion(before: OpenText, path: Path, region: Region): OpenText | undefined {
  if (typeof region === 'number')
    return writtenFields(before, [{ path: madeFor(before, path, region), value: undefined }])
  const { text, document } = before
  const found = slotAt(text, document, path)
  if (found?.depth !== path.length) return undefined
  try {
    const edit = { from: found.slot.mark, to: regionEnd(text, found.slot), text: region }
    return openText(applyEdits(text, [edit]))
  } catch (error) {
    if (error instanceof YamlRefused) return undefined
    throw error
  }
}

/** The outermost map that was made for a value alone, of whose way some parts were missing. */
function madeFor({ value }: OpenText, path: Path, missing: number): Path {
  let made = path
  for (let left = -missing; left > 1; left -= 1) {
    const parent = made.slice(0, -1)
    if (parent.length === 0 || Object.keys(asMap(valueAt(value, parent))).length !== 1) break
    made = parent
  }
  return made
}

function remade(before: OpenText, choosing: Choosing, memory: FormMemory) {
  const { whole, path } = choosing
  const own = valueAt(before.value, path)
  const fallback = defaultAt(choosing.defaults, whole)
  const effective = own === null && fallback !== undefined ? undefined : coalesce(fallback, own)
  const former = formerOf(choosing, memory, own)
  const wanted = fittedTo(choosing, effective, former)
  const rewriting: Rewriting = { before, choosing, shelf: new Map(memory.shelf), changes: [], isOurs: former.isOurs }
  rewrite(rewriting, { own, fallback, wanted }, [])
  const changes = rewriting.changes.map((change) => ({ ...change, path: [...path, ...change.path] }))
  return { after: writtenFields(before, changes), shelf: rewriting.shelf }
}

/** Former values: those put aside; else the chart's own values that the former form had removed with null. */
function formerOf({ schema, root, whole, current, defaults }: Choosing, memory: FormMemory, own: unknown) {
  const resolved = resolveSchema(schema, root, own ?? undefined, { choice: current, isForced: true })
  const taken = isRecord(own) ? Object.keys(own).filter((name) => own[name] === null) : []
  const known = asMap(resolved?.schema.properties)
  const ours = taken.filter(
    (name) => resolved && (!Object.hasOwn(known, name) || forbids(resolved.parts, name, { root, left: stepsOfName })),
  )
  const isOurs = (path: Path) => path.length === whole.length + 1 && ours.includes(String(path.at(-1)))
  const at: Former['at'] = (path) => {
    const kept = memory.shelf.get(keyOfPath(path))
    if (kept) return { value: kept.value === undefined ? defaultAt(defaults, path) : (kept.value ?? undefined) }
    return isOurs(path) ? { value: defaultAt(defaults, path) } : undefined
  }
  const names: Former['names'] = (path) => {
    const kept = [...memory.shelf.values()].filter(
      (one) => one.path.length === path.length + 1 && path.every((part, at) => one.path[at] === part),
    )
    return [...kept.map((one) => String(one.path.at(-1))), ...(path.length === whole.length ? ours : [])]
  }
  return { at, names, isOurs }
}

interface Rewriting {
  before: OpenText
  choosing: Choosing
  shelf: Map<string, Shelved>
  changes: Change[]
  /** Tells whether a null was written for the form before, and not by the person. */
  isOurs: (path: Path) => boolean
}

interface Sides {
  own: unknown
  fallback: unknown
  wanted: unknown
}

/** The changes that make Helm see what is wanted; what needs none is not touched. */
function rewrite(rewriting: Rewriting, sides: Sides, at: Path): void {
  const { own, fallback, wanted } = sides
  if (isRecord(wanted) && (isRecord(own) || (own === undefined && isRecord(fallback)))) {
    const names = new Set([...Object.keys(own ?? {}), ...Object.keys(wanted), ...Object.keys(asMap(fallback))])
    for (const name of names) {
      const inner = { own: part(own, name), fallback: part(fallback, name), wanted: part(wanted, name) }
      rewrite(rewriting, inner, [...at, name])
    }
    return
  }
  const key = keyOfPath([...rewriting.choosing.whole, ...at])
  if (wanted === undefined) {
    putAside(rewriting, sides, at)
    return
  }
  const kept = rewriting.shelf.get(key)
  rewriting.shelf.delete(key)
  const isTaken = own === null && fallback !== undefined
  const effective = isTaken ? undefined : coalesce(fallback, own)
  if (sameValue(effective, wanted)) return
  if (own !== undefined && !isTaken) shelve(rewriting, own, at)
  if (isTaken && kept && kept.value === undefined && sameValue(fallback, wanted)) {
    rewriting.changes.push({ path: at, value: undefined })
    return
  }
  const value = givenFor(fallback, wanted)
  const lines =
    kept && sameValue(kept.value, value) ? kept.lines : sameValue(fallback, value) ? theirs(rewriting, at) : undefined
  rewriting.changes.push({ path: at, value, ...(lines ? { lines } : {}) })
}

/** Out of the document, or, where the chart would put it in again, null. */
function putAside(rewriting: Rewriting, { own, fallback }: Sides, at: Path): void {
  if (own === undefined && fallback === undefined) return
  const whole = [...rewriting.choosing.whole, ...at]
  // A null of ours stands for what is on the shelf already, or for the chart's own value.
  if (own !== null || !(rewriting.isOurs(whole) || rewriting.shelf.has(keyOfPath(whole)))) shelve(rewriting, own, at)
  if (own === null && fallback !== undefined) return
  rewriting.changes.push({ path: at, value: fallback === undefined ? undefined : null })
}

function shelve({ before, choosing, shelf }: Rewriting, value: unknown, at: Path): void {
  const path = [...choosing.whole, ...at]
  shelf.set(keyOfPath(path), { path, value, lines: linesAt(before, [...choosing.path, ...at]) })
}

function theirs({ choosing }: Rewriting, at: Path): string[] | undefined {
  const written = choosing.written()
  return written && linesAt(written, [...choosing.whole, ...at])
}

/** How a value is written at a path: a map or list of lines of its own with the comment above its first entry. */
export function linesAt({ text, document }: OpenText, path: Path): string[] | undefined {
  const found = slotAt(text, document, path)
  const node = found?.slot.node ?? null
  if (found?.depth !== path.length || !node?.range) return undefined
  if (isBlock(node)) return blockText(text, document, node).split('\n')
  const source = text.slice(node.range[0], endOf(text, found.slot))
  return isAlias(node) || source === '' || source.includes('\n') ? undefined : [source]
}

function part(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function asMap(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}
