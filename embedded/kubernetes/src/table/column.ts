import type { KubeObject } from '../object-store.ts'
import { age } from './age.ts'

export interface Column {
  name: string
  type?: string
  format?: string
  description?: string
  /** 0 always shown, 1 with -o wide. */
  priority?: number
  cell: (object: KubeObject, now: number) => unknown
}

export const NAME: Column = { name: 'Name', format: 'name', cell: ({ metadata }) => metadata.name }
export const AGE: Column = { name: 'Age', cell: ({ metadata }, now) => age(metadata.creationTimestamp, now) }

/** A column that only -o wide shows. */
export const wide = (column: Column): Column => ({ ...column, priority: 1 })

/** A column of text worked out from the object as its kind has it. */
export const text = <T>(name: string, cell: (object: T, now: number) => unknown): Column => ({
  name,
  cell: (object, now) => cell(object as unknown as T, now),
})

/** A column of whole numbers. */
export const number = <T>(name: string, cell: (object: T, now: number) => number | undefined): Column => ({
  name,
  type: 'integer',
  cell: (object, now) => cell(object as unknown as T, now) ?? 0,
})

export const NONE = '<none>'

export const joined = (list: readonly unknown[] | undefined, separator = ','): string =>
  list && list.length > 0 ? list.join(separator) : NONE
