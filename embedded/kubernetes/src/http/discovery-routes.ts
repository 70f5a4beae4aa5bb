import { createHash } from 'node:crypto'
import { unknownPath } from '../api-error.ts'
import { AGGREGATED_TYPE, aggregated, coreVersions, groupList, oneGroup, resourceList } from '../discovery/discovery.ts'
import { perEdition, type Registry } from '../resources/registry.ts'
import { mediaRanges } from './negotiate.ts'
import { nowhere, ok, type Reply } from './reply.ts'

/** Tells whether discovery is wanted in one document, before the classic form. */
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

const orUnknown = (body: unknown): Reply => {
  if (!body) throw unknownPath()
  return ok(body)
}

/** The paths that tell clients what there is; undefined for all other paths. */
export type DiscoveryRoutes = (path: string, accept: string | undefined) => Reply | undefined

export function createDiscoveryRoutes(registry: Registry, address: () => string): DiscoveryRoutes {
  const asReply = (core: boolean) => (): Reply => {
    const text = JSON.stringify(aggregated(registry.all(), core))
    const etag = `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`
    return { code: 200, text, type: AGGREGATED_TYPE, headers: { vary: 'Accept', etag } }
  }
  const knowsGroup = (name: string) => registry.all().some(({ group }) => group === name)
  const core = perEdition(registry, asReply(true))
  const others = perEdition(registry, asReply(false))
  const groups = perEdition(registry, () => ok(groupList(registry.all())))

  return (path, accept) => {
    const [root, first, second, more] = path.split('/').filter(Boolean)
    if (root === 'api') {
      if (!first) return wantsAggregated(accept) ? core() : ok(coreVersions(address()))
      return second ? undefined : orUnknown(resourceList(registry.all(), '', first))
    }
    if (root !== 'apis' || more) return undefined
    if (!first) return wantsAggregated(accept) ? others() : groups()
    if (!knowsGroup(first)) return nowhere
    return orUnknown(second ? resourceList(registry.all(), first, second) : oneGroup(registry.all(), first))
  }
}
