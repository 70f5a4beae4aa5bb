import type { CatalogSource, SourceRun, SourceRunLine } from '@quayside/contract/catalog/sources'
import type { SourceWithRun } from './store.ts'
import type { LineRow, RunRow } from './tables.ts'

const isoOf = (at: Date | null) => at?.toISOString() ?? null

/** A source as the contract promises it: never with its secret. */
export function toSource({ source, run }: SourceWithRun): CatalogSource {
  return {
    ...{ id: source.id, name: source.name, kind: source.kind, address: source.address },
    ...{ signIn: source.sign_in, username: source.username, charts: source.charts, versions: source.versions },
    ...{ prereleases: source.prereleases, addsToUploads: source.adds_to_uploads, everyHours: source.every_hours },
    nextRunAt: isoOf(source.next_run_at),
    ...{ itemCount: source.items, versionCount: source.brought },
    lastRun: run ? toRun(run) : null,
    ...{ createdAt: source.created_at.toISOString(), createdBy: source.created_by },
    updatedAt: source.updated_at.toISOString(),
  }
}

export function toRun(run: RunRow): SourceRun {
  return {
    ...{ id: run.id, state: run.state, askedBy: run.asked_by, createdAt: run.created_at.toISOString() },
    ...{ startedAt: isoOf(run.started_at), endedAt: isoOf(run.ended_at), total: run.total, done: run.done },
    ...{ taken: run.taken, known: run.known, refused: run.refused, skipped: run.skipped },
    ...{ current: run.current, message: run.message },
  }
}

export function toLine({ chart, version, outcome, message, item_id }: LineRow): SourceRunLine {
  return { id: `${chart} ${version}`, chart, version, outcome, message, itemId: item_id }
}
