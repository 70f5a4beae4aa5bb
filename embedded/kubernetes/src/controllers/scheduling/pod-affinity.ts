import type { Node } from '../engine/kinds.ts'
import type { Pod, PodAffinityTerm } from '../engine/pod-kinds.ts'
import { parseKey } from '../engine/reconcile-loop.ts'
import { selects } from '../engine/selectors.ts'
import type { TypedStore } from '../engine/typed-store.ts'
import { isFinished } from '../workloads/pod-facts.ts'
import type { NodeLedger } from './node-ledger.ts'

type NodeRule = (node: Node) => string | undefined

const ANTI = "node(s) didn't match pod anti-affinity rules"
const EXISTING = "node(s) didn't satisfy existing pods anti-affinity rules"
const AFFINITY = "node(s) didn't match pod affinity rules"
const SPREAD = "node(s) didn't match pod topology spread constraints"

function namespacesOf(store: TypedStore, term: PodAffinityTerm, own: string | undefined): (string | undefined)[] {
  const named = term.namespaces ?? []
  const selected = term.namespaceSelector
    ? store.list('/namespaces').filter(({ metadata }) => selects(term.namespaceSelector, metadata.labels))
    : []
  const all = [...named, ...selected.map(({ metadata }) => metadata.name)]
  return all.length > 0 ? all : [own]
}

function matching(store: TypedStore, term: PodAffinityTerm, own: string | undefined): Pod[] {
  return namespacesOf(store, term, own)
    .flatMap((namespace) => store.list('/pods', namespace))
    .filter((pod) => pod.spec.nodeName && !isFinished(pod) && selects(term.labelSelector, pod.metadata.labels))
}

/** The rules that other pods' places put on where this one may go; made once, asked for every node. */
export function podRules(store: TypedStore, ledger: NodeLedger, pod: Pod, nodes: Map<string, Node>): NodeRule[] {
  const domain = (nodeName: string | undefined, key: string) => nodes.get(nodeName ?? '')?.metadata.labels?.[key]
  const domains = (pods: Pod[], key: string) => new Set(pods.map(({ spec }) => domain(spec.nodeName, key)))
  const { affinity } = pod.spec
  const own = pod.metadata.namespace
  const rules: NodeRule[] = []

  for (const term of affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
    const taken = domains(matching(store, term, own), term.topologyKey)
    rules.push(({ metadata }) => {
      const value = metadata.labels?.[term.topologyKey]
      return value !== undefined && taken.has(value) ? ANTI : undefined
    })
  }
  for (const term of affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
    const pods = matching(store, term, own)
    // The first of a group that wants to be together may go anywhere.
    const first = pods.length === 0 && selects(term.labelSelector, pod.metadata.labels)
    const wanted = domains(pods, term.topologyKey)
    rules.push(({ metadata }) => {
      const value = metadata.labels?.[term.topologyKey]
      return value !== undefined && (first || wanted.has(value)) ? undefined : AFFINITY
    })
  }
  for (const key of ledger.guarded) rules.push(...guardRules(store, key, pod, domain))
  return [...rules, ...spreadRules(store, pod, nodes)]
}

function guardRules(
  store: TypedStore,
  key: string,
  pod: Pod,
  domain: (node: string | undefined, key: string) => string | undefined,
): NodeRule[] {
  const { namespace, name } = parseKey(key)
  const guard = store.get('/pods', namespace, name)
  const terms = guard?.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  return terms
    .filter((term) => namespacesOf(store, term, namespace).includes(pod.metadata.namespace))
    .filter((term) => selects(term.labelSelector, pod.metadata.labels))
    .map((term) => {
      const taken = domain(guard?.spec.nodeName, term.topologyKey)
      return ({ metadata }) =>
        taken !== undefined && metadata.labels?.[term.topologyKey] === taken ? EXISTING : undefined
    })
}

function spreadRules(store: TypedStore, pod: Pod, nodes: Map<string, Node>): NodeRule[] {
  const hard = (pod.spec.topologySpreadConstraints ?? []).filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
  )
  return hard.map(({ topologyKey, labelSelector, maxSkew }) => {
    const counts = new Map<string, number>()
    for (const node of nodes.values()) {
      const value = node.metadata.labels?.[topologyKey]
      if (value !== undefined) counts.set(value, 0)
    }
    for (const other of store.list('/pods', pod.metadata.namespace)) {
      const value = nodes.get(other.spec.nodeName ?? '')?.metadata.labels?.[topologyKey]
      if (value === undefined || isFinished(other) || !selects(labelSelector, other.metadata.labels)) continue
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    const least = Math.min(...counts.values())
    return ({ metadata }) => {
      const value = metadata.labels?.[topologyKey]
      if (value === undefined) return SPREAD
      return (counts.get(value) ?? 0) + 1 - least > maxSkew ? SPREAD : undefined
    }
  })
}
