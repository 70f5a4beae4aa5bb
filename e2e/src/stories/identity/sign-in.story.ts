import { deflateRawSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { signIn } from '../../sign-in.ts'
import { expect, nobody, test } from '../../test.ts'
import { wizardOn } from '../../wizard.ts'

test.use({ storageState: nobody })

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' })
/** Those that everybody has; below them stands what a person has pinned. */
const sections = (page: Page) =>
  main(page)
    .getByRole('region')
    .filter({ hasNot: page.getByRole('heading', { name: 'CUSTOM SIDEBAR' }) })
const account = (page: Page) => page.getByRole('button', { name: /^Account: / })

test('one is asked to sign in and comes back to the route one wanted', async ({ page, world }) => {
  await page.goto('/en/catalog/apps?q=key&type=Containerized')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await signIn(page, { ...world.admin, password: 'not this one' })
  await expect(page.getByText('Invalid username or password.')).toBeVisible()
  await expect(page.getByLabel('Username or e-mail')).toHaveValue(world.admin.username)
  await signIn(page, world.admin)
  await expect(page).toHaveURL(`${world.url}/en/catalog/apps?q=key&type=Containerized`)
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByText('v5.7.0')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('the values of a link survive the sign-in, and do not stay in the address', async ({ page, world, script }) => {
  const { latestVersionId } = await script.itemNamed('web-page')
  const values = deflateRawSync('page:\n  title: From a link\n').toString('base64url')
  await page.goto(`/en/catalog/apps?deploy=${latestVersionId}#values=${values}`)
  await signIn(page, world.admin)
  const wizard = wizardOn(page)
  await wizard.assign('Telemetry', 'By link')
  expect(page.url()).toBe(`${world.url}/en/catalog/apps`)
  await expect(wizard.dialog.getByText('The values of a link are filled in.')).toBeVisible()
  await wizard.dialog.getByRole('button', { name: /^Page/ }).click()
  await expect(wizard.dialog.getByLabel('Title', { exact: true })).toHaveValue('From a link')
  await wizard.button('Cancel Deployment').click()
})

test('sign-out revokes the tokens, and the next visit asks again', async ({ page, world }) => {
  const refreshTokens: string[] = []
  const revoked: string[] = []
  page.on('response', async (response) => {
    if (!response.url().endsWith('/protocol/openid-connect/token') || !response.ok()) return
    const { refresh_token: token } = (await response.json()) as { refresh_token?: string }
    if (token !== undefined) refreshTokens.push(token)
  })
  page.on('request', (request) => {
    if (request.url().endsWith('/protocol/openid-connect/revoke')) {
      revoked.push(new URLSearchParams(request.postData() ?? '').get('token_type_hint') ?? '')
    }
  })
  await page.goto('/en/home')
  await signIn(page, world.admin)
  await expect(main(page)).toBeVisible()
  await account(page).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  // The end of the session takes its refresh tokens with it.
  expect(revoked).toEqual(['access_token'])
  expect(refreshTokens.length).toBeGreaterThan(0)
  for (const token of refreshTokens) {
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'quayside-portal-ui',
      refresh_token: token,
    })
    const answer = await fetch(`${world.url}/auth/realms/demo/protocol/openid-connect/token`, { method: 'POST', body })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' })
  }
  await page.goto('/en/apps')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('a session that has ended elsewhere leads to the sign-in page and back', async ({ page, world }) => {
  const person = await world.personWith({ realmRoles: ['quayside-operator'] })
  await page.goto('/en/spaces')
  await signIn(page, person)
  await expect(page.getByRole('heading', { level: 1, name: /^Spaces/ })).toBeVisible()
  // The token is not taken any more, and nothing is left to renew it with.
  const refused = { status: 401, json: { status: 401, message: 'Unauthorized' } }
  await page.context().clearCookies()
  await page.route('**/protocol/openid-connect/token', (route) =>
    route.fulfill({ status: 400, json: { error: 'invalid_grant' } }),
  )
  await page.route('**/portal-api/**', (route) => route.fulfill(refused))
  const signInPage = page.getByRole('heading', { name: 'Sign in' })
  // A view that reads again by itself may notice before the other page is opened, which is why the click may miss.
  const click = main(page).getByRole('link', { name: /^Apps/ }).first().click()
  await Promise.race([click.catch(() => undefined), signInPage.waitFor()])
  await expect(signInPage).toBeVisible()
  await page.unrouteAll()
  await signIn(page, person)
  await expect(page).toHaveURL(/\/en\/(apps|spaces)$/)
  await expect(page.getByRole('heading', { level: 1, name: /^(Apps|Spaces)/ })).toBeVisible()
})

test('the navigation shows what the roles open, and other routes lead to unauthorized', async ({ page, world }) => {
  const person = await world.personWith({
    clientRoles: {
      'quayside-portal-ui-catalog-apps': ['access', 'catalog.view'],
      'quayside-portal-ui-catalog-nodes': ['access'],
    },
  })
  await page.goto('/en/home')
  await signIn(page, person)
  await expect(main(page).getByRole('link', { name: 'Home' })).toBeVisible()
  await expect(sections(page)).toHaveCount(2)
  await expect(main(page).getByText('CATALOG', { exact: true })).toBeVisible()
  await expect(main(page).getByText('MANAGE', { exact: true })).toBeHidden()
  await expect(main(page).getByRole('link', { name: /^Apps/ })).toHaveAttribute('href', '/en/catalog/apps')
  await page.goto('/en/users')
  await expect(page).toHaveURL(`${world.url}/en/unauthorized`)
  await expect(page.getByRole('heading', { name: 'You do not have access to this page' }).first()).toBeVisible()
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL(/\/en\/home/)
  await page.goto('/en/catalog/apps')
  await expect(page.getByRole('article').first()).toBeVisible()
  for (const closed of [/^Deploy/, 'Upload package'])
    await expect(page.getByRole('button', { name: closed }).first()).toHaveAttribute('aria-disabled', 'true')
})

test('an administrator sees every section of the navigation', async ({ page, world }) => {
  await page.goto('/en/home')
  await signIn(page, world.admin)
  await expect(sections(page).getByRole('paragraph')).toHaveText([
    'MANAGE',
    'CATALOG',
    'INFRASTRUCTURE',
    'IDENTITY & ACCESS',
  ])
  await expect(sections(page).locator('a, button')).toHaveText([
    /^Home/,
    /^Apps/,
    /^Spaces/,
    /^Dashboards/,
    /^Apps/,
    /^Nodes/,
    /^Flows/,
    /^Clusters/,
    /^Users/,
    /^Groups/,
    /^Roles/,
    /^Policies/,
    /^Login Settings/,
  ])
})

test('a server that cannot be reached is said as specified, and found again', async ({ page, world }) => {
  await page.goto('/en/apps')
  await signIn(page, world.admin)
  await expect(page.getByRole('heading', { level: 1, name: /^Apps/ })).toBeVisible()
  process.kill(world.portalPid, 'SIGKILL')
  await main(page).getByRole('link', { name: 'Spaces' }).click()
  const panel = page.getByRole('main').getByRole('alert').filter({ hasText: 'Could not reach the requested service.' })
  await expect(panel).toContainText('Status code: 0', { timeout: 30_000 })
  await expect(panel).toContainText('Reason: ')
  await expect(panel).toContainText('Please contact our technical support.')
  await world.restartPortal()
  // The page asks again by itself as soon as its live connection is back, or when it is told to.
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 1000 })
    await expect(page.getByText('Storefront').first()).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 30_000 })
})

test('theme, direction and the side bar are remembered', async ({ page, world }) => {
  await page.goto('/en/home')
  await signIn(page, world.admin)
  const html = page.locator('html')
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect(html).toHaveAttribute('dir', 'ltr')
  await page.getByRole('banner').getByRole('button', { name: 'Light theme' }).click()
  await page.getByRole('banner').getByRole('button', { name: 'Right to left' }).click()
  await page.getByRole('button', { name: 'Collapse the side bar' }).click()
  await page.reload()
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light')
  await expect(html).toHaveAttribute('dir', 'rtl')
  await expect(page.getByRole('button', { name: 'Expand the side bar' })).toBeVisible()
  const bar = await main(page).boundingBox()
  expect(bar?.x, 'the side bar is on the right').toBeGreaterThan(1000)
})
