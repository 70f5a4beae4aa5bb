import type { Page } from '@playwright/test'
import type { World } from '@quayside/embedded/world'
import { applyLook, faultsOf, looks } from '../../looks.ts'
import { signIn } from '../../sign-in.ts'
import { expect, nobody, test } from '../../test.ts'

// The provider is another realm of the same identity server, on this machine.
test.use({ storageState: nobody, settings: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })

const ABROAD = 'harbour-abroad'
const olga = { username: 'olga', password: 'correct horse 7' }
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** A realm with one person in it, and a client that the portal is there. */
async function makeProvider(world: World): Promise<string> {
  await (await world.directory('.')).post('', { realm: ABROAD, enabled: true, displayName: 'Harbour' })
  const directory = await world.directory(ABROAD)
  await directory.post('/clients', {
    ...{ clientId: 'quayside', secret: 'kept by both', standardFlowEnabled: true },
    redirectUris: [`${world.signInUrl}/realms/${world.realm}/broker/*`],
    protocolMappers: [
      {
        ...{ name: 'team', protocol: 'openid-connect', protocolMapper: 'oidc-usermodel-attribute-mapper' },
        config: { 'user.attribute': 'team', 'claim.name': 'team', 'userinfo.token.claim': 'true' },
      },
    ],
  })
  await directory.post('/users', {
    ...{ username: olga.username, email: 'olga@harbour.example', emailVerified: true, enabled: true },
    ...{ firstName: 'Olga', lastName: 'Berg', attributes: { team: ['pilots'] } },
    credentials: [{ type: 'password', value: olga.password, temporary: false }],
  })
  return `${world.signInUrl}/realms/${ABROAD}`
}

test('a provider is added by its address, a claim leads to a group, and somebody signs in by it', async ({
  page,
  browser,
  world,
  script,
}) => {
  test.setTimeout(120_000)
  const address = await makeProvider(world)
  const group = await script.call<{ id: string }>('/iam/v2/groups', { name: 'Pilots' })

  await page.goto('/en/login-settings?tab=sso')
  await signIn(page, world.admin)
  await page.getByRole('button', { name: 'Add provider' }).click()
  const form = dialog(page, 'Add provider')
  await form.getByLabel('Name').fill('Harbour ID')
  await form.getByLabel('Address', { exact: false }).first().fill(`${address}/nowhere`)
  await form.getByRole('button', { name: 'Test' }).click()
  await expect(form.getByText(/answers with status 404|does not describe/)).toBeVisible()
  await form.getByLabel('Address', { exact: false }).first().fill(address)
  await form.getByRole('button', { name: 'Test' }).click()
  await expect(form.getByRole('status').filter({ hasText: 'It answers.' })).toBeVisible()
  await expect(form.getByLabel('Redirect address')).toHaveValue(/\/broker\/harbour-id\/endpoint$/)
  await form.getByLabel('Client id').fill('quayside')
  await form.getByLabel('Client secret').fill('kept by both')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('row', { name: /Harbour ID/ })).toContainText(address)

  await page.getByRole('button', { name: 'Actions for Harbour ID' }).click()
  await page.getByRole('menuitem', { name: 'Groups and attributes' }).click()
  const mappings = dialog(page, /^Groups and attributes/)
  await mappings.getByLabel('Claim').fill('team')
  await mappings.getByLabel('Value').fill('pilots')
  await mappings.getByRole('button', { name: /^Group/ }).click()
  await page.getByRole('option', { name: '/Pilots' }).click()
  await mappings.getByRole('button', { name: 'Add mapping' }).click()
  await expect(mappings.getByRole('row', { name: /team/ })).toContainText('Group /Pilots')
  await page.keyboard.press('Escape')

  const theirs = await (await browser.newContext({ baseURL: world.url })).newPage()
  await theirs.goto('/en/account')
  await theirs.getByRole('link', { name: 'Continue with Harbour ID' }).click()
  await expect(theirs).toHaveURL(new RegExp(ABROAD))
  await signIn(theirs, olga)
  await expect(theirs.getByText('Linked accounts')).toBeVisible()
  await expect(theirs.getByText('/Pilots')).toBeVisible()
  await theirs.getByRole('button', { name: 'Unlink' }).click()
  await dialog(theirs, 'Unlink Harbour ID').getByRole('button', { name: 'Confirm' }).click()
  await expect(theirs.getByText(/Set a password for your account first/)).toBeVisible()
  await theirs.context().close()

  await page.getByRole('button', { name: 'Actions for Harbour ID' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog(page, 'Delete Harbour ID').getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('No identity providers')).toBeVisible()
  await script.call(`/iam/v2/groups/${group.id}`, undefined, 'DELETE')
  await (await world.directory(ABROAD)).remove('')
})

for (const look of looks) {
  test(`single sign-on in ${look.name}`, async ({ page, world }) => {
    test.setTimeout(90_000)
    await applyLook(page, look)
    const shot = async (name: string) => {
      await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
      expect.soft(await faultsOf(page), name).toEqual([])
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/${name}-${look.name}.png`, fullPage: true })
    }
    const directory = await world.directory()
    const issuer = 'https://login.a-rather-long-name-of-a-provider.example.org/tenants/harbour-and-pier'
    const config = {
      ...{ issuer, authorizationUrl: `${issuer}/auth`, tokenUrl: `${issuer}/token`, jwksUrl: `${issuer}/keys` },
      ...{ clientId: 'portal', clientSecret: 'kept' },
    }
    const instances = '/identity-provider/instances'
    await directory.post(instances, { alias: 'harbour', displayName: 'Harbour ID', providerId: 'oidc', config })
    await page.goto('/en/login-settings?tab=sso')
    await expect(page.getByRole('link', { name: 'Continue with Harbour ID' })).toBeVisible()
    await shot('sso-sign-in')
    await signIn(page, world.admin)
    await expect(page.getByRole('row', { name: /Harbour ID/ })).toBeVisible()
    await shot('sso-list')
    await page.getByRole('button', { name: 'Add provider' }).click()
    await expect(dialog(page, 'Add provider')).toBeVisible()
    await shot('sso-new')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for Harbour ID' }).click()
    await page.getByRole('menuitem', { name: 'Groups and attributes' }).click()
    await expect(page.getByText('No mappings')).toBeVisible()
    await shot('sso-mappings')
    const names = {
      username: `linked-${look.name.replaceAll(' ', '-')}`,
      firstName: 'Linked',
      lastName: 'Elsewhere',
      enabled: true,
    }
    await directory.post('/users', names)
    const [{ id } = { id: '' }] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${names.username}`)
    const link = { userId: 'f:5d4c:0815', userName: 'somebody-with-a-rather-long-name@harbour.example' }
    await directory.post(`/users/${id}/federated-identity/harbour`, link)
    await page.goto(`/en/users/${id}?tab=credentials`)
    await expect(page.getByRole('row', { name: /Harbour ID/ })).toContainText(link.userName)
    await shot('sso-links')
    await directory.remove(`/users/${id}`)
    await directory.remove(`${instances}/harbour`)
  })
}
