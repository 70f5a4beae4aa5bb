import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { ConfigError } from '../../../platform/config/config.ts'
import { fail } from '../../../platform/http/errors.ts'
import { KeycloakRefused } from '../keycloak.ts'
import { TokenRefused } from '../token-source.ts'
import { checkKeycloak } from './start-check.ts'

let server: Server
let url: string
/** The address that Keycloak calls its own. */
let own: string

beforeAll(async () => {
  server = createServer((_, answer) => answer.end(JSON.stringify({ issuer: `${own}/realms/master` })))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

interface Answers {
  version?: string
  isEmbedded?: boolean
  about?: unknown
  /** The realm is there or not, or the status of a refusal. */
  realm?: boolean | number
  realmRoles?: string[]
  clientRoles?: Record<string, string[]>
  own?: string
  publicUrl?: string
}

/** The line that the start ends with; undefined where it goes on. */
async function problemOf(answers: Answers): Promise<string | undefined> {
  const { version = '26.7.2', isEmbedded = false, realm = false, realmRoles = [], clientRoles = {} } = answers
  own = answers.own ?? url
  const keycloak = {
    about: async () => {
      if (answers.about !== undefined) throw answers.about
      return { version, isEmbedded }
    },
    run: async () => {
      if (typeof realm === 'number') throw new KeycloakRefused(realm, 'refused', undefined)
      return (realm ? {} : null) as never
    },
    rights: async () => ({ realmRoles, clientRoles }),
  }
  const config = {
    realm: 'harbour',
    keycloak: { url, publicUrl: answers.publicUrl ?? url, clientId: 'quayside' },
  }
  try {
    await checkKeycloak({ keycloak, config, log: { warn: vi.fn() } })
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

it.each<[string, Answers]>([
  ['the embedded server', { isEmbedded: true }],
  ['a client that makes realms', { realmRoles: ['create-realm'] }],
  ['an administrator of everything', { realmRoles: ['admin'], realm: true }],
  [
    'a client with the rights on a realm that is there',
    { realm: true, clientRoles: { 'harbour-realm': ['manage-realm', 'manage-users', 'manage-clients'] } },
  ],
])('goes on with %s', async (_, answers) => {
  expect(await problemOf(answers)).toBeUndefined()
})

const refused = (status: number, said: string) =>
  fail('iam.unreachable', { cause: new TokenRefused('master', status, said) })

it.each<[string, () => Answers, RegExp]>([
  [
    'no right to read the version',
    () => ({ version: '' }),
    /^KEYCLOAK_CLIENT_ID: .* lacks manage-realm of .*master-realm/,
  ],
  ['an old version', () => ({ version: '26.0.0' }), /^KEYCLOAK_URL: .*26\.0\.0/],
  [
    'something else at the address',
    () => ({ about: new KeycloakRefused(404, '', undefined) }),
    /^KEYCLOAK_URL: .* no Keycloak/,
  ],
  [
    'a wrong secret',
    () => ({ about: refused(401, 'unauthorized_client') }),
    /^KEYCLOAK_CLIENT_ID, KEYCLOAK_CLIENT_SECRET: .*unauthorized_client/,
  ],
  ['a wrong path', () => ({ about: refused(404, 'not found') }), /^KEYCLOAK_URL: .* no realm master/],
  [
    'another address of its own',
    () => ({ own: 'https://id.example.com' }),
    /^KEYCLOAK_URL: .*https:\/\/id\.example\.com.*--hostname=/,
  ],
  [
    'another public address',
    () => ({ publicUrl: 'https://id.example.com' }),
    /^KEYCLOAK_PUBLIC_URL: .*--hostname=https:\/\/id\.example\.com/,
  ],
  ['no right to make the realm', () => ({}), /may not make the realm harbour: .*create-realm/],
  [
    'a realm of somebody else',
    () => ({ realm: 403 }),
    /may not look after the realm harbour: .*manage-realm, manage-users, manage-clients/,
  ],
  [
    'one right too few',
    () => ({ realm: true, clientRoles: { 'harbour-realm': ['manage-realm', 'manage-users'] } }),
    /lacks manage-clients of the client harbour-realm/,
  ],
])('ends with one line that says %s', async (_, answers, line) => {
  const said = await problemOf(answers())
  expect(said).toMatch(line)
  expect(said).not.toContain('\n')
})
