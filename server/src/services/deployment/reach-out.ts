import type { ManifestObject } from '../../adapters/helm/manifest.ts'
import { ManifestUnreadableError } from '../../adapters/helm/manifest.ts'
import { readManifestAside } from '../../adapters/helm/read-aside.ts'
import { Failure } from '../../kernel/errors.ts'
import { failpoint } from '../../kernel/failpoints.ts'
import { elevationMessage, lacksElevation } from './elevation.ts'
import { patiently } from './patience.ts'
import type { OutsideVerdict, Reached, ReleaseRevision } from './ports.ts'
import { messageType, type Run, StepFailed } from './run.ts'

/**
 * Right before Helm: who may not deploy where an app holds rights on the cluster is stopped here, and what the release
 * needs outside of its space is given, for this action alone.
 */
export async function reachOut(run: Run, revisions: readonly ReleaseRevision[]): Promise<Reached> {
  const { deps, action, input, journal } = run
  const place = placeOf(run)
  const asIs = await objectsOf(revisions[0])
  const { resourceScopes } = await deps.clusters.capabilities(place.tenantId, place.clusterId)
  const type = messageType(action.kind)
  let toBe = run.outside
  await patiently(run, type, async () => {
    // A revision to roll back to was stored where others can write, and an approval can end while Helm waits its turn.
    if (input.kind === 'Rollback') toBe = await judged(run, await objectsOf(revisionOf(revisions, input.revision)))
    else if (run.outside && run.outside.decisions.length > 0) toBe = await judged(run, run.outside.objects)
  })
  await mustBeAllowed(run, toBe)
  const reaching = { ...place, appId: action.app_id ?? '', spaceId: action.space_id ?? '', toBe, asIs, resourceScopes }
  const isFirst = input.kind === 'Deploy' || revisions.length === 0
  let reached: Reached = {}
  await patiently(run, type, async () => {
    reached = await deps.clusters.reachOut({ ...reaching, isStored: input.kind === 'Rollback', isFirst })
  })
  const names = (toBe?.decisions ?? []).map(({ need }) => `${need.kind} ${need.name}`)
  if (names.length > 0) journal.say(type, `Outside of the space: ${names.slice(0, 20).join(', ')}`)
  await failpoint('F26')
  return reached
}

/** After Helm, and whenever an action ends: a cluster that is away gets it taken back when it is there again. */
export async function endReach(run: Run): Promise<void> {
  try {
    await run.deps.clusters.endReach(placeOf(run))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    run.deps.log.warn({ err: error, actionId: run.action.id }, 'rights of an action are taken back later')
  }
}

function placeOf({ action }: Run) {
  return {
    actionId: action.id,
    tenantId: action.tenant_id,
    clusterId: action.cluster_id ?? '',
    namespace: action.namespace ?? '',
    releaseName: action.release_name ?? '',
  }
}

/** The objects of a release, hooks included. */
async function objectsOf(revision: ReleaseRevision | undefined): Promise<ManifestObject[]> {
  if (!revision) return []
  const manifests = [revision.manifest, ...revision.hooks.map(({ manifest }) => manifest)]
  const read = await Promise.all(
    manifests.map((manifest) =>
      readManifestAside(manifest).catch((error: unknown) => {
        // Helm reads it in its own way; what nobody can name is not reached for.
        if (error instanceof ManifestUnreadableError) return []
        throw error
      }),
    ),
  )
  return read.flat()
}

const revisionOf = (revisions: readonly ReleaseRevision[], wanted: number) =>
  revisions.find(({ revision }) => revision === wanted)

/** Judges what the release is about to be. @throws StepFailed where any of it is neither listed nor approved now */
async function judged({ deps, action }: Run, objects: readonly ManifestObject[]): Promise<OutsideVerdict> {
  const { tenant_id: tenantId, app_id, version_id } = action
  const app = await deps.apps.record(tenantId, app_id ?? '')
  if (!app) throw new StepFailed('The app was deleted in the meantime')
  const chosen = await deps.catalog.versionOf(tenantId, version_id ?? '')
  const { resourceScopes } = await deps.clusters.capabilities(tenantId, app.clusterId)
  const verdict = await deps.clusters.outsideOf(tenantId, {
    ...{ clusterId: app.clusterId, spaceId: app.spaceId, appId: app.id, namespace: app.namespace },
    releaseName: action.release_name ?? '',
    item: { id: app.catalogItemId, publisher: chosen?.item.manufacturer.name ?? '' },
    ...{ objects, resourceScopes },
  })
  const refused = verdict.decisions.find(({ need }) => need.verdict !== 'rule' && need.verdict !== 'approved')
  if (refused) throw new StepFailed(refused.need.message)
  return verdict
}

async function mustBeAllowed(run: Run, toBe: OutsideVerdict | undefined): Promise<void> {
  const { deps, action, input } = run
  if (!['Deploy', 'Upgrade', 'Rollback'].includes(input.kind)) return
  const who = { tenantId: action.tenant_id, userId: action.started_by_id, spaceId: action.space_id ?? '' }
  const clusterId = action.cluster_id ?? ''
  if (await lacksElevation(deps, { who, clusterId, toBe, fingerprint: run.fingerprint }))
    throw new StepFailed(elevationMessage(action.started_by, action.space_name ?? 'this space'))
}
