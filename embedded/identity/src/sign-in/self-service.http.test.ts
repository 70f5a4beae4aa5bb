import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Browser } from '../testing/browser.ts'
import { demoRealm, fullSignIn, openSignIn, PASSWORD, portalRequest, redeem } from '../testing/demo-realm.ts'
import { type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture.ts'
import { linkIn, type SmtpServer, startSmtpServer } from '../testing/smtp-server.ts'

let smtp: SmtpServer
let fixture: IdentityFixture

beforeAll(async () => {
  smtp = await startSmtpServer()
  fixture = await startIdentityFixture({ allowedAddresses: [`127.0.0.1:${smtp.port}`] })
})
afterAll(async () => {
  expect(fixture?.reported ?? []).toEqual([])
  await fixture?.[Symbol.asyncDispose]()
  await smtp?.[Symbol.asyncDispose]()
})

let addresses = 0
/** A browser at an address of its own, so that one test does not use up the limit of another. */
const stranger = () => {
  addresses += 1
  return new Browser({ 'x-forwarded-for': `203.0.113.${addresses}` })
}

function makeRealm(name: string, settings: object) {
  const smtpServer = { host: '127.0.0.1', port: String(smtp.port), from: 'identity@demo.example' }
  return demoRealm(fixture, name, { smtpServer, ...settings })
}

async function mailTo(address: string, before = 0) {
  return vi.waitFor(
    () => {
      const found = smtp.received.filter(({ to }) => to.includes(address))
      expect(found.length).toBeGreaterThan(before)
      return found.at(-1) as SmtpServer['received'][number]
    },
    { timeout: 15_000, interval: 100 },
  )
}

interface Shown {
  browser: Browser
  issuer: string
  url: string
  text: string
  status: number
}

const shownBy = async (
  at: Pick<Shown, 'browser' | 'issuer'>,
  got: { response: Response; url: string },
): Promise<Shown> => ({
  ...{ browser: at.browser, issuer: at.issuer, url: got.url },
  ...{ status: got.response.status, text: got.response.status === 303 ? '' : await got.response.text() },
})

/** A page beside the password, by its link on the sign-in page. */
async function doorTo(issuer: string, page: 'reset' | 'register', browser = stranger()): Promise<Shown> {
  const at = await openSignIn(browser, issuer, portalRequest(issuer))
  expect(at.text).toContain(`href="?page=${page}"`)
  const url = new URL(`?page=${page}`, at.url).href
  return shownBy({ browser, issuer }, { response: await browser.open(url), url })
}

const send = async (page: Shown, typed: Record<string, string>): Promise<Shown> =>
  shownBy(page, await page.browser.submit(page, page.issuer, typed))

async function pressLink(link: string, issuer: string, browser = stranger()): Promise<Shown> {
  const response = await browser.open(link)
  return send({ browser, issuer, url: link, text: await response.text(), status: response.status }, {})
}

describe('a forgotten password', () => {
  let issuer: string
  beforeAll(async () => {
    issuer = (await makeRealm('forgot', { resetPasswordAllowed: true, passwordPolicy: 'length(8)' })).issuer
  })

  test('is not offered, and not taken, where it is switched off', async () => {
    const shut = await makeRealm('shut', {})
    const at = await openSignIn(new Browser(), shut.issuer, portalRequest(shut.issuer))
    expect(at.text).not.toMatch(/page=(reset|register)/)
    const page = { ...at, browser: new Browser(), issuer: shut.issuer, status: 200 }
    const browser = new Browser()
    const own = await openSignIn(browser, shut.issuer, portalRequest(shut.issuer))
    for (const step of ['reset', 'register']) {
      const sent = await send({ ...page, ...own, browser }, { step, username: 'ada', email: 'x@demo.example' })
      expect(sent.text).toContain('<h1>Sign in</h1>')
    }
    expect(await fixture.admin.users.find({ realm: 'shut', email: 'x@demo.example' })).toEqual([])
  })

  test('is replaced by a link, once, by the rules, and every session ends', async () => {
    const old = await fullSignIn(stranger(), issuer)
    const asked = await send(await doorTo(issuer, 'reset'), { username: 'Ada@demo.example' })
    expect(asked.text).toContain('Look into your mail')
    const link = linkIn(await mailTo('ada@demo.example'))
    const weak = await send(await pressLink(link, issuer), { 'password-new': 'short', 'password-confirm': 'short' })
    expect(weak.text).toContain('minimum length 8')
    const done = await send(weak, { 'password-new': 'much longer', 'password-confirm': 'much longer' })
    expect(done.text).toContain('is done')
    expect((await fetch(link)).status).toBe(400)
    const renewed = await fetch(`${issuer}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'refresh_token', client_id: 'quayside-portal-ui', refresh_token: old.refresh_token ?? '' },
      }),
    })
    expect(renewed.status).toBe(400)
    await fullSignIn(stranger(), issuer, 'ada', 'much longer')
  })

  test('leaves no passkey and no linked account: whoever had set them up may be somebody else', async () => {
    const { admin } = fixture
    const realm = 'forgot'
    await admin.identityProviders.create({
      ...{ realm, alias: 'harbour', providerId: 'oidc' },
      config: {
        ...{ clientId: 'quayside', clientSecret: 'secret', issuer: 'https://login.example' },
        ...{
          authorizationUrl: 'https://login.example/auth',
          tokenUrl: 'https://login.example/token',
          jwksUrl: 'https://login.example/keys',
        },
      },
    })
    const { id } = await admin.users.create({ realm, username: 'kim', email: 'kim@demo.example', enabled: true })
    const federatedIdentity = { identityProvider: 'harbour', userId: 'k1', userName: 'kim' }
    await admin.users.addToFederatedIdentity({ realm, id, federatedIdentityId: 'harbour', federatedIdentity })
    await fixture.sql(
      `insert into credential (id, user_id, type, label, secret, data)
       values ('key-of-kim', $1, 'webauthn-passwordless', 'Key', '', $2)`,
      [
        id,
        JSON.stringify({ credentialId: 'a2lt', credentialPublicKey: 'AQID', counter: 0, aaguid: '', transports: [] }),
      ],
    )
    const waysIn = async () => [
      ...(await admin.users.getCredentials({ realm, id })).map(({ type }) => type),
      ...(await admin.users.listFederatedIdentities({ realm, id })).map(({ identityProvider }) => identityProvider),
    ]
    expect(await waysIn()).toEqual(['webauthn-passwordless', 'harbour'])
    await send(await doorTo(issuer, 'reset'), { username: 'kim' })
    const form = await pressLink(linkIn(await mailTo('kim@demo.example')), issuer)
    const done = await send(form, { 'password-new': 'much longer', 'password-confirm': 'much longer' })
    expect(done.text).toContain('is done')
    expect(await waysIn()).toEqual(['password'])
  })

  test('gives the same answer, after the same work, for a name that nobody has', async () => {
    const answers: string[] = []
    const times: Record<'ada' | 'nobody', number[]> = { ada: [], nobody: [] }
    for (let round = 0; round < 4; round += 1) {
      for (const name of ['ada', 'nobody'] as const) {
        const page = await doorTo(issuer, 'reset')
        const start = performance.now()
        const { text, status } = await send(page, { username: name })
        times[name].push(performance.now() - start)
        answers.push(`${status} ${text.replaceAll(/value="[^"]*"/g, '')}`)
      }
    }
    expect(new Set(answers).size).toBe(1)
    const quickest = (name: keyof typeof times) => Math.min(...times[name])
    expect(Math.abs(quickest('ada') - quickest('nobody'))).toBeLessThan(100)
  })

  test.each(['bob', 'ghost'])('is asked for five times for %s, and no more, also by others', async (username) => {
    if (username === 'bob')
      await fixture.admin.users.create({ realm: 'forgot', username, email: 'bob@demo.example', enabled: true })
    for (let round = 0; round < 5; round += 1)
      expect((await send(await doorTo(issuer, 'reset'), { username })).text).toContain('Look into your mail')
    const refused = await send(await doorTo(issuer, 'reset'), { username })
    expect(refused.status).toBe(429)
    expect(refused.text).toContain('Too many requests. Try again in 15 minutes.')
  })

  test('reaches nobody who is disabled, and no script', async () => {
    const before = smtp.received.length
    await fixture.admin.users.create({ realm: 'forgot', username: 'off', email: 'off@demo.example', enabled: false })
    await send(await doorTo(issuer, 'reset'), { username: 'off' })
    await send(await doorTo(issuer, 'reset'), { username: 'service-account-x' })
    await send(await doorTo(issuer, 'reset'), { username: 'o\0ff' })
    // A later wish of somebody else is answered after these.
    await fixture.admin.users.create({ realm: 'forgot', username: 'on', email: 'on@demo.example', enabled: true })
    await send(await doorTo(issuer, 'reset'), { username: 'on' })
    await mailTo('on@demo.example')
    expect(smtp.received.slice(before).filter(({ to }) => to.includes('off@demo.example'))).toEqual([])
  })

  test('is mailed to no address that somebody typed and has not confirmed', async () => {
    const { admin } = fixture
    const realm = 'forgot'
    const { id } = await admin.users.create({
      ...{ realm, username: 'mover', email: 'mover@demo.example', firstName: 'M', lastName: 'V', enabled: true },
      ...{ requiredActions: ['UPDATE_PROFILE'], credentials: [{ type: 'password', value: PASSWORD }] },
    })
    const browser = stranger()
    const at = await openSignIn(browser, issuer, portalRequest(issuer))
    const form = await shownBy(
      { browser, issuer },
      await browser.submit(at, issuer, { username: 'mover', password: PASSWORD }),
    )
    await send(form, { email: 'thief@evil.example', firstName: 'M', lastName: 'V' })
    expect(await admin.users.findOne({ realm, id })).toMatchObject({
      email: 'thief@evil.example',
      emailVerified: false,
    })
    await send(await doorTo(issuer, 'reset'), { username: 'mover' })
    const refused = async () =>
      (await admin.realms.findEvents({ realm, user: id, type: ['RESET_PASSWORD_ERROR'] as never })).length
    await vi.waitFor(async () => expect(await refused()).toBe(1), { timeout: 15_000, interval: 100 })
    expect(smtp.received.filter(({ to }) => to.includes('thief@evil.example'))).toEqual([])
    // An administrator sets the address: it is trusted as it was.
    await admin.users.update({ realm, id }, { email: 'mover@company.example' })
    await send(await doorTo(issuer, 'reset'), { username: 'mover' })
    await mailTo('mover@company.example')
  })

  test('an ordinary new password ends every link that was made before', async () => {
    const { admin } = fixture
    const realm = 'forgot'
    const { id } = await admin.users.create({
      ...{ realm, username: 'renews', email: 'renews@demo.example', enabled: true },
      ...{ requiredActions: ['UPDATE_PASSWORD'], credentials: [{ type: 'password', value: PASSWORD }] },
    })
    const links: string[] = []
    for (const action of ['UPDATE_PASSWORD', 'UPDATE_PROFILE']) {
      await admin.users.executeActionsEmail({ realm, id, actions: [action] as never })
      links.push(linkIn(await mailTo('renews@demo.example', links.length)))
    }
    const statuses = () => Promise.all(links.map(async (link) => (await fetch(link)).status))
    expect(await statuses()).toEqual([200, 200])
    const browser = stranger()
    const at = await openSignIn(browser, issuer, portalRequest(issuer))
    const form = await shownBy(
      { browser, issuer },
      await browser.submit(at, issuer, { username: 'renews', password: PASSWORD }),
    )
    expect((await send(form, { 'password-new': 'much longer', 'password-confirm': 'much longer' })).url).toContain(
      'code=',
    )
    expect(await statuses()).toEqual([400, 400])
  })

  test('a form from elsewhere is refused', async () => {
    const page = await doorTo(issuer, 'reset')
    const body = new URLSearchParams({ step: 'reset', username: 'ada', form_token: 'made up' })
    const sent = await page.browser.open(page.url, {
      method: 'POST',
      body,
      headers: { origin: new URL(issuer).origin },
    })
    expect(sent.status).toBe(403)
  })
})

const person = (name: string, more: Record<string, string> = {}) => ({
  ...{ username: name, email: `${name}@demo.example`, firstName: 'New', lastName: 'Person' },
  ...{ 'password-new': PASSWORD, 'password-confirm': PASSWORD, ...more },
})

describe('registration', () => {
  let issuer: string
  const realm = 'register'
  beforeAll(async () => {
    issuer = (await makeRealm(realm, { registrationAllowed: true, passwordPolicy: 'length(8)' })).issuer
  })

  test('makes an account with the default groups and roles, and signs in', async () => {
    const { id = '' } = await fixture.admin.groups.create({ realm, name: 'Everybody' })
    await fixture.admin.realms.addDefaultGroup({ realm, id })
    const request = portalRequest(issuer)
    const browser = stranger()
    const at = await openSignIn(browser, issuer, request)
    const page = { browser, issuer, url: new URL('?page=register', at.url).href, text: '', status: 200 }
    const form = { ...page, text: await (await browser.open(page.url)).text() }
    const { url } = await browser.submit(form, issuer, person('newcomer'))
    const { status, body } = await redeem(issuer, request, url)
    expect(status, JSON.stringify(body)).toBe(200)
    const [made] = await fixture.admin.users.find({ realm, username: 'newcomer', exact: true })
    expect(made).toMatchObject({
      email: 'newcomer@demo.example',
      emailVerified: false,
      enabled: true,
      firstName: 'New',
    })
    const groups = await fixture.admin.users.listGroups({ realm, id: made?.id ?? '' })
    expect(groups.map(({ name }) => name)).toEqual(['Everybody'])
    const roles = await fixture.admin.users.listRealmRoleMappings({ realm, id: made?.id ?? '' })
    expect(roles.map(({ name }) => name)).toEqual([`default-roles-${realm}`])
  })

  test.each<[string, Record<string, string>, string]>([
    ['nothing', { email: '' }, 'fill in every field'],
    ['no address', { email: 'nowhere' }, 'no e-mail address'],
    ['two addresses', { email: 'a@demo.example,b@demo.example' }, 'no e-mail address'],
    ['a header in the address', { email: 'a@demo.example\r\nBcc: b@demo.example' }, 'no e-mail address'],
    ['markup in a name', { firstName: '<script>alert(1)</script>' }, 'not allowed'],
    ['a NUL', { lastName: 'a\0b' }, 'not allowed'],
    ['a mark that turns direction', { lastName: 'a\u202Eb' }, 'not allowed'],
    ['a user name with markup', { username: '<b>x</b>' }, 'not allowed'],
    ['the name of a script', { username: 'service-account-x' }, 'service accounts'],
    ['a weak password', { 'password-new': 'short', 'password-confirm': 'short' }, 'minimum length 8'],
    ['two passwords', { 'password-confirm': 'another' }, 'do not match'],
    ['a taken name', { username: 'ada' }, 'already'],
    ['a taken address', { email: 'ADA@demo.example' }, 'already'],
    ['the address of somebody as user name', { username: 'ada@demo.example' }, 'already'],
  ])('refuses %s, and keeps what was typed', async (_, wrong, words) => {
    const sent = await send(await doorTo(issuer, 'register'), person('hostile', wrong))
    expect(sent.text).toContain(words)
    expect(sent.text).not.toContain('<script>alert')
    expect(sent.text).not.toContain(PASSWORD)
    if (!wrong.lastName) expect(sent.text).toContain('value="Person"')
    expect(await fixture.admin.users.find({ realm, email: 'hostile@demo.example' })).toEqual([])
  })

  test('takes no rights, groups, attributes or flags from the form', async () => {
    const more = {
      emailVerified: 'true',
      'attributes.homescreen': 'x',
      groups: 'Admins',
      realmRoles: 'admin',
      enabled: 'false',
    }
    await send(await doorTo(issuer, 'register'), person('greedy', more))
    const [made] = await fixture.admin.users.find({ realm, username: 'greedy', exact: true })
    expect(made).toMatchObject({ emailVerified: false, enabled: true })
    expect(made?.attributes).toBeUndefined()
  })

  test('from one address it is slowed down', async () => {
    const browser = stranger()
    const page = await doorTo(issuer, 'register', browser)
    let last = page
    for (let round = 0; round < 31; round += 1)
      last = await send(page, person('ada', { email: `m${round}@demo.example` }))
    expect(last.text).toContain('Too many requests')
  })

  test('takes the address as user name where the realm says so', async () => {
    const other = await makeRealm('by-mail', { registrationAllowed: true, registrationEmailAsUsername: true })
    const page = await doorTo(other.issuer, 'register')
    expect(page.text).not.toContain('name="username"')
    await send(page, person('ignored', { email: 'Mail.Me@demo.example' }))
    const [made] = await fixture.admin.users.find({ realm: 'by-mail', email: 'mail.me@demo.example' })
    expect(made?.username).toBe('mail.me@demo.example')
  })
})

describe('the address of somebody', () => {
  const realm = 'verify'
  let issuer: string
  beforeAll(async () => {
    issuer = (await makeRealm(realm, { registrationAllowed: true, verifyEmail: true })).issuer
  })

  test('is confirmed by the mailed link, also in another browser, before anybody is in', async () => {
    const waiting = await send(await doorTo(issuer, 'register'), person('waits'))
    expect(waiting.text).toContain('Confirm your e-mail address')
    const mail = await mailTo('waits@demo.example')
    const early = await send(waiting, { again: 'no' })
    expect(early.text).toContain('not confirmed yet')
    expect((await send(early, { again: 'yes' })).text).toContain('Another mail is on its way')
    expect((await pressLink(linkIn(mail), issuer)).text).toContain('is confirmed')
    const through = await send(early, { again: 'no' })
    expect(new URL(through.url).searchParams.get('code')).toBeTruthy()
  })

  test('is asked for at most five times an hour', async () => {
    let page = await send(await doorTo(issuer, 'register'), person('often'))
    for (let round = 0; round < 5; round += 1) page = await send(page, { again: 'yes' })
    expect(page.text).toContain('Several mails were sent')
  })

  test('as something to do: only who has an unconfirmed one is asked', async () => {
    const { admin } = fixture
    const made = await makeRealm('duty', {})
    await admin.users.update({ realm: 'duty', id: made.userId }, { requiredActions: ['VERIFY_EMAIL'] })
    const browser = stranger()
    const at = await openSignIn(browser, made.issuer, portalRequest(made.issuer))
    const page = { browser, issuer: made.issuer, url: at.url, text: at.text, status: 200 }
    expect((await send(page, { username: 'ada', password: PASSWORD })).text).toContain('Confirm your e-mail address')
    await admin.users.update({ realm: 'duty', id: made.userId }, { emailVerified: true })
    await fullSignIn(stranger(), made.issuer)
  })

  test('once confirmed, it changes when the new one is confirmed as well', async () => {
    const { admin } = fixture
    const { id } = await admin.users.create({
      ...{ realm, username: 'moves', email: 'moves@demo.example', emailVerified: true, enabled: true },
      ...{ firstName: 'Mo', lastName: 'Ves', requiredActions: ['UPDATE_PROFILE'] },
      credentials: [{ type: 'password', value: PASSWORD, temporary: false }],
    })
    const browser = stranger()
    const at = await openSignIn(browser, issuer, portalRequest(issuer))
    const page = { browser, issuer, url: at.url, text: at.text, status: 200 }
    const profile = await send(page, { username: 'moves', password: PASSWORD })
    await send(profile, { email: 'New@demo.example', firstName: 'Mo', lastName: 'Ved' })
    const kept = await admin.users.findOne({ realm, id })
    expect(kept).toMatchObject({ email: 'moves@demo.example', emailVerified: true, lastName: 'Ved' })
    const link = linkIn(await mailTo('new@demo.example'))
    expect((await pressLink(link, issuer)).text).toContain('is confirmed')
    expect(await admin.users.findOne({ realm, id })).toMatchObject({ email: 'new@demo.example', emailVerified: true })
  })

  describe('of somebody who gets a role while a link is open', () => {
    const promoted = async (realm: string, id: string) => {
      const { admin } = fixture
      await admin.roles.create({ realm, name: `role ${id}` })
      const role = await admin.roles.findOneByName({ realm, name: `role ${id}` })
      await admin.users.addRealmRoleMappings({ realm, id, roles: [{ id: role?.id ?? '', name: `role ${id}` }] })
    }
    const someone = async (realm: string, username: string, more: object) => {
      const names = { username, email: `${username}@demo.example`, firstName: 'Ro', lastName: 'Sa', enabled: true }
      const credentials = [{ type: 'password', value: PASSWORD, temporary: false }]
      return (await fixture.admin.users.create({ realm, ...names, credentials, ...more })).id
    }
    const profileOf = async (at: string, username: string) => {
      const browser = stranger()
      const page = await openSignIn(browser, at, portalRequest(at))
      const form = { browser, issuer: at, url: page.url, text: page.text, status: 200 }
      return send(form, { username, password: PASSWORD })
    }
    const typed = (email: string) => ({ email, firstName: 'Ro', lastName: 'Sa' })
    const used = { status: 400 }

    test('is not changed by a mail to a new one, whether a link or a sign-in had asked for it', async () => {
      const id = await someone(realm, 'rosa', { emailVerified: true })
      const made = await fetch(`${fixture.publicUrl}/admin/realms/${realm}/users/${id}/action-link`, {
        ...{ method: 'POST', body: JSON.stringify(['UPDATE_PROFILE']) },
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${await fixture.admin.getAccessToken()}`,
        },
      })
      const { link } = (await made.json()) as { link: string }
      await send(await pressLink(link, issuer), typed('evil@evil.example'))
      const other = await someone(realm, 'rita', { emailVerified: true, requiredActions: ['UPDATE_PROFILE'] })
      await send(await profileOf(issuer, 'rita'), typed('worse@evil.example'))
      const mails = [await mailTo('evil@evil.example'), await mailTo('worse@evil.example')]
      for (const each of [id, other]) await promoted(realm, each)
      for (const mail of mails) expect(await fetch(linkIn(mail))).toMatchObject(used)
      expect(await fixture.admin.users.findOne({ realm, id })).toMatchObject({ email: 'rosa@demo.example' })
    })

    test('is not confirmed by a mail to one that somebody typed before', async () => {
      const made = await makeRealm('typed', { resetPasswordAllowed: true })
      const id = await someone('typed', 'rena', { requiredActions: ['UPDATE_PROFILE'] })
      await send(await profileOf(made.issuer, 'rena'), typed('typed@evil.example'))
      await fixture.admin.users.sendVerifyEmail({ realm: 'typed', id })
      const link = linkIn(await mailTo('typed@evil.example'))
      await promoted('typed', id)
      expect(await fetch(link)).toMatchObject(used)
    })

    test('was another one when the link was opened, and its way ends with the new role', async () => {
      const made = await makeRealm('opened', {})
      const id = await someone('opened', 'rhea', { email: 'evil@opened.example' })
      await fixture.admin.users.executeActionsEmail({ realm: 'opened', id, actions: ['UPDATE_PASSWORD'] as never })
      const page = await pressLink(linkIn(await mailTo('evil@opened.example')), made.issuer)
      await fixture.admin.users.update({ realm: 'opened', id }, { email: 'rhea@demo.example' })
      await promoted('opened', id)
      const done = await send(page, { 'password-new': 'much longer', 'password-confirm': 'much longer' })
      expect(done).toMatchObject(used)
      await fullSignIn(stranger(), made.issuer, 'rhea')
    })
  })

  test('is unconfirmed again when it changes where nobody has to confirm', async () => {
    const { admin } = fixture
    const made = await makeRealm('loose', {})
    const more = { requiredActions: ['UPDATE_PROFILE'], emailVerified: true }
    await admin.users.update({ realm: 'loose', id: made.userId }, more)
    const browser = stranger()
    const at = await openSignIn(browser, made.issuer, portalRequest(made.issuer))
    const page = { browser, issuer: made.issuer, url: at.url, text: at.text, status: 200 }
    const profile = await send(page, { username: 'ada', password: PASSWORD })
    await send(profile, { email: 'else@demo.example', firstName: 'Ada', lastName: 'Demo' })
    const after = await admin.users.findOne({ realm: 'loose', id: made.userId })
    expect(after).toMatchObject({ email: 'else@demo.example', emailVerified: false })
  })
})
