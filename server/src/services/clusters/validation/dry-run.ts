import type { ResultLine } from '@quayside/contract/deployments/endpoints'
import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import { placeOf } from '../../../adapters/helm/place-of.ts'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { KubeRefusal } from '../../../adapters/kubernetes/transport.ts'
import { Failure } from '../../../platform/http/errors.ts'
import { isOutside, placed } from '../releases/placed.ts'
import { fieldsOf } from '../workloads/fields.ts'
import { cleanText } from '../workloads/foreign-text.ts'
import { isMade, waitsForOwnAccount } from './dry-run-rules.ts'
import { overwriteLine, overwritten } from './overwrites.ts'
import { isHook } from './ownership.ts'
import { comingGroups, givesTooMuch, plainRefusal, roleOfBinding, tooMuch, withoutComing } from './refused-rights.ts'

const mostObjects = 200
const longestMs = 8000
const provider = 'cluster'

/**
 * Lets the cluster look at each object as the space's own identity without making it. One line for each that it
 * refuses; what it cannot judge yet, because its kind comes with the chart itself, is only mentioned.
 */
export async function dryRun(
  connection: ClusterConnection,
  namespace: string,
  manifest: readonly ManifestObject[],
): Promise<ResultLine[]> {
  const objects = manifest.filter(isMade)
  const until = Date.now() + longestMs
  const isDefined = new Set(objects.map(definedKind).filter((kind) => kind !== undefined))
  const coming = comingGroups(objects, await connection.kinds())
  const lines = await Promise.all(
    objects.slice(0, mostObjects).map(async (object) => {
      const found = await judge({ connection, namespace, objects, isDefined, coming, until }, object)
      return found && { ...found.line, object: placeOf(object, found.at) }
    }),
  )
  const rest = objects.length - mostObjects
  const notLooked = rest > 0 ? [info(`${rest} further objects were not shown to the cluster`).line] : []
  return [...lines.flatMap((line) => line ?? []), ...notLooked]
}

interface Court {
  connection: ClusterConnection
  namespace: string
  objects: readonly ManifestObject[]
  isDefined: ReadonlySet<string>
  /** API groups that the release itself brings, and those that its approval lends to it. */
  coming: ReadonlySet<string>
  until: number
}

/** A line, and where in the object it is. */
interface Finding {
  line: ResultLine
  at: string | undefined
}

async function judge(court: Court, object: ManifestObject): Promise<Finding | undefined> {
  const { connection, namespace, objects, isDefined, until } = court
  const what = cleanText(`${object.kind} ${object.name}`, 300)
  if (object.unreadable) return info(`${what} is written in a way that only Helm can read; the cluster was not asked`)
  if (Date.now() > until) return info(`${what} was not shown to the cluster: it took too long`)
  try {
    const served = await connection.resourceOf(object.apiVersion, object.kind)
    if (!served) {
      const kind = cleanText(`${object.apiVersion} ${object.kind}`, 300)
      if (isDefined.has(object.kind))
        return info(`${what} is of a kind (${kind}) that cannot be checked before the chart has defined it`)
      // A hook is looked at when its turn comes: until then an operator of the chart may have defined its kind.
      if (isHook(object))
        return info(`${what} is of a kind (${kind}) that cannot be checked as long as the cluster does not know it`)
      const kinds = await connection.kinds('now')
      if (kinds.some((each) => each.apiVersion === object.apiVersion && each.kind === object.kind))
        return info(`${what} is of a kind (${kind}) that was defined just now`)
      return error(
        `${what} is of a kind (${kind}) that this cluster does not know and the chart does not bring. Have whoever looks after the cluster install what defines it, or switch this part of the chart off in the values`,
      )
    }
    // The space's account may do nothing there: what is outside of it has been judged by itself.
    if (isOutside(object, served.namespaced, namespace)) return undefined
    const whole = placed(object, served.namespaced ? namespace : undefined)
    const warnings: string[] = []
    const onWarning = (text: string) => void warnings.push(text)
    const taken = await taking(court, served.resource, whole, onWarning)
    if (taken.length > 0) await connection.apply(served.resource, whole, { dryRun: true, onWarning })
    const refused = warnings.map(refusedPods).find((why) => why !== undefined)
    if (refused) return error(`${what}: ${refused}`)
    if (taken.length === 0) return undefined
    return info(overwriteLine(what, taken), taken[0]?.field)
  } catch (cause) {
    if (!(cause instanceof Failure) || cause.code !== 'cluster.refused') throw cause
    const status = (cause as { httpStatus?: number }).httpStatus
    const plain = status === 403 ? plainRefusal(what, cause.message) : undefined
    const message = plain ?? `${what}: ${cleanText(cause.message, 600)}`
    if (status === 404) {
      const refused = await refusedLater(court, object)
      if (refused) return error(refused)
    }
    // Conflicts and missing neighbours are a matter of order, which an installation keeps and this does not.
    const isOrder = status === 404 || status === 409 || waitsForOwnAccount(message, objects)
    const at = cause instanceof KubeRefusal ? cause.causes[0]?.field : undefined
    return isOrder ? info(message, at) : error(message, at)
  }
}

/** A cluster takes a workload whose pods it will refuse, and only warns of it: it would wait for them in vain. */
function refusedPods(warning: string): string | undefined {
  const [, level, why] = /^would violate PodSecurity "([a-z]+)[^"]*": (.*)$/s.exec(warning) ?? []
  if (!level || !why) return undefined
  return `its pods would be refused, because the Pod Security level of this space is ${level}: ${cleanText(why, 600)}. Whoever edits the cluster can set another level for the space`
}

/** Fields that a release would take from others; a role may give rights on groups that the release itself brings. */
async function taking(
  { connection, coming }: Court,
  resource: string,
  whole: KubeObject,
  onWarning?: (text: string) => void,
) {
  try {
    return await overwritten(connection, resource, whole, onWarning)
  } catch (cause) {
    const rest = cause instanceof KubeRefusal && givesTooMuch(cause.message) ? withoutComing(whole, coming) : undefined
    if (!rest) throw cause
    await overwritten(connection, resource, rest, onWarning)
    return []
  }
}

/** Why a binding will be refused to the account although its role, which the chart brings, is not there yet. */
async function refusedLater(court: Court, object: ManifestObject): Promise<string | undefined> {
  const tried = roleOfBinding(placed(object, court.namespace), court.objects)
  if (!tried) return undefined
  const what = cleanText(`${object.kind} ${object.name}`, 300)
  if (tried.addresses.length > 0)
    return tooMuch(what, [cleanText(`get on the addresses ${tried.addresses.join(', ')}`, 300)])
  try {
    await taking(court, `${tried.role.apiVersion}/roles`, tried.role)
    return undefined
  } catch (cause) {
    if (!(cause instanceof KubeRefusal)) throw cause
    return givesTooMuch(cause.message) ? plainRefusal(what, cause.message) : undefined
  }
}

function definedKind({ kind, body }: ManifestObject): string | undefined {
  if (kind !== 'CustomResourceDefinition') return undefined
  const name = fieldsOf(fieldsOf(body.spec).names).kind
  return typeof name === 'string' ? name : undefined
}

const said = (resultType: ResultLine['resultType']) => (message: string, at?: string) => ({
  line: { message, isSummary: false, resultType, provider },
  at,
})
const info = said('info')
const error = said('error')
