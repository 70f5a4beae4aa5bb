import { quantityNumber } from '../../machinery/quantity.ts'
import { type Engine, timestamp } from '../engine/engine.ts'
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../engine/kinds.ts'
import { drawn } from '../engine/names.ts'
import { type Controller, itself, keyOf, parseKey } from '../engine/reconcile-loop.ts'
import { selects } from '../engine/selectors.ts'
import { SELECTED_NODE } from '../scheduling/volume-claims.ts'

const SOURCE = { component: 'persistentvolume-controller' }
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class'
const NO_PROVISIONER = 'kubernetes.io/no-provisioner'
const PROTECTION = 'kubernetes.io/pvc-protection'

/** Binds claims to volumes, and makes the volumes that storage classes promise. */
export function claimController(engine: Engine): Controller {
  const { store } = engine
  const pending = () => store.list('/persistentvolumeclaims').filter((claim) => claim.status?.phase !== 'Bound')
  /** When a claim's volume will have been made. */
  const readyAt = new Map<string, number>()
  return {
    name: 'PersistentVolumeClaim',
    watches: {
      '/persistentvolumeclaims': (event) => {
        if (event.type === 'DELETED') readyAt.delete(event.object.metadata.uid)
        return itself(event, '/persistentvolumeclaims')
      },
      '/persistentvolumes': () => pending().map(keyOf),
      'storage.k8s.io/storageclasses': () => pending().map(keyOf),
      '/pods': ({ type, object }) =>
        type === 'DELETED'
          ? store
              .list('/persistentvolumeclaims', object.metadata.namespace)
              .filter(({ metadata }) => metadata.deletionTimestamp)
              .map(keyOf)
          : undefined,
    },
    reconcile(key) {
      const { namespace, name } = parseKey(key)
      const claim = store.get('/persistentvolumeclaims', namespace, name)
      if (!claim) return undefined
      if (claim.metadata.deletionTimestamp) return unprotect(engine, claim)
      if (!claim.status?.phase) return begin(engine, claim)
      if (claim.status.phase === 'Bound') return checkBound(engine, claim)
      return settle(engine, claim, readyAt)
    },
  }
}

function begin(engine: Engine, claim: PersistentVolumeClaim): undefined {
  const { finalizers = [] } = claim.metadata
  if (!finalizers.includes(PROTECTION)) {
    engine.store.update('/persistentvolumeclaims', claim, (own) => ({
      ...own,
      metadata: { ...own.metadata, finalizers: [...finalizers, PROTECTION] },
    }))
  }
  engine.store.setStatus('/persistentvolumeclaims', claim, { ...claim.status, phase: 'Pending' })
}

/** A claim in use by a pod stays until the pod is gone. */
function unprotect({ store }: Engine, claim: PersistentVolumeClaim): undefined {
  if (!claim.metadata.finalizers?.includes(PROTECTION)) return
  const { namespace, name } = claim.metadata
  const inUse = store
    .list('/pods', namespace)
    .some(
      ({ spec, status }) =>
        spec.nodeName &&
        status?.phase !== 'Succeeded' &&
        status?.phase !== 'Failed' &&
        spec.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === name),
    )
  if (inUse) return
  store.update('/persistentvolumeclaims', claim, (own) => ({
    ...own,
    metadata: { ...own.metadata, finalizers: own.metadata.finalizers?.filter((finalizer) => finalizer !== PROTECTION) },
  }))
}

function checkBound({ store }: Engine, claim: PersistentVolumeClaim): undefined {
  const volume = store.get('/persistentvolumes', undefined, claim.spec.volumeName ?? '')
  if (!volume) store.setStatus('/persistentvolumeclaims', claim, { ...claim.status, phase: 'Lost' })
  else resize(store, claim, volume)
}

/** A claim that asks for more than its volume has, gets it. */
function resize(store: Engine['store'], claim: PersistentVolumeClaim, volume: PersistentVolume): undefined {
  const wanted = claim.spec.resources?.requests?.storage
  if (!wanted || quantityNumber(wanted) <= quantityNumber(claim.status?.capacity?.storage)) return
  store.update('/persistentvolumes', volume, (own) => ({
    ...own,
    spec: { ...own.spec, capacity: { storage: wanted } },
  }))
  store.setStatus('/persistentvolumeclaims', claim, { ...claim.status, capacity: { storage: wanted } })
}

function settle(engine: Engine, claim: PersistentVolumeClaim, readyAt: Map<string, number>): number | undefined {
  const { store, events } = engine
  const existing = findVolume(engine, claim)
  if (existing) return bind(engine, claim, existing)
  if (claim.spec.volumeName || claim.spec.storageClassName === '') {
    if (!claim.spec.volumeName) {
      const message = 'no persistent volumes available for this claim and no storage class is set'
      once(engine, claim, 'Normal', 'FailedBinding', message)
    }
    return undefined
  }
  const storageClass = classOf(engine, claim)
  if (!storageClass) {
    const name = claim.spec.storageClassName
    if (name) {
      const message = `storageclass.storage.k8s.io "${name}" not found`
      once(engine, claim, 'Warning', 'ProvisioningFailed', message)
    } else {
      const message = 'no persistent volumes available for this claim and no storage class is set'
      once(engine, claim, 'Normal', 'FailedBinding', message)
    }
    return undefined
  }
  const waits = storageClass.volumeBindingMode === 'WaitForFirstConsumer'
  if (waits && !claim.metadata.annotations?.[SELECTED_NODE]) {
    once(engine, claim, 'Normal', 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding')
    return undefined
  }
  if (storageClass.provisioner === NO_PROVISIONER) return undefined
  const provisioner = { component: storageClass.provisioner }
  const now = engine.clock.now()
  const at = readyAt.get(claim.metadata.uid)
  if (at === undefined) {
    const { namespace, name } = claim.metadata
    const waiting = `Waiting for a volume to be created either by the external provisioner '${storageClass.provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`
    events.emit(claim, SOURCE, 'Normal', 'ExternalProvisioning', waiting)
    const message = `External provisioner is provisioning volume for claim "${namespace}/${name}"`
    events.emit(claim, provisioner, 'Normal', 'Provisioning', message)
    const ms = drawn(claim.metadata.uid, 200, 700)
    readyAt.set(claim.metadata.uid, now + ms)
    return ms
  }
  if (at > now) return at - now
  const volume = store.create('/persistentvolumes', volumeFor(claim, storageClass)) as PersistentVolume
  events.emit(
    claim,
    provisioner,
    'Normal',
    'ProvisioningSucceeded',
    `Successfully provisioned volume ${volume.metadata.name}`,
  )
  readyAt.delete(claim.metadata.uid)
  return bind(engine, claim, volume)
}

const told = new WeakMap<object, Set<string>>()

/** Says a thing about a claim once in the life of this process. */
function once(
  engine: Engine,
  claim: PersistentVolumeClaim,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
) {
  const known = told.get(engine) ?? new Set<string>()
  told.set(engine, known)
  const id = `${claim.metadata.uid} ${message}`
  if (known.has(id)) return
  known.add(id)
  engine.events.emit(claim, SOURCE, type, reason, message)
}

function classOf({ store }: Engine, { spec }: PersistentVolumeClaim): StorageClass | undefined {
  if (spec.storageClassName) return store.get('storage.k8s.io/storageclasses', undefined, spec.storageClassName)
  return store
    .list('storage.k8s.io/storageclasses')
    .find(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true')
}

function findVolume({ store }: Engine, claim: PersistentVolumeClaim): PersistentVolume | undefined {
  const { namespace, name, uid } = claim.metadata
  const reserved = ({ spec: { claimRef } }: PersistentVolume) =>
    claimRef?.namespace === namespace && claimRef?.name === name && (!claimRef.uid || claimRef.uid === uid)
  if (claim.spec.volumeName) {
    const named = store.get('/persistentvolumes', undefined, claim.spec.volumeName)
    return named && (!named.spec.claimRef || reserved(named)) ? named : undefined
  }
  const fits = (volume: PersistentVolume) => {
    const { spec, metadata, status } = volume
    if (metadata.deletionTimestamp || (spec.claimRef && !reserved(volume))) return false
    if (status?.phase !== 'Available' && !reserved(volume)) return false
    return (
      (spec.storageClassName ?? '') === (claim.spec.storageClassName ?? '') &&
      quantityNumber(spec.capacity?.storage) >= quantityNumber(claim.spec.resources?.requests?.storage) &&
      (claim.spec.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode)) &&
      (!claim.spec.selector || selects(claim.spec.selector, metadata.labels))
    )
  }
  const size = ({ spec }: PersistentVolume) => quantityNumber(spec.capacity?.storage)
  return store
    .list('/persistentvolumes')
    .filter(fits)
    .sort((a, b) => size(a) - size(b))[0]
}

function volumeFor(claim: PersistentVolumeClaim, storageClass: StorageClass) {
  const { namespace, name, uid, resourceVersion } = claim.metadata
  const volume = `pvc-${uid}`
  const node = claim.metadata.annotations?.[SELECTED_NODE]
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: volume,
      annotations: { 'pv.kubernetes.io/provisioned-by': storageClass.provisioner },
      finalizers: ['kubernetes.io/pv-protection'],
    },
    spec: {
      accessModes: claim.spec.accessModes,
      capacity: { storage: claim.spec.resources?.requests?.storage ?? '1Gi' },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid, resourceVersion },
      csi: { driver: storageClass.provisioner, volumeHandle: volume },
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      storageClassName: storageClass.metadata.name,
      volumeMode: claim.spec.volumeMode ?? 'Filesystem',
      ...(node ? { nodeAffinity: onNode(node) } : {}),
    },
    status: { phase: 'Available' },
  }
}

function onNode(node: string) {
  const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }]
  return { required: { nodeSelectorTerms: [{ matchExpressions }] } }
}

function bind({ store, clock }: Engine, claim: PersistentVolumeClaim, volume: PersistentVolume): undefined {
  const { namespace, name, uid } = claim.metadata
  const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: namespace ?? '', name, uid }
  store.update('/persistentvolumes', volume, (own) => ({
    ...own,
    spec: { ...own.spec, claimRef: { ...own.spec.claimRef, ...claimRef } },
  }))
  store.setStatus('/persistentvolumes', volume, {
    ...volume.status,
    phase: 'Bound',
    lastPhaseTransitionTime: timestamp(clock.now()),
  })
  store.update('/persistentvolumeclaims', claim, (own) => ({
    ...own,
    metadata: {
      ...own.metadata,
      annotations: {
        ...own.metadata.annotations,
        'pv.kubernetes.io/bind-completed': 'yes',
        'pv.kubernetes.io/bound-by-controller': 'yes',
      },
    },
    spec: {
      ...own.spec,
      volumeName: volume.metadata.name,
      storageClassName: own.spec.storageClassName ?? volume.spec.storageClassName,
    },
  }))
  store.setStatus('/persistentvolumeclaims', claim, {
    ...claim.status,
    phase: 'Bound',
    accessModes: volume.spec.accessModes,
    capacity: volume.spec.capacity,
  })
}
