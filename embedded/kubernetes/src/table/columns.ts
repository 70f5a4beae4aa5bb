import type { ResourceType } from '../resources/resource-type.ts'
import { BUILT_IN_COLUMNS, COLUMNS_WITHOUT_NAME } from './built-in-columns.ts'
import { AGE, type Column, NAME } from './column.ts'
import { customColumns } from './custom-columns.ts'
import { STORAGE_CLASS_NAME } from './storage-columns.ts'

/** The columns of a kind: its own, those of its CRD, or just name and age. */
export function columnsOf(type: ResourceType): readonly Column[] {
  if (type.custom) return [NAME, ...customColumns(type.custom.columns)]
  const whole = COLUMNS_WITHOUT_NAME[type.storage]
  if (whole) return whole
  const name = type.storage === 'storage.k8s.io/storageclasses' ? STORAGE_CLASS_NAME : NAME
  return [name, ...(BUILT_IN_COLUMNS[type.storage] ?? [AGE])]
}
