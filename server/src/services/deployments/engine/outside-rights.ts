import { rightInWords } from '@quayside/contract/clusters/asked-right'
import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import { ManifestUnreadableError } from '../../../adapters/helm/manifest.ts'
import { readManifestInWorker } from '../../../adapters/helm/parse-manifest.ts'
import { failpoint } from '../../../platform/config/failpoints.ts'
import { Failure } from '../../../platform/http/errors.ts'
import { elevationBy, elevationMessage } from '../commands/elevation.ts'
import type { GivenRights, OutsideVerdict, ReleaseRevision } from '../ports.ts'
import { releaseOfAction } from '../releases/release-ref.ts'
import { type ActionContext, messageType, StepFailed } from './action-context.ts'
import { withRetry } from './retry-policy.ts'
import type { Rendered } from './steps/findings.ts'

/**
 * Right before Helm: who may not deploy where an app holds rights on the cluster is stopped here, and what the release
 * needs outside of its space is given, for this action alone.
 */
export async function giveOutsideRights(
  context: ActionContext,
  rendered: Rendered | undefined,
  revisions: readonly ReleaseRevision[],
): Promise<GivenRights> {
  const { deps, action, input, journal } = context
  const place = { ...releaseOfAction(context.action), actionId: context.action.id }
  const asIs = await objectsOf(revisions[0])
  const { resourceScopes } = await deps.clusters.capabilities(place.tenantId, place.clusterId)
  const type = messageType(action.kind)
  let toBe = rendered?.outside
  await withRetry(context, type, async () => {
    // An approval can end while Helm waits its turn.
    if (input.kind === 'Rollback') toBe = await judgedRevision(context, input.revision, revisions)
    else if (rendered?.outside) toBe = await judged(context, rendered.outside.objects)
  })
  const approvedAs = await mustBeAllowed(context, toBe, rendered?.fingerprint)
  const withoutHooks = input.kind === 'Delete' ? await whyWithoutHooks(context) : undefined
  const reaching = {
    ...place,
    ...{ appId: action.app_id ?? '', spaceId: action.space_id ?? '' },
    ...{ toBe, asIs, resourceScopes, approvedAs },
  }
  const isFirst = input.kind === 'Deploy' || revisions.length === 0
  let given: GivenRights = {}
  await withRetry(context, type, async () => {
    given = await deps.clusters.giveOutsideRights({ ...reaching, isStored: input.kind === 'Rollback', isFirst })
  })
  if (withoutHooks !== undefined) given = { withoutHooks, ...given }
  const names = (toBe?.decisions ?? []).map(({ need }) => `${need.kind} ${need.name}`)
  if (names.length > 0) journal.say(type, `Outside of the space: ${names.slice(0, 20).join(', ')}`)
  await failpoint('F26')
  return given
}

/** After Helm, and whenever an action ends: a cluster that is away gets it taken back when it is there again. */
export async function endOutsideRights(context: ActionContext): Promise<void> {
  try {
    await context.deps.clusters.endOutsideRights({ ...releaseOfAction(context.action), actionId: context.action.id })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.deps.log.warn({ err: error, actionId: context.action.id }, 'rights of an action are taken back later')
  }
}

/** The objects of a release, hooks included. */
async function objectsOf(revision: ReleaseRevision | undefined): Promise<ManifestObject[]> {
  if (!revision) return []
  const manifests = [revision.manifest, ...revision.hooks.map(({ manifest }) => manifest)]
  const read = await Promise.all(
    manifests.map((manifest) =>
      readManifestInWorker(manifest).catch((error: unknown) => {
        // Helm reads it in its own way; an object without a readable name gets no rights.
        if (error instanceof ManifestUnreadableError) return []
        throw error
      }),
    ),
  )
  return read.flat()
}

/**
 * Judges the revision to roll back to. It is stored where people of the space can write: one that has anything outside of
 * the space is judged once nobody can change it any more before Helm reads it. One that has nothing there gets no rights
 * by which Helm could make anything there.
 */
async function judgedRevision(
  context: ActionContext,
  wanted: number,
  revisions: readonly ReleaseRevision[],
): Promise<OutsideVerdict> {
  const { deps, action } = context
  const first = await judged(context, await objectsOf(revisions.find(({ revision }) => revision === wanted)))
  if (first.decisions.length === 0) return first
  const place = { ...releaseOfAction(action), actionId: action.id, spaceId: action.space_id ?? '' }
  return judged(context, await objectsOf(await deps.clusters.lockRevision({ ...place, revision: wanted })))
}

/** Judges what the release is about to be. @throws StepFailed where any of it is neither listed nor approved now */
async function judged(
  { deps, action, input }: ActionContext,
  objects: readonly ManifestObject[],
): Promise<OutsideVerdict> {
  const { tenant_id: tenantId, app_id, version_id } = action
  const app = await deps.apps.record(tenantId, app_id ?? '')
  if (!app) throw new StepFailed('The app was deleted in the meantime')
  const chosen = await deps.catalog.versionOf(tenantId, version_id ?? '')
  const { resourceScopes } = await deps.clusters.capabilities(tenantId, app.clusterId)
  const verdict = await deps.clusters.outsideOf(tenantId, {
    ...{ clusterId: app.clusterId, spaceId: app.spaceId, appId: app.id, namespace: app.namespace },
    releaseName: action.release_name ?? '',
    item: { id: app.catalogItemId, publisherId: chosen?.publisherId ?? null, sourceId: chosen?.sourceId ?? null },
    ...{ objects, resourceScopes, isStored: input.kind === 'Rollback' },
  })
  const refused = verdict.decisions.find(({ need }) => need.verdict !== 'rule' && need.verdict !== 'approved')
  if (refused) throw new StepFailed(refused.need.message)
  return verdict
}

/** @returns the fingerprint where an approval of just this lets the starter deploy it, and nothing else does */
async function mustBeAllowed(
  context: ActionContext,
  toBe: OutsideVerdict | undefined,
  fingerprint: string | undefined,
): Promise<string | undefined> {
  const { action, input } = context
  if (!['Deploy', 'Upgrade', 'Rollback'].includes(input.kind)) return undefined
  const ground = await groundOf(context, toBe, fingerprint)
  if (ground.by === 'none')
    throw new StepFailed(elevationMessage(action.started_by, action.space_name ?? 'this space', ground.missing))
  return ground.by === 'approval' ? fingerprint : undefined
}

/**
 * A hook runs pods, and what is stored of it is what people of the space can write: where pods have rights outside of the
 * space, a deletion by somebody who may not deploy there starts none.
 */
async function whyWithoutHooks(context: ActionContext): Promise<string | undefined> {
  const ground = await groundOf(context, undefined, undefined)
  if (ground.by !== 'none') return undefined
  const { started_by, space_name } = context.action
  return `whoever runs a pod in ${space_name ?? 'this space'} has rights on the whole cluster, and ${started_by} lacks ${rightInWords(ground.missing)}`
}

function groundOf(
  { deps, action }: ActionContext,
  toBe: OutsideVerdict | undefined,
  fingerprint: string | undefined,
): ReturnType<typeof elevationBy> {
  const who = { tenantId: action.tenant_id, userId: action.started_by_id, spaceId: action.space_id ?? '' }
  return elevationBy(deps, { who, clusterId: action.cluster_id ?? '', toBe, fingerprint })
}
