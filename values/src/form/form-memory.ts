import type { Path } from '../yaml/slot.ts'

/** A value that was written at a place before another form of the value had no room for it. */
export interface Shelved {
  path: Path
  /** Undefined where nothing was written, and the chart's own value held. */
  value: unknown
  /** How it was written. */
  lines: string[] | undefined
}

/** The bytes of a value; of one that is not written, how many parts of the way to it are missing, below zero. */
export type Region = string | number

/** The bytes of a value in each form it had, as long as nobody edits it: choosing a form again brings them back. */
interface FormTexts {
  /** The bytes that the last choice of a form produced. */
  made: Region
  byForm: Readonly<Record<number, Region>>
}

/** Values and texts that choices of forms have put aside. Never mutated; lost when the page closes. */
export interface FormMemory {
  readonly shelf: ReadonlyMap<string, Shelved>
  readonly texts: ReadonlyMap<string, FormTexts>
  /** The form that was chosen last, for values that several forms would take. */
  readonly chosen: ReadonlyMap<string, number>
}

export const noMemory: FormMemory = { shelf: new Map(), texts: new Map(), chosen: new Map() }

export function keyOfPath(path: Path): string {
  return JSON.stringify(path)
}

/** Entries of a list have no name but their place: when one goes or comes, nothing is known of them any more. */
export function withoutList(memory: FormMemory, list: Path): FormMemory {
  if (memory.chosen.size === 0) return memory
  const start = `${keyOfPath(list).slice(0, -1)},`
  const rest = <T>(all: ReadonlyMap<string, T>) => new Map([...all].filter(([key]) => !key.startsWith(start)))
  return { shelf: rest(memory.shelf), texts: rest(memory.texts), chosen: rest(memory.chosen) }
}
