import { socketPath } from '@quayside/contract/live/names'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { World } from '@quayside/embedded/world'
import { authRequest, Browser } from '@quayside/embedded-identity/testing/browser'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let world: World
let behindProxy: World

beforeAll(async () => {
  world = await World.start({ cluster: false })
  behindProxy = await World.start({ cluster: false, env: { QUAYSIDE_TRUSTED_PROXIES: '127.0.0.0/8, ::1' } })
})
afterAll(async () => {
  await world?.close()
  await behindProxy?.close()
})

const callFrom = async (on: World, ip: string, token: string) =>
  (await on.api('/portal-api/v2/spaces', { token, headers: { 'x-forwarded-for': ip } })).status

async function guessTokens(on: World, addressOf: (index: number) => string): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < 110; index += 1) statuses.push(await callFrom(on, addressOf(index), `guess-${index}`))
  return statuses
}

describe('somebody who guesses tokens', () => {
  it('is slowed down by address before any is read, and cannot escape by naming other addresses', async () => {
    const good = await world.tokenFor({ realmRoles: ['quayside-viewer'] })
    expect(await callFrom(world, '203.0.113.1', good)).toBe(200)
    const statuses = await guessTokens(world, (index) => `203.0.113.${index}`)
    expect(statuses.slice(0, 100).every((status) => status === 401)).toBe(true)
    expect(statuses.slice(100)).toEqual(Array.from({ length: 10 }, () => 429))
    // Somebody who is known already works on, also from the same address.
    expect(await callFrom(world, '203.0.113.1', good)).toBe(200)
  })

  it('behind a trusted proxy does not lock out others', async () => {
    const good = await behindProxy.tokenFor({ realmRoles: ['quayside-viewer'] })
    const statuses = await guessTokens(behindProxy, () => '203.0.113.1')
    expect(statuses.at(-1)).toBe(429)
    expect(await callFrom(behindProxy, '203.0.113.2', good)).toBe(200)
  })
})

describe('somebody who guesses tokens on a live connection', () => {
  it('is counted by address like one who calls', async () => {
    const ip = '203.0.113.9'
    const token = await behindProxy.tokenFor({ realmRoles: ['quayside-viewer'] })
    const socket = io(behindProxy.url, {
      ...{ path: socketPath, transports: ['websocket'], auth: { token } },
      extraHeaders: { 'x-forwarded-for': ip },
    })
    try {
      await expect.poll(() => socket.connected).toBe(true)
      for (let index = 0; index < 110; index += 1)
        expect(await socket.emitWithAck('token', `guess-${index}`)).toBe(false)
      expect(await callFrom(behindProxy, ip, 'one more')).toBe(429)
      expect(await callFrom(behindProxy, '203.0.113.10', 'one more')).toBe(401)
    } finally {
      socket.close()
    }
  })
})

describe('the address in the log of sign-ins', () => {
  const failFrom = async (on: World, ip: string, username: string) => {
    const issuer = `${on.url}/auth/realms/demo`
    const browser = new Browser({ 'x-forwarded-for': ip, forwarded: `for=${ip}`, 'x-real-ip': ip })
    const request = authRequest(issuer, { client_id: 'quayside-portal-ui', redirect_uri: `${on.url}/en/` })
    const page = await browser.follow(request.url, issuer)
    const text = await page.response.text()
    await browser.submit({ url: page.url, text }, issuer, { username, password: 'wrong' })
    const events = await (await on.directory()).get<{ ipAddress: string; details: { username: string } }[]>(
      '/events?type=LOGIN_ERROR',
    )
    return events.find(({ details }) => details.username === username)?.ipAddress
  }

  it('is the caller’s, whatever they say about themselves', async () => {
    expect(await failFrom(world, '203.0.113.77', 'spoofer')).toMatch(/^(127\.0\.0\.1|::1)$/)
  })

  it('is what a trusted proxy says', async () => {
    expect(await failFrom(behindProxy, '203.0.113.77', 'proxied')).toBe('203.0.113.77')
  })
})

describe('signing somebody out', () => {
  const logout = (browser: Browser, hint: string) =>
    browser.open(`${behindProxy.url}/auth/realms/demo/protocol/openid-connect/logout?id_token_hint=${hint}`)

  it('takes no access token for an identity token', async () => {
    const person = await behindProxy.personWith({ realmRoles: ['quayside-viewer'] })
    const { browser, access_token, id_token } = await signInAsPerson(behindProxy, person)
    const refused = await logout(browser, access_token)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('Invalid parameter: id_token_hint')
    expect((await behindProxy.api('/iam/v2/account', { token: access_token })).status).toBe(200)
    expect((await logout(browser, id_token)).status).toBe(200)
    const [user] = await (await behindProxy.directory()).get<{ id: string }[]>(
      `/users?exact=true&username=${person.username}`,
    )
    expect(await (await behindProxy.directory()).get(`/users/${user?.id}/sessions`)).toEqual([])
  })

  it('takes no identity token of another client', async () => {
    const person = await behindProxy.personWith({ realmRoles: ['quayside-viewer'] })
    const { browser, id_token } = await signInAsPerson(behindProxy, person)
    const url = `${behindProxy.url}/auth/realms/demo/protocol/openid-connect/logout`
    const answer = await browser.open(`${url}?id_token_hint=${id_token}&client_id=quayside-portal-ui-apps`)
    expect(answer.status).toBe(400)
  })
})
