import type { App } from '@quayside/contract/apps/endpoints'
import type { Revision } from '@quayside/contract/deployments/endpoints'
import type { ReleaseDiff, Sides } from '@quayside/contract/deployments/upgrade'
import { ManifestUnreadableError } from '../../../adapters/helm/manifest.ts'
import { unfinishedStatuses } from '../../../adapters/helm/release.ts'
import { fail } from '../../../platform/http/errors.ts'
import { findApp } from '../commands/lookup.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { ReleaseRevision } from '../ports.ts'
import { findActions, findRollbacks } from '../store.ts'
import type { SecretText } from '../values/values-jobs.ts'
import { inWorker } from '../values/values-pool.ts'
import { presented } from './manifest-diff.ts'
import { readRelease } from './reading/release-pool.ts'
import { releaseOfApp } from './release-ref.ts'
import { makerOf } from './release-state.ts'
import { textOfRevision } from './release-text.ts'
import type { ReleaseView } from './release-view.ts'

export async function revisionsOf(deps: DeploymentDeps, tenantId: string, appId: string): Promise<Revision[]> {
  const app = await findApp(deps, tenantId, appId)
  const all = await releaseOf(deps, tenantId, app)
  const [makers, rollbacks] = await Promise.all([
    findActions(
      deps.db,
      tenantId,
      all.flatMap((each) => makerOf(each, all) ?? []),
    ),
    findRollbacks(deps.db, tenantId, appId),
  ])
  // Labels are what others may write: an action of another app has made none of these.
  const own = makers.filter(({ app_id }) => app_id === appId)
  const who = new Map(own.map(({ id, started_by }) => [id, started_by]))
  const whoRolledBack = new Map(rollbacks.map(({ revision, started_by }) => [revision, started_by]))
  const [lock, counts] = [await lockOf(deps, tenantId, app, all), all.find(({ status }) => status === 'deployed')]
  const said = await Promise.all(all.map((each) => descriptionOf(deps, tenantId, app, each)))
  return all.map((each, index) => {
    const isRollback = each.description.startsWith('Rollback to ')
    const startedBy = isRollback ? whoRolledBack.get(each.revision) : who.get(makerOf(each, all) ?? '')
    const held = lock?.revision === each.revision ? lock.told : null
    const description = said[index] ?? ''
    return { ...toRevision(each, startedBy), description, installed: each === counts, lock: held }
  })
}

/** Why a revision failed is said in words of the cluster, which may name what it was given. */
async function descriptionOf(deps: DeploymentDeps, tenantId: string, app: App, found: ReleaseRevision) {
  if (found.status !== 'failed') return found.description
  return (await textOfRevision(deps, tenantId, found, app)).redactUntrusted(found.description)
}

/** An action of this portal that works on the app needs no explanation. */
async function lockOf(deps: DeploymentDeps, tenantId: string, app: App, all: readonly ReleaseRevision[]) {
  if (!unfinishedStatuses.has(all[0]?.status ?? '') || app.state === 'deploying' || app.state === 'deleting')
    return undefined
  const lock = await deps.clusters.releaseLock(tenantId, app.id)
  if (!lock) return undefined
  const { revision, since, movedAt, isDead, says } = lock
  return { revision, told: { since, movedAt, isDead, says } }
}

/**
 * One revision with what it was deployed from; secret values are masked in both of its texts. Who may not see secrets is
 * shown no Secrets, no environment, and nothing that the chart keeps in Secrets either.
 */
export async function revisionOf(
  deps: DeploymentDeps,
  tenantId: string,
  appId: string,
  number: number,
  view: ReleaseView,
) {
  const app = await findApp(deps, tenantId, appId)
  const found = numbered(await releaseOf(deps, tenantId, app), number)
  const text = await textOfRevision(deps, tenantId, found, app)
  const { yaml, secrets, known } = text
  const hide = view.showsSecrets ? text.hide : text.redactUntrusted
  return {
    ...toRevision(found),
    description: text.redactUntrusted(found.description),
    valuesYaml: hide(await inWorker('mask', { yaml, secrets, known })),
    manifest: hide(await manifestShown(found.manifest, view)),
    notes: text.redactUntrusted(found.notes),
  }
}

/** The differences between two revisions. A changed secret is reported without its values. */
export async function compareRevisions(
  deps: DeploymentDeps,
  tenantId: string,
  appId: string,
  { from, to }: { from: number; to: number },
  view: ReleaseView,
): Promise<ReleaseDiff> {
  const app = await findApp(deps, tenantId, appId)
  const all = await releaseOf(deps, tenantId, app)
  const [was, is] = [numbered(all, from), numbered(all, to)]
  const [before, after] = await Promise.all([was, is].map((each) => textOfRevision(deps, tenantId, each, app)))
  if (!before || !after) throw fail('deployment.revision-not-found')
  const hide = view.showsSecrets
    ? (text: string) => before.hide(after.hide(text))
    : (text: string) => before.redactUntrusted(after.redactUntrusted(text))
  return {
    values: await hiddenSides(before, after, hide),
    ...(await comparedManifests(was.manifest, is.manifest, hide, view)),
  }
}

/** Two values documents without secrets; one that is another secret than before says so. */
export async function hiddenSides(
  before: SecretText,
  after: SecretText,
  hide: (text: string) => string,
): Promise<Sides> {
  const sent = ({ yaml, secrets, known }: SecretText): SecretText => ({ yaml, secrets, known })
  const sides = await inWorker('sides', { before: sent(before), after: sent(after) })
  return { before: hide(sides.before), after: hide(sides.after) }
}

/** The differences between two manifests, or why they cannot be compared: too large, or nested too deeply. */
export async function comparedManifests(
  before: string,
  after: string,
  hide: (text: string) => string,
  view: ReleaseView = { showsSecrets: true },
) {
  try {
    const found = await readRelease('compared', { before, after, view }, before.length + after.length)
    const { objects, unchanged } = presented(found, { before: hide, after: hide })
    const shown = view.showsSecrets ? objects : objects.filter(({ kind }) => kind !== 'Secret')
    return { objects: shown, unchanged, problem: null }
  } catch (error) {
    if (!(error instanceof ManifestUnreadableError)) throw error
    return { objects: [], unchanged: 0, problem: hide(error.message) }
  }
}

/** A manifest that nobody can read in time is shown to nobody: there may be a Secret in it. */
async function manifestShown(manifest: string, view: ReleaseView): Promise<string> {
  try {
    return await readRelease('shown', { manifest, view }, manifest.length)
  } catch (error) {
    if (!(error instanceof ManifestUnreadableError)) throw error
    return `# It is not shown. ${error.message}\n`
  }
}

export async function releaseOf(deps: DeploymentDeps, tenantId: string, app: App): Promise<ReleaseRevision[]> {
  if (!app.releaseName) return []
  return deps.clusters.readRelease(releaseOfApp(tenantId, app, app.releaseName))
}

function numbered(all: readonly ReleaseRevision[], number: number): ReleaseRevision {
  const found = all.find((each) => each.revision === number)
  if (!found) throw fail('deployment.revision-not-found')
  return found
}

function toRevision(found: ReleaseRevision, startedBy: string | null = null): Revision {
  return {
    revision: found.revision,
    version: found.chart.version,
    status: found.status,
    updatedAt: new Date(found.updatedAt).toISOString(),
    description: found.description,
    installed: found.status === 'deployed',
    startedBy,
    lock: null,
  }
}
