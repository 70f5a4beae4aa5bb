import type { Engine } from '../engine/engine.ts'
import { controllerReference } from '../engine/owners.ts'
import type { Pod } from '../engine/pod-kinds.ts'
import { type Controller, keyOf, parseKey } from '../engine/reconcile-loop.ts'

/** Makes the claims of generic ephemeral volumes; they belong to their pod and go with it. */
export function ephemeralVolumeController({ store }: Engine): Controller {
  return {
    name: 'ephemeral-volume',
    watches: {
      '/pods': ({ type, object }) => {
        const pod = object as Pod
        return type !== 'DELETED' && pod.spec.volumes?.some(({ ephemeral }) => ephemeral) ? [keyOf(pod)] : undefined
      },
    },
    reconcile(key): undefined {
      const { namespace, name } = parseKey(key)
      const pod = store.get('/pods', namespace, name)
      if (!pod || pod.metadata.deletionTimestamp) return
      for (const volume of pod.spec.volumes ?? []) {
        const claim = `${name}-${volume.name}`
        if (!volume.ephemeral || store.get('/persistentvolumeclaims', namespace, claim)) continue
        const { metadata, spec } = volume.ephemeral.volumeClaimTemplate
        store.create('/persistentvolumeclaims', {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { ...metadata, name: claim, namespace, ownerReferences: [controllerReference(pod)] },
          spec,
          status: { phase: 'Pending' },
        })
      }
    },
  }
}
