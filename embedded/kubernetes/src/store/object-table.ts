import type { KubeObject } from '../object-store.ts'

/** One namespace's objects of one resource: found by name, kept in name order. */
interface Shelf {
  byName: Map<string, KubeObject>
  ordered: KubeObject[]
}

/** Where `name` stands, or would stand, among objects in name order. */
function placeOf(ordered: readonly KubeObject[], name: string): number {
  let low = 0
  let high = ordered.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const at = ordered[middle]
    if (at && at.metadata.name < name) low = middle + 1
    else high = middle
  }
  return low
}

/** All objects of one resource, by namespace ('' for cluster-wide ones) and name. */
export class ObjectTable {
  private readonly shelves = new Map<string, Shelf>()
  private namespaces: string[] | undefined

  get(namespace: string, name: string): KubeObject | undefined {
    return this.shelves.get(namespace)?.byName.get(name)
  }

  put(object: KubeObject): void {
    const { namespace = '', name } = object.metadata
    let shelf = this.shelves.get(namespace)
    if (!shelf) {
      shelf = { byName: new Map(), ordered: [] }
      this.shelves.set(namespace, shelf)
      this.namespaces = undefined
    }
    const place = placeOf(shelf.ordered, name)
    shelf.ordered.splice(place, shelf.byName.has(name) ? 1 : 0, object)
    shelf.byName.set(name, object)
  }

  drop(namespace: string, name: string): void {
    const shelf = this.shelves.get(namespace)
    if (!shelf?.byName.delete(name)) return
    shelf.ordered.splice(placeOf(shelf.ordered, name), 1)
    if (shelf.byName.size === 0) {
      this.shelves.delete(namespace)
      this.namespaces = undefined
    }
  }

  /** A fresh array, in order of namespace and name. */
  list(namespace?: string): KubeObject[] {
    if (namespace !== undefined) return [...(this.shelves.get(namespace)?.ordered ?? [])]
    this.namespaces ??= [...this.shelves.keys()].sort()
    const all: KubeObject[] = []
    for (const name of this.namespaces) for (const object of this.shelves.get(name)?.ordered ?? []) all.push(object)
    return all
  }

  get isEmpty(): boolean {
    return this.shelves.size === 0
  }
}
