import type { GroupResource, KubeObject } from '../object-store.ts'
import type { ResourceType } from '../resources/resource-type.ts'

/** Fills in what was left out and refuses what may not be. Drafts are in the version they are kept in. */
export interface AdmissionControl {
  /** For an object about to be created, whoever creates it. */
  create(resource: GroupResource, draft: KubeObject): void
  /** For an object a client is about to change; `subresource` is what it changes it through. */
  update(type: ResourceType, draft: KubeObject, old: KubeObject, subresource?: string): void
  /** For an object that a client is about to delete. */
  remove(type: ResourceType, old: KubeObject): void
  /** For what a client is about to create through a subresource, and that is not kept. */
  createPart(type: ResourceType, object: KubeObject, subresource: string): void
}
