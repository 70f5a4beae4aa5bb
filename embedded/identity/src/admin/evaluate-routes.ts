import { carriedOf } from '../directory/carried-roles.ts'
import { requireClient } from '../directory/clients.ts'
import { findUser } from '../directory/users.ts'
import { notFound } from '../http/problem.ts'
import { accessClaims } from '../oidc/claims.ts'
import { type Call, clientsView, ok, param, type Reply, type Route } from './route.ts'

/** Claims that an access token of this client would have for a person now; no token is made. */
async function exampleAccessToken(call: Call): Promise<Reply> {
  const { db, realm, query } = call
  const client = await requireClient(db, realm.id, param(call, 'client'))
  const user = await findUser(db, realm.id, query.get('userId') ?? '')
  if (!user) throw notFound('User')
  const carried = await carriedOf(db, realm.id, client, user.id, query.get('scope') ?? '')
  const claims = accessClaims(client, user, carried)
  return ok({ ...claims, sub: user.id, typ: 'Bearer', azp: client.client_id })
}

/** Looking at what a client's tokens carry, as Keycloak's console does. */
export const evaluateRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/clients/:client/evaluate-scopes/generate-example-access-token',
    needs: clientsView,
    answer: exampleAccessToken,
  },
]
