import type { GroupResource, KubeObject, OwnerReference } from '../../object-store.ts'
import type { Engine } from '../engine/engine.ts'
import { allResources, resourceOfKind } from '../engine/owners.ts'
import type { Controller, KeysFor } from '../engine/reconcile-loop.ts'
import type { TypedStore } from '../engine/typed-store.ts'

const FOREGROUND = 'foregroundDeletion'
const ORPHAN = 'orphan'

const idOf = (resource: GroupResource, { metadata }: KubeObject) =>
  `${resource} ${metadata.namespace ?? ''} ${metadata.name}`

/** Deletes what is owned by what is gone; ends foreground and orphaning deletions. */
export function garbageCollector(engine: Engine): Controller {
  const { store } = engine

  const keysFor: KeysFor = (event, resource) => {
    const { object } = event
    const { ownerReferences, deletionTimestamp, finalizers, uid } = object.metadata
    const keys: string[] = []
    if (event.type === 'DELETED') {
      for (const owned of store.ownedBy(uid)) keys.push(idOf(owned.resource, owned.object))
      keys.push(...ownersInForeground(store, object))
      return keys
    }
    const same = event.type === 'MODIFIED' && event.old.metadata.ownerReferences === ownerReferences
    if (ownerReferences?.length && !same) keys.push(idOf(resource, object))
    if (deletionTimestamp && finalizers?.some((one) => one === FOREGROUND || one === ORPHAN))
      keys.push(idOf(resource, object))
    return keys
  }

  return {
    name: 'garbage-collector',
    watches: { '*': keysFor },
    startWith: allResources(store),
    reconcile(key) {
      const [resource, namespace, name] = key.split(' ') as [GroupResource, string, string]
      const object = store.get(resource, namespace || undefined, name)
      if (!object) return
      if (object.metadata.deletionTimestamp) return endDeletion(store, resource, object)
      collect(store, resource, object)
    },
  }
}

function find(store: TypedStore, namespace: string | undefined, reference: OwnerReference) {
  const place = resourceOfKind(store, reference.apiVersion, reference.kind)
  const owner = place && store.get(place.resource, place.namespaced ? namespace : undefined, reference.name)
  // A kind that nobody serves cannot be looked up; what it owns is left alone.
  if (!place) return { known: false as const, owner: undefined, resource: undefined }
  return {
    known: true as const,
    owner: owner?.metadata.uid === reference.uid ? owner : undefined,
    resource: place.resource,
  }
}

function ownersInForeground(store: TypedStore, { metadata }: KubeObject): string[] {
  return (metadata.ownerReferences ?? []).flatMap((reference) => {
    const { owner, resource } = find(store, metadata.namespace, reference)
    return owner?.metadata.deletionTimestamp && resource ? [idOf(resource, owner)] : []
  })
}

function collect(store: TypedStore, resource: GroupResource, object: KubeObject): undefined {
  const references = object.metadata.ownerReferences ?? []
  if (references.length === 0) return
  const owners = references.map((reference) => ({ reference, ...find(store, object.metadata.namespace, reference) }))
  const gone = owners.filter(({ known, owner }) => known && !owner)
  const waiting = owners.filter(
    ({ owner }) => owner?.metadata.deletionTimestamp && owner.metadata.finalizers?.includes(FOREGROUND),
  )
  const solid = owners.length - gone.length - waiting.length
  if (solid === 0) {
    const chained = waiting.length > 0 && store.ownedBy(object.metadata.uid).length > 0
    store.delete(resource, object, chained ? { propagationPolicy: 'Foreground' } : {})
  } else if (gone.length > 0) {
    const dead = new Set(gone.map(({ reference }) => reference.uid))
    withoutOwners(store, resource, object, dead)
  }
}

function withoutOwners(store: TypedStore, resource: GroupResource, object: KubeObject, dead: Set<string>) {
  store.update(resource, object, (own) => ({
    ...own,
    metadata: { ...own.metadata, ownerReferences: own.metadata.ownerReferences?.filter(({ uid }) => !dead.has(uid)) },
  }))
}

function endDeletion(store: TypedStore, resource: GroupResource, object: KubeObject): undefined {
  const { finalizers = [], uid } = object.metadata
  const dependents = store.ownedBy(uid)
  if (finalizers.includes(ORPHAN)) {
    for (const { resource: kind, object: dependent } of dependents)
      withoutOwners(store, kind, dependent, new Set([uid]))
    return release(store, resource, object, ORPHAN)
  }
  if (!finalizers.includes(FOREGROUND)) return
  for (const { resource: kind, object: dependent } of dependents) {
    if (!dependent.metadata.deletionTimestamp) collect(store, kind, dependent)
  }
  const blocking = store
    .ownedBy(uid)
    .some(({ object: { metadata } }) =>
      metadata.ownerReferences?.some((one) => one.uid === uid && one.blockOwnerDeletion),
    )
  if (!blocking) release(store, resource, object, FOREGROUND)
}

function release(store: TypedStore, resource: GroupResource, object: KubeObject, finalizer: string): undefined {
  store.update(resource, object, (own) => ({
    ...own,
    metadata: { ...own.metadata, finalizers: own.metadata.finalizers?.filter((one) => one !== finalizer) },
  }))
}
