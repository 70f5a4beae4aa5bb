import type { GroupResource, KubeObject } from '../object-store.ts'

interface Owned {
  resource: GroupResource
  namespace: string
  name: string
}

/** Objects by the uid of their owner, so that garbage collection need not look at all objects. */
export class OwnerIndex {
  private readonly byOwner = new Map<string, Map<string, Owned>>()

  change(resource: GroupResource, old: KubeObject | undefined, next: KubeObject | undefined): void {
    const before = old?.metadata.ownerReferences
    const after = next?.metadata.ownerReferences
    if (before === after) return
    const at = (next ?? old)?.metadata
    if (!at) return
    const owned: Owned = { resource, namespace: at.namespace ?? '', name: at.name }
    const key = `${resource}|${owned.namespace}|${owned.name}`
    for (const { uid } of before ?? []) this.remove(uid, key)
    for (const { uid } of after ?? []) {
      const known = this.byOwner.get(uid)
      if (known) known.set(key, owned)
      else this.byOwner.set(uid, new Map([[key, owned]]))
    }
  }

  ownedBy(uid: string): Owned[] {
    return [...(this.byOwner.get(uid)?.values() ?? [])]
  }

  private remove(uid: string, key: string): void {
    const known = this.byOwner.get(uid)
    known?.delete(key)
    if (known?.size === 0) this.byOwner.delete(uid)
  }
}
