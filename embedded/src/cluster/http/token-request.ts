import { badRequest, notFound } from '../api-error.ts'
import { ISSUER } from '../auth/tokens.ts'
import { invalidObject, invalidValue } from '../field-error.ts'
import { docOf, listOf, textOf } from '../store/doc.ts'
import { decodeBody } from './read-body.ts'
import { storedObject } from './read-objects.ts'
import { created, type Reply } from './reply.ts'
import { bodyOf, bodyTypeOf, type ResourceRequest } from './resource-request.ts'

const HOUR = 3600
const SHORTEST = 600

function boundTo(request: ResourceRequest, reference: unknown) {
  const { kind, name, uid } = docOf(reference)
  if (!kind) return undefined
  const resource = { Pod: '/pods', Secret: '/secrets', Node: '/nodes' }[textOf(kind)] as
    | '/pods'
    | '/secrets'
    | '/nodes'
    | undefined
  if (!resource) throw badRequest(`cannot bind token for serviceaccount to object type ${kind}`)
  const namespace = resource === '/nodes' ? undefined : request.path.namespace
  const target = request.context.store.get(resource, namespace, textOf(name))
  if (!target) throw notFound({ group: '', resource: resource.slice(1) }, textOf(name))
  if (uid && uid !== target.metadata.uid) {
    throw badRequest(`the UID in the bound object reference (${uid}) does not match the UID in record`)
  }
  return { kind: textOf(kind), name: target.metadata.name, uid: target.metadata.uid }
}

/** A new bearer token for a service account. */
export async function requestToken(request: ResourceRequest): Promise<Reply> {
  const body = docOf(decodeBody(bodyTypeOf(request), await bodyOf(request)))
  const spec = docOf(body.spec)
  const lifetimeSeconds = typeof spec.expirationSeconds === 'number' ? spec.expirationSeconds : HOUR
  if (lifetimeSeconds < SHORTEST) {
    const why = invalidValue(
      'spec.expirationSeconds',
      lifetimeSeconds,
      'may not specify a duration less than 10 minutes',
    )
    throw invalidObject('authentication.k8s.io', 'TokenRequest', '', [why])
  }
  const asked = listOf(spec.audiences).map(textOf)
  const audiences = asked.length > 0 ? asked : [ISSUER]
  const { token, expiresAt } = await request.context.tokens.issue({
    account: storedObject(request),
    audiences,
    lifetimeSeconds,
    bound: boundTo(request, spec.boundObjectRef),
  })
  return created({
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { ...docOf(body.metadata), name: request.path.name, namespace: request.path.namespace },
    spec: { ...spec, audiences, expirationSeconds: lifetimeSeconds },
    status: { token, expirationTimestamp: expiresAt.toISOString().replace(/\.\d+Z$/, 'Z') },
  })
}
