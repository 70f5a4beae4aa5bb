/** Resource that a path of the API names. */
export interface ResourcePath {
  group: string
  version: string
  namespace?: string
  resource: string
  name?: string
  subresource?: string
  /** Rest of the path behind the subresource, as in proxy paths. */
  rest?: string
}

/** The namespace that rights are asked for in; a namespace itself is an object in itself. */
export const scopeOf = ({ resource, name, namespace }: ResourcePath): string | undefined =>
  resource === 'namespaces' ? name : namespace

/** Segments that follow a namespace's name without being resources in it. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize'])

function within(base: { group: string; version: string }, segments: readonly string[]): ResourcePath | undefined {
  const parts = segments[0] === 'watch' ? segments.slice(1) : segments
  const [first, second, third] = parts
  if (!first) return undefined
  if (first === 'namespaces' && second && third && !NAMESPACE_SUBRESOURCES.has(third)) {
    const [resource = '', name, subresource, ...rest] = parts.slice(2)
    return { ...base, namespace: second, resource, ...named(name, subresource, rest) }
  }
  const [resource = '', name, subresource, ...rest] = parts
  const namespace = resource === 'namespaces' && name ? { namespace: name } : {}
  return { ...base, ...namespace, resource, ...named(name, subresource, rest) }
}

const named = (name: string | undefined, subresource: string | undefined, rest: readonly string[]) => ({
  ...(name ? { name } : {}),
  ...(subresource ? { subresource } : {}),
  ...(rest.length > 0 ? { rest: rest.join('/') } : {}),
})

/** The resource that `/api/…` or `/apis/…` names; undefined for all other paths, discovery among them. */
export function resourcePath(path: string): ResourcePath | undefined {
  const segments = path.split('/').slice(1).map(decodeURIComponent)
  if (segments.at(-1) === '') segments.pop()
  const [root, first = '', second = ''] = segments
  if (root === 'api' && first) return within({ group: '', version: first }, segments.slice(2))
  if (root === 'apis' && second) return within({ group: first, version: second }, segments.slice(3))
  return undefined
}

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection'

/** The verb that access rules speak of. */
export function verbOf(method: string, path: ResourcePath, watches: boolean): Verb | undefined {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (path.name) return 'get'
      return watches ? 'watch' : 'list'
    case 'POST':
      return path.name && !path.subresource ? undefined : 'create'
    case 'PUT':
      return path.name ? 'update' : undefined
    case 'PATCH':
      return path.name ? 'patch' : undefined
    case 'DELETE':
      return path.name ? 'delete' : 'deletecollection'
    default:
      return undefined
  }
}
