import type { Numbering } from './tables.ts'

export const manifestName = 'manifest.json'
/** Version of this form of a backup. */
export const format = 1

/** Tables by which a schema knows its version: they come back by making it anew. */
export const versionTables = ['kysely_migration', 'kysely_migration_lock', 'identity_version']

/** Rows by table, and where numberings stand. */
export interface Contents {
  rows: Record<string, number>
  numberings: Numbering[]
}

/** Facts about a backup, written last into it. */
export interface Manifest {
  format: typeof format
  product: string
  at: string
  /** Steps that the portal's tables have gone through. */
  portal: Contents & { steps: string[] }
  /** The same of the embedded identity server; null where Keycloak keeps its own. */
  identity: (Contents & { version: number }) | null
  entries: { name: string; bytes: number; sha256: string }[]
}

export function isManifest(value: unknown): value is Manifest {
  const manifest = value as Partial<Manifest> | null | undefined
  return manifest?.format === format && Array.isArray(manifest.entries) && Array.isArray(manifest.portal?.steps)
}
