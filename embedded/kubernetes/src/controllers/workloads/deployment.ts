import type { Engine } from '../engine/engine.ts'
import type { Deployment, ReplicaSet } from '../engine/kinds.ts'
import { templateHash } from '../engine/names.ts'
import { controllerOf, controllerReference, keyOfController } from '../engine/owners.ts'
import { type Controller, itself, keyOf, parseKey } from '../engine/reconcile-loop.ts'
import { selects } from '../engine/selectors.ts'
import { FAULT_ANNOTATION } from '../kubelet/faults.ts'
import { proportionalSteps, rollingSteps, rolloutLimits, type Scaling } from './deployment-plan.ts'
import { deploymentStatus, isComplete, untilDeadline } from './deployment-status.ts'
import { isFinished } from './pod-facts.ts'

const SOURCE = { component: 'deployment-controller' }
const REVISION = 'deployment.kubernetes.io/revision'
const DESIRED = 'deployment.kubernetes.io/desired-replicas'
const MAXIMUM = 'deployment.kubernetes.io/max-replicas'
const HASH = 'pod-template-hash'
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** Rolls deployments out through their replica sets. */
export function deploymentController(engine: Engine): Controller {
  const { store } = engine
  return {
    name: 'Deployment',
    watches: {
      'apps/deployments': itself,
      'apps/replicasets': ({ object }) => keyOfController(object, 'Deployment'),
      '/pods': (event) => (event.type === 'DELETED' ? recreating(engine, event.object) : undefined),
    },
    reconcile(key) {
      const { namespace, name } = parseKey(key)
      const deployment = store.get('apps/deployments', namespace, name)
      return deployment && syncDeployment(engine, deployment)
    },
  }
}

/** With Recreate the new pods wait until the last old one is gone. */
function recreating(engine: Engine, pod: Parameters<typeof controllerOf>[0]): string[] {
  const reference = controllerOf(pod)
  if (reference?.kind !== 'ReplicaSet') return []
  const set = engine.store.get('apps/replicasets', pod.metadata.namespace, reference.name)
  return set ? keyOfController(set, 'Deployment') : []
}

function syncDeployment(engine: Engine, deployment: Deployment): number | undefined {
  let sets = ownSets(engine, deployment)
  let current = sets.find((set) => isOfTemplate(set, deployment))
  if (!deployment.metadata.deletionTimestamp) {
    if (deployment.spec.paused) scale(engine, deployment, proportionalSteps(deployment, sets))
    else current = rollOut(engine, deployment, current, sets)
    sets = ownSets(engine, deployment)
    current = current && sets.find((set) => set.metadata.uid === current?.metadata.uid)
  }
  const now = engine.clock.now()
  const status = deploymentStatus(deployment, current, sets, now)
  engine.store.setStatus('apps/deployments', deployment, status)
  if (isComplete(deployment, status)) prune(engine, deployment, current, sets)
  return untilDeadline(deployment, status, now)
}

function isOfTemplate(set: ReplicaSet, { spec, status }: Deployment): boolean {
  return set.metadata.labels?.[HASH] === templateHash(spec.template, status?.collisionCount)
}

/** Its own sets, after taking in those nobody controls and its selector matches. */
function ownSets(engine: Engine, deployment: Deployment): ReplicaSet[] {
  const { store } = engine
  for (const set of store.list('apps/replicasets', deployment.metadata.namespace)) {
    if (controllerOf(set) || set.metadata.deletionTimestamp || deployment.metadata.deletionTimestamp) continue
    if (!selects(deployment.spec.selector, set.metadata.labels)) continue
    store.update('apps/replicasets', set, (own) => ({
      ...own,
      metadata: {
        ...own.metadata,
        ownerReferences: [...(own.metadata.ownerReferences ?? []), controllerReference(deployment)],
      },
    }))
  }
  return store.owned(deployment.metadata.uid, 'apps/replicasets')
}

function rollOut(engine: Engine, deployment: Deployment, found: ReplicaSet | undefined, sets: ReplicaSet[]) {
  const old = sets.filter((set) => set !== found)
  if (deployment.spec.strategy?.type === 'Recreate') {
    const live = old.filter((set) => (set.spec.replicas ?? 0) > 0)
    scale(
      engine,
      deployment,
      live.map((set) => ({ set, to: 0 })),
    )
    const running = old.some((set) => engine.store.owned(set.metadata.uid, '/pods').some((pod) => !isFinished(pod)))
    if (live.length > 0 || running) return found
    const fresh = currentSet(engine, deployment, found, sets)
    scale(engine, deployment, [{ set: fresh, to: deployment.spec.replicas ?? 1 }])
    return fresh
  }
  const current = currentSet(engine, deployment, found, sets)
  scale(
    engine,
    deployment,
    rollingSteps(
      deployment,
      current,
      old.filter((set) => (set.spec.replicas ?? 0) > 0),
    ),
  )
  return current
}

function revisionOf(set: ReplicaSet): number {
  return Number(set.metadata.annotations?.[REVISION] ?? 0)
}

/** The set of today's template, made when there is none, carrying the highest revision. */
function currentSet(
  engine: Engine,
  deployment: Deployment,
  found: ReplicaSet | undefined,
  sets: ReplicaSet[],
): ReplicaSet {
  const highest = Math.max(0, ...sets.filter((set) => set !== found).map(revisionOf))
  const revision = found && revisionOf(found) > highest ? revisionOf(found) : highest + 1
  const current = found ? annotated(engine, deployment, found, revision) : created(engine, deployment, revision)
  if (deployment.metadata.annotations?.[REVISION] !== String(revision)) {
    engine.store.update('apps/deployments', deployment, (own) => ({
      ...own,
      metadata: { ...own.metadata, annotations: { ...own.metadata.annotations, [REVISION]: String(revision) } },
    }))
  }
  return current
}

function setAnnotations({ metadata, spec }: Deployment, revision: number): Record<string, string> {
  // The fault stays with the deployment alone, so that lifting it there lifts it everywhere.
  const { [LAST_APPLIED]: _, [REVISION]: __, [FAULT_ANNOTATION]: ___, ...own } = metadata.annotations ?? {}
  const replicas = spec.replicas ?? 1
  const surge = spec.strategy?.type === 'Recreate' ? 0 : rolloutLimits({ metadata, spec } as Deployment).maxSurge
  return { ...own, [DESIRED]: String(replicas), [MAXIMUM]: String(replicas + surge), [REVISION]: String(revision) }
}

function annotated(engine: Engine, deployment: Deployment, set: ReplicaSet, revision: number): ReplicaSet {
  const wanted = { ...set.metadata.annotations, ...setAnnotations(deployment, revision) }
  const same = Object.entries(wanted).every(([key, value]) => set.metadata.annotations?.[key] === value)
  if (same) return set
  engine.store.update('apps/replicasets', set, (own) => ({
    ...own,
    metadata: { ...own.metadata, annotations: wanted },
  }))
  return engine.store.get('apps/replicasets', set.metadata.namespace, set.metadata.name) ?? set
}

function created(engine: Engine, deployment: Deployment, revision: number): ReplicaSet {
  const { metadata, spec, status } = deployment
  const hash = templateHash(spec.template, status?.collisionCount)
  const labels = { ...spec.template.metadata?.labels, [HASH]: hash }
  const first = rollingSteps(deployment, emptySet(), ownSets(engine, deployment))[0]
  const replicas = spec.strategy?.type === 'Recreate' ? 0 : (first?.to ?? 0)
  const set = engine.store.create('apps/replicasets', {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name}-${hash}`,
      namespace: metadata.namespace,
      labels,
      annotations: setAnnotations(deployment, revision),
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      minReadySeconds: spec.minReadySeconds,
      selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, [HASH]: hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
    status: { replicas: 0 },
  }) as ReplicaSet
  if (replicas > 0) announce(engine, deployment, set, 0, replicas)
  return set
}

/** Placeholder in the plan for a replica set that is about to be created. */
function emptySet(): ReplicaSet {
  const metadata = { name: '', uid: '', resourceVersion: '', creationTimestamp: '' }
  const template = { spec: { containers: [] } }
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec: { replicas: 0, selector: {}, template } }
}

function scale(engine: Engine, deployment: Deployment, steps: Scaling[]) {
  const replicas = deployment.spec.replicas ?? 1
  const bounds = { [DESIRED]: String(replicas), [MAXIMUM]: String(replicas + rolloutLimits(deployment).maxSurge) }
  for (const { set, to } of steps) {
    const from = set.spec.replicas ?? 0
    if (from === to) continue
    engine.store.update('apps/replicasets', set, (own) => ({
      ...own,
      metadata: { ...own.metadata, annotations: { ...own.metadata.annotations, ...bounds } },
      spec: { ...own.spec, replicas: to },
    }))
    announce(engine, deployment, set, from, to)
  }
}

function announce(engine: Engine, deployment: Deployment, set: ReplicaSet, from: number, to: number) {
  const message = `Scaled ${to > from ? 'up' : 'down'} replica set ${set.metadata.name} from ${from} to ${to}`
  engine.events.emit(deployment, SOURCE, 'Normal', 'ScalingReplicaSet', message)
}

/** Old empty sets beyond the history limit go, the oldest first. */
function prune(engine: Engine, deployment: Deployment, current: ReplicaSet | undefined, sets: ReplicaSet[]) {
  const spent = sets.filter(
    (set) =>
      (!current || keyOf(set) !== keyOf(current)) &&
      (set.spec.replicas ?? 0) === 0 &&
      (set.status?.replicas ?? 0) === 0 &&
      !set.metadata.deletionTimestamp,
  )
  const excess = spent.length - (deployment.spec.revisionHistoryLimit ?? 10)
  if (excess <= 0) return
  for (const set of spent.sort((a, b) => revisionOf(a) - revisionOf(b)).slice(0, excess)) {
    engine.store.delete('apps/replicasets', set)
  }
}
