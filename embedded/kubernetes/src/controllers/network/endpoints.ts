import { isDeepStrictEqual } from 'node:util'
import type { GroupResource, KubeObject, StoreEvent } from '../../object-store.ts'
import type { Engine } from '../engine/engine.ts'
import type { Service } from '../engine/kinds.ts'
import { generatedName } from '../engine/names.ts'
import { controllerReference } from '../engine/owners.ts'
import type { Pod } from '../engine/pod-kinds.ts'
import { type Controller, itself, keyOf, parseKey } from '../engine/reconcile-loop.ts'
import { carries } from '../engine/selectors.ts'
import { pruned } from '../engine/typed-store.ts'
import { isReady } from '../workloads/pod-facts.ts'
import { groupedByPorts, type Member, membersOf, type TargetPort } from './endpoint-list.ts'

const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by'
const MANAGER = 'endpointslice-controller.k8s.io'
const SERVICE_NAME = 'kubernetes.io/service-name'
const SLICE_SIZE = 100

/** Keeps Endpoints and EndpointSlices of services with a selector. */
export function endpointsController(engine: Engine): Controller {
  const { store } = engine

  function servicesOf(event: StoreEvent): string[] {
    const pod = event.object as Pod
    if (event.type === 'MODIFIED' && !matters(event.old as Pod, pod)) return []
    const labels = [pod.metadata.labels, event.type === 'MODIFIED' ? event.old.metadata.labels : undefined]
    return store
      .list('/services', pod.metadata.namespace)
      .filter(({ spec }) => spec.selector && labels.some((set) => set && carries(set, spec.selector)))
      .map(keyOf)
  }

  return {
    name: 'Endpoints',
    watches: { '/services': itself, '/pods': servicesOf },
    reconcile(key) {
      const { namespace, name } = parseKey(key)
      const service = store.get('/services', namespace, name)
      const { selector } = service?.spec ?? {}
      const served = service && !service.metadata.deletionTimestamp && selector && Object.keys(selector).length > 0
      if (!served) return withdraw(engine, namespace, name, service)
      const pods = store.list('/pods', namespace).filter(({ metadata }) => carries(metadata.labels, selector))
      const groups = groupedByPorts(service, membersOf(service, pods))
      writeEndpoints(engine, service, groups)
      writeSlices(engine, service, groups)
    },
  }
}

function matters(before: Pod, after: Pod): boolean {
  return (
    before.status?.podIP !== after.status?.podIP ||
    before.status?.phase !== after.status?.phase ||
    isReady(before) !== isReady(after) ||
    before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
    before.metadata.labels !== after.metadata.labels
  )
}

function withdraw(
  { store }: Engine,
  namespace: string | undefined,
  name: string,
  service: Service | undefined,
): undefined {
  const slices = store.list('discovery.k8s.io/endpointslices', namespace)
  for (const slice of slices) {
    const { labels } = slice.metadata
    if (labels?.[SERVICE_NAME] === name && labels[MANAGED_BY] === MANAGER)
      store.delete('discovery.k8s.io/endpointslices', slice)
  }
  const endpoints = store.get('/endpoints', namespace, name)
  // Without a selector, endpoints are made by hand and live as long as their service.
  if (endpoints && !service) store.delete('/endpoints', endpoints)
}

type Groups = { ports: TargetPort[]; members: Member[] }[]

const targetRef = ({ metadata }: Pod) => ({
  kind: 'Pod',
  namespace: metadata.namespace,
  name: metadata.name,
  uid: metadata.uid,
})

function writeEndpoints({ store }: Engine, service: Service, groups: Groups) {
  const { name, namespace, labels } = service.metadata
  const address = ({ pod, ip }: Member) => ({ ip, nodeName: pod.spec.nodeName, targetRef: targetRef(pod) })
  const subsets = groups.map(({ ports, members }) => {
    const [ready, unready] = [members.filter((one) => one.ready), members.filter((one) => !one.ready)]
    return pruned({
      addresses: ready.length > 0 ? ready.slice(0, 1000).map(address) : undefined,
      notReadyAddresses: unready.length > 0 ? unready.slice(0, 1000).map(address) : undefined,
      ports: ports.length > 0 ? ports : undefined,
    })
  })
  const own = { ...labels, 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' }
  const wanted = { metadata: { name, namespace, labels: own }, ...(subsets.length > 0 ? { subsets } : {}) }
  const object = { apiVersion: 'v1', kind: 'Endpoints', ...wanted }
  const present = store.get('/endpoints', namespace, name)
  if (!present) store.create('/endpoints', object)
  else if (!isDeepStrictEqual(present.subsets ?? [], subsets) || !carries(present.metadata.labels, own)) {
    store.update('/endpoints', present, (current) => ({ ...object, metadata: { ...current.metadata, labels: own } }))
  }
}

const SLICES: GroupResource = 'discovery.k8s.io/endpointslices'

function writeSlices({ store }: Engine, service: Service, groups: Groups) {
  const { name, namespace } = service.metadata
  const existing = store
    .owned(service.metadata.uid, SLICES)
    .filter(({ metadata }) => metadata.labels?.[MANAGED_BY] === MANAGER)
  const parts = groups.length > 0 ? groups.flatMap(inParts) : [{ ports: [], members: [] }]
  for (const [index, { ports, members }] of parts.entries()) {
    const wanted = sliceOf(service, ports, members)
    const present = existing[index]
    if (!present)
      store.create(SLICES, {
        ...wanted,
        metadata: { ...wanted.metadata, name: generatedName(`${name}-`), generateName: `${name}-`, namespace },
      })
    else if (differs(present, wanted)) {
      store.update(SLICES, present, (current) => ({
        ...wanted,
        metadata: { ...current.metadata, labels: wanted.metadata.labels },
      }))
    }
  }
  for (const spare of existing.slice(parts.length)) store.delete(SLICES, spare)
}

function inParts({ ports, members }: Groups[number]): Groups {
  const parts: Groups = []
  for (let at = 0; at < members.length; at += SLICE_SIZE)
    parts.push({ ports, members: members.slice(at, at + SLICE_SIZE) })
  return parts
}

function sliceOf(service: Service, ports: TargetPort[], members: Member[]) {
  const headless: Record<string, string> =
    service.spec.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {}
  return pruned({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      labels: { ...service.metadata.labels, ...headless, [SERVICE_NAME]: service.metadata.name, [MANAGED_BY]: MANAGER },
      ownerReferences: [controllerReference(service)],
    },
    addressType: 'IPv4',
    endpoints: members.map(({ pod, ip, ready }) => ({
      addresses: [ip],
      conditions: { ready, serving: ready, terminating: false },
      nodeName: pod.spec.nodeName,
      hostname: pod.spec.hostname && pod.spec.subdomain === service.metadata.name ? pod.spec.hostname : undefined,
      targetRef: targetRef(pod),
    })),
    ports: ports.map((port) => ({ ...port, name: port.name ?? '' })),
  })
}

function differs(present: KubeObject, wanted: ReturnType<typeof sliceOf>): boolean {
  return (
    !isDeepStrictEqual(present.endpoints, wanted.endpoints) ||
    !isDeepStrictEqual(present.ports, wanted.ports) ||
    !isDeepStrictEqual(present.metadata.labels, wanted.metadata.labels)
  )
}
