import type { ResourceType } from '../resources/resource-type.ts'
import { age } from './age.ts'
import type { Column } from './column.ts'
import { customColumns } from './custom-columns.ts'
import { BUILT_IN_COLUMNS } from './built-in-columns.ts'

export const NAME: Column = { name: 'Name', format: 'name', cell: ({ metadata }) => metadata.name }
export const AGE: Column = { name: 'Age', cell: ({ metadata }, now) => age(metadata.creationTimestamp, now) }
const CREATED: Column = {
  name: 'Created At',
  type: 'date',
  cell: ({ metadata }) => metadata.creationTimestamp,
}

/** The columns of a kind: its own, those of its CRD, or just name and time. */
export function columnsOf(type: ResourceType): readonly Column[] {
  if (type.custom) return [NAME, ...customColumns(type.custom.columns)]
  const own = BUILT_IN_COLUMNS[type.storage]
  return own ? [NAME, ...own] : [NAME, CREATED]
}
