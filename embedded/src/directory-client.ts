import { randomBytes } from 'node:crypto'

type ClientKey = { id: string; secret: string }
type Json = Record<string, unknown>

/** An answer that is not the expected one, in the words of whoever gave it. */
export class CallFailed extends Error {
  readonly status: number
  constructor(what: string, status: number, body: string) {
    super(`${what} answered ${status}: ${body.slice(0, 500)}`)
    this.name = 'CallFailed'
    this.status = status
  }
}

/** A token of a client's own account, by the client credentials grant. */
export async function clientToken(identityUrl: string, realm: string, client: ClientKey): Promise<string> {
  const url = `${identityUrl}/realms/${realm}/protocol/openid-connect/token`
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
  })
  const answer = await fetch(url, { method: 'POST', body })
  const text = await answer.text()
  if (!answer.ok) throw new CallFailed(`POST ${url}`, answer.status, text)
  return String((JSON.parse(text) as Json).access_token)
}

/** A realm through the Admin REST API that Keycloak publishes. */
export type Directory = {
  get<Reply>(path: string): Promise<Reply>
  post(path: string, body: unknown): Promise<void>
  put(path: string, body?: unknown): Promise<void>
  remove(path: string, body?: unknown): Promise<void>
}

/** Opens a realm; the token is fetched once, so keep one only for as long as a token lasts. */
export async function openDirectory(identityUrl: string, realm: string, admin: ClientKey): Promise<Directory> {
  const token = await clientToken(identityUrl, 'master', admin)
  const call = async (method: string, path: string, body?: unknown) => {
    const url = `${identityUrl}/admin/realms/${realm}${path}`
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new CallFailed(`${method} ${url}`, answer.status, text)
    return text
  }
  return {
    get: async <Reply>(path: string) => JSON.parse(await call('GET', path)) as Reply,
    post: async (path, body) => void (await call('POST', path, body)),
    put: async (path, body) => void (await call('PUT', path, body)),
    remove: async (path, body) => void (await call('DELETE', path, body)),
  }
}

export type ClientRoles = { realmRoles?: string[]; clientRoles?: Record<string, string[]> }

/** Makes tokens of a client be meant for the portal. */
export const portalAudience = {
  name: 'quayside audience',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: { 'included.custom.audience': 'quayside-api', 'access.token.claim': 'true', 'id.token.claim': 'false' },
}

/** Makes a client whose own account holds exactly these roles, and gives its credentials. */
export async function makeServiceClient(directory: Directory, name: string, roles: ClientRoles): Promise<ClientKey> {
  const secret = randomBytes(24).toString('base64url')
  await directory.post('/clients', {
    clientId: name,
    name,
    secret,
    publicClient: false,
    serviceAccountsEnabled: true,
    standardFlowEnabled: false,
    directAccessGrantsEnabled: false,
    // The same attribute that the portal sets on service accounts made in it.
    attributes: { 'quayside.script': 'true' },
    protocolMappers: [portalAudience],
  })
  const client = await clientNamed(directory, name)
  if (!client) throw new Error(`client ${name} was made but is not found`)
  const account = await directory.get<{ id: string }>(`/clients/${client.id}/service-account-user`)
  await grantRoles(directory, account.id, roles)
  return { id: name, secret }
}

/** Makes a person who holds exactly these roles and can sign in. */
export async function makePerson(directory: Directory, username: string, roles: ClientRoles) {
  const password = randomBytes(18).toString('base64url')
  const email = `${username}@demo.example`
  const name = { firstName: 'Test', lastName: 'Person' }
  await directory.post('/users', { username, email, ...name, enabled: true, emailVerified: true })
  const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${encodeURIComponent(username)}`)
  if (!user) throw new Error(`person ${username} was made but is not found`)
  await directory.put(`/users/${user.id}/reset-password`, { type: 'password', value: password, temporary: false })
  await grantRoles(directory, user.id, roles)
  return { username, password }
}

async function grantRoles(directory: Directory, userId: string, { realmRoles = [], clientRoles = {} }: ClientRoles) {
  const found = await Promise.all(realmRoles.map((role) => directory.get(`/roles/${encodeURIComponent(role)}`)))
  if (found.length > 0) await directory.post(`/users/${userId}/role-mappings/realm`, found)
  for (const [clientId, names] of Object.entries(clientRoles)) {
    const owner = await clientNamed(directory, clientId)
    if (!owner) throw new Error(`there is no client ${clientId} to take roles from`)
    const roles = await Promise.all(
      names.map((role) => directory.get(`/clients/${owner.id}/roles/${encodeURIComponent(role)}`)),
    )
    await directory.post(`/users/${userId}/role-mappings/clients/${owner.id}`, roles)
  }
}

/** The client with this client id, if there is one. */
export async function clientNamed(directory: Directory, clientId: string): Promise<{ id: string } | undefined> {
  const [client] = await directory.get<{ id: string }[]>(`/clients?clientId=${encodeURIComponent(clientId)}`)
  return client
}
