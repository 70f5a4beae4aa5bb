import type { App } from '@quayside/contract/apps/endpoints'
import type { PreparedVersion } from '@quayside/contract/deployments/endpoints'
import type { DocumentMerge } from '@quayside/values/merge/three-way'
import { maskValue } from '@quayside/values/secrets/masking'
import { secretMark } from '@quayside/values/secrets/secret-mark'
import { stringify } from 'yaml'
import { installedRevision } from '../commands/base-revision.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { ReleaseRevision, VersionOf } from '../ports.ts'
import { releaseOfApp } from '../releases/release-ref.ts'
import { textOfRevision } from '../releases/release-text.ts'
import { inWorker } from './values-pool.ts'

/** The values that an upgrade starts from, with every secret in them. */
interface StartingValues {
  yaml: string
  /** The deployed values as they were written; null when the app is not deployed. */
  deployed: string | null
  /** The installed revision. */
  revision: number | null
  merge: DocumentMerge | null
  secrets: string[][]
  /** Values of charts, with the comments that everybody reads in the catalog. */
  known: string[]
}

/**
 * For the deployed version the values are those it was given; for another one they are those carried over to its
 * defaults; without a deployment they are the version's own.
 */
export async function startingValues(
  deps: DeploymentDeps,
  tenantId: string,
  chosen: VersionOf,
  app: App | undefined,
): Promise<StartingValues> {
  const all = app?.releaseName ? await deps.clusters.readRelease(releaseOfApp(tenantId, app, app.releaseName)) : []
  const [newest] = all
  const revision = installedRevision(all)
  if (!app || !newest) return { yaml: chosen.valuesYaml, deployed: null, revision, merge: null, secrets: [], known: [] }
  const { yaml: deployed, secrets: own, known: shown } = await textOfRevision(deps, tenantId, newest, app)
  const { valuesYaml, valuesSchema } = chosen
  const secrets = [...own, ...(await inWorker('secrets', { version: { valuesYaml, valuesSchema } }))]
  const known = [...shown, chosen.valuesYaml]
  if (chosen.version.id === app.catalogVersionId)
    return { yaml: deployed, deployed, revision, merge: null, secrets, known }
  const before = await defaultsOf(deps, tenantId, app, newest)
  const merge = await inWorker('merge', { before, yours: deployed, theirs: chosen.valuesYaml })
  return { yaml: merge.yaml, deployed, revision, merge, secrets, known }
}

/** The defaults that the deployed values were written against; a release remembers them when the catalog does not. */
async function defaultsOf(deps: DeploymentDeps, tenantId: string, app: App, newest: ReleaseRevision): Promise<string> {
  const installed = await deps.catalog.versionOf(tenantId, app.catalogVersionId)
  return installed?.valuesYaml ?? stringify(newest.defaults ?? {}, { lineWidth: 0, aliasDuplicateObjects: false })
}

/**
 * The same without secrets that somebody set. What a chart says itself is sent: the form starts from it. It is shown to
 * nobody all the same, and `secrets` says where.
 */
export async function withoutSecrets(chosen: VersionOf, start: StartingValues): Promise<PreparedVersion['values']> {
  const { deployed, revision, merge, secrets, known } = start
  const yaml =
    deployed === null ? start.yaml : await inWorker('maskOwn', { yaml: start.yaml, secrets, known, deployed })
  return {
    yaml,
    fieldConfig: await inWorker('fields', { yaml, schema: chosen.valuesSchema }),
    schema: chosen.valuesSchema,
    defaults: chosen.valuesYaml,
    deployed: deployed === null ? null : await inWorker('mask', { yaml: deployed, secrets, known }),
    revision,
    merge: merge && {
      conflicts: merge.conflicts.map((conflict) => ({
        ...conflict,
        path: [...conflict.path],
        yours: maskValue(conflict.yours, secrets, conflict.path),
        // Where all of a list is secret, what its entries are called is too.
        places: hidesNames(conflict.path, secrets) ? undefined : conflict.places,
      })),
      kept: merge.kept.map((path) => [...path]),
      taken: merge.taken.map((path) => [...path]),
      added: merge.added.map((path) => [...path]),
      removed: merge.removed.map((path) => [...path]),
      secrets,
    },
  }
}

function hidesNames(path: readonly string[], secrets: readonly (readonly string[])[]): boolean {
  return maskValue('any name', secrets, [...path, 0, 'name']) === secretMark
}
