import type { Engine } from '../engine/engine.ts'
import { timestamp } from '../engine/engine.ts'
import type { PersistentVolume } from '../engine/kinds.ts'
import { type Controller, itself, parseKey } from '../engine/reconcile-loop.ts'

const PROTECTION = 'kubernetes.io/pv-protection'

/** Frees or deletes volumes whose claim is gone, by their reclaim policy. */
export function volumeController(engine: Engine): Controller {
  const { store, clock } = engine

  function phase(volume: PersistentVolume, next: string): undefined {
    if (volume.status?.phase === next) return
    const lastPhaseTransitionTime = timestamp(clock.now())
    store.setStatus('/persistentvolumes', volume, { ...volume.status, phase: next, lastPhaseTransitionTime })
  }

  function isClaimed({ spec }: PersistentVolume): boolean {
    const { claimRef } = spec
    const claim = claimRef && store.get('/persistentvolumeclaims', claimRef.namespace, claimRef.name)
    return claim !== undefined && (!claimRef?.uid || claimRef.uid === claim.metadata.uid)
  }

  return {
    name: 'PersistentVolume',
    watches: {
      '/persistentvolumes': itself,
      '/persistentvolumeclaims': ({ type, object }) => {
        const { volumeName } = object.spec as { volumeName?: string }
        return type === 'DELETED' && volumeName ? [`/${volumeName}`] : undefined
      },
    },
    reconcile(key): undefined {
      const volume = store.get('/persistentvolumes', undefined, parseKey(key).name)
      if (!volume) return
      const claimed = isClaimed(volume)
      if (volume.metadata.deletionTimestamp) {
        if (claimed || !volume.metadata.finalizers?.includes(PROTECTION)) return
        store.update('/persistentvolumes', volume, (own) => ({
          ...own,
          metadata: { ...own.metadata, finalizers: own.metadata.finalizers?.filter((one) => one !== PROTECTION) },
        }))
        return
      }
      // A reference without uid is a reservation made by hand; it waits for its claim.
      if (!volume.spec.claimRef?.uid) return phase(volume, 'Available')
      if (claimed) return
      phase(volume, 'Released')
      if (volume.spec.persistentVolumeReclaimPolicy === 'Delete') store.delete('/persistentvolumes', volume)
    },
  }
}
