import { z } from 'zod'
import { fail } from '../../../platform/http/errors.ts'
import { pathOfResource } from '../resource-path.ts'
import type { Transport } from '../transport.ts'

export const tokenSeconds = 3600

const TokenReply = z.looseObject({ status: z.looseObject({ token: z.string().regex(/^[\x21-\x7e]{1,16384}$/) }) })

/** The object that a token is bound to, in the namespace of its account: deleting the object ends the token. */
interface BoundTo {
  kind: 'Secret'
  name: string
  uid: string | undefined
}

/** A token of a service account that lasts an hour, or as long as what it is bound to. */
export async function accountToken(
  transport: Transport,
  namespace: string,
  account: string,
  boundTo?: BoundTo,
): Promise<string> {
  const reply = TokenReply.safeParse(
    await transport.json({
      method: 'POST',
      path: pathOfResource('v1/serviceaccounts', namespace, account, 'token'),
      body: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {
          expirationSeconds: tokenSeconds,
          ...(boundTo ? { boundObjectRef: { apiVersion: 'v1', ...boundTo } } : {}),
        },
      },
    }),
  )
  if (!reply.success)
    throw fail('cluster.refused', { message: `The cluster gave no token for ${namespace}/${account}.` })
  return reply.data.status.token
}
