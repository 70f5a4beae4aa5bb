import { readPath } from '../crd/json-path.ts'
import type { CustomColumn } from '../resources/resource-type.ts'
import { age } from './age.ts'
import type { Column } from './column.ts'

const AGE: CustomColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }

function cellOf({ type, jsonPath }: CustomColumn): Column['cell'] {
  return (object, now) => {
    const found = readPath(object, jsonPath)
    const value = found.length > 1 ? found : found[0]
    if (value === undefined || value === null) return null
    if (type === 'date') return age(value, now)
    if (type === 'integer' || type === 'number' || type === 'boolean') return value
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
}

/** The printer columns that a CRD names; the age alone when it names none. */
export const customColumns = (columns: readonly CustomColumn[]): Column[] =>
  (columns.length > 0 ? columns : [AGE]).map((column) => ({
    name: column.name,
    type: column.type === 'date' ? 'string' : column.type,
    format: column.format,
    description: column.description,
    priority: column.priority,
    cell: cellOf(column),
  }))
