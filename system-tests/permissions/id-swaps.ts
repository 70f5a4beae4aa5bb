import type { Asked, Try } from './tries.ts'

/** A call of one team's things in which a single id is that of the other team. */
interface Swap {
  /** `params.id`, `body.places.0.clusterId` */
  place: string
  asked: Asked
  /** The same with an id that nobody has in that place. */
  unknown: Asked
  /** Both of them. */
  ids: [other: string, nobodys: string]
}

type Path = (string | number)[]

/** One call for each place in which two teams say something else, with that place taken from the other team. */
export function swapsOf(ours: Try, theirs: Try, isShared: (value: string) => boolean): Swap[] {
  const { params, query, body } = ours
  const asked: Asked = { params, query, body }
  return leaves(asked).flatMap(({ path, value }) => {
    const other = at(theirs, path)
    if (typeof other !== 'string' || other === value || isShared(other)) return []
    const nobodys = forged(other)
    const [withOther, unknown] = [other, nobodys].map((id) => replaced(asked, path, id) as Asked)
    return withOther && unknown ? [{ place: path.join('.'), asked: withOther, unknown, ids: [other, nobodys] }] : []
  })
}

/** An id of the same length and kind of letters. */
const forged = (id: string) =>
  id.replace(/[a-z0-9]/gi, (sign) => {
    if (/[0-9]/.test(sign)) return String((Number(sign) + 3) % 10)
    return sign === sign.toLowerCase() ? 'q' : 'Q'
  })

function leaves(node: unknown, path: Path = []): { path: Path; value: string }[] {
  if (typeof node === 'string') return [{ path, value: node }]
  if (typeof node !== 'object' || node === null || node instanceof FormData) return []
  return Object.entries(node).flatMap(([key, child]) =>
    leaves(child, [...path, Array.isArray(node) ? Number(key) : key]),
  )
}

function at(node: unknown, path: Path): unknown {
  return path.reduce<unknown>((found, key) => (found as Record<string | number, unknown> | undefined)?.[key], node)
}

function replaced(node: unknown, [first, ...rest]: Path, value: string): unknown {
  if (first === undefined) return value
  if (Array.isArray(node)) return node.map((child, index) => (index === first ? replaced(child, rest, value) : child))
  const fields = node as Record<string, unknown>
  return { ...fields, [first]: replaced(fields[first], rest, value) }
}

/** Lists, narrowed to what is the other team's. */
export const narrowed = (theirs: {
  name: string
  clusterId: string
  space: { id: string }
  app: { id: string; releaseName: string | null }
  deployer: { id: string }
  action: { startedBy: string }
}): [address: string, query: Record<string, string>][] => [
  ['GET /portal-api/v2/spaces', { search: theirs.name }],
  ['GET /portal-api/v2/apps', { search: theirs.name }],
  ['GET /portal-api/v2/apps', { 'filters.spaceId': theirs.space.id }],
  ['GET /portal-api/v2/apps', { 'filters.clusterId': theirs.clusterId }],
  ['GET /portal-api/v2/apps', { search: theirs.app.id }],
  ['GET /portal-api/v3/access-requests', { 'filters.spaceId': theirs.space.id }],
  ['GET /deployment/v1/actions', { 'filters.spaceId': theirs.space.id }],
  ['GET /deployment/v1/actions', { 'filters.appId': theirs.app.id }],
  ['GET /deployment/v1/actions', { 'filters.clusterId': theirs.clusterId }],
  ['GET /deployment/v1/actions', { 'filters.releaseName': String(theirs.app.releaseName) }],
  ['GET /deployment/v1/actions', { 'filters.startedBy': theirs.action.startedBy }],
  ['GET /deployment/v1/actions', { search: theirs.name }],
]
