import type { V1CustomResourceDefinition, V1CustomResourceDefinitionVersion } from '@kubernetes/client-node'
import { hasRules } from '../expressions/schema-rules.ts'
import type { KubeObject, ObjectStore } from '../object-store.ts'
import type { Registry } from '../resources/registry.ts'
import type { ResourceType, Subresource } from '../resources/resource-type.ts'
import { type Doc, docOf } from '../store/doc.ts'
import { structuralSchema } from './structural-schema.ts'

const DEFINITIONS = 'apiextensions.k8s.io/customresourcedefinitions'
const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const

function subresources(kind: string, version: V1CustomResourceDefinitionVersion): Record<string, Subresource> {
  const verbs = ['get', 'patch', 'update']
  const { status, scale } = version.subresources ?? {}
  return {
    ...(status ? { status: { kind, verbs } } : {}),
    ...(scale ? { scale: { kind: 'Scale', group: 'autoscaling', version: 'v1', verbs } } : {}),
  }
}

function typeOf(definition: KubeObject, version: V1CustomResourceDefinitionVersion): ResourceType {
  const { spec } = definition as unknown as V1CustomResourceDefinition
  const { group, names, scope, versions } = spec
  const stored = versions.find(({ storage }) => storage)?.name ?? version.name
  const schema = version.schema?.openAPIV3Schema as Doc | undefined
  return {
    group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: scope === 'Namespaced',
    verbs: VERBS,
    subresources: subresources(names.kind, version),
    storage: `${group}/${names.plural}`,
    storageVersion: `${group}/${stored}`,
    hasGeneration: true,
    schema: structuralSchema(schema),
    custom: {
      definition: definition.metadata.name,
      jsonSchema: schema,
      hasRules: hasRules(schema),
      hasStatus: version.subresources?.status !== undefined,
      scale: version.subresources?.scale,
      columns: version.additionalPrinterColumns ?? [],
      selectable: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
    },
  }
}

const servedTypes = (definition: KubeObject): ResourceType[] => {
  const { spec } = definition as unknown as V1CustomResourceDefinition
  return spec.versions.filter(({ served }) => served).map((version) => typeOf(definition, version))
}

const FINALIZER = 'customresourcecleanup.apiextensions.k8s.io'

const dropFinalizer = (definition: KubeObject): KubeObject => {
  const finalizers = (definition.metadata.finalizers ?? []).filter((name) => name !== FINALIZER)
  return { ...definition, metadata: { ...definition.metadata, finalizers } }
}

/**
 * Serves what CRDs define from the moment they are stored, and takes their objects away before they go.
 * Returns the function that stops it.
 */
export function followDefinitions(store: ObjectStore, registry: Registry): () => void {
  const specs = new Map<string, unknown>()

  function serve(definition: KubeObject): void {
    const { name } = definition.metadata
    if (specs.get(name) === definition.spec) return
    specs.set(name, definition.spec)
    registry.serve(name, servedTypes(definition))
  }

  /** Objects that hold finalizers keep their definition, and are served, until they are gone. */
  function clear(definition: KubeObject): void {
    const { group, names } = docOf(definition.spec) as { group: string; names: { plural: string } }
    const storage = `${group}/${names.plural}` as const
    for (const { metadata } of store.list(storage)) {
      if (!metadata.deletionTimestamp) store.delete(storage, metadata.namespace, metadata.name)
    }
    const current = store.get(DEFINITIONS, undefined, definition.metadata.name)
    if (store.list(storage).length > 0 || !current?.metadata.finalizers?.includes(FINALIZER)) return
    store.update(DEFINITIONS, undefined, definition.metadata.name, dropFinalizer)
  }

  for (const definition of store.list(DEFINITIONS)) {
    try {
      serve(definition)
      if (definition.metadata.deletionTimestamp) clear(definition)
    } catch (error) {
      // One that a former version let be keeps nobody else's kinds from being served.
      console.error(`The sandbox cannot serve ${definition.metadata.name}:`, error)
    }
  }
  return store.subscribe((resource, { type, object }) => {
    if (resource === DEFINITIONS) {
      if (type === 'DELETED') {
        specs.delete(object.metadata.name)
        registry.serve(object.metadata.name, [])
        return
      }
      serve(object)
      if (object.metadata.deletionTimestamp) clear(object)
      return
    }
    if (type !== 'DELETED') return
    const owner = registry.keeper(resource)?.custom?.definition
    const definition = owner ? store.get(DEFINITIONS, undefined, owner) : undefined
    if (definition?.metadata.deletionTimestamp) clear(definition)
  })
}

/** Defaults of a new definition: the finalizer that deletes its objects first, and a status with accepted names. */
export function admitDefinition(draft: KubeObject, now: string): void {
  const { spec, metadata } = draft as unknown as V1CustomResourceDefinition
  if (!metadata || !spec?.names) return
  if (!metadata.finalizers?.includes(FINALIZER)) metadata.finalizers = [...(metadata.finalizers ?? []), FINALIZER]
  const condition = (type: string, reason: string, message: string) => ({
    type,
    status: 'True',
    lastTransitionTime: now,
    reason,
    message,
  })
  draft.status = {
    acceptedNames: spec.names,
    storedVersions: (spec.versions ?? []).filter(({ storage }) => storage).map(({ name }) => name),
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
  }
}
