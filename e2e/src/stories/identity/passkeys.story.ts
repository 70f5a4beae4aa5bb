import type { Page } from '@playwright/test'
import { applyLook, faultsOf, looks } from '../../looks.ts'
import { signIn } from '../../sign-in.ts'
import { expect, nobody, test } from '../../test.ts'

test.use({ storageState: nobody })

/** A device that makes keys and signs with them, and whose owner always agrees. */
async function addDevice(page: Page, hasUserVerification = true) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, automaticPresenceSimulation: true },
      ...{ hasUserVerification, isUserVerified: hasUserVerification },
    },
  })
  return {
    unplug: () => cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
    keys: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

const confirmed = (page: Page, title: string) =>
  page.getByRole('dialog', { name: title }).getByRole('button', { name: 'Confirm' }).click()

test('a person sets up a passkey, signs in with it alone, and removes it again', async ({ page, world }) => {
  test.setTimeout(90_000)
  const person = await world.personWith({ realmRoles: ['quayside-member'] })
  const device = await addDevice(page)
  await page.goto('/en/account')
  await signIn(page, person)
  await page.getByRole('button', { name: 'Set up a passkey' }).click()
  await confirmed(page, 'Set up a passkey')
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: 'Set up a passkey' })).toBeVisible()
  await page.getByLabel('Passkey name').fill('Laptop')
  await page.getByRole('button', { name: 'Set up a passkey' }).click()
  const ways = page
    .getByRole('region', { name: 'Sign-in' })
    .or(page.locator('section', { hasText: 'Sign-in' }))
    .first()
  await expect(ways.getByText('Laptop')).toBeVisible()
  expect(await device.keys()).toHaveLength(1)

  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await confirmed(page, 'Sign out everywhere')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /Person$/ })).toBeVisible()
  expect((await device.keys())[0]?.signCount).toBeGreaterThan(1)

  await page.getByRole('button', { name: 'Remove Laptop' }).click()
  await confirmed(page, 'Remove passkey')
  await expect(page.getByRole('button', { name: 'Remove Laptop' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await confirmed(page, 'Sign out everywhere')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('That did not work.')
  await signIn(page, person)
  await expect(page.getByRole('heading', { level: 1, name: /Person$/ })).toBeVisible()
})

test('a security key is asked for after the password, and no other device will do', async ({ page, world, script }) => {
  test.setTimeout(90_000)
  const person = await world.personWith({ realmRoles: ['quayside-member'] })
  const directory = await world.directory()
  const [{ id } = { id: '' }] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${person.username}`)
  await script.call(`/iam/v2/users/${id}`, { requiredActions: ['webauthn-register'] }, 'PUT')
  const device = await addDevice(page, false)
  await page.goto('/en/account')
  await signIn(page, person)
  await page.getByRole('button', { name: 'Set up a security key' }).click()
  await expect(page.getByText('Security key', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await confirmed(page, 'Sign out everywhere')
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: 'Security key' })).toBeVisible()
  await page.getByRole('button', { name: 'Use security key' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /Person$/ })).toBeVisible()
  await device.unplug()
})

for (const look of looks) {
  test(`the page of a passkey in ${look.name}`, async ({ page, world }) => {
    const person = await world.personWith({ realmRoles: ['quayside-member'] })
    await addDevice(page)
    await applyLook(page, look)
    await page.goto('/en/account')
    await signIn(page, person)
    await page.getByRole('button', { name: 'Set up a passkey' }).click()
    await confirmed(page, 'Set up a passkey')
    await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
    expect.soft(await faultsOf(page), 'sign-in').toEqual([])
    await signIn(page, person)
    await expect(page.getByLabel('Passkey name')).toBeVisible()
    expect.soft(await faultsOf(page), 'passkey').toEqual([])
  })
}
