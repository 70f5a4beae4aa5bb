import { whoActs } from '../../admission/actor.ts'
import { badRequest, conflict, notFound } from '../../api-error.ts'
import { ISSUER, type TokenGrant } from '../../auth/tokens.ts'
import { type FieldError, invalidObject, invalidValue } from '../../field-error.ts'
import type { GroupResource, KubeObject } from '../../object-store.ts'
import { type Doc, docOf, listOf, textOf } from '../../store/doc.ts'
import { kubeTime } from '../../store/names.ts'
import { storedObject } from '../objects/read-objects.ts'
import { bodyOf, bodyTypeOf, nameOf, type ResourceRequest } from '../objects/resource-request.ts'
import { decodeBody } from '../read-body.ts'
import { created, type Reply } from '../reply.ts'

const HOUR = 3600
const YEAR = 365 * 24 * HOUR
const SHORTEST = 600
const LONGEST = 2 ** 32
/** Pods ask for this lifetime; their tokens live longer, for programs that read the file once. */
const OF_PODS = HOUR + 7

const BINDABLE: Record<string, GroupResource> = { Pod: '/pods', Secret: '/secrets', Node: '/nodes' }

const refuse = (name: string, error: FieldError) =>
  invalidObject('authentication.k8s.io', 'TokenRequest', name, [error])

function checkMetadata(metadata: Doc, account: KubeObject): void {
  const { name, namespace, uid } = account.metadata
  const differs = (field: string, value: unknown, what: string) =>
    refuse(name, invalidValue(`metadata.${field}`, value, `must match the service account ${what} if specified`))
  if (metadata.name && metadata.name !== name) throw differs('name', metadata.name, 'name')
  if (metadata.namespace && metadata.namespace !== namespace)
    throw differs('namespace', metadata.namespace, 'namespace')
  if (metadata.uid && metadata.uid !== uid) {
    const why = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`
    throw conflict({ group: 'authentication.k8s.io', resource: 'TokenRequest' }, name, why)
  }
}

function lifetimeOf(spec: Doc): number {
  const seconds = typeof spec.expirationSeconds === 'number' ? spec.expirationSeconds : HOUR
  const wrong = (why: string) => refuse('', invalidValue('spec.expirationSeconds', seconds, why))
  if (seconds < SHORTEST) throw wrong('may not specify a duration less than 10 minutes')
  if (seconds > LONGEST) throw wrong('may not specify a duration larger than 2^32 seconds')
  return seconds
}

const referenceTo = ({ metadata: { name, uid } }: KubeObject) => ({ name, uid })

/** The object that a token is to die with; for a pod, with the node that it runs on. */
function boundTo({ context: { store }, path }: ResourceRequest, reference: unknown): TokenGrant['bound'] {
  if (!reference) return undefined
  const { apiVersion, kind, name, uid } = docOf(reference)
  const resource = apiVersion === 'v1' || !apiVersion ? BINDABLE[textOf(kind)] : undefined
  if (!resource) {
    const [group = '', version] = textOf(apiVersion).includes('/') ? textOf(apiVersion).split('/') : ['', apiVersion]
    throw badRequest(`cannot bind token to object of type ${group}/${version ?? ''}, Kind=${textOf(kind)}`)
  }
  const target = store.get(resource, resource === '/nodes' ? undefined : path.namespace, textOf(name))
  if (!target) throw notFound({ group: '', resource: resource.slice(1) }, textOf(name))
  const { serviceAccountName, nodeName } = docOf(target.spec)
  if (kind === 'Pod' && serviceAccountName !== path.name) {
    const why = 'to pod running with different serviceaccount name.'
    throw badRequest(`cannot bind token for serviceaccount ${JSON.stringify(path.name)} ${why}`)
  }
  if (uid && uid !== target.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`
    throw conflict({ group: '', resource: textOf(kind) }, target.metadata.name, why)
  }
  if (kind === 'Secret') return { secret: referenceTo(target) }
  if (kind === 'Node') return { node: referenceTo(target) }
  const node = nodeName ? store.get('/nodes', undefined, textOf(nodeName)) : undefined
  return {
    pod: referenceTo(target),
    ...(nodeName ? { node: node ? referenceTo(node) : { name: textOf(nodeName) } } : {}),
  }
}

/** A new bearer token for a service account. */
export async function requestToken(request: ResourceRequest): Promise<Reply> {
  const { context, path } = request
  const body = docOf(decodeBody(bodyTypeOf(request), await bodyOf(request)))
  const spec = docOf(body.spec)
  const account = storedObject(request)
  checkMetadata(docOf(body.metadata), account)
  const asked = listOf(spec.audiences).map(textOf)
  const audiences = asked.length > 0 ? asked : [ISSUER]
  let expirationSeconds = lifetimeOf(spec)
  const { uid } = account.metadata
  const asking = {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {
      ...docOf(body.metadata),
      name: nameOf(request),
      namespace: path.namespace,
      uid,
      resourceVersion: '',
      creationTimestamp: kubeTime(Date.now()),
    },
    spec: { ...spec, audiences, expirationSeconds, boundObjectRef: spec.boundObjectRef ?? null },
  }
  context.admission.createPart(request.type, asking, 'token')
  const bound = boundTo(request, spec.boundObjectRef)
  const { maxTokenSeconds } = context
  if (maxTokenSeconds && expirationSeconds > maxTokenSeconds) {
    const shortened = `requested expiration of ${expirationSeconds} seconds shortened to ${maxTokenSeconds} seconds`
    whoActs().warnings.push(shortened)
    expirationSeconds = maxTokenSeconds
  }
  const isExtended = bound?.pod && expirationSeconds === OF_PODS && audiences.every((audience) => audience === ISSUER)
  const now = Date.now()
  const token = await context.tokens.issue({
    account,
    audiences,
    bound,
    ...(isExtended
      ? { lifetimeSeconds: YEAR, warnAfterSeconds: expirationSeconds }
      : { lifetimeSeconds: expirationSeconds }),
  })
  const { resourceVersion: _none, ...metadata } = asking.metadata
  return created({
    ...asking,
    metadata,
    spec: { ...asking.spec, expirationSeconds },
    status: { token, expirationTimestamp: kubeTime(now + expirationSeconds * 1000) },
  })
}
