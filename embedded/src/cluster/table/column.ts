import type { KubeObject } from '../object-store.ts'

export interface Column {
  name: string
  type?: string
  format?: string
  description?: string
  /** 0 always shown, 1 with -o wide. */
  priority?: number
  cell: (object: KubeObject, now: number) => unknown
}
