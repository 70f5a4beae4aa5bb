import type { GroupResource, KubeObject } from '../object-store.ts'
import type { Schema } from './schema.ts'

export interface Subresource {
  /** The kind it speaks; its own group and version when they differ from the resource's. */
  kind: string
  group?: string
  version?: string
  verbs: readonly string[]
}

/** One resource in one version, as served. */
export interface ResourceType {
  group: string
  version: string
  kind: string
  plural: string
  singular: string
  shortNames: readonly string[]
  categories: readonly string[]
  namespaced: boolean
  verbs: readonly string[]
  subresources: Readonly<Record<string, Subresource>>
  /** Where its objects are kept; events of both groups share one place. */
  storage: GroupResource
  /** The apiVersion under which they are kept. */
  storageVersion: string
  hasGeneration: boolean
  schema: Schema
  /** Settings from the CRD; undefined for built-in resources. */
  custom?: CustomResource
  /** The form of a kept object in this version, and back, where it is more than another apiVersion. */
  fromStorage?: (object: KubeObject) => KubeObject
  toStorage?: (object: KubeObject) => KubeObject
}

interface CustomResource {
  definition: string
  jsonSchema: Record<string, unknown> | undefined
  hasStatus: boolean
  /** Its schema has expressions that objects must satisfy. */
  hasRules: boolean
  scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string }
  columns: readonly CustomColumn[]
  /** Fields that lists may be narrowed by. */
  selectable: readonly string[]
}

export interface CustomColumn {
  name: string
  type: string
  format?: string
  description?: string
  priority?: number
  jsonPath: string
}

export const apiVersionOf = ({ group, version }: { group: string; version: string }): string =>
  group ? `${group}/${version}` : version

export const subjectOfType = (type: ResourceType) => ({ group: type.group, resource: type.plural })

/** A kept object in the version asked for; the same object when it is kept in that version. */
export function inVersion(type: ResourceType, object: KubeObject): KubeObject {
  if (type.fromStorage) return type.fromStorage(object)
  const apiVersion = apiVersionOf(type)
  return object.apiVersion === apiVersion && object.kind === type.kind
    ? object
    : { ...object, apiVersion, kind: type.kind }
}

/** An object as sent, in the version it is kept in. */
export function forStorage(type: ResourceType, object: KubeObject): KubeObject {
  if (type.toStorage) return type.toStorage(object)
  return object.apiVersion === type.storageVersion ? object : { ...object, apiVersion: type.storageVersion }
}
