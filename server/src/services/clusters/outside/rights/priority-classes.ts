import type { ClusterConnection, KubeObject } from '../../../../adapters/kubernetes/kubernetes.ts'
import type { Connections } from '../../registry/connections.ts'
import type { RuleStore } from '../approvals/rule-store.ts'
import type { HeldStore } from './held-store.ts'

const group = 'scheduling.k8s.io'
const kind = 'PriorityClass'
const classes = `${group}/v1/priorityclasses`

interface Deps {
  rules: Pick<RuleStore, 'all'>
  held: Pick<HeldStore, 'releasesHold'>
}
interface Place {
  tenantId: string
  clusterId: string
  spaceId: string
}

export const isPriorityClass = (one: { group: string; kind: string }) => one.group === group && one.kind === kind

/**
 * The classes of priority that pods of a space may name although they come before those of others: those on the list of
 * the cluster by name for everybody, those that an app of the space was let make, and what pods get that name none.
 */
export async function allowedPriorities(
  { rules, held }: Deps,
  connection: Pick<ClusterConnection, 'list'>,
  { tenantId, clusterId, spaceId }: Place,
): Promise<string[]> {
  const [listed, holds, there] = await Promise.all([
    rules.all(tenantId, clusterId),
    held.releasesHold(clusterId),
    connection.list(classes),
  ])
  const ofList = listed.flatMap(({ api_group, kind, name, item_id, publisher }) =>
    isPriorityClass({ group: api_group, kind }) && name !== null && item_id === null && publisher === null
      ? [name]
      : [],
  )
  const own = holds.filter(
    (one) => one.space_id === spaceId && isPriorityClass({ group: one.api_group, kind: one.kind }),
  )
  const usual = there.filter((one) => one.globalDefault === true).map(({ metadata }) => metadata.name)
  return [...new Set([...ofList, ...own.map(({ name }) => name), ...usual])]
}

export function createPriorities(deps: Deps & { connections: Pick<Connections, 'to'> }) {
  return {
    /** Classes of priority among these that are there, may not be named, and come before pods of others. */
    async refusedPriorities(place: Place, names: readonly string[]): Promise<string[]> {
      const connection = await deps.connections.to(place.tenantId, place.clusterId)
      const [allowed, there] = await Promise.all([allowedPriorities(deps, connection, place), connection.list(classes)])
      return there
        .filter(isHigh)
        .map(({ metadata }) => metadata.name)
        .filter((name) => names.includes(name) && !allowed.includes(name))
    },
  }
}

const isHigh = ({ value }: KubeObject): boolean => typeof value === 'number' && value > 0
