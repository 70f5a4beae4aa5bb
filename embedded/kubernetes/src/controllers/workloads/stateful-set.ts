import type { KubeObject } from '../../object-store.ts'
import type { Engine } from '../engine/engine.ts'
import type { ControllerRevision, StatefulSet } from '../engine/kinds.ts'
import { controllerReference, keyOfController } from '../engine/owners.ts'
import type { Pod, PodTemplate, Volume } from '../engine/pod-kinds.ts'
import { type Controller, itself, parseKey } from '../engine/reconcile-loop.ts'
import { countPods, isActive } from './pod-facts.ts'
import { createPod } from './replicas.ts'
import { currentRevision, isOfRevision, pruneRevisions, REVISION_HASH, revisionsOf } from './revisions.ts'
import { isHealthyPod, ordinalOf, statefulSteps, wantedOrdinals } from './stateful-plan.ts'

const COMPONENT = 'statefulset-controller'

/** Pods with names and volumes of their own, one after another. */
export function statefulSetController(engine: Engine): Controller {
  return {
    name: 'StatefulSet',
    watches: {
      'apps/statefulsets': itself,
      '/pods': ({ object }) => keyOfController(object, 'StatefulSet'),
    },
    reconcile(key) {
      const { namespace, name } = parseKey(key)
      const set = engine.store.get('apps/statefulsets', namespace, name)
      return set && sync(engine, set)
    },
  }
}

function sync(engine: Engine, set: StatefulSet): number | undefined {
  const update = currentRevision(engine, set)
  const current =
    revisionsOf(engine, set).find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update
  let failed = false
  if (!set.metadata.deletionTimestamp) {
    const pods = podsByOrdinal(engine, set)
    const minReady = set.spec.minReadySeconds
    const { create, remove } = statefulSteps(set, {
      pods,
      isCurrent: (pod) => isOfRevision(pod, update),
      isHealthy: (pod) => isHealthyPod(pod) && countPods([pod], minReady, engine.clock.now()).available === 1,
    })
    for (const ordinal of create)
      failed = !make(engine, set, ordinal, revisionFor(set, ordinal, current, update)) || failed
    for (const pod of remove) dismiss(engine, set, pod)
  }
  const wait = writeStatus(engine, set, current, update)
  return failed ? 5_000 : wait
}

function podsByOrdinal({ store }: Engine, set: StatefulSet): Map<number, Pod> {
  const owned = store.owned(set.metadata.uid, '/pods')
  return new Map(
    owned.flatMap((pod): [number, Pod][] => {
      const ordinal = ordinalOf(pod, set.metadata.name)
      return ordinal === undefined ? [] : [[ordinal, pod]]
    }),
  )
}

/** Below the partition, pods are made of the template that was current before. */
function revisionFor({ spec }: StatefulSet, ordinal: number, current: ControllerRevision, update: ControllerRevision) {
  const partition = spec.updateStrategy?.rollingUpdate?.partition ?? 0
  return spec.updateStrategy?.type !== 'OnDelete' && ordinal < partition ? current : update
}

function templateOf({ data }: ControllerRevision): PodTemplate {
  const { $patch: _, ...template } = (data as { spec: { template: PodTemplate & { $patch?: string } } }).spec.template
  return template
}

function make(engine: Engine, set: StatefulSet, ordinal: number, revision: ControllerRevision): boolean {
  const name = `${set.metadata.name}-${ordinal}`
  for (const claim of claimsFor(set, name)) ensureClaim(engine, set, name, claim)
  const template = templateOf(revision)
  const claimed = (set.spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name)
  const volumes: Volume[] = [
    ...(template.spec.volumes ?? []).filter((volume) => !claimed.includes(volume.name)),
    ...claimed.map((claim) => ({ name: claim, persistentVolumeClaim: { claimName: `${claim}-${name}` } })),
  ]
  const failure = createPod(engine, set, template, COMPONENT, {
    name,
    labels: {
      [REVISION_HASH]: revision.metadata.name,
      'statefulset.kubernetes.io/pod-name': name,
      'apps.kubernetes.io/pod-index': String(ordinal),
    },
    spec: { hostname: name, subdomain: set.spec.serviceName, volumes: volumes.length > 0 ? volumes : undefined },
  })
  return failure === undefined
}

function claimsFor(set: StatefulSet, pod: string): KubeObject[] {
  return (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    ...template,
    metadata: { ...template.metadata, name: `${template.metadata.name}-${pod}` },
  }))
}

function ensureClaim({ store, events }: Engine, set: StatefulSet, pod: string, claim: KubeObject) {
  const { namespace, name } = set.metadata
  if (store.get('/persistentvolumeclaims', namespace, claim.metadata.name)) return
  const follows = set.spec.persistentVolumeClaimRetentionPolicy?.whenDeleted === 'Delete'
  store.create('/persistentvolumeclaims', {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: claim.metadata.name,
      namespace,
      labels: { ...claim.metadata.labels, ...set.spec.selector.matchLabels },
      annotations: claim.metadata.annotations,
      ownerReferences: follows ? [controllerReference(set)] : undefined,
    },
    spec: { volumeMode: 'Filesystem', ...(claim.spec as object) },
    status: { phase: 'Pending' },
  })
  const message = `create Claim ${claim.metadata.name} Pod ${pod} in StatefulSet ${name} success`
  events.emit(set, { component: COMPONENT }, 'Normal', 'SuccessfulCreate', message)
}

function dismiss({ store, events }: Engine, set: StatefulSet, pod: Pod) {
  const { name } = set.metadata
  store.delete('/pods', pod)
  const message = `delete Pod ${pod.metadata.name} in StatefulSet ${name} successful`
  events.emit(set, { component: COMPONENT }, 'Normal', 'SuccessfulDelete', message)
  const scaledAway = !wantedOrdinals(set).includes(ordinalOf(pod, name) ?? -1)
  if (!scaledAway || set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return
  for (const { metadata } of claimsFor(set, pod.metadata.name)) {
    const claim = store.get('/persistentvolumeclaims', metadata.namespace ?? pod.metadata.namespace, metadata.name)
    if (claim) store.delete('/persistentvolumeclaims', claim)
  }
}

function writeStatus(engine: Engine, set: StatefulSet, current: ControllerRevision, update: ControllerRevision) {
  const pods = [...podsByOrdinal(engine, set).values()].filter(isActive)
  const counts = countPods(pods, set.spec.minReadySeconds, engine.clock.now())
  const updated = pods.filter((pod) => isOfRevision(pod, update)).length
  const replicas = set.spec.replicas ?? 1
  const done = updated === replicas && counts.ready === replicas && pods.length === replicas
  const now = done ? update : current
  engine.store.setStatus('apps/statefulsets', set, {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    readyReplicas: counts.ready || undefined,
    availableReplicas: counts.available,
    currentReplicas: pods.filter((pod) => isOfRevision(pod, now)).length || undefined,
    updatedReplicas: updated || undefined,
    currentRevision: now.metadata.name,
    updateRevision: update.metadata.name,
    collisionCount: 0,
    conditions: set.status?.conditions,
  })
  pruneRevisions(engine, set, pods, [now, update])
  return counts.nextAvailableIn
}
