import { badRequest, expired, notFound, versionTooLarge } from '../../api-error.ts'
import { fieldMatcher, selectedName } from '../../machinery/field-selectors.ts'
import { matchesLabels, parseSelector } from '../../machinery/selectors.ts'
import type { KubeObject } from '../../object-store.ts'
import { subjectOfType } from '../../resources/resource-type.ts'
import { ok, type Reply } from '../reply.ts'
import { checkListOptions } from '../request-options.ts'
import { objectsAt } from './past-objects.ts'
import { present, presentList } from './present.ts'
import { nameOf, namespaceOf, type ResourceRequest } from './resource-request.ts'

export type Match = (object: KubeObject) => boolean

/** The objects that the request's selectors name; undefined when it names all. */
export function matcherOf({ query, type }: ResourceRequest): Match | undefined {
  const labels = parseSelector(query.get('labelSelector') ?? '')
  const byFields = fieldMatcher(type.storage, query.get('fieldSelector') ?? '', {
    custom: type.custom !== undefined,
    extra: type.custom?.selectable ?? [],
  })
  if (labels.length === 0) return byFields
  const byLabels: Match = (object) => matchesLabels(object.metadata.labels, labels)
  return byFields ? (object) => byLabels(object) && byFields(object) : byLabels
}

/** The stored object a path names. */
export function storedObject(request: ResourceRequest): KubeObject {
  const name = nameOf(request)
  const object = request.context.store.get(request.type.storage, namespaceOf(request), name)
  if (!object) throw notFound(subjectOfType(request.type), name)
  return object
}

export function getObject(request: ResourceRequest): Reply {
  askedVersion(request)
  return ok(present(request, storedObject(request)))
}

/** Objects in the request's scope that match, in order of namespace and name: as they are, or as they were. */
export function matchingObjects(request: ResourceRequest, version?: number): KubeObject[] {
  const { context, type, query } = request
  const match = matcherOf(request)
  const namespace = namespaceOf(request)
  const name = selectedName(query.get('fieldSelector') ?? '')
  if (version === undefined && name !== undefined && (namespace !== undefined || !type.namespaced)) {
    const one = context.store.get(type.storage, namespace, name)
    return one && (!match || match(one)) ? [one] : []
  }
  const all =
    version === undefined
      ? context.store.list(type.storage, namespace)
      : objectsAt(context, type.storage, namespace, version)
  if (!all) throw expired(query.get('continue') ? TOO_OLD : 'The resourceVersion for the provided list is too old.')
  return match ? all.filter(match) : all
}

interface Place {
  version: string
  namespace: string
  name: string
}

const TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.'

function readPlace(token: string): Place {
  try {
    const place = JSON.parse(Buffer.from(token, 'base64url').toString()) as Place
    if (typeof place.name === 'string' && typeof place.namespace === 'string' && /^\d+$/.test(place.version))
      return place
  } catch {
    // Falls through to the one answer for tokens that are none.
  }
  throw badRequest('invalid continue token: continue key is not valid: it is not one that a list has given')
}

const writePlace = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url')

const comesAfter = (object: KubeObject, { namespace, name }: Place): boolean => {
  const own = object.metadata.namespace ?? ''
  return own > namespace || (own === namespace && object.metadata.name > name)
}

/** The version a request names; undefined when any will do. */
export function askedVersion({ query, context }: ResourceRequest): number | undefined {
  const asked = query.get('resourceVersion') ?? ''
  if (asked === '' || asked === '0') return undefined
  if (!/^\d+$/.test(asked)) {
    throw badRequest(`invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(asked)}`)
  }
  if (Number(asked) > Number(context.store.resourceVersion)) throw versionTooLarge(asked, context.store.resourceVersion)
  return Number(asked)
}

function limitOf({ query }: ResourceRequest): number {
  const asked = query.get('limit') ?? ''
  if (/^-?\d*$/.test(asked)) return Number(asked)
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(asked)}: invalid syntax`)
}

/** Version of the objects that a list shows; undefined is the newest. Later pages show the version of the first one. */
function versionToShow(request: ResourceRequest, place: Place | undefined): number | undefined {
  const { query } = request
  if (place) {
    const asked = query.get('resourceVersion') ?? ''
    if (asked && asked !== '0') throw badRequest('specifying resource version is not allowed when using continue')
    return Number(place.version)
  }
  const asked = askedVersion(request)
  return query.get('resourceVersionMatch') === 'Exact' ? asked : undefined
}

/** A page of the list, or all of it. */
export function listObjects(request: ResourceRequest): Reply {
  const { query, context, type } = request
  checkListOptions(request, false)
  const limit = limitOf(request)
  const token = query.get('continue')
  const place = token ? readPlace(token) : undefined
  const shown = versionToShow(request, place)
  const version = String(shown ?? context.store.resourceVersion)
  if (Number(version) > Number(context.store.resourceVersion)) throw expired(TOO_OLD)
  const all = matchingObjects(request, shown)
  const rest = place ? all.filter((object) => comesAfter(object, place)) : all
  const page = limit > 0 ? rest.slice(0, limit) : rest
  const last = page.at(-1)
  const left = rest.length - page.length
  if (!last || left === 0) return ok(presentList(request, type, page, { resourceVersion: version }))
  const next = writePlace({ version, namespace: last.metadata.namespace ?? '', name: last.metadata.name })
  const count = matcherOf(request) ? {} : { remainingItemCount: left }
  return ok(presentList(request, type, page, { resourceVersion: version, continue: next, ...count }))
}
