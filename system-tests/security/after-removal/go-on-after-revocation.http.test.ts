import type { Directory } from '@quayside/embedded/directory-client'
import { type PersonTokens, signInAsPerson } from '@quayside/embedded/person-tokens'
import { World } from '@quayside/embedded/world'
import { askToken, authRequest } from '@quayside/embedded-identity/testing/browser'
import { decodeJwt } from 'jose'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

let world: World
let directory: Directory
const sockets: Socket[] = []

beforeAll(async () => {
  world = await World.start({ cluster: false })
  directory = await world.directory()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect()
})
afterAll(() => world?.close())

const promisedMs = 5000
const within = { timeout: promisedMs, interval: 50 }
const issuer = () => `${world.url}/auth/realms/demo`

async function person(realmRoles = ['quayside-viewer']) {
  const made = await world.personWith({ realmRoles })
  const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${made.username}`)
  return { ...made, id: user?.id ?? '', tokens: await signInAsPerson(world, made) }
}
const statusOf = async (token: string) => (await world.api('/catalog/v2/items', { token })).status

/** How long it takes until a call is refused, in milliseconds; asked now and then, as an attacker would. */
async function measure(what: string, isOver: () => Promise<boolean>, begin: () => Promise<unknown>): Promise<void> {
  await begin()
  const begun = performance.now()
  await expect.poll(isOver, within).toBe(true)
  console.info(`${what}: ${Math.round(performance.now() - begun)} ms`)
}

describe('a person', () => {
  it('writes nothing with the token of a service account that was deleted', async () => {
    const { tokens: boss } = await person(['quayside-admin'])
    const made = await world.api('/iam/v2/clients', {
      token: boss.access_token,
      body: { clientId: 'doomed', realmRoles: ['quayside-viewer'] },
    })
    const { id, secret } = (await made.json()) as { id: string; secret: string }
    const { body } = await askToken(issuer(), {
      grant_type: 'client_credentials',
      client_id: 'doomed',
      client_secret: secret,
    })
    const token = body.access_token ?? ''
    expect(await statusOf(token)).toBe(200)
    await measure(
      'deleted service account',
      async () => (await statusOf(token)) === 401,
      () => world.api(`/iam/v2/clients/${id}`, { token: boss.access_token, method: 'DELETE' }),
    )
  })

  it('loses what a group above their own gave, when that loses it', async () => {
    const { id, tokens } = await person([])
    await directory.post('/groups', { name: 'Dock' })
    const [dock] = await directory.get<{ id: string }[]>('/groups?search=Dock&exact=true')
    await directory.post(`/groups/${dock?.id}/children`, { name: 'Crane' })
    const [crane] = await directory.get<{ id: string }[]>(`/groups/${dock?.id}/children`)
    const viewer = await directory.get('/roles/quayside-viewer')
    await directory.post(`/groups/${dock?.id}/role-mappings/realm`, [viewer])
    await directory.put(`/users/${id}/groups/${crane?.id}`)
    await expect.poll(() => statusOf(tokens.access_token), within).toBe(200)
    await measure(
      'role removed from a group above',
      async () => (await statusOf(tokens.access_token)) === 403,
      () => directory.remove(`/groups/${dock?.id}/role-mappings/realm`, [viewer]),
    )
  })
})

describe('a thief', () => {
  const refresh = (token: string) =>
    askToken(issuer(), { grant_type: 'refresh_token', client_id: 'quayside-portal-ui', refresh_token: token })

  it('who uses a refresh token again ends everything that came of it, the own access token too', async () => {
    const { tokens } = await person()
    const stolen = await refresh(tokens.refresh_token)
    expect(await statusOf(stolen.body.access_token ?? '')).toBe(200)
    expect(await statusOf(tokens.access_token)).toBe(200)
    await measure(
      'replayed refresh token',
      async () =>
        (await statusOf(stolen.body.access_token ?? '')) === 401 && (await statusOf(tokens.access_token)) === 401,
      () => refresh(tokens.refresh_token),
    )
    expect((await refresh(stolen.body.refresh_token ?? '')).status).toBe(400)
  })

  it('who uses a refresh token at the same moment as its owner leaves neither with a token that works', async () => {
    const { tokens } = await person()
    const answers = await Promise.all(Array.from({ length: 4 }, () => refresh(tokens.refresh_token)))
    const won = answers.flatMap(({ status, body }) => (status === 200 ? [body.access_token ?? ''] : []))
    for (const token of [...won, tokens.access_token]) await expect.poll(() => statusOf(token), within).toBe(401)
  })

  it('who uses a code again ends what it had brought', async () => {
    const { username, password } = await person()
    const redirect_uri = `${world.url}/en/`
    const request = authRequest(issuer(), { client_id: 'quayside-portal-ui', redirect_uri })
    const { browser } = await signInAsPerson(world, { username, password })
    const back = (await browser.open(request.url)).headers.get('location') ?? ''
    const redeem = () =>
      askToken(issuer(), {
        grant_type: 'authorization_code',
        client_id: 'quayside-portal-ui',
        redirect_uri,
        code: new URL(back).searchParams.get('code') ?? '',
        code_verifier: request.verifier,
      })
    const token = (await redeem()).body.access_token ?? ''
    expect(await statusOf(token)).toBe(200)
    await measure(
      'replayed code',
      async () => (await statusOf(token)) === 401,
      async () => expect((await redeem()).status).toBe(400),
    )
  })
})

describe('a socket', () => {
  async function connect(token: string) {
    const socket = io(world.url, {
      path: '/deployment/socket.io',
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      auth: { token },
    })
    sockets.push(socket)
    const heard: string[] = []
    let code = ''
    socket.onAny((event: string, told?: { code?: string }) => {
      heard.push(event)
      if (event === 'signed-out') code = told?.code ?? ''
    })
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject))
    return { socket, heard, code: () => code }
  }

  it.each<[string, (who: { id: string; tokens: PersonTokens }) => Promise<unknown>]>([
    [
      'whose session was ended elsewhere',
      ({ tokens }) => directory.remove(`/sessions/${decodeJwt(tokens.access_token).sid}`),
    ],
    ['who was signed out everywhere', ({ id }) => directory.post(`/users/${id}/logout`, {})],
    ['who was disabled', ({ id }) => directory.put(`/users/${id}`, { enabled: false })],
    ['who was deleted', ({ id }) => directory.remove(`/users/${id}`)],
  ])('of an idle page of somebody %s is told so and closed', async (what, end) => {
    const who = await person()
    const { socket, code } = await connect(who.tokens.access_token)
    await measure(
      `idle socket of somebody ${what}`,
      async () => !socket.connected,
      () => end(who),
    )
    expect(code()).toBe('auth.expired')
  })

  it('of an idle page learns that the rights of its owner have changed, and stays', async () => {
    const { id, tokens } = await person()
    const { socket, heard } = await connect(tokens.access_token)
    const operator = await directory.get('/roles/quayside-operator')
    await measure(
      'idle socket of somebody whose roles changed',
      async () => heard.includes('rights-changed'),
      () => directory.post(`/users/${id}/role-mappings/realm`, [operator]),
    )
    expect(socket.connected).toBe(true)
  })

  it('of a page that connects after its rights have changed learns that its token is outdated', async () => {
    const { id, tokens } = await person([])
    const current = await connect(tokens.access_token)
    await current.socket.emitWithAck('token', tokens.access_token)
    expect(current.heard).not.toContain('rights-changed')
    current.socket.disconnect()

    await directory.post(`/users/${id}/role-mappings/realm`, [await directory.get('/roles/quayside-viewer')])
    await expect.poll(() => statusOf(tokens.access_token), within).toBe(200)
    const { heard } = await connect(tokens.access_token)
    await expect.poll(() => heard, within).toContain('rights-changed')
  })
})
