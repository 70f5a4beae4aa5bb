import { createServer, type Socket } from 'node:net'
import type KeycloakAdminClient from '@keycloak/keycloak-admin-client'
import { freePort } from '@quayside/embedded-postgres/ports'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Browser } from '../testing/browser.ts'
import { demoRealm, fullSignIn, PASSWORD } from '../testing/demo-realm.ts'
import { type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture.ts'
import { linkIn, type SmtpServer, startSmtpServer, textOf } from '../testing/smtp-server.ts'

let smtp: SmtpServer
let hangingPort: number
let fixture: IdentityFixture
let admin: KeycloakAdminClient
let token: string

beforeAll(async () => {
  smtp = await startSmtpServer()
  hangingPort = await freePort('127.0.0.1')
  fixture = await startIdentityFixture({
    allowedAddresses: [smtp.port, hangingPort].map((port) => `127.0.0.1:${port}`),
  })
  admin = fixture.admin
  token = (await admin.getAccessToken()) ?? ''
})
afterAll(async () => {
  expect(fixture?.reported ?? []).toEqual([])
  await fixture?.[Symbol.asyncDispose]()
  await smtp?.[Symbol.asyncDispose]()
})

const smtpServer = (more: object = {}) => ({
  ...{ host: '127.0.0.1', port: String(smtp.port), from: 'identity@demo.example', fromDisplayName: 'Demo harbour' },
  ...more,
})

interface OutboxMail {
  id: string
  userId: string
  to: string
  kind: string
  status: string
  reason: string | null
  tries: number
  readable: boolean
  text?: string
  link?: string
}

async function call<T>(path: string, method = 'GET', body?: unknown, bearer = token) {
  const answer = await fetch(`${fixture.url}/admin/realms/${path}`, {
    ...{ method, headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' } },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T & { errorMessage?: string } }
}
const outbox = async (realm: string) => (await call<OutboxMail[]>(`${realm}/outbox`)).body
const until = <T>(work: () => T | Promise<T>) => vi.waitFor(work, { timeout: 15_000, interval: 100 })

async function press(link: string, browser = new Browser(), within = fixture.publicUrl) {
  const response = await browser.open(link)
  const text = await response.text()
  const next = await browser.submit({ url: link, text }, within, {})
  const after = { url: next.url, status: next.response.status, text: await next.response.text() }
  const again = async () => (await new Browser().submit({ url: link, text }, within, {})).response.status
  return { browser, ...after, again }
}

describe('settings of the mail server', () => {
  beforeAll(() => demoRealm(fixture, 'settings'))
  const set = (server: object) => call('settings', 'PUT', { smtpServer: server })

  test.each<[string, object]>([
    ['smtpServer.from', { from: '' }],
    ['smtpServer.from', { from: 'a@b.example, c@d.example' }],
    ['smtpServer.from', { from: 'nobody' }],
    ['smtpServer.fromDisplayName', { fromDisplayName: 'Demo\r\nBcc: everybody@demo.example' }],
    ['smtpServer.host', { host: 'mail.example/path' }],
    ['smtpServer.port', { port: '0' }],
    ['smtpServer.port', { port: '25x' }],
    ['smtpServer.auth', { auth: 'perhaps' }],
    ['smtpServer.user', { auth: 'true', user: '' }],
    ['smtpServer.authType', { authType: 'token' }],
    ['smtpServer.starttls', { ssl: 'true', starttls: 'true' }],
  ])('%s is refused by its name: %j', async (name, wrong) => {
    const { status, body } = await set(smtpServer(wrong))
    expect(status).toBe(400)
    expect(body.errorMessage).toMatch(new RegExp(`^${name} `))
  })

  test('the password is not told, stays when its mask comes back, and goes to no other server', async () => {
    const kept = smtpServer({ auth: 'true', user: 'ship', password: 'planted-mail-password' })
    expect((await set(kept)).status).toBe(204)
    expect(await fixture.dump()).not.toContain('planted-mail-password')
    const masked = (await admin.realms.findOne({ realm: 'settings' }))?.smtpServer ?? {}
    expect(masked).toMatchObject({ password: '**********', user: 'ship' })
    expect((await set({ ...masked, fromDisplayName: 'Other' })).status).toBe(204)
    for (const change of [{ host: 'evil.example' }, { port: '2525' }, { user: 'other' }, { starttls: 'true' }]) {
      const { status, body } = await set({ ...masked, ...change })
      expect([status, body.errorMessage]).toEqual([400, expect.stringMatching(/^smtpServer.password /)])
      const tried = await call('settings/testSMTPConnection', 'POST', { ...masked, ...change, to: 'a@demo.example' })
      expect(tried.status).toBe(400)
    }
    await call('settings/testSMTPConnection', 'POST', { ...masked, to: 'a@demo.example' })
    expect(smtp.received.at(-1)).toMatchObject({ auth: 'ship:planted-mail-password', to: ['a@demo.example'] })
  })

  test('a test says what went wrong', async () => {
    const tried = async (more: object) => {
      const sent = { ...smtpServer(more), to: 'a@demo.example' }
      return (await call('settings/testSMTPConnection', 'POST', sent)).body?.errorMessage
    }
    expect(await tried({})).toBeUndefined()
    expect(await tried({ auth: true, user: 'ship', password: 'wrong' })).toMatch(/refused the user name or password/)
    expect(await tried({ starttls: 'true' })).toMatch(/encryption|STARTTLS/)
    expect(await tried({ host: 'no-such-host.invalid' })).toMatch(/not known, or is in a private network/)
    expect(await tried({ host: '127.0.0.1', port: '1' })).toMatch(/not known, or is in a private network/)
    expect(await tried({ host: 'localhost', port: String(smtp.port) })).toMatch(/private network/)
    expect((await call('settings/testSMTPConnection', 'POST', smtpServer())).body.errorMessage).toMatch(/e-mail/)
    expect((await call('settings/testSMTPConnection', 'POST', {})).body.errorMessage).toMatch(/^smtpServer.host /)
  })

  test('needs the right to manage the realm, and the outbox that to manage users', async () => {
    const { access_token = '' } = await fullSignIn(new Browser(), `${fixture.publicUrl}/realms/settings`)
    for (const [method, path] of [
      ['POST', 'testSMTPConnection'],
      ['GET', 'outbox'],
      ['GET', 'outbox/count'],
      ['GET', 'outbox/any'],
      ['POST', 'outbox/any/send'],
      ['POST', 'users/any/action-link'],
      ['PUT', 'users/any/execute-actions-email'],
      ['PUT', 'users/any/reset-password-email'],
    ] as const) {
      expect(
        (await call(`settings/${path}`, method, method === 'GET' ? undefined : {}, access_token)).status,
        path,
      ).toBe(403)
      expect((await call(`settings/${path}`, method, method === 'GET' ? undefined : {}, 'x.y.z')).status, path).toBe(
        401,
      )
    }
  })
})

describe('mail with a link', () => {
  let userId: string
  const realm = 'letters'
  beforeAll(async () => {
    userId = (await demoRealm(fixture, realm, { smtpServer: smtpServer() })).userId
  })
  const mailTo = async (work: () => Promise<unknown>) => {
    const before = smtp.received.length
    await work()
    await until(() => expect(smtp.received.length).toBeGreaterThan(before))
    return smtp.received.at(-1) as SmtpServer['received'][number]
  }

  test('is refused with what is wrong with it', async () => {
    const path = `${realm}/users/${userId}/execute-actions-email`
    for (const [query, body, words] of [
      ['', ['DANCE'], 'Provided invalid required actions'],
      ['', 'UPDATE_PASSWORD', 'Provided invalid required actions'],
      ['?lifespan=0', [], 'lifespan'],
      ['?lifespan=99999999', [], 'lifespan'],
      ['?redirect_uri=http://x.example/', [], 'Client id missing'],
      ['?client_id=nobody', [], "Client doesn't exist"],
      ['?client_id=quayside-portal-ui&redirect_uri=http://evil.example/', [], 'Invalid redirect uri'],
    ] as const) {
      const { status, body: said } = await call(`${path}${query}`, 'PUT', body)
      expect([status, said.errorMessage], query).toEqual([400, expect.stringContaining(words)])
    }
    const { id } = await admin.users.create({ realm, username: 'mailless', enabled: true })
    const link = await call<{ errorMessage: string }>(`${realm}/users/${id}/send-verify-email`, 'PUT', {})
    expect(link.body.errorMessage).toBe('User email missing')
    const off = await admin.users.create({ realm, username: 'off', email: 'off@demo.example', enabled: false })
    expect((await call(`${realm}/users/${off.id}/execute-actions-email`, 'PUT', [])).body.errorMessage).toBe(
      'User is disabled',
    )
    expect((await call(`${realm}/users/${off.id}/action-link`, 'POST', [])).status).toBe(400)
    expect(smtp.received.filter(({ to }) => to.includes('off@demo.example'))).toEqual([])
  })

  test('sets a password once: a look at it takes nothing away, a second use is refused', async () => {
    const mail = await mailTo(() =>
      admin.users.executeActionsEmail({ realm, id: userId, actions: ['UPDATE_PASSWORD'], lifespan: 3600 }),
    )
    expect(mail).toMatchObject({ from: 'identity@demo.example', to: ['ada@demo.example'] })
    expect(textOf(mail)).toContain('within 1 hour')
    const link = linkIn(mail)
    for (let looks = 0; looks < 3; looks += 1) {
      const seen = await fetch(link)
      expect(seen.status).toBe(200)
      expect(await seen.text()).toContain('Set a password')
      expect((await fetch(link, { method: 'HEAD' })).status).toBe(200)
    }
    const issuer = `${fixture.publicUrl}/realms/${realm}`
    const open = await fullSignIn(new Browser(), issuer)
    const page = await press(link)
    expect(page.text).toContain('Choose a new password')
    const weak = { 'password-new': 'one', 'password-confirm': 'two' }
    const again = await page.browser.submit(page, fixture.publicUrl, weak)
    const shown = { url: again.url, text: await again.response.text() }
    expect(shown.text).toContain('Passwords do not match.')
    const fresh = { 'password-new': 'A fresh one 8', 'password-confirm': 'A fresh one 8' }
    const done = await page.browser.submit(shown, fixture.publicUrl, fresh)
    expect(await done.response.text()).toContain('is done')
    expect(await page.again()).toBe(400)
    expect((await fetch(link)).status).toBe(400)
    // Sessions that began with the old password end.
    const renewed = await fetch(`${issuer}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'refresh_token', client_id: 'quayside-portal-ui', refresh_token: open.refresh_token ?? '' },
      }),
    })
    expect(renewed.status).toBe(400)
    await fullSignIn(new Browser(), issuer, 'ada', 'A fresh one 8')
    expect((await admin.users.findOne({ realm, id: userId }))?.emailVerified).toBe(true)
    await admin.users.resetPassword({ realm, id: userId, credential: { type: 'password', value: PASSWORD } })
  })

  test('of ten who press the button at once one gets through', async () => {
    const mail = await mailTo(() => admin.users.sendVerifyEmail({ realm, id: userId }))
    const link = linkIn(mail)
    const text = await (await fetch(link)).text()
    const pressed = await Promise.all(
      Array.from(
        { length: 10 },
        async () => (await new Browser().submit({ url: link, text }, fixture.publicUrl, {})).response.status,
      ),
    )
    expect(pressed.filter((status) => status === 200)).toHaveLength(1)
  })

  test('is for its realm, its address and its time, and ends when everything of the person ends', async () => {
    await demoRealm(fixture, 'elsewhere')
    const linkNow = async () =>
      linkIn(await mailTo(() => admin.users.executeActionsEmail({ realm, id: userId, actions: ['UPDATE_PROFILE'] })))
    const counts = async (link: string) => (await fetch(link)).status
    const foreign = (await linkNow()).replace(`/realms/${realm}/`, '/realms/elsewhere/')
    expect(await counts(foreign)).toBe(400)

    const moved = await linkNow()
    await admin.users.update({ realm, id: userId }, { email: 'ada2@demo.example' })
    expect(await counts(moved)).toBe(400)
    await admin.users.update({ realm, id: userId }, { email: 'ada@demo.example' })
    expect(await counts(moved)).toBe(200)

    await admin.users.update({ realm, id: userId }, { enabled: false })
    await admin.users.update({ realm, id: userId }, { enabled: true })
    expect(await counts(moved)).toBe(400)

    const ended = await linkNow()
    await fixture.sql("update action_token set expires_at = now() - interval '1 second'")
    expect(await counts(ended)).toBe(400)
    const out = await linkNow()
    await admin.users.logout({ realm, id: userId })
    expect(await counts(out)).toBe(400)
    expect(await counts(`${fixture.publicUrl}/realms/${realm}/login-actions/action-token`)).toBe(400)
  })

  test('asks for the second factor before it changes anything', async () => {
    const { id } = await admin.users.create({ realm, username: 'two', email: 'two@demo.example', enabled: true })
    await fixture.sql("insert into credential (id, user_id, type, secret) values ('two-otp', $1, 'otp', 'x')", [id])
    const mail = await mailTo(() => admin.users.executeActionsEmail({ realm, id, actions: ['UPDATE_PASSWORD'] }))
    const page = await press(linkIn(mail))
    expect(page.text).toContain('One-time code')
    const skipped = await page.browser.submit(page, fixture.publicUrl, {
      ...{ step: 'new-password', 'password-new': 'Skipped it 9', 'password-confirm': 'Skipped it 9' },
    })
    expect(await skipped.response.text()).toContain('One-time code')
    expect(await admin.users.getCredentials({ realm, id })).toHaveLength(1)
  })

  test('no copy of the link can be read in the database, nor the link of a sent mail in the outbox', async () => {
    const link = linkIn(await mailTo(() => admin.users.sendVerifyEmail({ realm, id: userId })))
    const key = new URL(link).searchParams.get('key') ?? ''
    expect(key).toHaveLength(43)
    expect(await fixture.dump()).not.toContain(key)
    const [newest] = await until(async () => {
      const all = await outbox(realm)
      expect(all[0]).toMatchObject({ status: 'sent', readable: false })
      return all
    })
    expect((await call<OutboxMail>(`${realm}/outbox/${newest?.id}`)).body.link).toBeUndefined()
  })

  test('is tried again while the server is away, and given up when it says no', async () => {
    smtp.refusal = '451 come back later'
    await admin.users.sendVerifyEmail({ realm, id: userId })
    await until(async () =>
      expect((await outbox(realm))[0]).toMatchObject({
        status: 'pending',
        tries: 1,
        reason: expect.stringContaining('451'),
      }),
    )
    smtp.refusal = undefined
    const before = smtp.received.length
    await fixture.sql("update mail set next_try_at = now() where status = 'pending'")
    await until(() => expect(smtp.received.length).toBe(before + 1))
    await until(async () => expect((await outbox(realm))[0]?.status).toBe('sent'))

    smtp.refusal = '550 no such mailbox'
    await admin.users.sendVerifyEmail({ realm, id: userId })
    const failed = await until(async () => {
      const [mail] = await outbox(realm)
      expect(mail).toMatchObject({ status: 'failed', tries: 1, readable: true })
      expect(mail?.reason).toContain('no such mailbox')
      return mail
    })
    smtp.refusal = undefined
    expect((await call(`${realm}/outbox/${failed?.id}/send`, 'POST', {})).status).toBe(204)
    await until(async () => expect((await outbox(realm))[0]?.status).toBe('sent'))
    expect((await call(`${realm}/outbox/${failed?.id}/send`, 'POST', {})).status).toBe(409)

    smtp.refusal = '451 never'
    await admin.users.sendVerifyEmail({ realm, id: userId })
    await until(async () => expect((await outbox(realm))[0]).toMatchObject({ tries: 1, reason: expect.any(String) }))
    await fixture.sql("update mail set tries = 6, next_try_at = now() where status = 'pending'")
    await until(async () => expect((await outbox(realm))[0]).toMatchObject({ status: 'failed', tries: 7 }))
    smtp.refusal = undefined
  })

  test('a mail whose sender was killed is sent by the next', async () => {
    smtp.refusal = '451 later'
    await admin.users.sendVerifyEmail({ realm, id: userId })
    await until(async () => expect((await outbox(realm))[0]).toMatchObject({ tries: 1, reason: expect.any(String) }))
    smtp.refusal = undefined
    // Taken, and the lease has run out.
    await fixture.sql("update mail set tries = 2, next_try_at = now() - interval '1 second' where status = 'pending'")
    await until(async () => expect((await outbox(realm))[0]).toMatchObject({ status: 'sent', tries: 3 }))
  })
})

describe('mails of several realms', () => {
  /** A server that takes connections and says nothing. */
  async function startSilentServer() {
    const sockets = new Set<Socket>()
    const listener = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => listener.listen(hangingPort, '127.0.0.1', resolve))
    return {
      sockets,
      async [Symbol.asyncDispose]() {
        for (const socket of sockets) socket.destroy()
        await new Promise((resolve) => listener.close(resolve))
      },
    }
  }

  test('a server that hangs holds up the mails of its own realm alone', async () => {
    await using silent = await startSilentServer()
    const hangs = await demoRealm(fixture, 'hangs', { smtpServer: smtpServer({ port: String(hangingPort) }) })
    const works = await demoRealm(fixture, 'works', { smtpServer: smtpServer() })
    const mail = ({ realm, userId: id }: typeof hangs, actions: string[]) =>
      admin.users.executeActionsEmail({ realm, id, actions })
    for (let count = 0; count < 15; count += 1) await mail(hangs, ['UPDATE_PROFILE'])
    await until(() => expect(silent.sockets.size).toBeGreaterThan(0))
    const before = smtp.received.length
    await mail(works, ['UPDATE_PROFILE'])
    await until(() => expect(smtp.received.length).toBe(before + 1))
    const stuck = await outbox('hangs')
    expect(stuck).toHaveLength(15)
    // None of those has been given up or tried a second time: their connections are as open as they were.
    expect(stuck.map(({ status, reason }) => [status, reason])).toEqual(stuck.map(() => ['pending', null]))
    expect(stuck.filter(({ tries }) => tries > 0).length).toBeLessThanOrEqual(4)
    await fixture.sql("update mail set status = 'failed' where status = 'pending'")
  })

  test('administrators send one person twenty mails an hour and no more', async () => {
    const { realm, userId: id } = await demoRealm(fixture, 'fills')
    const path = `${realm}/users/${id}/execute-actions-email`
    for (let count = 0; count < 20; count += 1) expect((await call(path, 'PUT', ['UPDATE_PROFILE'])).status).toBe(204)
    const refused = await call(path, 'PUT', ['UPDATE_PROFILE'])
    expect([refused.status, refused.body.errorMessage]).toEqual([429, expect.stringMatching(/within the hour/)])
    const other = await admin.users.create({ realm, username: 'other', email: 'other@demo.example', enabled: true })
    const toOther = () => call(`${realm}/users/${other.id}/execute-actions-email`, 'PUT', ['UPDATE_PROFILE'])
    expect((await toOther()).status).toBe(204)
    await fixture.sql(
      `insert into mail (id, realm_id, user_id, kind, recipient, subject, status, expires_at)
       select 'filler-' || n, realm_id, user_id, kind, recipient, subject, 'sent', now()
       from generate_series(1, 1000) n, (select * from mail where user_id = $1 limit 1) one`,
      [id],
    )
    expect((await toOther()).status).toBe(429)
    await fixture.sql("update mail set created_at = now() - interval '61 minutes'")
    expect((await toOther()).status).toBe(204)
  })
})

describe('without a mail server', () => {
  const realm = 'outbox'
  let userId: string
  beforeAll(async () => {
    userId = (await demoRealm(fixture, realm)).userId
  })

  test('mails are kept for an administrator, sealed', async () => {
    await admin.users.executeActionsEmail({ realm, id: userId, actions: ['UPDATE_PASSWORD', 'UPDATE_PROFILE'] })
    const [mail] = await outbox(realm)
    expect(mail).toMatchObject({ status: 'kept', to: 'ada@demo.example', userId, readable: true, tries: 0 })
    expect(JSON.stringify(mail)).not.toContain('key=')
    const { body } = await call<OutboxMail>(`${realm}/outbox/${mail?.id}`)
    expect(body.text).toContain('set a password and complete your profile')
    expect((await press(body.link ?? '')).text).toContain('Choose a new password')
    expect((await call<number>(`${realm}/outbox/count?search=ADA`)).body).toBe(1)
    expect((await call<number>(`${realm}/outbox/count?search=bob`)).body).toBe(0)
    expect((await call(`${realm}/outbox/none`)).status).toBe(404)
    expect((await call(`settings/outbox/${mail?.id}`)).status).toBe(404)
    expect((await call(`${realm}/outbox/${mail?.id}/send`, 'POST', {})).body.errorMessage).toMatch(/no mail server/)
  })

  test('a link to hand over works once and proves no address', async () => {
    await admin.users.update({ realm, id: userId }, { emailVerified: false })
    const { body } = await call<{ link: string; expires: number }>(
      `${realm}/users/${userId}/action-link?lifespan=600`,
      'POST',
      ['UPDATE_PASSWORD'],
    )
    expect(body.expires - Date.now()).toBeLessThan(601_000)
    const page = await press(body.link)
    expect(page.text).toContain('Choose a new password')
    expect(await page.again()).toBe(400)
    expect((await admin.users.findOne({ realm, id: userId }))?.emailVerified).toBe(false)
  })

  describe('a link that an administrator has read', () => {
    const handedOver = async (id: string) =>
      (await call<{ link: string }>(`${realm}/users/${id}/action-link`, 'POST', ['UPDATE_PASSWORD'])).body.link
    const fromOutbox = async (id: string) => {
      await admin.users.executeActionsEmail({ realm, id, actions: ['UPDATE_PASSWORD'] })
      const [mail] = await outbox(realm)
      return (await call<OutboxMail>(`${realm}/outbox/${mail?.id}`)).body.link ?? ''
    }
    const promote = async (id: string) => {
      const role = await admin.roles.findOneByName({ realm, name: 'great-power' })
      await admin.users.addRealmRoleMappings({ realm, id, roles: [{ id: role?.id ?? '', name: 'great-power' }] })
    }
    beforeAll(() => admin.roles.create({ realm, name: 'great-power' }))

    test.each<[string, (id: string) => Promise<string>]>([
      ['handed-over', handedOver],
      ['outbox', fromOutbox],
    ])('%s: ends when the person is given more, also when it was opened before', async (name, make) => {
      const { id } = await admin.users.create({ realm, username: name, email: `${name}@demo.example`, enabled: true })
      const opened = await press(await make(id))
      expect(opened.text).toContain('Choose a new password')
      const link = await make(id)
      expect((await fetch(link)).status).toBe(200)
      await promote(id)
      expect((await fetch(link)).status).toBe(400)
      const typed = { 'password-new': 'Quite another 9', 'password-confirm': 'Quite another 9' }
      const late = await opened.browser.submit(opened, fixture.publicUrl, typed)
      expect(late.response.status).toBe(400)
      expect((await admin.users.getCredentials({ realm, id })).map(({ type }) => type)).toEqual([])
    })

    test('one that nobody has read stays', async () => {
      const email = 'unread@demo.example'
      const { id } = await admin.users.create({ realm, username: 'unread', email, enabled: true })
      await admin.users.executeActionsEmail({ realm, id, actions: ['UPDATE_PASSWORD'] })
      const [mail] = await outbox(realm)
      await promote(id)
      const { link = '' } = (await call<OutboxMail>(`${realm}/outbox/${mail?.id}`)).body
      expect((await fetch(link)).status).toBe(200)
    })
  })

  test('the account of a client gets no link', async () => {
    const { id = '' } = await admin.clients.create({ realm, clientId: 'robot', serviceAccountsEnabled: true })
    const account = await admin.clients.getServiceAccountUser({ realm, id })
    expect((await call(`${realm}/users/${account.id}/action-link`, 'POST', ['UPDATE_PASSWORD'])).status).toBe(400)
  })
})
