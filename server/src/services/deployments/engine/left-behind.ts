import type { LeftBehind } from '@quayside/contract/deployments/left-behind'
import { ManifestUnreadableError } from '../../../adapters/helm/manifest.ts'
import { readManifestInWorker } from '../../../adapters/helm/parse-manifest.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { ObjectName, ReleaseRevision } from '../ports.ts'
import { nameOf, objectsToGo } from '../releases/release-objects.ts'
import { releaseOfAction } from '../releases/release-ref.ts'
import type { ActionContext } from './action-context.ts'

const mostNamed = 20
const mostSaid = 5

const unknown: LeftBehind = { release: 'unknown', revision: null, rollbackTo: null, objects: [], objectCount: 0 }

/** Looks at what an action whose Helm was ended has left of its release; a cluster that is away is not waited for. */
export async function leftBehindBy({ deps, action, ledger }: ActionContext): Promise<LeftBehind> {
  const release = releaseOfAction(action)
  try {
    const revisions = await deps.clusters.readRelease(release)
    const objects = revisions[0] ? await objectsOf(revisions[0]) : (ledger.now().release_objects ?? [])
    const there = objects.length === 0 ? [] : await deps.clusters.remaining(release, objects)
    return leftOf(revisions, there)
  } catch (error) {
    if (!(error instanceof Failure && error.code.startsWith('cluster.'))) throw error
    return unknown
  }
}

async function objectsOf({ manifest }: ReleaseRevision): Promise<ObjectName[]> {
  try {
    return objectsToGo(await readManifestInWorker(manifest))
  } catch (error) {
    if (error instanceof ManifestUnreadableError) return []
    throw error
  }
}

/** Sums up the revisions of a release, newest first, and those of its objects that are there. */
function leftOf(
  revisions: readonly Pick<ReleaseRevision, 'revision' | 'status'>[],
  there: readonly Pick<ObjectName, 'kind' | 'name'>[],
): LeftBehind {
  const [newest, ...earlier] = revisions
  const good = earlier.find(({ status }) => status === 'deployed' || status === 'superseded')
  return {
    release: !newest ? 'none' : newest.status === 'deployed' ? 'deployed' : 'failed',
    revision: newest?.revision ?? null,
    rollbackTo: newest && newest.status !== 'deployed' ? (good?.revision ?? null) : null,
    objects: there.slice(0, mostNamed).map(nameOf),
    objectCount: there.length,
  }
}

/** The same in words. */
export function sayLeft({ release, revision, rollbackTo, objects, objectCount }: LeftBehind): string {
  if (release === 'unknown')
    return 'What is left of it is unknown, because the cluster does not answer. The portal looks again when it does'
  if (release === 'deployed') return `Nothing has changed: revision ${revision} is still deployed`
  const named = objects.slice(0, mostSaid).join(', ')
  const more = objectCount > mostSaid ? ` and ${objectCount - mostSaid} more` : ''
  const are = objectCount === 1 ? '1 of its objects is' : `${objectCount} of its objects are`
  const there = objectCount === 0 ? 'none of its objects is on the cluster' : `${are} on the cluster: ${named}${more}`
  if (release === 'none')
    return objectCount === 0 ? 'Nothing of it is on the cluster' : `The release is gone, but ${there}`
  const before = rollbackTo === null ? '' : `. Revision ${rollbackTo} can be rolled back to`
  return `Revision ${revision} of the release has failed, and ${there}${before}`
}
