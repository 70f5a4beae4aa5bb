import type { ClusterEvent } from '@quayside/contract/clusters/endpoints'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { filterValues, listReply, mustKnowFilters, orderOf } from '../../../platform/http/listing.ts'
import type { Part } from '../releases/app-parts.ts'
import { fieldsOf, textOf } from './fields.ts'
import { toEvent } from './present.ts'

const mostOfApp = 500
const known = ['type', 'namespace', 'kind', 'name']
type Order = readonly ['at', 'asc' | 'desc']
const newest: readonly Order[] = [['at', 'desc']]

function newestFirst(events: ClusterEvent[]): ClusterEvent[] {
  return events.sort((a, b) => b.at.localeCompare(a.at))
}

/** Events about the objects of an app; those about an object of the same name that was there before are not its own. */
export function eventsOfParts(events: readonly KubeObject[], parts: readonly Part[]): ClusterEvent[] {
  const byName = new Map(parts.map((part) => [`${part.kind}|${part.name}`, part]))
  const own = events.filter((event) => {
    const about = fieldsOf(event.involvedObject)
    const kind = textOf(about.kind)
    const part = byName.get(`${kind}|${textOf(about.name)}`) ?? replicaSetOwner(kind, textOf(about.name), parts)
    const uid = textOf(about.uid)
    return (
      part !== undefined &&
      (kind === 'ReplicaSet' || !uid || !part.object?.metadata.uid || uid === part.object.metadata.uid)
    )
  })
  return newestFirst(own.map(toEvent)).slice(0, mostOfApp)
}

/** Replica sets are folded into their deployments, and what happened to them is still told. */
function replicaSetOwner(kind: string, name: string, parts: readonly Part[]): Part | undefined {
  if (kind !== 'ReplicaSet') return undefined
  const deployment = name.replace(/-[a-z0-9]{5,10}$/, '')
  return parts.find((part) => part.kind === 'Deployment' && part.name === deployment)
}

interface Reader {
  tenantId: string
  /** Namespaces whose events are told, beside those about objects of the whole cluster; undefined: all of the tenant. */
  seen: ReadonlySet<string> | undefined
  /** Namespaces of spaces whose secrets the reader may see; undefined: all. */
  withSecrets: ReadonlySet<string> | undefined
}

/** Stands for a message that its reader must not see. */
const leftOut = 'Left out, because it may repeat a secret. The page of the app has it without secrets.'

/** The same without its message, which repeats what objects were given: a value, the output of a probe. */
export const withoutMessage = <E extends ClusterEvent>(event: E): E => ({ ...event, message: leftOut })

/**
 * Namespaces of spaces that a reader is not told of, and those whose messages are left out: spaces of other tenants on
 * the same cluster are nobody's here.
 */
async function closedNamespaces(connection: ClusterConnection, { tenantId, seen, withSecrets }: Reader) {
  const ofSpaces = await connection.list('v1/namespaces', { labelSelector: 'quayside.io/space', metadataOnly: true })
  const names = ofSpaces.map(({ metadata }) => metadata.name)
  const hidden = ofSpaces.flatMap(({ metadata: { name, labels } }) => {
    const isForeign = (labels?.['quayside.io/tenant'] ?? tenantId) !== tenantId
    return isForeign || (seen && !seen.has(name)) ? [name] : []
  })
  return { hidden, silent: new Set(withSecrets ? names.filter((name) => !withSecrets.has(name)) : []) }
}

/** Tells of a space that it must not tell of: from its namespace, or by naming that in a word about the whole cluster. */
function tellsOf(hidden: readonly string[], { object, message }: ClusterEvent): boolean {
  if (object.namespace !== null) return hidden.includes(object.namespace)
  return hidden.some((namespace) => object.name === namespace || message.includes(namespace))
}

/** A page of a cluster's events. Filtering and order are ours: the API has neither for what people ask. */
export async function pageOfEvents(
  connection: ClusterConnection,
  query: ListQuery,
  { path, ...reader }: Reader & { path: string },
): Promise<ListReply<ClusterEvent>> {
  const { seen } = reader
  const { filters, search, page } = query
  mustKnowFilters(filters, known)
  const [[, direction]] = orderOf(query.sort, { at: 'at' }, newest) as [Order]
  const [namespace, ...more] = filterValues(filters, 'namespace')
  const within = namespace !== undefined && more.length === 0 ? { namespace } : {}
  const [{ hidden, silent }, all] = await Promise.all([
    closedNamespaces(connection, reader),
    connection.list('v1/events', within),
  ])
  // Before the search, which would tell by its answers what a message holds.
  const events = all
    .map(toEvent)
    .map((event) => (silent.has(event.object.namespace ?? '') ? withoutMessage(event) : event))
  const found = events.filter(
    (event) =>
      !tellsOf(hidden, event) &&
      (!seen || event.object.namespace === null || seen.has(event.object.namespace)) &&
      isWanted(filters, 'type', event.type) &&
      isWanted(filters, 'namespace', event.object.namespace ?? '') &&
      isWanted(filters, 'kind', event.object.kind) &&
      isWanted(filters, 'name', event.object.name) &&
      (!search || holdsText(event, search)),
  )
  const ordered = newestFirst(found)
  if (direction === 'asc') ordered.reverse()
  return listReply(ordered.slice(page.skip, page.skip + page.limit), ordered.length, query, path)
}

function isWanted(filters: ListQuery['filters'], name: string, value: string): boolean {
  const wanted = filterValues(filters, name)
  return wanted.length === 0 || wanted.some((one) => one.toLowerCase() === value.toLowerCase())
}

function holdsText(event: ClusterEvent, search: string): boolean {
  const text = `${event.reason} ${event.message} ${event.object.kind} ${event.object.name}`.toLowerCase()
  return text.includes(search.trim().toLowerCase())
}
