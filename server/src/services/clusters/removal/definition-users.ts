import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { conditionsOf, fieldsOf, listOf, textOf } from '../workloads/fields.ts'
import { isOfRelease } from './orphans.ts'

/** Place of the release that would take a definition along. */
interface Place {
  namespace: string
  releaseName: string
}

/** Objects of a defined kind that are not of the release, and where they are. */
interface Users {
  kind: string
  count: number
  /** Other spaces that have any. */
  spaces: number
  /** Namespaces that have any and belong to no space. */
  namespaces: number
}

type Looking = Pick<ClusterConnection, 'list'>

/**
 * The objects of a defined kind, by name alone; undefined when nobody can tell: they are kept also while no version of
 * theirs is served.
 */
export async function objectsOfKind(connection: Looking, definition: KubeObject): Promise<KubeObject[] | undefined> {
  const spec = fieldsOf(definition.spec)
  const isEstablished = conditionsOf(fieldsOf(definition.status)).some(
    ({ type, status }) => type === 'Established' && status === 'True',
  )
  const version = listOf(spec.versions).find(({ served }) => served === true)
  if (!version) return undefined
  const resource = `${textOf(spec.group)}/${textOf(version.name)}/${textOf(fieldsOf(spec.names).plural)}`
  return connection.list(resource, { metadataOnly: true }).catch((error: { httpStatus?: number }) => {
    // A kind that was never served has no objects.
    if (error.httpStatus === 404 && !isEstablished) return []
    if (error.httpStatus === 404 || error.httpStatus === 403) return undefined
    throw error
  })
}

/** The objects that others have of a defined kind; undefined when nobody can tell. */
export async function usersOf(
  connection: Looking,
  definition: KubeObject,
  { namespace, releaseName }: Place,
): Promise<Users | undefined> {
  const all = await objectsOfKind(connection, definition)
  if (!all) return undefined
  const others = all.filter(({ metadata }) =>
    metadata.namespace === undefined
      ? !isOfRelease(metadata.annotations ?? {}, namespace, releaseName)
      : metadata.namespace !== namespace,
  )
  const homes = new Set(others.flatMap(({ metadata }) => metadata.namespace ?? []))
  const spaces = homes.size === 0 ? [] : await connection.list('v1/namespaces', { labelSelector: 'quayside.io/space' })
  const ofSpaces = spaces.filter(({ metadata }) => homes.has(metadata.name)).length
  const kind = textOf(fieldsOf(fieldsOf(definition.spec).names).kind)
  return { kind, count: others.length, spaces: ofSpaces, namespaces: homes.size - ofSpaces }
}

/** Why a definition stays; undefined when nobody else uses it. */
export function whyItStays(users: Users | undefined): string | undefined {
  if (!users) return 'nobody can tell which objects there are of its kind'
  const { kind, count, spaces, namespaces } = users
  if (count === 0) return undefined
  const homes = [
    ...(spaces > 0 ? [numbered(spaces, 'other space')] : []),
    ...(namespaces > 0 ? [numbered(namespaces, 'other namespace')] : []),
  ].join(' and ')
  return `${numbered(count, 'object')} of the kind ${kind}${homes === '' ? '' : ` in ${homes}`} would be deleted with it`
}

function numbered(count: number, what: string): string {
  return count === 1 ? `one ${what}` : `${count} ${what}s`
}
