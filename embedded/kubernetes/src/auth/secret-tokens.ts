import { createPrivateKey, type JsonWebKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceAccountUser } from './identity.ts'
import { SECRET_TOKEN_ISSUER } from './token-holder.ts'

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Makes the token of a Secret of the service-account type: one without an end, that dies with its Secret. */
export function secretTokenSigner(folder: string) {
  const jwk = JSON.parse(readFileSync(join(folder, 'service-account.key'), 'utf8')) as JsonWebKey & { kid?: string }
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  return (account: { namespace: string; name: string; uid: string; secret: string }): string => {
    const { namespace, name, uid, secret } = account
    const header = encoded({ alg: 'ES256', kid: jwk.kid })
    const claims = encoded({
      iss: SECRET_TOKEN_ISSUER,
      sub: serviceAccountUser(namespace, name),
      'kubernetes.io/serviceaccount/namespace': namespace,
      'kubernetes.io/serviceaccount/service-account.name': name,
      'kubernetes.io/serviceaccount/service-account.uid': uid,
      'kubernetes.io/serviceaccount/secret.name': secret,
    })
    const signature = sign('sha256', Buffer.from(`${header}.${claims}`), { key, dsaEncoding: 'ieee-p1363' })
    return `${header}.${claims}.${signature.toString('base64url')}`
  }
}
