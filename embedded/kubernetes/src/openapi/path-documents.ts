import { apiVersionOf, type ResourceType } from '../resources/resource-type.ts'
import type { Doc } from '../store/doc.ts'

const text = (name: string, description: string): Doc => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string', uniqueItems: true },
})
const flag = (name: string, description: string): Doc => ({
  name,
  in: 'query',
  description,
  schema: { type: 'boolean', uniqueItems: true },
})
const count = (name: string, description: string): Doc => ({
  name,
  in: 'query',
  description,
  schema: { type: 'integer', uniqueItems: true },
})

const DRY_RUN = text('dryRun', 'With All the request is processed in full and nothing is kept.')
const FIELD_MANAGER = text('fieldManager', 'The name under which managedFields records what this request changes.')
const FIELD_VALIDATION = text(
  'fieldValidation',
  'What becomes of unknown fields: Ignore drops them, Warn drops them with a warning, Strict refuses the request.',
)
const FORCE = flag('force', 'Takes fields over from other managers. Only for apply patches.')
const PRETTY = text('pretty', 'Accepted for compatibility.')
const LIST_PARAMETERS: readonly Doc[] = [
  flag('allowWatchBookmarks', 'Sends events of type BOOKMARK now and then.'),
  text('continue', 'The token of the next page.'),
  text('fieldSelector', 'Only objects with these fields.'),
  text('labelSelector', 'Only objects with these labels.'),
  count('limit', 'The greatest number of objects on a page.'),
  text('resourceVersion', 'The version to start from.'),
  text('resourceVersionMatch', 'How resourceVersion is meant.'),
  flag('sendInitialEvents', 'Starts a watch with the objects that are there.'),
  count('timeoutSeconds', 'How long a watch lasts.'),
  flag('watch', 'Watches instead of listing.'),
]
const DELETE_PARAMETERS: readonly Doc[] = [
  DRY_RUN,
  count('gracePeriodSeconds', 'Seconds the object may take to end.'),
  flag('orphanDependents', 'Superseded by propagationPolicy.'),
  text('propagationPolicy', 'What becomes of dependents: Orphan, Background or Foreground.'),
]
const WRITE = [DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION]

const pathParameter = (name: string): Doc => ({
  name,
  in: 'path',
  required: true,
  description: name === 'namespace' ? 'The namespace the object lives in.' : 'The name of the object.',
  schema: { type: 'string', uniqueItems: true },
})

const PATCH_TYPES = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
]

interface Operation {
  method: string
  action: string
  parameters?: readonly Doc[]
  sends?: 'object' | 'patch' | 'options'
  code?: number
}

const COLLECTION: readonly Operation[] = [
  { method: 'get', action: 'list', parameters: LIST_PARAMETERS },
  { method: 'post', action: 'post', parameters: WRITE, sends: 'object', code: 201 },
  {
    method: 'delete',
    action: 'deletecollection',
    parameters: [...DELETE_PARAMETERS, ...LIST_PARAMETERS],
    sends: 'options',
  },
]
const ITEM: readonly Operation[] = [
  { method: 'get', action: 'get' },
  { method: 'put', action: 'put', parameters: WRITE, sends: 'object' },
  { method: 'patch', action: 'patch', parameters: [...WRITE, FORCE], sends: 'patch' },
  { method: 'delete', action: 'delete', parameters: DELETE_PARAMETERS, sends: 'options' },
]

const content = (types: readonly string[], schema: Doc): Doc => ({
  content: Object.fromEntries(types.map((type) => [type, { schema }])),
})

interface Target {
  type: ResourceType
  kind: { group: string; version: string; kind: string }
  schema: Doc
}

const isCalled = ({ type }: Target, operation: Operation, part: string): string => {
  const words = [
    operation.action,
    type.group.split('.')[0] || 'core',
    type.version,
    type.namespaced ? 'namespaced' : '',
  ]
  const names = [...words, type.kind, part].filter(Boolean)
  return names.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
}

function operationDocument(target: Target, operation: Operation, part = ''): Doc {
  const { type, kind, schema } = target
  const bodySchema = operation.sends === 'object' ? schema : { type: 'object' }
  const types = operation.sends === 'patch' ? PATCH_TYPES.slice(0, type.custom ? 3 : 4) : ['*/*']
  return {
    tags: [`${type.group.split('.')[0] || 'core'}_${type.version}`],
    operationId: isCalled(target, operation, part),
    ...(operation.parameters ? { parameters: [...operation.parameters] } : {}),
    ...(operation.sends ? { requestBody: content(types, bodySchema) } : {}),
    responses: {
      [operation.code ?? 200]: { description: 'OK', ...content(['application/json'], schema) },
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': operation.action,
    'x-kubernetes-group-version-kind': kind,
  }
}

const pathItem = (target: Target, operations: readonly Operation[], parameters: readonly Doc[], part = ''): Doc => ({
  ...Object.fromEntries(operations.map((operation) => [operation.method, operationDocument(target, operation, part)])),
  parameters: [...parameters, PRETTY],
})

const VERB_METHODS: Record<string, Operation | undefined> = {
  get: ITEM[0],
  update: ITEM[1],
  patch: ITEM[2],
  create: COLLECTION[1],
}

function subresourcePaths(target: Target, item: string, parameters: readonly Doc[], refOf: (kind: string) => Doc) {
  return Object.entries(target.type.subresources).map(([name, part]) => {
    const kind = {
      group: part.group ?? target.type.group,
      version: part.version ?? target.type.version,
      kind: part.kind,
    }
    const own: Target = { ...target, kind, schema: part.kind === target.type.kind ? target.schema : refOf(part.kind) }
    const operations = part.verbs.flatMap((verb) => VERB_METHODS[verb] ?? [])
    const suffix = name.charAt(0).toUpperCase() + name.slice(1)
    return [`${item}/${name}`, pathItem(own, operations, parameters, suffix)] satisfies [string, Doc]
  })
}

/** The paths under which a resource is served, with what they take. */
export function resourcePaths(type: ResourceType, schema: Doc, refOf: (kind: string) => Doc): [string, Doc][] {
  const root = type.group ? `/apis/${apiVersionOf(type)}` : `/api/${type.version}`
  const scope = type.namespaced ? [pathParameter('namespace')] : []
  const collection = `${root}${type.namespaced ? '/namespaces/{namespace}' : ''}/${type.plural}`
  const target: Target = { type, kind: { group: type.group, version: type.version, kind: type.kind }, schema }
  if (!type.verbs.includes('get')) {
    return [[collection, pathItem(target, COLLECTION.slice(1, 2), scope)]]
  }
  const item = `${collection}/{name}`
  const itemParameters = [...scope, pathParameter('name')]
  const everywhere = type.namespaced
    ? [
        [`${root}/${type.plural}`, pathItem(target, COLLECTION.slice(0, 1), [], 'ForAllNamespaces')] satisfies [
          string,
          Doc,
        ],
      ]
    : []
  const own: [string, Doc][] = [
    [collection, pathItem(target, COLLECTION, scope)],
    [item, pathItem(target, ITEM, itemParameters)],
  ]
  return [...everywhere, ...own, ...subresourcePaths(target, item, itemParameters, refOf)]
}
