import type { MailContent, MailSettings, OutboxMail } from '@quayside/contract/mail/endpoints'
import type { LoginSettings } from '@quayside/contract/realms/endpoints'
import type { UserDetail } from '@quayside/contract/users/endpoints'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import {
  linkIn,
  type Received,
  type SmtpServer,
  startSmtpServer,
} from '@quayside/embedded-identity/testing/smtp-server'
import { freePort } from '@quayside/embedded-postgres/ports'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

/** Keycloak keeps no mails and makes no links to copy, and mails a try to the portal's own account. */
const withoutOutbox = process.env.KEYCLOAK_URL !== undefined

let world: World
let smtp: SmtpServer
let admin: ReturnType<typeof callsOf>
let onlooker: ReturnType<typeof callsOf>
let helpdesk: ReturnType<typeof callsOf>

const settingsPath = '/iam/v3/mail/settings'
const testPath = '/iam/v3/mail/test'
const outboxPath = '/iam/v3/outbox'
const linkOf = (id: string) => `/iam/v3/users/${id}/action-link`
const mailOf = (id: string) => `/iam/v2/users/${id}/execute-actions-email`

beforeAll(async () => {
  smtp = await startSmtpServer(await freePort('127.0.0.1'))
  const env = { QUAYSIDE_ALLOWED_ADDRESSES: `127.0.0.1:${smtp.port}` }
  world = await World.start({ cluster: false, env })
  admin = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const login = { 'quayside-portal-ui-iam-loginsettings': ['access', 'loginsettings.view'] }
  onlooker = callsOf(world, await world.tokenFor({ clientRoles: login }))
  const users = ['access', 'users.view', 'users.credentials.manage']
  helpdesk = callsOf(world, await world.tokenFor({ clientRoles: { ...login, 'quayside-portal-ui-iam-users': users } }))
})
afterAll(async () => {
  await world?.close()
  await smtp?.[Symbol.asyncDispose]()
})

const none = { host: '', port: null, from: '', fromDisplayName: '', replyTo: '', encryption: 'offered', user: '' }
const server = () => ({ ...none, host: '127.0.0.1', port: smtp.port, from: 'portal@demo.example' })
const put = (body: object) => admin.call<{ field?: string }>(settingsPath, { method: 'PUT', body })

let made = 0
async function makeUser(more: object = {}) {
  made += 1
  const username = `mailed-${made}`
  const body = { username, email: `${username}@demo.example`, firstName: 'M', lastName: 'M', ...more }
  return admin.good<UserDetail>('/iam/v3/users', { body })
}
const newest = async () => (await admin.good<{ data: OutboxMail[] }>(outboxPath)).data[0] as OutboxMail

describe('the door', () => {
  const calls: [string, string, object?][] = [
    ['GET', settingsPath],
    ['PUT', settingsPath, none],
    ['POST', testPath, { ...none, to: 'a@demo.example' }],
    ['GET', outboxPath],
    ['GET', `${outboxPath}/any`],
    ['POST', `${outboxPath}/any/send`],
    ['POST', linkOf('any'), { actions: ['UPDATE_PASSWORD'] }],
  ]
  test.each(calls)('%s %s wants a token', async (method, path, body) => {
    expect((await callsOf(world, '').call(path, { method, ...(body ? { body } : {}) })).status).toBe(401)
  })
  test.each(calls)('%s %s is for who holds the role', async (method, path, body) => {
    const isRead = method === 'GET' && !path.endsWith('any')
    expect((await onlooker.call(path, { method, ...(body ? { body } : {}) })).status).toBe(isRead ? 200 : 403)
  })
  test.each<[object, string]>([
    [{}, 'host'],
    [{ ...none, host: 'a b' }, 'host'],
    [{ ...none, host: 'mail.example' }, 'from'],
    [{ ...none, from: 'nowhere' }, 'from'],
    [{ ...none, port: 0 }, 'port'],
    [{ ...none, encryption: 'none' }, 'encryption'],
    [{ ...none, fromDisplayName: 'a\r\nBcc: b' }, 'fromDisplayName'],
    [{ ...none, more: true }, 'body'],
  ])('%j is refused by %s', async (body, field) => {
    expect(await put(body)).toMatchObject({ status: 400, body: { field } })
  })
  test('a link is for a person, for actions that there are, and for a week at most', async () => {
    const { id } = await makeUser()
    const key = 'webauthn-register-passwordless'
    for (const body of [
      {},
      { actions: [] },
      { actions: ['DANCE'] },
      { actions: [key] },
      { ...{ actions: ['UPDATE_PASSWORD'] }, hours: 1000 },
    ])
      expect((await admin.call(linkOf(id), { body })).status, JSON.stringify(body)).toBe(400)
    const body = { actions: ['UPDATE_PASSWORD'] }
    expect((await admin.call(linkOf('nobody'), { body })).status).toBe(404)
    expect(await admin.call(`${outboxPath}?filters.status=lost`)).toMatchObject({ status: 400 })
    expect((await admin.call(`${outboxPath}/nothing`)).status).toBe(withoutOutbox ? 501 : 404)
  })
})

test.runIf(withoutOutbox)('an identity server without an outbox says so', async () => {
  const { id } = await makeUser()
  const [body, no] = [{ actions: ['UPDATE_PASSWORD'] }, (code: string) => ({ status: 501, body: { code } })]
  expect(await admin.call(linkOf(id), { body })).toMatchObject(no('iam.no-links'))
  expect(await admin.call(`${outboxPath}/any`)).toMatchObject(no('iam.no-outbox'))
  expect(await admin.call(`${outboxPath}/any/send`, { method: 'POST' })).toMatchObject(no('iam.no-outbox'))
  expect(await admin.good<{ data: unknown[] }>(outboxPath)).toMatchObject({ data: [] })
  const said = await admin.call<{ message: string }>(mailOf(id), { method: 'PUT', body: ['UPDATE_PASSWORD'] })
  expect(said).toMatchObject({
    status: 409,
    body: { code: 'iam.no-mail', message: expect.stringMatching(/^There is no mail server/) },
  })
})

describe.skipIf(withoutOutbox)('without a mail server', () => {
  test('a mail waits in the outbox, and its link is for who could set the password', async () => {
    const { id } = await makeUser()
    await admin.good(mailOf(id), { method: 'PUT', body: ['UPDATE_PASSWORD'] })
    const mail = await newest()
    expect(mail).toMatchObject({ userId: id, status: 'kept', isReadable: true })
    expect(JSON.stringify(await onlooker.good(outboxPath))).not.toContain('key=')
    expect((await helpdesk.good<MailContent>(`${outboxPath}/${mail.id}`)).link).toContain(
      '/login-actions/action-token?key=',
    )
    const chief = await makeUser()
    const directory = await world.directory()
    const role = await directory.get<{ id: string; name: string }>('/roles/quayside-admin')
    await directory.post(`/users/${chief.id}/role-mappings/realm`, [{ id: role.id, name: role.name }])
    await admin.good(mailOf(chief.id), { method: 'PUT', body: ['UPDATE_PASSWORD'] })
    const above = { status: 403, body: { code: 'iam.person-above' } }
    expect(await helpdesk.call(`${outboxPath}/${(await newest()).id}`)).toMatchObject(above)
    expect(await helpdesk.call(linkOf(chief.id), { body: { actions: ['UPDATE_PASSWORD'] } })).toMatchObject(above)
    expect(await admin.call(`${outboxPath}/${mail.id}/send`, { method: 'POST' })).toMatchObject({ status: 409 })
  })

  test('a link is copied, and opens once', async () => {
    const { id } = await makeUser()
    const body = { actions: ['UPDATE_PASSWORD'], hours: 1 }
    const made = await helpdesk.good<{ link: string; expiresAt: string }>(linkOf(id), { body })
    expect(Date.parse(made.expiresAt) - Date.now()).toBeLessThan(3_601_000)
    expect(await (await fetch(made.link)).text()).toContain('Set a password')
  })

  test('addresses are confirmed only where whoever asks for it can sign in again', async () => {
    const path = '/iam/v2/realms/login/settings'
    const person = await world.personWith({ realmRoles: ['quayside-admin'] })
    const chief = callsOf(world, (await signInAsPerson(world, person)).access_token)
    const { id } = await admin.good<{ id: string }>(`/iam/v2/users/name/${person.username}`)
    const known = await chief.good<LoginSettings>(path)
    const body = { ...known, verifyEmail: true }
    expect((await chief.call(path, { method: 'PUT', body })).status).toBe(200)
    await chief.good(path, { method: 'PUT', body: known })
    await admin.good(`/iam/v2/users/${id}`, { method: 'PUT', body: { emailVerified: false } })
    for (const who of [chief, admin])
      expect(await who.call(path, { method: 'PUT', body })).toMatchObject({
        ...{ status: 400, body: { code: 'iam.setting-refused', field: 'verifyEmail' } },
      })
  })
})

test('registration is switched on only by who holds what the default groups give', async () => {
  const path = '/iam/v2/realms/login/settings'
  const login = ['access', 'loginsettings.view', 'loginsettings.edit']
  const clientRoles = { 'quayside-portal-ui-iam-loginsettings': login }
  const keeper = callsOf(world, await world.tokenFor({ clientRoles }))
  const directory = await world.directory()
  const group = await admin.good<{ id: string }>('/iam/v2/groups', { body: { name: 'Newcomers' } })
  const role = await directory.get<{ id: string; name: string }>('/roles/quayside-operator')
  await directory.post(`/groups/${group.id}/role-mappings/realm`, [role])
  await directory.put(`/default-groups/${group.id}`, {})
  const body = { ...(await admin.good<LoginSettings>(path)), registrationAllowed: true }
  expect(await keeper.call(path, { method: 'PUT', body })).toMatchObject({
    ...{ status: 403, body: { code: 'auth.escalation', field: 'registrationAllowed' } },
  })
  expect((await admin.call(path, { method: 'PUT', body })).status).toBe(200)
  await admin.good(path, { method: 'PUT', body: { ...body, registrationAllowed: false } })
  await directory.remove(`/groups/${group.id}`)
})

describe('with a mail server', () => {
  test.skipIf(withoutOutbox)('is tried, set, and sends what was kept', async () => {
    const { id, email } = await makeUser()
    await admin.good(mailOf(id), { method: 'PUT', body: ['UPDATE_PASSWORD'] })
    const kept = await newest()
    await admin.good(testPath, { body: { ...server(), to: 'chief@demo.example' } })
    expect(smtp.received.at(-1)?.to).toEqual(['chief@demo.example'])
    const refused = await admin.call<{ message: string }>(testPath, {
      body: { ...server(), user: 'ship', password: 'wrong', to: 'chief@demo.example' },
    })
    expect(refused).toMatchObject({ status: 409, body: { code: 'iam.no-mail' } })
    expect(refused.body.message).toContain('user name or password')

    expect((await put({ ...server(), user: 'ship', password: 'sea' })).status).toBe(200)
    const settings = await admin.good<MailSettings>(settingsPath)
    expect(settings).toMatchObject({ host: '127.0.0.1', user: 'ship', hasPassword: true, hasOutbox: true })
    expect(JSON.stringify(settings)).not.toContain('sea')
    await admin.good(`${outboxPath}/${kept.id}/send`, { method: 'POST' })
    await vi.waitFor(() => expect(smtp.received.at(-1)).toMatchObject({ to: [email], auth: 'ship:sea' }), {
      ...{ timeout: 15_000, interval: 100 },
    })
    await vi.waitFor(async () => expect(await newest()).toMatchObject({ status: 'sent', isReadable: false }), {
      ...{ timeout: 15_000, interval: 100 },
    })
    expect(await admin.good<MailContent>(`${outboxPath}/${kept.id}`)).toMatchObject({ text: null, link: null })
  })

  test('carries the link by which somebody sets a password', async () => {
    expect((await put({ ...server(), user: 'ship', password: 'sea' })).status).toBe(200)
    const { id, email } = await makeUser()
    await admin.good(mailOf(id), { method: 'PUT', body: ['UPDATE_PASSWORD'] })
    const sent = () => smtp.received.find(({ to }) => to[0] === email)
    await vi.waitFor(() => expect(sent()).toMatchObject({ auth: 'ship:sea' }), { timeout: 15_000, interval: 100 })
    expect(linkIn(sent() as Received)).toContain('/login-actions/action-token?key=')
  })

  test('is chosen by administrators alone, because every link into an account passes it', async () => {
    const login = ['access', 'loginsettings.view', 'loginsettings.edit']
    const clientRoles = { 'quayside-portal-ui-iam-loginsettings': login }
    const keeper = callsOf(world, await world.tokenFor({ clientRoles }))
    const known = await admin.good<MailSettings>(settingsPath)
    expect(await keeper.call(settingsPath, { method: 'PUT', body: server() })).toMatchObject({
      ...{ status: 403, body: { code: 'auth.escalation', field: 'host' } },
    })
    expect(await admin.good<MailSettings>(settingsPath)).toEqual(known)
  })

  test('the password stays, and goes to no other server', async () => {
    expect((await put({ ...server(), user: 'ship', fromDisplayName: 'Harbour' })).status).toBe(200)
    expect(await admin.good<MailSettings>(settingsPath)).toMatchObject({
      hasPassword: true,
      fromDisplayName: 'Harbour',
    })
    const elsewhere = { ...server(), user: 'ship', host: 'evil.example' }
    expect(await put(elsewhere)).toMatchObject({ status: 400, body: { field: 'password' } })
    const tried = await admin.call(testPath, { body: { ...elsewhere, to: 'a@demo.example' } })
    expect(tried).toMatchObject({ status: 400, body: { field: 'password' } })
    expect((await put(none)).status).toBe(200)
    expect(await admin.good<MailSettings>(settingsPath)).toMatchObject({ host: '', hasPassword: false })
  })
})
