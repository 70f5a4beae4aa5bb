import { badRequest, expired, notFound } from '../api-error.ts'
import { fieldMatcher, selectedName } from '../machinery/field-selectors.ts'
import { matchesLabels, parseSelector } from '../machinery/selectors.ts'
import type { KubeObject } from '../object-store.ts'
import { subjectOfType } from '../resources/resource-type.ts'
import { present, presentList } from './present.ts'
import { ok, type Reply } from './reply.ts'
import { nameOf, namespaceOf, type ResourceRequest } from './resource-request.ts'

export type Match = (object: KubeObject) => boolean

/** The objects that the request's selectors name; undefined when it names all. */
export function matcherOf({ query, type }: ResourceRequest): Match | undefined {
  const labels = parseSelector(query.get('labelSelector') ?? '')
  const byFields = fieldMatcher(type.storage, query.get('fieldSelector') ?? '')
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

export const getObject = (request: ResourceRequest): Reply => ok(present(request, storedObject(request)))

/** Objects in the request's scope that match, in order of namespace and name. */
export function matchingObjects(request: ResourceRequest): KubeObject[] {
  const { context, type, query } = request
  const match = matcherOf(request)
  const namespace = namespaceOf(request)
  const name = selectedName(query.get('fieldSelector') ?? '')
  if (name !== undefined && (namespace !== undefined || !type.namespaced)) {
    const one = context.store.get(type.storage, namespace, name)
    return one && (!match || match(one)) ? [one] : []
  }
  const all = context.store.list(type.storage, namespace)
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
    if (typeof place.name === 'string' && typeof place.namespace === 'string') return place
  } catch {
    // Falls through to the one answer for tokens that are none.
  }
  throw badRequest('continue key is not valid')
}

const writePlace = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url')

const comesAfter = (object: KubeObject, { namespace, name }: Place): boolean => {
  const own = object.metadata.namespace ?? ''
  return own > namespace || (own === namespace && object.metadata.name > name)
}

function checkVersion({ query, context }: ResourceRequest): void {
  const asked = query.get('resourceVersion')
  const match = query.get('resourceVersionMatch')
  if (match && match !== 'Exact' && match !== 'NotOlderThan') {
    throw badRequest(`resourceVersionMatch: Unsupported value: ${JSON.stringify(match)}`)
  }
  if (!asked || asked === '0') return
  if (!/^\d+$/.test(asked)) throw badRequest(`resourceVersion: Invalid value: ${JSON.stringify(asked)}`)
  const now = Number(context.store.resourceVersion)
  if (match === 'Exact' && Number(asked) < now) throw expired(`The resourceVersion for the provided list is too old.`)
}

/** A page of the list, or all of it. Later pages show what is there when they are asked for. */
export function listObjects(request: ResourceRequest): Reply {
  const { query, context, type } = request
  const limit = Number(query.get('limit') ?? 0)
  const token = query.get('continue')
  if (!token) checkVersion(request)
  const place = token ? readPlace(token) : undefined
  const version = place?.version ?? context.store.resourceVersion
  if (place && Number(version) > Number(context.store.resourceVersion)) throw expired(TOO_OLD)
  const all = matchingObjects(request)
  const rest = place ? all.filter((object) => comesAfter(object, place)) : all
  const page = limit > 0 ? rest.slice(0, limit) : rest
  const last = page.at(-1)
  const left = rest.length - page.length
  if (!last || left === 0) return ok(presentList(request, type, page, { resourceVersion: version }))
  const next = writePlace({ version, namespace: last.metadata.namespace ?? '', name: last.metadata.name })
  return ok(presentList(request, type, page, { resourceVersion: version, continue: next, remainingItemCount: left }))
}
