import type { V1Node } from '@kubernetes/client-node'
import { badRequest, wrongMethod } from '../api-error.ts'
import type { Clock } from '../clock.ts'
import { type NodePool, nodeObject } from '../controllers/seed.ts'
import type { KubeObject } from '../object-store.ts'
import { type Doc, isDoc, textOf } from '../store/doc.ts'
import type { ClusterStore } from '../store/memory-store.ts'

/** Nodes that are alike, and how many there are. */
export interface NodePools {
  list(): NodePool[]
  /** Makes a pool as large as is asked for; a new one when there is none of the name. */
  resize(name: string, body: unknown): NodePool
}

const POOL_LABEL = 'sandbox.quayside.io/pool'
const MOST_NODES = 5000
const FRESH = { cpu: '16', memory: '64Gi', pods: 110 }
const NAME = /^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/

const poolOf = ({ metadata }: KubeObject): string => metadata.labels?.[POOL_LABEL] ?? ''
const numberOf = ({ metadata }: KubeObject): number => Number(metadata.name.slice(metadata.name.lastIndexOf('-') + 1))

/** The labels of a node that its pool gave it, and not its place. */
function ownLabels(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  const given = /^(beta\.)?kubernetes\.io\/|^topology\.kubernetes\.io\/|^node\.kubernetes\.io\//
  return Object.fromEntries(Object.entries(labels).filter(([key]) => key !== POOL_LABEL && !given.test(key)))
}

function describe(name: string, nodes: readonly KubeObject[]): NodePool {
  const { cpu = '', memory = '', pods = '0' } = (nodes[0] as unknown as V1Node).status?.capacity ?? {}
  return { name, count: nodes.length, cpu, memory, pods: Number(pods), labels: ownLabels(nodes[0]?.metadata.labels) }
}

function readWish(name: string, body: unknown, now: NodePool | undefined): NodePool {
  if (!NAME.test(name)) throw badRequest(`${JSON.stringify(name)} is no name for a node pool`)
  if (!isDoc(body)) throw badRequest('a node pool is an object')
  const { count, pods } = body
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > MOST_NODES) {
    throw badRequest(`count: must be a whole number from 0 to ${MOST_NODES}`)
  }
  const shape = now ?? FRESH
  const size = (field: 'cpu' | 'memory') => textOf((body as Doc)[field]) || shape[field]
  return {
    name,
    count,
    cpu: size('cpu'),
    memory: size('memory'),
    pods: typeof pods === 'number' ? pods : shape.pods,
    labels: now?.labels ?? { 'quayside.io/simulated': 'true' },
  }
}

export function createNodePools(store: ClusterStore, clock: Clock): NodePools {
  const nodesOf = (name: string) => store.list('/nodes').filter((node) => poolOf(node) === name)

  function grow(pool: NodePool, nodes: readonly KubeObject[]): void {
    let index = store.list('/nodes').length
    const taken = new Set(nodes.map(numberOf))
    for (let number = 1, missing = pool.count - nodes.length; missing > 0; number += 1) {
      if (taken.has(number)) continue
      index += 1
      missing -= 1
      store.create('/nodes', nodeObject(pool, number, index, clock.now()))
    }
  }

  /** The youngest go first. Their pods go with them and come up elsewhere. */
  function shrink(pool: NodePool, nodes: readonly KubeObject[]): void {
    const going = nodes.toSorted((a, b) => numberOf(b) - numberOf(a)).slice(0, nodes.length - pool.count)
    for (const { metadata } of going) store.delete('/nodes', undefined, metadata.name)
  }

  return {
    list: () =>
      [...Map.groupBy(store.list('/nodes'), poolOf)]
        .filter(([name]) => name !== '')
        .map(([name, nodes]) => describe(name, nodes)),
    resize(name, body) {
      const nodes = nodesOf(name)
      const pool = readWish(name, body, nodes.length > 0 ? describe(name, nodes) : undefined)
      if (nodes.length < pool.count) grow(pool, nodes)
      else shrink(pool, nodes)
      return pool
    },
  }
}

/** Answers `/quayside/node-pools` and `/quayside/node-pools/{name}`. */
export function nodePoolAnswer(
  pools: NodePools,
  method: string | undefined,
  name: string | undefined,
  body: unknown,
): unknown {
  if (method === 'GET') return { items: pools.list().filter((pool) => !name || pool.name === name) }
  if (method !== 'PUT' || !name) throw wrongMethod()
  return pools.resize(name, body)
}
