import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import { badRequest, unauthorized } from '../api-error.ts'
import { type Access, accessDenied } from './access.ts'
import { type Identity, serviceAccountGroups } from './identity.ts'
import type { TokenAuthority } from './tokens.ts'

const AUTHENTICATED = 'system:authenticated'
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

function impersonated(message: IncomingMessage): Identity | undefined {
  const user = headerValues(message, 'impersonate-user')[0]
  if (!user) {
    const groups = headerValues(message, 'impersonate-group').map((name) => `{Group  ${name}    }`)
    if (groups.length > 0) throw badRequest(`requested [${groups.join(' ')}] without impersonating a user`)
    return undefined
  }
  const named = headerValues(message, 'impersonate-group')
  const account = /^system:serviceaccount:([^:]+):[^:]+$/.exec(user)?.[1]
  const groups = named.length > 0 || !account ? named : serviceAccountGroups(account)
  const extra = Object.fromEntries(
    Object.keys(message.headers)
      .filter((name) => name.startsWith(EXTRA))
      .map((name) => [decodeURIComponent(name.slice(EXTRA.length)), headerValues(message, name)]),
  )
  return {
    user,
    uid: headerValues(message, 'impersonate-uid')[0],
    groups: [...new Set([...groups, user === 'system:anonymous' ? 'system:unauthenticated' : AUTHENTICATED])],
    extra,
  }
}

function checkImpersonation(access: Access, actor: Identity, target: Identity, groups: readonly string[]): void {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(target.user)
  const asUser = account
    ? { verb: 'impersonate', group: '', resource: 'serviceaccounts', namespace: account[1], name: account[2] }
    : { verb: 'impersonate', group: '', resource: 'users', name: target.user }
  const asGroups = groups.map((name) => ({ verb: 'impersonate', group: '', resource: 'groups', name }))
  for (const wanted of [asUser, ...asGroups]) {
    if (!access.allows(actor, wanted)) throw accessDenied(actor, wanted)
  }
}

/** Who sends a request: by bearer token or client certificate, or the person the sender acts as. */
export async function authenticate(
  message: IncomingMessage,
  tokens: TokenAuthority,
  access: Access,
): Promise<Identity> {
  const bearer = /^Bearer\s+(.+)$/i.exec(message.headers.authorization ?? '')?.[1]?.trim()
  const actor = bearer ? await tokens.identify(bearer) : certificateIdentity(message)
  if (!actor) throw unauthorized()
  const target = impersonated(message)
  if (!target) return actor
  checkImpersonation(access, actor, target, headerValues(message, 'impersonate-group'))
  return target
}
