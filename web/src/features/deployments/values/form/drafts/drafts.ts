import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import { createContext, useSyncExternalStore } from 'react'
import type { Path } from '../fields/field-tree.ts'

/** Typed text that is not in the values, or not yet. */
export interface Draft {
  path: Path
  /** Typed into the name of the entry, not into its value. */
  isName?: boolean
  /** The field's text before the typing; once the field's text is another one, the draft is dropped. */
  base: string
  text: string
  /** Why it is not written; undefined while it is about to be. */
  says: string | undefined
}

export type Place = Pick<Draft, 'path' | 'isName'>

/** The drafts of a form. They outlast the inputs, which go with their group and with the form itself. */
export interface Drafts {
  at: (place: Place) => Draft | undefined
  keep: (draft: Draft) => void
  drop: (place: Place) => void
  /** Entries below a path have other names or places now. */
  dropBelow: (path: Path) => void
  /** Drops what was typed over something that is there no longer. */
  prune: (fields: readonly FieldConfiguration[]) => void
  all: () => readonly Draft[]
  subscribe: (listener: () => void) => () => void
}

const keyOf = ({ path, isName = false }: Place) => JSON.stringify([isName, ...path])

export function createDrafts(): Drafts {
  const byPlace = new Map<string, Draft>()
  const listeners = new Set<() => void>()
  let list: readonly Draft[] = []
  const changed = () => {
    list = [...byPlace.values()]
    for (const listener of listeners) listener()
  }
  const dropAll = (isGone: (draft: Draft) => boolean) => {
    const gone = list.filter(isGone)
    for (const draft of gone) byPlace.delete(keyOf(draft))
    if (gone.length > 0) changed()
  }
  return {
    at: (place) => byPlace.get(keyOf(place)),
    keep(draft) {
      const before = byPlace.get(keyOf(draft))
      byPlace.set(keyOf(draft), draft)
      // Nobody who listens reads the text itself, which changes with every letter.
      if (before === undefined || before.says !== draft.says || before.base !== draft.base) changed()
    },
    drop(place) {
      if (byPlace.delete(keyOf(place))) changed()
    },
    dropBelow: (path) => dropAll((draft) => path.every((part, at) => draft.path[at] === part)),
    prune: (fields) => dropAll((draft) => baseOf(fields, draft) !== draft.base),
    all: () => list,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The text that a field begins with. */
export function writtenOf({ value }: Pick<FieldConfiguration, 'value'>): string {
  return value === null || value === undefined ? '' : String(value)
}

function baseOf(fields: readonly FieldConfiguration[], { path, isName }: Draft): string | undefined {
  const last = path.at(-1)
  if (isName && last === '') return fieldAt(fields, path.slice(0, -1))?.map && ''
  const field = fieldAt(fields, path)
  return isName ? field && String(last) : field && writtenOf(field)
}

function fieldAt(fields: readonly FieldConfiguration[], path: Path): FieldConfiguration | undefined {
  const [part, ...rest] = path
  const field = typeof part === 'number' ? fields[part] : fields.find(({ name }) => name === part)
  if (field === undefined || rest.length === 0) return field
  return fieldAt(field.type === 'array' ? field.collections : field.objects, rest)
}

export const DraftsContext = createContext<Drafts>(createDrafts())

export function useDrafts(drafts: Drafts): readonly Draft[] {
  return useSyncExternalStore(drafts.subscribe, drafts.all)
}
