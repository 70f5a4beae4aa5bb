import type { JWTPayload } from 'jose'
import type { Clock } from '../clock.ts'
import type { GroupResource, KubeObject, ObjectStore } from '../object-store.ts'
import { type Doc, docOf, textOf } from '../store/doc.ts'
import { type Identity, serviceAccountGroups, serviceAccountUser } from './identity.ts'

/** The issuer of the tokens that Secrets of the service-account-token type hold. */
export const SECRET_TOKEN_ISSUER = 'kubernetes/serviceaccount'
const LEGACY = 'kubernetes.io/serviceaccount'
/** A bound object on its way out still counts for so long. */
const LEEWAY = 60_000

/** Somebody who holds a token, or the reason why nobody does. */
type Holder = { identity: Identity } | { problem: string }

/** A reference to an object by name and uid, as tokens carry it. */
interface Reference {
  name: string
  uid: string
}

interface Claims {
  namespace: string
  account: Reference
  pod?: Reference
  secret?: Reference
  node?: Reference
}

function referenceOf(value: unknown): Reference | undefined {
  const { name, uid } = docOf(value)
  return textOf(name) ? { name: textOf(name), uid: textOf(uid) } : undefined
}

function claimsOf(payload: JWTPayload): Claims {
  const claims: Doc = payload.iss === SECRET_TOKEN_ISSUER ? legacyClaims(payload) : docOf(payload['kubernetes.io'])
  return {
    namespace: textOf(claims.namespace),
    account: referenceOf(claims.serviceaccount) ?? { name: '', uid: '' },
    pod: referenceOf(claims.pod),
    secret: referenceOf(claims.secret),
    node: referenceOf(claims.node),
  }
}

const legacyClaims = (payload: JWTPayload): Doc => ({
  namespace: payload[`${LEGACY}/namespace`],
  serviceaccount: {
    name: payload[`${LEGACY}/service-account.name`],
    uid: payload[`${LEGACY}/service-account.uid`],
  },
  secret: { name: payload[`${LEGACY}/secret.name`] },
})

const INVALIDATED = 'service account token has been invalidated'

/** Reads tokens against the objects that they speak of: the account, and what they are bound to. */
export function tokenHolders(store: ObjectStore, clock: Clock) {
  const isGone = ({ metadata: { deletionTimestamp } }: KubeObject) =>
    deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < clock.now() - LEEWAY

  /** The reason why a bound object does not carry the token any more. */
  function boundProblem(
    resource: GroupResource,
    namespace: string | undefined,
    { name, uid }: Reference,
  ): string | undefined {
    const found = store.get(resource, namespace, name)
    if (!found) return INVALIDATED
    const kind = resource.slice(1, -1)
    const { uid: has } = found.metadata
    if (has !== uid) return `${kind} UID (${has}) does not match service account ${kind} ref claim (${uid})`
    return isGone(found) ? INVALIDATED : undefined
  }

  /** A token without the uid of its Secret is good as long as it is the very token that the Secret holds. */
  function secretProblem(token: string, namespace: string, secret: Reference): string | undefined {
    if (secret.uid) return boundProblem('/secrets', namespace, secret)
    const found = store.get('/secrets', namespace, secret.name)
    if (!found || found.metadata.deletionTimestamp) return 'Token has been invalidated'
    const held = Buffer.from(textOf(docOf(found.data).token), 'base64').toString()
    return held === token ? undefined : "Token does not match server's copy"
  }

  function problemOf(token: string, claims: Claims): string | undefined {
    const { namespace, account, pod, secret, node } = claims
    const found = store.get('/serviceaccounts', namespace, account.name)
    if (!found) return `serviceaccounts ${JSON.stringify(account.name)} not found`
    if (found.metadata.uid !== account.uid) {
      return `service account UID (${found.metadata.uid}) does not match claim (${account.uid})`
    }
    if (isGone(found)) return `service account ${namespace}/${account.name} has been deleted`
    return (
      (secret && secretProblem(token, namespace, secret)) ??
      (pod && boundProblem('/pods', namespace, pod)) ??
      (node && !pod ? boundProblem('/nodes', undefined, node) : undefined)
    )
  }

  return (token: string, payload: JWTPayload): Holder => {
    const claims = claimsOf(payload)
    const problem = problemOf(token, claims)
    if (problem) return { problem }
    const { namespace, account, pod, node } = claims
    const extra: [string, string | undefined][] = [
      ['credential-id', payload.jti && `JTI=${payload.jti}`],
      ['pod-name', pod?.name],
      ['pod-uid', pod?.uid],
      ['node-name', node?.name],
      ['node-uid', node?.uid],
    ]
    return {
      identity: {
        user: serviceAccountUser(namespace, account.name),
        uid: account.uid,
        groups: serviceAccountGroups(namespace),
        extra: Object.fromEntries(
          extra.flatMap(([key, value]) => (value ? [[`authentication.kubernetes.io/${key}`, [value]]] : [])),
        ),
      },
    }
  }
}
