import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { askToken, authRequest, Browser } from '@quayside/embedded-identity/testing/browser'
import { inParallel } from './cluster/rates.ts'
import type { MeasuredRealm } from './identity/run-identity.ts'
import type { Report } from './report.ts'
import { median, quantile, round } from './statistics.ts'

const people = 1000
const calls = 60
const atOnce = 8

interface Measured {
  name: string
  /** One call, from the question to the whole answer; throws when it is not answered as it should be. */
  call: () => Promise<unknown>
}

/** Tokens, sign-ins and reads of the embedded identity server, against the smallest answer that it gives. */
export async function identity(): Promise<Report> {
  const server = fork(join(import.meta.dirname, 'identity/run-identity.ts'), [String(people)])
  try {
    const [realm] = (await once(server, 'message')) as [MeasuredRealm]
    const rows: Report['rows'] = []
    let floor = 0
    for (const { name, call } of await callsTo(realm)) {
      await call()
      const taken: number[] = []
      for (let at = 0; at < calls; at += 1) taken.push(await millisecondsOf(call))
      const together = await millisecondsOf(() => inParallel(calls, atOnce, async () => void (await call())))
      floor ||= median(taken)
      rows.push([
        name,
        round(median(taken), 1),
        round(quantile(taken, 0.99), 1),
        round((calls * 1000) / together),
        round(median(taken) / floor, 1),
      ])
    }
    return {
      bench: 'identity',
      columns: ['what', 'median ms', 'p99 ms', `per second, ${atOnce} at once`, 'ratio to the floor'],
      rows,
      notes: [
        `${calls} calls one after the other, then ${calls} with ${atOnce} at once; a realm of ${people} people; server and PostgreSQL on the same machine.`,
        'A sign-in is a page, a password that is checked by Argon2, a code and its tokens: four requests.',
      ],
    }
  } finally {
    if (server.connected) server.disconnect()
  }
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}

async function callsTo(realm: MeasuredRealm): Promise<Measured[]> {
  const { issuer, script, adminUrl } = realm
  const scriptToken = async () => accessTokenOf(issuer, script.clientId, script.secret)
  const token = await scriptToken()
  const adminToken = await accessTokenOf(realm.masterIssuer, realm.admin.id, realm.admin.secret)
  const asAdmin = (query: string) => () => read(`${adminUrl}/users?${query}`, { authorization: `Bearer ${adminToken}` })
  return [
    { name: 'floor: the public keys of the realm', call: () => read(`${issuer}/protocol/openid-connect/certs`) },
    { name: 'token of a script, by client credentials', call: scriptToken },
    { name: 'introspection of a token', call: () => introspect(realm, token) },
    { name: 'sign-in of a person, from the page to tokens', call: () => signIn(realm) },
    { name: 'page of 100 users, by the Admin API', call: asAdmin('first=400&max=100') },
    { name: 'search among users', call: asAdmin('search=*last 7*&max=100') },
  ]
}

async function read(url: string, headers: Record<string, string> = {}): Promise<void> {
  const answer = await fetch(url, { headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`)
}

async function accessTokenOf(issuer: string, clientId: string, secret: string): Promise<string> {
  const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
  const { status, body } = await askToken(issuer, grant)
  if (status !== 200) throw new Error(`no token for ${clientId}: ${JSON.stringify(body)}`)
  return String(body.access_token)
}

async function introspect({ issuer, script }: MeasuredRealm, token: string): Promise<void> {
  const answer = await fetch(`${issuer}/protocol/openid-connect/token/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ token, client_id: script.clientId, client_secret: script.secret }),
  })
  const said = (await answer.json()) as { active?: boolean }
  if (said.active !== true) throw new Error(`the token is not active: ${JSON.stringify(said)}`)
}

async function signIn({ issuer, app, person }: MeasuredRealm): Promise<void> {
  const browser = new Browser()
  const request = authRequest(issuer, { client_id: app.clientId, redirect_uri: app.redirectUri })
  const page = await browser.follow(request.url, issuer)
  const { url } = await browser.submit({ url: page.url, text: await page.response.text() }, issuer, person)
  const { status, body } = await askToken(issuer, {
    grant_type: 'authorization_code',
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    code: new URL(url).searchParams.get('code') ?? '',
    code_verifier: request.verifier,
  })
  if (status !== 200) throw new Error(`nobody was signed in: ${JSON.stringify(body)}`)
}
