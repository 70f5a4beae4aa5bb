import type { KubeObject } from '../object-store.ts'
import { inVersion, type ResourceType } from '../resources/resource-type.ts'
import { columnsOf } from './columns.ts'

interface TableOptions {
  /** The part of the object that each row carries: None, Metadata or Object. */
  include: string
  now: number
}

function carried(object: KubeObject, include: string): unknown {
  if (include === 'None') return null
  if (include === 'Object') return object
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata }
}

/** Kept objects as rows, with the columns that `kubectl get` shows for their kind. */
export function tableOf(type: ResourceType, objects: readonly KubeObject[], { include, now }: TableOptions) {
  const columns = columnsOf(type)
  const only = objects.length === 1 ? objects[0] : undefined
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: only?.metadata.resourceVersion ?? '' },
    columnDefinitions: columns.map(({ name, type: kind = 'string', format = '', description = '', priority = 0 }) => ({
      name,
      type: kind,
      format,
      description,
      priority,
    })),
    rows: objects.map((object) => ({
      cells: columns.map(({ cell }) => cell(object, now)),
      object: carried(inVersion(type, object), include),
    })),
  }
}
