import type { Directory } from '@quayside/embedded/directory-client'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { World } from '@quayside/embedded/world'
import { askToken } from '@quayside/embedded-identity/testing/browser'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let world: World
let directory: Directory
let spaceId: string

beforeAll(async () => {
  world = await World.start({ cluster: false })
  directory = await world.directory()
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const made = await world.api('/portal-api/v3/spaces', { token, body: { displayName: 'Harbour' } })
  spaceId = ((await made.json()) as { id: string }).id
  const [api] = await directory.get<{ id: string }[]>('/clients?clientId=quayside-api')
  await directory.post(`/clients/${api?.id}/roles`, { name: 'space.edit' })
})
afterAll(() => world?.close())

async function person(realmRoles: string[], apiRoles: string[] = []) {
  const clientRoles: Record<string, string[]> = apiRoles.length > 0 ? { 'quayside-api': apiRoles } : {}
  const made = await world.personWith({ realmRoles, clientRoles })
  return (await signInAsPerson(world, made)).access_token
}
const rename = (token: string, rpt?: string, id = spaceId) =>
  world.api(`/portal-api/v3/spaces/${id}`, {
    method: 'PUT',
    token,
    body: { displayName: 'Renamed', description: '' },
    headers: rpt ? { 'x-qc-rpt': `Bearer ${rpt}` } : {},
  })
const exchange = (token: string, ticket: string) =>
  askToken(
    `${world.url}/auth/realms/demo`,
    { grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket', client_id: 'quayside-portal-ui', ticket },
    { authorization: `Bearer ${token}` },
  )
const ticketOf = async (token: string) => (await rename(token)).headers.get('ticket') ?? ''

describe('a page that is refused for a scope', () => {
  it('gets a ticket with the refusal, and nothing for it without the permission', async () => {
    const token = await person(['quayside-viewer'])
    const refused = await rename(token)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('ticket')?.length).toBeGreaterThan(20)
    expect(await refused.json()).toMatchObject({
      status: 401,
      code: 'auth.forbidden',
      details: { needs: [{ scope: 'space.edit' }] },
    })
    const denied = await exchange(token, refused.headers.get('ticket') ?? '')
    expect(denied).toMatchObject({ status: 400, body: { error: 'access_denied' } })
  })

  it('with the permission makes the call once more, and the next call is refused again', async () => {
    const token = await person(['quayside-viewer'], ['space.edit'])
    const granted = await exchange(token, await ticketOf(token))
    expect(granted.status).toBe(200)
    expect((await rename(token, granted.body.access_token)).status).toBe(200)
    expect((await rename(token)).status).toBe(401)
  })

  it('gets no ticket with a permission that does not help, nor for a space that it cannot see', async () => {
    const token = await person(['quayside-viewer'], ['space.edit'])
    const granted = await exchange(token, await ticketOf(token))
    const removal = await world.api(`/portal-api/v3/spaces/${spaceId}`, {
      method: 'DELETE',
      token,
      headers: { 'x-qc-rpt': `Bearer ${granted.body.access_token}` },
    })
    expect(removal.status).toBe(403)
    expect(removal.headers.get('ticket')).toBeNull()

    const stranger = await person([])
    const [hidden, unknown] = [await rename(stranger), await rename(stranger, undefined, 'nothing')]
    for (const answer of [hidden, unknown]) {
      expect(answer.status).toBe(404)
      expect(answer.headers.get('ticket')).toBeNull()
    }
  })

  it('gets no ticket as a script', async () => {
    const refused = await rename(await world.tokenFor({ realmRoles: ['quayside-viewer'] }))
    expect(refused.status).toBe(403)
    expect(refused.headers.get('ticket')).toBeNull()
  })
})

describe('somebody who brings a permission', () => {
  it('of another person is refused', async () => {
    const [owner, thief] = [await person(['quayside-viewer'], ['space.edit']), await person(['quayside-viewer'])]
    const { body } = await exchange(owner, await ticketOf(owner))
    expect((await rename(thief, body.access_token)).status).toBe(401)
  })

  it('that is an access token, a forged one or nonsense is refused', async () => {
    const token = await person(['quayside-viewer'], ['space.edit'])
    const { body } = await exchange(token, await ticketOf(token))
    const [header, payload] = String(body.access_token).split('.')
    const claims = { ...decodeJwt(String(body.access_token)), authorization: { permissions: [{ rsid: 'x' }] } }
    const forged = Buffer.from(JSON.stringify(claims)).toString('base64url')
    for (const rpt of [token, `${header}.${payload}.`, `${header}.${forged}.${payload}`, 'nonsense'])
      expect((await rename(token, rpt)).status).toBe(401)
  })

  it('as a token of its own is refused', async () => {
    const token = await person(['quayside-viewer'], ['space.edit'])
    const { body } = await exchange(token, await ticketOf(token))
    expect((await rename(String(body.access_token))).status).toBe(401)
  })

  it('keeps it for no more than a few seconds, so that what is revoked does not live on in it', async () => {
    const token = await person(['quayside-viewer'], ['space.edit'])
    const { body } = await exchange(token, await ticketOf(token))
    expect((await rename(token, body.access_token)).status).toBe(200)
    await expect
      .poll(async () => (await rename(token, body.access_token)).status, { timeout: 7000, interval: 200 })
      .toBe(401)
  })
})
