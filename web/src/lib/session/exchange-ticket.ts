import { ApiError } from '../api/api-error.ts'
import { readResponse } from '../api/read-response.ts'

/** Trades a user-managed-access ticket for a requesting-party token at the token endpoint. */
export async function exchangeTicket(
  tokenEndpoint: string | undefined,
  clientId: string,
  accessToken: string,
  ticket: string,
): Promise<string> {
  if (tokenEndpoint === undefined) throw new Error('Token Endpoint not defined')
  const grant = 'urn:ietf:params:oauth:grant-type:uma-ticket'
  const response = await fetch(tokenEndpoint, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
    body: new URLSearchParams({ grant_type: grant, client_id: clientId, ticket }),
  })
  const reply = await readResponse<{ access_token?: string }>(response)
  if (reply?.access_token === undefined) throw new ApiError(401, 'The ticket was not accepted.')
  return reply.access_token
}
