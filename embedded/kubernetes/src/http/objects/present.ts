import type { KubeObject } from '../../object-store.ts'
import { inVersion, type ResourceType } from '../../resources/resource-type.ts'
import { tableOf } from '../../table/table.ts'
import type { ResourceRequest } from './resource-request.ts'

/** The metadata of an object alone. */
export const metadataOnly = (object: KubeObject) => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata: object.metadata,
})

/** One object as the client asked to see it. */
export function present(request: ResourceRequest, stored: KubeObject): unknown {
  if (request.shape === 'table') return tableOf(request.type, [stored], tableOptions(request))
  const object = inVersion(request.type, stored)
  return request.shape === 'metadata' ? metadataOnly(object) : object
}

export const tableOptions = ({ query, context }: ResourceRequest) => ({
  include: query.get('includeObject') ?? 'Metadata',
  now: context.clock.now(),
})

interface ListMeta {
  resourceVersion: string
  continue?: string
  remainingItemCount?: number
}

/** Entries of a list do not say their kind: the list does. Those of custom kinds say it all the same. */
function asEntry({ apiVersion: _version, kind: _kind, ...rest }: KubeObject): object {
  return rest
}

/** A list of objects as the client asked to see it. */
export function presentList(
  request: ResourceRequest,
  type: ResourceType,
  stored: KubeObject[],
  metadata: ListMeta,
): unknown {
  if (request.shape === 'metadata') {
    return {
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      items: stored.map(metadataOnly),
    }
  }
  if (request.shape === 'table') return { ...tableOf(type, stored, tableOptions(request)), metadata }
  const items = stored.map((object) => (type.custom ? inVersion(type, object) : asEntry(inVersion(type, object))))
  const apiVersion = type.group ? `${type.group}/${type.version}` : type.version
  return { kind: `${type.kind}List`, apiVersion, metadata, items }
}
