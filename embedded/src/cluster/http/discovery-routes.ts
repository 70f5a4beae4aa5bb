import { unknownPath } from '../api-error.ts'
import type { ClusterContext } from '../cluster-context.ts'
import { AGGREGATED_TYPE, aggregated, coreVersions, groupList, oneGroup, resourceList } from '../discovery/discovery.ts'
import { mediaRanges } from './negotiate.ts'
import { ok, type Reply } from './reply.ts'

/** Whether discovery is wanted in one document, before the classic form. */
function wantsAggregated(accept: string | undefined): boolean {
  for (const { type, parameters } of mediaRanges(accept ?? '')) {
    if (type !== 'application/json') continue
    if (!parameters.as) return false
    if (parameters.as === 'APIGroupDiscoveryList' && parameters.g === 'apidiscovery.k8s.io' && parameters.v === 'v2') {
      return true
    }
  }
  return false
}

const inOneDocument = (context: ClusterContext, core: boolean): Reply => ({
  code: 200,
  text: JSON.stringify(aggregated(context.registry.all(), core)),
  type: AGGREGATED_TYPE,
  headers: { vary: 'Accept' },
})

const orUnknown = (body: unknown): Reply => {
  if (!body) throw unknownPath()
  return ok(body)
}

/** The paths that tell clients what there is; undefined for all other paths. */
export function discoveryReply(
  context: ClusterContext,
  path: string,
  accept: string | undefined,
  address: string,
): Reply | undefined {
  const segments = path.split('/').filter(Boolean)
  const [root, first, second, more] = segments
  const types = context.registry.all()
  if (root === 'api') {
    if (!first) return wantsAggregated(accept) ? inOneDocument(context, true) : ok(coreVersions(address))
    return second ? undefined : orUnknown(resourceList(types, '', first))
  }
  if (root !== 'apis' || more) return undefined
  if (!first) return wantsAggregated(accept) ? inOneDocument(context, false) : ok(groupList(types))
  return orUnknown(second ? resourceList(types, first, second) : oneGroup(types, first))
}
