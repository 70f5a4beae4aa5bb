import type { GroupResource } from '../object-store.ts'
import type { Column } from './column.ts'

export const BUILT_IN_COLUMNS: Partial<Record<GroupResource, readonly Column[]>> = {}
