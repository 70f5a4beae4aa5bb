import type { Page } from '@playwright/test'
import { browserOf } from '../../browser-of.ts'
import { applyLook, faultsOf, looks } from '../../looks.ts'
import { signIn } from '../../sign-in.ts'
import { expect, nobody, test } from '../../test.ts'

test.use({ storageState: nobody })

const confirmed = (page: Page, title: string) =>
  page.getByRole('dialog', { name: title }).getByRole('button', { name: 'Confirm' }).click()

test('a person ends another session, changes their name, and chooses a new password at the sign-in', async ({
  page,
  browser,
  world,
}) => {
  test.setTimeout(90_000)
  const person = await world.personWith({ realmRoles: ['quayside-member'] })
  await page.goto('/en/account')
  await signIn(page, person)
  const phone = await browserOf(browser, world, person, 'account')
  await expect(phone.getByRole('table', { name: 'Sessions' }).getByRole('rowheader')).toHaveCount(2)
  await page.reload()
  const sessions = page.getByRole('table', { name: 'Sessions' })
  await expect(sessions.getByRole('rowheader')).toHaveCount(2)
  await sessions
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(sessions.getByRole('rowheader')).toHaveCount(1)
  await phone.goto('/en/home')
  await expect(phone.getByLabel('Username or e-mail')).toBeVisible()

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('First name').fill('Noor')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Noor Person')
  await expect(page.getByRole('table', { name: 'Activities' }).getByText('Signed in').first()).toBeVisible()

  // The old password lets them in, to choose a new one; the old one is none afterwards.
  await page.getByRole('button', { name: 'Change password' }).click()
  await confirmed(page, 'Change password')
  await signIn(page, person)
  const password = 'Another-harbour-4712'
  for (const field of await page.locator('input[type=password]').all()) await field.fill(password)
  await page.getByRole('button', { name: /^(Save|Continue|Change|Submit)/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Noor Person' })).toBeVisible()
  const elsewhere = await browserOf(browser, world, { ...person, password }, 'home')
  await expect(elsewhere.getByRole('navigation', { name: 'Main' })).toBeVisible()
})

test('a person makes a token for a script that only reads, and deletes it', async ({ page, world }) => {
  const person = await world.personWith({ realmRoles: ['quayside-member'] })
  await page.goto('/en/account')
  await signIn(page, person)
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Name').fill('Nightly export')
  await page.getByRole('button', { name: 'Create' }).click()
  const token = await page.getByRole('dialog', { name: 'Nightly export is ready' }).getByLabel('Token').inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  const answer = async (method: string) => (await world.api('/portal-api/v0/currency', { token, method })).status
  expect([await answer('GET'), await answer('PUT')]).toEqual([200, 403])
  await page.getByRole('button', { name: 'Actions for Nightly export' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await confirmed(page, 'Delete token')
  await expect(page.getByText('No personal tokens')).toBeVisible()
  await expect.poll(() => answer('GET')).toBe(401)
})

for (const look of looks) {
  test(`the account in ${look.name}`, async ({ page, world }) => {
    await applyLook(page, look)
    await page.goto('/en/account')
    await signIn(page, world.admin)
    await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible()
    await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
    expect.soft(await faultsOf(page), 'account').toEqual([])
    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/account-${look.name}.png`, fullPage: true })
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    expect.soft(await faultsOf(page), 'editing the profile').toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('radio', { name: 'Only in some spaces' }).click()
    await expect(page.getByRole('checkbox', { name: 'Storefront' })).toBeVisible()
    expect.soft(await faultsOf(page), 'making a token').toEqual([])
    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/token-${look.name}.png`, fullPage: true })
  })
}
