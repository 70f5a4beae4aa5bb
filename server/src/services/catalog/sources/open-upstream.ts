import { type SourceKind, type SourceSignIn, webAddressOf } from '@quayside/contract/catalog/source-rules'
import type { HttpFetcher } from '../../../adapters/outgoing/outgoing.ts'
import { helmRepository } from './helm/helm-repository.ts'
import { ociRegistry } from './oci/oci-registry.ts'
import type { Upstream } from './upstream.ts'

/** Sign-in with the secret in the open, for as long as a source is asked. */
export interface OpenSignIn {
  kind: SourceSignIn
  username: string
  secret: string
}

interface Place {
  kind: SourceKind
  address: string
}

export function openUpstream(get: HttpFetcher, { kind, address }: Place, signIn: OpenSignIn): Upstream {
  const url = new URL(webAddressOf(address))
  const authorization = authorizationOf(signIn)
  const credentials = authorization === undefined ? undefined : { origin: url.origin, authorization }
  return kind === 'helm' ? helmRepository(get, url, credentials) : ociRegistry(get, url, credentials)
}

function authorizationOf({ kind, username, secret }: OpenSignIn): string | undefined {
  if (kind === 'none') return undefined
  if (kind === 'token') return `Bearer ${secret}`
  return `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`
}
