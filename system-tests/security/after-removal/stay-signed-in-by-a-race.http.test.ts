import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import { askToken, authRequest, Browser } from '@quayside/embedded-identity/testing/browser'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
let admin: ReturnType<typeof callsOf>

beforeAll(async () => {
  world = await World.start({ cluster: false })
  admin = callsOf(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
})
afterAll(() => world?.close())

const issuer = () => `${world.signInUrl}/realms/demo`
const client = () => ({ client_id: 'quayside-portal-ui', redirect_uri: `${world.url}/en/` })

let count = 0
async function make(more: object = {}) {
  count += 1
  const username = `leaving-${count}`
  const password = { value: 'First-pass-4711', temporary: false }
  const profile = { email: `${username}@demo.example`, firstName: 'Sam', lastName: 'Sailor' }
  const { id } = await admin.good<{ id: string }>('/iam/v3/users', {
    body: { username, password, ...profile, ...more },
  })
  return { id, path: `/iam/v2/users/${id}`, credentials: { username, password: password.value } }
}
type Person = Awaited<ReturnType<typeof make>>

const put = (path: string, body: unknown) => admin.good(path, { method: 'PUT', body })
const newPassword = 'Other-pass-4711'

/** Ways in which an administrator sends somebody out. */
const ends: Record<string, (person: Person) => Promise<unknown>> = {
  'the sessions are ended': ({ id }) => admin.good(`/iam/v3/users/${id}/sessions`, { method: 'DELETE' }),
  'a password is set': ({ path }) => put(`${path}/reset-password`, { value: newPassword, temporary: false }),
  'a temporary password is set': ({ path }) => put(`${path}/reset-password`, { value: newPassword, temporary: true }),
  'the password is removed': ({ path }) => put(`${path}/disable-credential-types`, ['password']),
  async 'the person is disabled and enabled'({ path }) {
    await put(path, { enabled: false })
    await put(path, { enabled: true })
  },
}
const cases = Object.entries(ends)

async function tokenBy(url: string, verifier: string): Promise<number | undefined> {
  const code = new URL(url).searchParams.get('code')
  if (!code) return undefined
  const fields = { grant_type: 'authorization_code', ...client(), code, code_verifier: verifier }
  return (await askToken(issuer(), fields)).status
}

/** Sends the form of a sign-in page, and does not go on. */
async function send(browser: Browser, { url, text }: { url: string; text: string }, typed: Record<string, string>) {
  // Another form of the page signs in with a passkey.
  const [first = ''] = text.split('</form>')
  const hidden = [...first.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const [, action = ''] = /<form [^>]*action="([^"]*)"/.exec(text) ?? []
  const target = new URL(action.replaceAll('&amp;', '&'), url).href
  const body = new URLSearchParams({ ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), ...typed })
  const response = await browser.open(target, { method: 'POST', body, headers: { origin: new URL(url).origin } })
  const next = response.headers.get('location')
  return { url: target, text: await response.text(), next: next ? new URL(next, target).href : undefined }
}

async function givePassword({ credentials }: Person) {
  const browser = new Browser()
  const { url, verifier } = authRequest(issuer(), { ...client(), scope: 'openid' })
  const page = await browser.follow(url, issuer())
  const after = await send(browser, { url: page.url, text: await page.response.text() }, credentials)
  return { browser, verifier, ...after }
}

test.each(cases)('a cookie that is used while %s brings nothing afterwards', async (_, end) => {
  for (let round = 0; round < 4; round += 1) {
    const person = await make()
    const { browser } = await signInAsPerson(world, person.credentials)
    // Cookies of the start: an ended session answers with another one.
    const cookie = browser
      .cookieLines()
      .map((line) => line.split(';')[0])
      .join('; ')
    const ask = async () => {
      const { url, verifier } = authRequest(issuer(), { ...client(), scope: 'openid', prompt: 'none' })
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
      return { url: answer.headers.get('location') ?? '', verifier }
    }
    expect((await ask()).url).toContain('code=')
    let isOver = false
    let asked = 0
    const using = [1, 2, 3, 4].map(async () => {
      for (; !isOver; asked += 1) await ask()
    })
    await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(3)
    await end(person)
    isOver = true
    await Promise.all(using)
    const last = await ask()
    expect(await tokenBy(last.url, last.verifier)).not.toBe(200)
  }
})

test.each(cases)('a sign-in that stopped after the password does not go on when %s', async (_, end) => {
  const person = await make()
  const half = await givePassword(person)
  expect(half.next).toBeDefined()
  await end(person)
  const arrived = await half.browser.follow(half.next ?? '', issuer())
  expect(arrived.url).not.toContain('code=')
  expect(arrived.response.status).toBe(400)
})

test.each(cases)('the page for a new password sets none after %s', async (_, end) => {
  const person = await make({ requiredActions: ['UPDATE_PASSWORD'] })
  const half = await givePassword(person)
  await end(person)
  const mine = 'Mine-forever-4711'
  const after = await send(half.browser, half, { 'password-new': mine, 'password-confirm': mine })
  expect(after.next).toBeUndefined()
  await expect(signInAsPerson(world, { ...person.credentials, password: mine })).rejects.toThrow()
})

test('whoever is disabled while they change their own profile stays disabled', async () => {
  for (let round = 0; round < 4; round += 1) {
    const person = await make()
    const me = callsOf(world, (await signInAsPerson(world, person.credentials)).access_token)
    let isOver = false
    let changed = 0
    const changing = [1, 2, 3, 4].map(async () => {
      while (!isOver) {
        const { status } = await me.call('/iam/v2/account', { method: 'PUT', body: { firstName: `Sam ${changed}` } })
        if (status !== 200) return
        changed += 1
      }
    })
    await expect.poll(() => changed, { timeout: 10_000 }).toBeGreaterThan(3)
    await put(person.path, { enabled: false })
    isOver = true
    await Promise.all(changing)
    expect(await admin.good(person.path)).toMatchObject({ enabled: false })
  }
})
