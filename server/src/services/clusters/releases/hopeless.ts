import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { conditionsOf, countOf, fieldsOf, listOf, textOf } from '../workloads/fields.ts'
import { cleanText } from '../workloads/foreign-text.ts'
import { containersOf } from '../workloads/pod-state.ts'
import type { Part } from './app-parts.ts'

/** An object that cannot become ready by itself, and how long that has to stay so before it is believed. */
export interface Hopeless {
  /** The object and its cause: as long as it stays the same, the grace runs. */
  key: string
  graceSeconds: number
  /** A sentence for people, in the words of the object that blocks. */
  because: string
}

/** A state of an object that may be one without hope. */
interface Sign {
  of: 'container' | 'scheduling' | 'pod-event' | 'create' | 'rollout' | 'job' | 'pod' | 'claim'
  /** The cluster's word for it. */
  reason: string
  said: string
  /** The object that has it, as a person would call it. */
  name: string
  image?: string
  restarts?: number
}

interface Rule {
  of: Sign['of']
  reason?: RegExp
  said?: RegExp
  leastRestarts?: number
  graceSeconds: number
  tell(sign: Sign): string
}

const unpullable =
  /not found|manifest unknown|does not exist|no such host|denied|unauthori[sz]ed|authentication required|forbidden|invalid reference/i
const missingRef = /(?:secrets?|configmaps?) "[^"]+" not found|references non-existent (?:secret|config) key/i
const pulls = /^(?:ImagePullBackOff|ErrImagePull|ImageInspectError)$/
const cannotPull = ({ name, image, said }: Sign) => `${name} cannot pull its image ${image ?? ''}: ${said}`
const cannotStart = ({ name, said, reason }: Sign) => `${name} cannot start: ${said || reason}`
/** A container that crashes for want of something that is just starting comes up within the first few tries. */
const mostCrashes = 4

/**
 * Decides what nothing becomes ready of by itself, the first row that fits. The grace is short where only a change of the
 * release helps, and long where something beside it may yet come: a secret, a node, a registry that is busy.
 */
const rules: readonly Rule[] = [
  { of: 'container', reason: /^InvalidImageName$/, graceSeconds: 5, tell: cannotPull },
  { of: 'container', reason: /^ErrImageNeverPull$/, graceSeconds: 10, tell: cannotPull },
  { of: 'container', reason: pulls, said: unpullable, graceSeconds: 15, tell: cannotPull },
  { of: 'container', reason: pulls, graceSeconds: 90, tell: cannotPull },
  {
    of: 'container',
    reason: /^(?:CrashLoopBackOff|Error|OOMKilled|ContainerCannotRun)$/,
    leastRestarts: mostCrashes,
    graceSeconds: 10,
    tell: ({ name, restarts, said }) => `${name} has crashed ${(restarts ?? 0) + 1} times${said ? `: ${said}` : ''}`,
  },
  { of: 'container', reason: /^CreateContainer(?:Config)?Error$/, graceSeconds: 45, tell: cannotStart },
  { of: 'container', reason: /^RunContainerError$/, graceSeconds: 60, tell: cannotStart },
  { of: 'pod-event', reason: /^FailedMount$/, said: missingRef, graceSeconds: 45, tell: cannotStart },
  {
    of: 'scheduling',
    said: /persistentvolumeclaim|volume node affinity/i,
    graceSeconds: 60,
    tell: ({ name, said }) => `${name} waits for its volume: ${said}`,
  },
  // A cluster that grows needs a few minutes for a node.
  { of: 'scheduling', graceSeconds: 150, tell: ({ name, said }) => `No node can run ${name}: ${said}` },
  {
    of: 'create',
    said: /exceeded quota/i,
    graceSeconds: 20,
    tell: ({ name, said }) => `${name} may not make its pods, the quota of the space is used up: ${said}`,
  },
  {
    of: 'create',
    said: /forbidden|invalid|not found/i,
    graceSeconds: 30,
    tell: ({ name, said }) => `${name} may not make its pods: ${said}`,
  },
  {
    of: 'claim',
    said: /no storage ?class is set|storageclass\S* "[^"]*" not found/i,
    graceSeconds: 45,
    tell: ({ name, said }) => `${name} gets no volume: ${said}`,
  },
  { of: 'job', graceSeconds: 3, tell: ({ name, said }) => `${name} has failed: ${said}` },
  { of: 'pod', graceSeconds: 3, tell: ({ name, said }) => `${name} has failed: ${said}` },
  { of: 'rollout', graceSeconds: 3, tell: ({ name, said }) => `${name} did not come up in time: ${said}` },
]

function judge(sign: Sign): Hopeless | undefined {
  const rule = rules.find(
    ({ of, reason, said, leastRestarts = 0 }) =>
      of === sign.of &&
      (reason?.test(sign.reason) ?? true) &&
      (said?.test(sign.said) ?? true) &&
      (sign.restarts ?? 0) >= leastRestarts,
  )
  if (!rule) return undefined
  const because = cleanText(rule.tell(sign), 500)
  return { key: `${sign.name} ${rules.indexOf(rule)}`, graceSeconds: rule.graceSeconds, because }
}

/** All that keeps an object of a release from ever becoming ready; `family`: itself and all that it made. */
export function hopelessOf(
  root: Part,
  family: readonly Part[],
  { events, replicaSets }: { events: readonly KubeObject[]; replicaSets: readonly KubeObject[] },
): Hopeless[] {
  if (root.object === undefined || root.state.state === 'healthy' || !isObserved(root.object)) return []
  const isCurrent = currentOf(root.object, replicaSets, family)
  const signs = family.flatMap((part) => {
    if (part.object === undefined || part.state.state === 'healthy') return []
    if (part.kind === 'Pod') return isCurrent(part.object) ? signsOfPod(part.object, part === root, events) : []
    if (part.kind === 'PersistentVolumeClaim') return eventSigns('claim', part.object, events)
    return part === root ? signsOfRoot(part.object, replicaSets, events) : []
  })
  return signs.map(judge).filter((one) => one !== undefined)
}

/** The controller has seen the newest form of the object: until then its state is that of the one before. */
function isObserved({ metadata, status }: KubeObject): boolean {
  const observed = fieldsOf(status).observedGeneration
  return observed === undefined || countOf(observed) >= countOf(fieldsOf(metadata).generation)
}

/** Tells pods of the newest form of a workload from those of the form before, which are on their way out. */
function currentOf(
  root: KubeObject,
  replicaSets: readonly KubeObject[],
  family: readonly Part[],
): (pod: KubeObject) => boolean {
  if (root.kind === 'Deployment') {
    const newest = newestReplicaSet(root, replicaSets)
    return (pod) => newest !== undefined && isOwnedBy(pod, newest)
  }
  if (root.kind !== 'StatefulSet' && root.kind !== 'DaemonSet') return () => true
  const youngest = family
    .flatMap(({ kind, object }) => (kind === 'Pod' && object ? [object] : []))
    .reduce<KubeObject | undefined>((best, pod) => (best && madeAt(best) >= madeAt(pod) ? best : pod), undefined)
  const wanted = textOf(fieldsOf(root.status).updateRevision) || hashOf(youngest)
  return (pod) => hashOf(pod) === wanted
}

const hashOf = (pod: KubeObject | undefined) => textOf(fieldsOf(pod?.metadata.labels)['controller-revision-hash'])
const madeAt = ({ metadata }: KubeObject) => textOf(metadata.creationTimestamp)
const isOwnedBy = ({ metadata }: KubeObject, { metadata: { uid } }: KubeObject) =>
  metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false
const revisionOf = ({ metadata }: KubeObject) =>
  textOf(fieldsOf(metadata.annotations)['deployment.kubernetes.io/revision'])

function newestReplicaSet(root: KubeObject, replicaSets: readonly KubeObject[]): KubeObject | undefined {
  return replicaSets.find((one) => isOwnedBy(one, root) && revisionOf(one) === revisionOf(root))
}

function signsOfPod(pod: KubeObject, isRoot: boolean, events: readonly KubeObject[]): Sign[] {
  const name = `Pod ${pod.metadata.name}`
  const status = fieldsOf(pod.status)
  if (textOf(status.phase) === 'Failed')
    // A pod of a workload is replaced by it.
    return isRoot ? [{ of: 'pod', reason: '', name, said: textOf(status.message) || textOf(status.reason) }] : []
  const scheduled = conditionsOf(status).find(({ type }) => type === 'PodScheduled')
  if (scheduled?.status === 'False')
    return [{ of: 'scheduling', reason: scheduled.reason, said: scheduled.message, name }]
  const containers = containersOf(pod)
    .filter(({ ready, state, init }) => !ready && !(init && state === 'Completed'))
    .map(
      ({ name: container, image, state, message, restarts }): Sign => ({
        ...{ of: 'container', reason: state, said: message ?? lastEnd(pod, container), image, restarts },
        name: `Container ${container} of pod ${pod.metadata.name}`,
      }),
    )
  const isPending = textOf(status.phase) !== 'Running'
  return [...containers, ...(isPending ? eventSigns('pod-event', pod, events) : [])]
}

/** How a container ended that has just been started again. */
function lastEnd({ status }: KubeObject, container: string): string {
  const { initContainerStatuses, containerStatuses } = fieldsOf(status)
  const all = [...listOf(initContainerStatuses), ...listOf(containerStatuses)]
  const { lastState } = all.find(({ name }) => name === container) ?? {}
  const { exitCode, reason } = fieldsOf(fieldsOf(lastState).terminated)
  if (exitCode === undefined) return ''
  return `it ended with exit code ${countOf(exitCode)}${reason === 'OOMKilled' ? ', out of memory' : ''}`
}

function signsOfRoot(root: KubeObject, replicaSets: readonly KubeObject[], events: readonly KubeObject[]): Sign[] {
  const name = `${root.kind} ${root.metadata.name}`
  const conditions = conditionsOf(fieldsOf(root.status))
  if (root.kind === 'Job') {
    const failed = conditions.find(({ type, status }) => type === 'Failed' && status === 'True')
    return failed ? [{ of: 'job', reason: failed.reason, said: failed.message || failed.reason, name }] : []
  }
  const signs: Sign[] = []
  for (const { type, status, reason, message } of conditions) {
    if (type === 'ReplicaFailure' && status === 'True') signs.push({ of: 'create', reason, said: message, name })
    if (type === 'Progressing' && reason === 'ProgressDeadlineExceeded')
      signs.push({ of: 'rollout', reason, said: message, name })
  }
  // Events about the object itself may be of the form before: only those of a set of its own, made for this form, count.
  const newest = root.kind === 'Deployment' ? newestReplicaSet(root, replicaSets) : undefined
  const isFirst = countOf(fieldsOf(root.metadata).generation, 1) <= 1
  if (newest) signs.push(...eventSigns('create', newest, events).map((sign) => ({ ...sign, name })))
  else if (root.kind === 'StatefulSet' && isFirst) signs.push(...eventSigns('create', root, events))
  return signs
}

const wordsOfEvents = {
  create: /^FailedCreate$/,
  'pod-event': /^FailedMount$/,
  claim: /^(?:FailedBinding|ProvisioningFailed)$/,
}

/** The newest event of an object that says that something of it cannot be had. */
function eventSigns(of: keyof typeof wordsOfEvents, object: KubeObject, events: readonly KubeObject[]): Sign[] {
  const name = `${object.kind === 'Pod' ? 'Pod' : object.kind} ${object.metadata.name}`
  const about = events.filter(
    (event) =>
      textOf(fieldsOf(event.involvedObject).uid) === object.metadata.uid &&
      wordsOfEvents[of].test(textOf(event.reason)),
  )
  return about.slice(-1).map((event) => ({ of, reason: textOf(event.reason), said: textOf(event.message), name }))
}
