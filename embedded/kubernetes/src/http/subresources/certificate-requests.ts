import type { V1CertificateSigningRequest } from '@kubernetes/client-node'
import { type FieldError, forbiddenField, invalidObject, invalidValue } from '../../field-error.ts'
import type { KubeObject } from '../../object-store.ts'
import { kubeTime } from '../../store/names.ts'
import type { ResourceRequest } from '../objects/resource-request.ts'

const REQUESTS = 'certificates.k8s.io/certificatesigningrequests'
/** Conditions that cannot be removed again once they are set. */
const DECISIONS = ['Approved', 'Denied', 'Failed']

type Status = NonNullable<V1CertificateSigningRequest['status']>

function refuse({ metadata }: KubeObject, error: FieldError): never {
  throw invalidObject('certificates.k8s.io', 'CertificateSigningRequest', metadata.name, [error])
}

/** Enters in a new certificate request who asks for it; other kinds are left as they are. */
export function enterRequestor({ type, identity }: ResourceRequest, object: KubeObject): void {
  if (type.storage !== REQUESTS) return
  const { user, uid, groups, extra } = identity
  const spec = object.spec as V1CertificateSigningRequest['spec']
  const pem = Buffer.from(spec?.request ?? '', 'base64').toString()
  if (!pem.includes('-----BEGIN CERTIFICATE REQUEST-----')) {
    refuse(object, invalidValue('spec.request', spec?.request, 'PEM block type must be CERTIFICATE REQUEST'))
  }
  const asking = { username: user, groups: [...groups], ...(uid ? { uid } : {}), ...(extra ? { extra } : {}) }
  object.spec = { ...spec, ...asking }
  object.status = {}
}

/**
 * Fields of a certificate request that each path may change: `approval` only the conditions, the main resource only the
 * metadata.
 */
export function limitToSubresource(
  { type, path, context }: ResourceRequest,
  current: KubeObject,
  next: KubeObject,
): KubeObject {
  if (type.storage !== REQUESTS || path.subresource === 'status') return next
  if (path.subresource !== 'approval') return { ...next, spec: current.spec, status: current.status }
  const status = (current.status ?? {}) as Status
  const conditions = ((next.status ?? {}) as Status).conditions ?? []
  const lost = (status.conditions ?? []).find(
    ({ type: name }) => DECISIONS.includes(name) && !conditions.some((condition) => condition.type === name),
  )
  if (lost) {
    const why = `updates may not remove a condition of type ${JSON.stringify(lost.type)}`
    refuse(current, forbiddenField('status.conditions', why))
  }
  const now = kubeTime(context.clock.now())
  const dated = conditions.map((condition) => ({ ...condition, lastUpdateTime: condition.lastUpdateTime ?? now }))
  return { ...current, metadata: next.metadata, status: { ...status, conditions: dated } }
}
