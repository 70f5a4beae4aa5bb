import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import { badRequest, unauthorized } from '../api-error.ts'
import { type Access, accessDenied } from './access.ts'
import { type Identity, serviceAccountGroups } from './identity.ts'
import type { ResourceAttributes } from './rules.ts'
import type { TokenAuthority } from './tokens.ts'

const AUTHENTICATED = 'system:authenticated'
const UNAUTHENTICATED = 'system:unauthenticated'
const ANONYMOUS = 'system:anonymous'
const API_VERSION = 'authentication.k8s.io/v1'
const EXTRA = 'impersonate-extra-'

function certificateIdentity(message: IncomingMessage): Identity | undefined {
  const { socket } = message
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined
  const subject = socket.getPeerCertificate()?.subject
  const user = subject?.CN
  if (!subject || typeof user !== 'string') return undefined
  const groups: string[] = [subject.O ?? []].flat()
  return { user, groups: [...groups, AUTHENTICATED] }
}

const headerValues = (message: IncomingMessage, name: string): string[] => message.headersDistinct[name] ?? []

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** The namespace and name of the account that a user is; nothing when the user is a person. */
function accountOf(user: string): { namespace: string; name: string } | undefined {
  const [system, kind, namespace = '', name = '', ...rest] = user.split(':')
  if (system !== 'system' || kind !== 'serviceaccount' || rest.length > 0) return undefined
  return LABEL.test(namespace) && SUBDOMAIN.test(name) && name.length <= 253 ? { namespace, name } : undefined
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The parts of an identity that a sender wants to act under. */
interface Disguise {
  user: string
  groups: string[]
  extra: [key: string, values: string[]][]
  uid: string | undefined
}

function disguiseOf(message: IncomingMessage): Disguise | undefined {
  const disguise = {
    user: headerValues(message, 'impersonate-user')[0] ?? '',
    groups: headerValues(message, 'impersonate-group'),
    extra: Object.keys(message.headers)
      .filter((name) => name.startsWith(EXTRA))
      .map((name): [string, string[]] => [unescaped(name.slice(EXTRA.length)), headerValues(message, name)]),
    uid: headerValues(message, 'impersonate-uid')[0],
  }
  const { user, groups, extra, uid } = disguise
  if (user) return disguise
  const parts = [
    ...groups.map((name) => `{Group  ${name}    }`),
    ...extra.flatMap(([key, values]) => values.map((value) => `{UserExtra  ${value}  ${API_VERSION}  ${key}}`)),
    ...(uid ? [`{UID  ${uid}  ${API_VERSION}  }`] : []),
  ]
  if (parts.length > 0) throw badRequest(`requested [${parts.join(' ')}] without impersonating a user`)
  return undefined
}

/** Each part of a disguise is a right of its own: the user or account, every group, every extra value and the uid. */
function rightsFor({ user, groups, extra, uid }: Disguise): ResourceAttributes[] {
  const account = accountOf(user)
  const asked = (resource: string, name: string): ResourceAttributes => ({
    verb: 'impersonate',
    group: '',
    resource,
    name,
  })
  const details = { group: 'authentication.k8s.io' }
  return [
    account ? { ...asked('serviceaccounts', account.name), namespace: account.namespace } : asked('users', user),
    ...groups.map((name) => asked('groups', name)),
    ...extra.flatMap(([key, values]) =>
      values.map((value) => ({ ...asked('userextras', value), ...details, subresource: key })),
    ),
    ...(uid ? [{ ...asked('uids', uid), ...details }] : []),
  ]
}

function disguised({ user, groups, extra, uid }: Disguise): Identity {
  const account = accountOf(user)
  const named = groups.length > 0 || !account ? groups : serviceAccountGroups(account.namespace)
  const usual = user === ANONYMOUS ? UNAUTHENTICATED : AUTHENTICATED
  const isSaid = named.includes(UNAUTHENTICATED) || (user !== ANONYMOUS && named.includes(AUTHENTICATED))
  return { user, uid, groups: isSaid ? named : [...named, usual], extra: Object.fromEntries(extra) }
}

/** Tells who sends a request: by bearer token or client certificate, or the person the sender acts as. */
export async function authenticate(
  message: IncomingMessage,
  tokens: TokenAuthority,
  access: Access,
): Promise<Identity> {
  const bearer = /^Bearer\s+(.+)$/i.exec(message.headers.authorization ?? '')?.[1]?.trim()
  const actor = bearer ? (await tokens.identify(bearer)).identity : certificateIdentity(message)
  if (!actor) throw unauthorized()
  const disguise = disguiseOf(message)
  if (!disguise) return actor
  for (const right of rightsFor(disguise)) if (!access.allows(actor, right)) throw accessDenied(actor, right)
  return disguised(disguise)
}
