import { createHash } from 'node:crypto'
import { modelSchema } from '../resources/model-schema.ts'
import { perEdition, type Registry } from '../resources/registry.ts'
import { apiVersionOf, type ResourceType } from '../resources/resource-type.ts'
import type { StructSchema } from '../resources/schema.ts'
import { type Doc, docOf } from '../store/doc.ts'
import { customDefinition } from './custom-definition.ts'
import { definitionName } from './definition-names.ts'
import { resourcePaths } from './path-documents.ts'
import { definitionsOf } from './schema-document.ts'

const SUBRESOURCE_MODELS: Record<string, string> = {
  Scale: 'V1Scale',
  Binding: 'V1Binding',
  Eviction: 'V1Eviction',
  TokenRequest: 'AuthenticationV1TokenRequest',
}

const reference = (name: string): Doc => ({ $ref: `#/components/schemas/${name}` })

const subresourceSchema = (kind: string): Doc => {
  const model = SUBRESOURCE_MODELS[kind]
  return model ? reference(definitionName(model)) : { type: 'string' }
}

/** Name of a custom kind in the document: its group in reversed order, version, kind. */
const customName = ({ group, version, kind }: ResourceType): string =>
  `${group.split('.').toReversed().join('.')}.${version}.${kind}`

const nameOfType = (type: ResourceType): string =>
  type.schema.kind === 'struct' && type.schema.name ? definitionName(type.schema.name) : customName(type)

function buildDocument(types: readonly ResourceType[]): Doc {
  const paths: Doc = {}
  const structs: StructSchema[] = [modelSchema('V1ObjectMeta'), modelSchema('V1Status'), modelSchema('V1DeleteOptions')]
  for (const type of types) {
    if (!type.custom && type.schema.kind === 'struct') structs.push(type.schema)
    for (const part of Object.values(type.subresources)) {
      const model = SUBRESOURCE_MODELS[part.kind]
      if (model) structs.push(modelSchema(model))
    }
    for (const [path, document] of resourcePaths(type, reference(nameOfType(type)), subresourceSchema)) {
      paths[path] = document
    }
  }
  const schemas: Record<string, Doc> = definitionsOf(structs)
  for (const type of types) {
    const name = nameOfType(type)
    const kinds = { group: type.group, version: type.version, kind: type.kind }
    const base = type.custom ? customDefinition(type) : docOf(schemas[name])
    schemas[name] = { ...base, 'x-kubernetes-group-version-kind': [kinds] }
  }
  const info = { title: 'Kubernetes', version: 'v1.35.0' }
  return { openapi: '3.0.0', info, paths, components: { schemas } }
}

interface Built {
  text: string
  hash: string
}

/** The OpenAPI documents of everything served, made when asked for and kept until what is served changes. */
export interface OpenApi {
  index(): Doc
  document(path: string): Built | undefined
}

const hashOf = (text: string) => createHash('sha512').update(text).digest('hex').toUpperCase()

const typeHashes = new WeakMap<ResourceType, string>()

/** Changes with the type; worked out without making the document, which is large. */
function typeHash(type: ResourceType): string {
  const known = typeHashes.get(type)
  if (known) return known
  const made = hashOf(JSON.stringify([type.plural, type.subresources, type.custom?.jsonSchema]))
  typeHashes.set(type, made)
  return made
}

const pathOf = (type: ResourceType): string => (type.group ? `apis/${apiVersionOf(type)}` : `api/${type.version}`)

export function createOpenApi(registry: Registry): OpenApi {
  const built = new Map<string, { types: readonly ResourceType[]; made: Built }>()

  const typesAt = (path: string) => registry.all().filter((type) => pathOf(type) === path)
  const isSame = (a: readonly ResourceType[], b: readonly ResourceType[]) =>
    a.length === b.length && a.every((type, index) => type === b[index])

  function document(path: string): Built | undefined {
    const types = typesAt(path)
    if (types.length === 0) return undefined
    const known = built.get(path)
    if (known && isSame(known.types, types)) return known.made
    const text = JSON.stringify(buildDocument(types))
    const made = { text, hash: hashOf(text) }
    built.set(path, { types, made })
    return made
  }

  const index = perEdition(registry, () => {
    const paths: Doc = {}
    for (const path of new Set(registry.all().map(pathOf))) {
      const hash = hashOf(typesAt(path).map(typeHash).join())
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }
    }
    return { paths }
  })

  return {
    index,
    document,
  }
}
