import type { KubeObject } from '../../object-store.ts'
import type { Engine } from '../engine/engine.ts'
import type { ControllerRevision } from '../engine/kinds.ts'
import { templateHash } from '../engine/names.ts'
import { controllerReference } from '../engine/owners.ts'
import type { Pod, PodTemplate } from '../engine/pod-kinds.ts'

/** The label by which a pod tells of which template it was made. */
export const REVISION_HASH = 'controller-revision-hash'

interface RevisionOwner extends KubeObject {
  spec: { template: PodTemplate; revisionHistoryLimit?: number }
}

/** Revisions of a stateful or daemon set, the oldest first. */
export function revisionsOf({ store }: Engine, owner: KubeObject): ControllerRevision[] {
  return store.owned(owner.metadata.uid, 'apps/controllerrevisions').sort((a, b) => a.revision - b.revision)
}

/** The revision of today's template; made, or moved to the newest place, when it is not the newest. */
export function currentRevision(engine: Engine, owner: RevisionOwner): ControllerRevision {
  const { store } = engine
  const known = revisionsOf(engine, owner)
  const hash = templateHash(owner.spec.template)
  const newest = known.at(-1)
  const found = known.find(({ metadata }) => metadata.labels?.[REVISION_HASH] === hash)
  const next = (newest?.revision ?? 0) + 1
  if (found && found === newest) return found
  if (found) {
    store.update('apps/controllerrevisions', found, (own) => ({ ...own, revision: next }))
    return { ...found, revision: next }
  }
  return store.create('apps/controllerrevisions', {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${owner.metadata.name}-${hash}`,
      namespace: owner.metadata.namespace,
      labels: { ...owner.spec.template.metadata?.labels, [REVISION_HASH]: hash },
      ownerReferences: [controllerReference(owner)],
    },
    data: { spec: { template: { ...owner.spec.template, $patch: 'replace' } } },
    revision: next,
  }) as ControllerRevision
}

/** Tells whether a pod's label names this revision: stateful sets write the name, daemon sets the hash. */
export function isOfRevision(pod: Pod, revision: ControllerRevision): boolean {
  const label = pod.metadata.labels?.[REVISION_HASH]
  return label === revision.metadata.name || label === revision.metadata.labels?.[REVISION_HASH]
}

/** Revisions that no pod is of, beyond the limit, go. */
export function pruneRevisions(engine: Engine, owner: RevisionOwner, pods: Pod[], live: ControllerRevision[]) {
  const spent = revisionsOf(engine, owner).filter(
    (revision) =>
      !live.some(({ metadata }) => metadata.name === revision.metadata.name) &&
      !pods.some((pod) => isOfRevision(pod, revision)),
  )
  const excess = spent.length - (owner.spec.revisionHistoryLimit ?? 10)
  for (const revision of spent.slice(0, Math.max(excess, 0))) engine.store.delete('apps/controllerrevisions', revision)
}
