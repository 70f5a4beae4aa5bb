import { World } from '@quayside/embedded/world'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let world: World
let good: string

beforeAll(async () => {
  world = await World.start({ cluster: false })
  good = await world.tokenFor({ realmRoles: ['quayside-admin'] })
})
afterAll(() => world?.close())

const statusOf = async (token: string | undefined, path = '/portal-api/v2/spaces') =>
  (await world.api(path, { token })).status

describe('who may call', () => {
  it('takes a token of the realm and nothing else', async () => {
    expect(await statusOf(good)).toBe(200)
    expect(await statusOf(undefined)).toBe(401)
    expect(await statusOf('nonsense')).toBe(401)
    expect(await statusOf(`${good}x`)).toBe(401)
    expect(await statusOf(good.split('.').slice(0, 2).join('.'))).toBe(401)
  })

  it.each([
    ['no signature', { alg: 'none', typ: 'JWT' }],
    ['a secret as the signature', { alg: 'HS256', typ: 'JWT' }],
  ])('refuses a token with %s', async (_, header) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    expect(await statusOf(`${part(header)}.${part(decodeJwt(good))}.`)).toBe(401)
  })

  it('refuses a token that somebody else signed, whatever key it brings along', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256')
    const jwk = await exportJWK(publicKey)
    const claims = decodeJwt(good)
    for (const header of [
      { alg: 'RS256', jwk },
      { alg: 'RS256', kid: '../../etc/passwd' },
      { alg: 'RS256', jku: `${world.url}/en/keys` },
    ]) {
      expect(await statusOf(await new SignJWT(claims).setProtectedHeader(header).sign(privateKey))).toBe(401)
    }
  })

  it('refuses a token of a realm that is no tenant', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    const claims = { ...decodeJwt(good), iss: `${world.url}/auth/realms/master` }
    expect(await statusOf(await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey))).toBe(401)
  })

  it('says 403 with what is missing to somebody without the role', async () => {
    const weak = await world.tokenFor({ realmRoles: [] })
    const answer = await world.api('/iam/v3/users', { token: weak })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({
      code: 'auth.forbidden',
      details: { needs: [{ section: 'iam-users', role: 'users.view' }] },
    })
  })
})
