import { authRequest } from '@quayside/embedded-identity/testing/browser'
import { demoRealm, PASSWORD, PORTAL, RETURN_TO } from '@quayside/embedded-identity/testing/demo-realm'
import { type IdentityFixture, startIdentityFixture } from '@quayside/embedded-identity/testing/identity-fixture'
import { afterEach, describe, expect, it } from 'vitest'

let fixture: IdentityFixture | undefined
afterEach(() => fixture?.[Symbol.asyncDispose]())

/** Every cookie that a sign-in sets, of a server that browsers reach at this origin; it listens without TLS, behind a proxy. */
async function cookiesOf(publicOrigin: string): Promise<string[]> {
  fixture = await startIdentityFixture({ publicOrigin })
  await demoRealm(fixture, 'demo')
  const here = (address: string) => {
    const { pathname, search } = new URL(address, `${publicOrigin}/`)
    return new URL(pathname + search, fixture?.url).href
  }
  const lines: string[] = []
  const jar = new Map<string, string>()
  const ask = async (address: string, init: RequestInit = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(here(address), { ...init, redirect: 'manual', headers: { cookie, accept: 'text/html' } })
    for (const line of answer.headers.getSetCookie()) {
      lines.push(line)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    return answer
  }
  const issuer = `${publicOrigin}/auth/realms/demo`
  const first = await ask(authRequest(issuer, { client_id: PORTAL, redirect_uri: RETURN_TO }).url)
  const page = first.headers.get('location') ?? ''
  const form = /name="form_token" value="([^"]*)"/.exec(await (await ask(page)).text())?.[1] ?? ''
  const typed = { step: 'password', form_token: form, username: 'ada', password: PASSWORD }
  const signedIn = await ask(page, { method: 'POST', body: new URLSearchParams(typed) })
  const back = await ask(signedIn.headers.get('location') ?? '')
  expect(back.headers.get('location')).toContain(RETURN_TO)
  await ask(`${issuer}/protocol/openid-connect/logout`)
  return lines
}

describe('cookies of the identity server', () => {
  it('travel by TLS alone when people come by TLS, also behind a proxy that ends it', async () => {
    const lines = await cookiesOf('https://portal.example')
    expect(lines.length).toBeGreaterThan(4)
    for (const line of lines) expect(line).toMatch(/^__Secure-IDENTITY_.*; secure; httponly/i)
    for (const line of lines) {
      expect(line).toMatch(/samesite=lax/i)
      expect(line).toMatch(/path=\/auth\/realms\/demo\//)
    }
  })

  it('work without TLS where there is none', async () => {
    const lines = await cookiesOf('http://portal.example')
    for (const line of lines) expect(line).toMatch(/^IDENTITY_.*httponly/i)
    for (const line of lines) expect(line).not.toMatch(/secure/i)
  })
})
