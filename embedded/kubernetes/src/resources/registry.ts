import type { GroupResource } from '../object-store.ts'
import { BUILT_IN } from './built-in.ts'
import { METRICS_TYPES } from './metrics-types.ts'
import type { ResourceType } from './resource-type.ts'

/** Resources that are served at present: the built-in ones and those of CRDs. */
export interface Registry {
  find(group: string, version: string, plural: string): ResourceType | undefined
  findKind(group: string, version: string, kind: string): ResourceType | undefined
  /** The type that keeps its objects there, in the version they are kept in. */
  keeper(storage: GroupResource): ResourceType | undefined
  all(): readonly ResourceType[]
  /** Replaces what one CRD serves; an empty list withdraws it. */
  serve(definition: string, types: readonly ResourceType[]): void
  /** Raised by every change: what was worked out from an older number is stale. */
  readonly edition: number
}

interface Indexes {
  byPlural: Map<string, ResourceType>
  byKind: Map<string, ResourceType>
  byStorage: Map<string, ResourceType>
}

function index(types: readonly ResourceType[]): Indexes {
  const indexes: Indexes = { byPlural: new Map(), byKind: new Map(), byStorage: new Map() }
  for (const type of types) {
    const at = `${type.group}/${type.version}/`
    indexes.byPlural.set(at + type.plural, type)
    if (!indexes.byKind.has(at + type.kind)) indexes.byKind.set(at + type.kind, type)
    const keeps = (type.group ? at : `${type.version}/`) === `${type.storageVersion}/`
    if (keeps || !indexes.byStorage.has(type.storage)) indexes.byStorage.set(type.storage, type)
  }
  return indexes
}

export function createRegistry(): Registry {
  const custom = new Map<string, readonly ResourceType[]>()
  const own = [...BUILT_IN, ...METRICS_TYPES]
  let all: readonly ResourceType[] = own
  let indexes = index(all)
  let edition = 1
  return {
    find: (group, version, plural) => indexes.byPlural.get(`${group}/${version}/${plural}`),
    findKind: (group, version, kind) => indexes.byKind.get(`${group}/${version}/${kind}`),
    keeper: (storage) => indexes.byStorage.get(storage),
    all: () => all,
    serve(definition, types) {
      if (types.length > 0) custom.set(definition, types)
      else custom.delete(definition)
      all = [...own, ...[...custom.values()].flat()]
      indexes = index(all)
      edition += 1
    },
    get edition() {
      return edition
    },
  }
}

/** Something worked out from what is served, kept until that changes. */
export function perEdition<T>(registry: Registry, make: () => T): () => T {
  let edition = -1
  let made: T | undefined
  return () => {
    if (made === undefined || edition !== registry.edition) {
      edition = registry.edition
      made = make()
    }
    return made
  }
}
