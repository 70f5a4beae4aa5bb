import type { CatalogSource, SourceRun } from '@quayside/contract/catalog/sources'

const at = '2026-01-01T00:00:00.000Z'

/** A run for tests. */
export const aRun = (more: Partial<SourceRun> = {}): SourceRun => ({
  ...{ id: 'run1', state: 'done', askedBy: 'mara', createdAt: at, startedAt: at, endedAt: at, total: 2, done: 2 },
  ...{ taken: 1, known: 1, refused: 0, skipped: 0, current: null, message: 'Added 1 version; 1 was already there.' },
  ...more,
})

/** A source for tests. */
export const aSource = (more: Partial<CatalogSource> = {}): CatalogSource => ({
  ...{ id: 'source1', name: 'Harbour charts', kind: 'helm', address: 'https://charts.harbour.example' },
  ...{
    signIn: 'password',
    username: 'mara',
    charts: ['tank-*'],
    versions: 5,
    prereleases: false,
    addsToUploads: false,
  },
  ...{ everyHours: 24, nextRunAt: null, itemCount: 3, versionCount: 7, lastRun: aRun() },
  ...{ createdAt: at, createdBy: 'mara', updatedAt: at },
  ...more,
})
