import type { SourceKind, SourceSignIn } from '@quayside/contract/catalog/source-rules'
import type { SourceRun, SourceRunLine } from '@quayside/contract/catalog/sources'
import type { Generated, Selectable } from 'kysely'

export interface SourceTables {
  catalog_source: SourceTable
  catalog_source_run: RunTable
  catalog_source_line: LineTable
  catalog_source_package: PackageTable
}

interface SourceTable {
  id: string
  tenant_id: string
  name: string
  kind: SourceKind
  address: string
  sign_in: SourceSignIn
  username: string
  /** The password or the token, encrypted. */
  secret: string | null
  charts: string[]
  versions: number
  prereleases: boolean
  adds_to_uploads: boolean
  every_hours: number | null
  next_run_at: Date | null
  created_at: Generated<Date>
  created_by: string
  updated_at: Generated<Date>
}

interface RunTable {
  id: string
  tenant_id: string
  source_id: string
  state: SourceRun['state']
  asked_by: string | null
  created_at: Generated<Date>
  started_at: Date | null
  ended_at: Date | null
  lease_owner: string | null
  lease_until: Date | null
  /** Counts who has taken it; a write under an older number changes nothing. */
  fence: Generated<number>
  total: Generated<number>
  done: Generated<number>
  taken: Generated<number>
  known: Generated<number>
  refused: Generated<number>
  skipped: Generated<number>
  current: string | null
  message: Generated<string>
}

interface LineTable {
  tenant_id: string
  run_id: string
  chart: string
  /** Empty for a line about the chart as a whole. */
  version: string
  outcome: SourceRunLine['outcome']
  message: string
  item_id: string | null
  at: Generated<Date>
}

/** One version of a source that was taken, or refused, as it was when it was fetched. */
interface PackageTable {
  tenant_id: string
  source_id: string
  chart: string
  version: string
  /** The digest that the source stated, or that its package had; null for neither. */
  digest: string | null
  /** Null where it was refused, or when somebody has deleted it from the catalog since. */
  version_id: string | null
  refusal: string | null
  /** When it was first missing at the source. */
  gone_at: Date | null
}

export type SourceRow = Selectable<SourceTable>
export type RunRow = Selectable<RunTable>
export type LineRow = Selectable<LineTable>
export type PackageRow = Selectable<PackageTable>
