import { sourceLimits } from '@quayside/contract/catalog/source-rules'
import type { CatalogSource, SourceInput, SourceRun, SourceRunLine } from '@quayside/contract/catalog/sources'
import { createHttpFetcher } from '../../../adapters/outgoing/outgoing.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/db.ts'
import { shortId } from '../../../platform/db/ids.ts'
import type { Encryption } from '../../../platform/encryption/encryption.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Live } from '../../../platform/live/live.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { TakeIn } from '../take-in.ts'
import { createPackageStore } from './package-store.ts'
import { toLine, toRun, toSource } from './present.ts'
import { createPreview } from './preview.ts'
import { createRunStore, type RunStore } from './runs/run-store.ts'
import { createRunner } from './runs/runner.ts'
import { createSignIns } from './sign-in.ts'
import { type Brought, createSourceStore } from './store.ts'
import type { SourceRow } from './tables.ts'

export interface SourceDeps {
  db: Db
  log: Logger
  config: Pick<Config, 'allowedAddresses' | 'allowPrivateAddresses' | 'leaseSeconds'>
  encryption: Encryption
  jobs: Jobs
  changed: Live['changed']
  takeIn: TakeIn
  /** Removes the versions of those items from which nothing is deployed; returns how many items have none left and are gone. */
  removeUnused(tenantId: string, brought: Brought): Promise<number>
}

/** Repositories and registries from which charts come into the catalog. */
export function createSources(deps: SourceDeps) {
  const { db, jobs, log, config, changed } = deps
  const store = createSourceStore(db)
  const runs = createRunStore(db, jobs)
  const packages = createPackageStore(db)
  const signIns = createSignIns(deps.encryption)
  const get = createHttpFetcher(config)
  const runner = createRunner({
    ...{ db, log, jobs, get, store, runs, packages, signIns, changed },
    ...{ leaseSeconds: config.leaseSeconds, takeIn: deps.takeIn },
  })

  async function found(tenantId: string, id: string) {
    const one = await store.one(tenantId, id)
    if (!one) throw fail('catalog.source-not-found')
    return one
  }

  async function begin(tenantId: string, sourceId: string, askedBy: string): Promise<SourceRun> {
    const run = await runs.begin({ tenantId, sourceId }, askedBy)
    changed(tenantId, 'catalog-sources', sourceId)
    return toRun(run)
  }

  const answer = async (tenantId: string, id: string) => toSource(await found(tenantId, id))

  return {
    start: runner.start,
    stop: runner.stop,

    list: async (tenantId: string): Promise<{ data: CatalogSource[] }> => ({
      data: (await store.all(tenantId)).map(toSource),
    }),
    get: answer,

    test: createPreview({ get, signIns, sourceOf: async (tenantId, id) => (await found(tenantId, id)).source }),

    async add({ tenantId, username }: Actor, input: SourceInput): Promise<CatalogSource> {
      const id = shortId()
      const signIn = signIns.wanted(input, undefined)
      const row = { id, created_by: username, ...settingsOf(input), secret: signIns.encrypt(tenantId, id, signIn) }
      await store.add(tenantId, { ...row, username: signIn.username }, sourceLimits.sources)
      await begin(tenantId, id, username)
      return answer(tenantId, id)
    },

    async change({ tenantId, username }: Actor, id: string, input: SourceInput): Promise<CatalogSource> {
      const { source } = await found(tenantId, id)
      const signIn = signIns.wanted(input, source)
      const secret = signIns.encrypt(tenantId, id, signIn)
      await store.change(tenantId, id, { ...settingsOf(input), username: signIn.username, secret })
      if (changesSelection(source, input)) await begin(tenantId, id, username)
      changed(tenantId, 'catalog-sources', id)
      changed(tenantId, 'catalog')
      return answer(tenantId, id)
    },

    async remove(tenantId: string, id: string, items: 'keep' | 'delete') {
      await found(tenantId, id)
      const brought = await store.remove(tenantId, id)
      const deletedItems = items === 'delete' ? await deps.removeUnused(tenantId, brought) : 0
      changed(tenantId, 'catalog-sources', id)
      changed(tenantId, 'catalog')
      return { deletedItems, keptItems: brought.items.length - deletedItems }
    },

    async synchronise({ tenantId, username }: Actor, id: string): Promise<SourceRun> {
      await found(tenantId, id)
      return begin(tenantId, id, username)
    },

    ...createReports(runs, found),
  }
}
export type Sources = ReturnType<typeof createSources>

/** Runs of a source with what each did. */
function createReports(runs: RunStore, found: (tenantId: string, id: string) => Promise<unknown>) {
  return {
    async runs(tenantId: string, id: string): Promise<{ data: SourceRun[] }> {
      await found(tenantId, id)
      return { data: (await runs.list(tenantId, id)).map(toRun) }
    },

    async run(tenantId: string, id: string, runId: string): Promise<SourceRun & { lines: SourceRunLine[] }> {
      await found(tenantId, id)
      const one = await runs.one(tenantId, id, runId)
      if (!one) throw fail('catalog.run-not-found')
      return { ...toRun(one.run), lines: one.lines.map(toLine) }
    },
  }
}

function settingsOf(input: SourceInput) {
  const { name, kind, address, signIn, charts, versions, prereleases, addsToUploads, everyHours } = input
  return {
    ...{
      name,
      kind,
      address,
      sign_in: signIn,
      charts,
      versions,
      prereleases,
      adds_to_uploads: addsToUploads,
      every_hours: everyHours,
    },
    next_run_at: everyHours === null ? null : new Date(Date.now() + everyHours * 3600_000),
  }
}

/** Tells whether other versions may come than came before. */
function changesSelection(before: SourceRow, input: SourceInput): boolean {
  const { kind, address, charts, versions, prereleases, addsToUploads, signIn } = input
  const asked = [kind, address, charts, versions, prereleases, addsToUploads, signIn]
  const kept = [before.kind, before.address, before.charts, before.versions, before.prereleases]
  return (
    JSON.stringify([...kept, before.adds_to_uploads, before.sign_in]) !== JSON.stringify(asked) ||
    input.secret !== undefined
  )
}
