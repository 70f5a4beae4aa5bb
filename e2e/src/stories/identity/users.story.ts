import type { Page } from '@playwright/test'
import { browserOf } from '../../browser-of.ts'
import { applyLook, faultsOf, looks } from '../../looks.ts'
import { signIn } from '../../sign-in.ts'
import { expect, nobody, test } from '../../test.ts'

test.use({ storageState: nobody })

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const confirmed = (page: Page, title: string) => dialog(page, title).getByRole('button', { name: 'Confirm' }).click()

async function makeUser(page: Page, username: string, password: string) {
  await page.goto('/en/users')
  await page.getByRole('button', { name: 'New user' }).click()
  const making = dialog(page, 'New user')
  await making.getByLabel('User name *').fill(username)
  await making.getByLabel('First name').fill('Nadia')
  await making.getByLabel('Last name').fill('البحر')
  await making.getByLabel('First sign-in').selectOption('Set a password')
  await making.getByLabel('Password').fill(password)
  await making.getByLabel('Must be changed at the first sign-in').uncheck()
  await making.getByRole('button', { name: 'Create user' }).click()
  await expect(page).toHaveURL(/\/users\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Nadia البحر' })).toBeVisible()
}

test('an administrator makes a user, gives roles, and takes both back while the user works', async ({
  page,
  browser,
  world,
}) => {
  test.setTimeout(120_000)
  await page.goto('/en/users')
  await signIn(page, world.admin)
  const nadia = { username: 'nadia', password: 'Harbour-at-night-4711' }
  await makeUser(page, nadia.username, nadia.password)

  // They sign in, and see no cluster until they are given a role.
  const theirs = await browserOf(browser, world, nadia, 'home')
  const clusters = theirs.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Clusters' })
  await expect(theirs.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(clusters).toBeHidden()
  await tab(page, 'Roles').click()
  await page.getByRole('button', { name: 'Assign roles' }).click()
  await dialog(page, 'Assign roles to nadia').getByRole('checkbox', { name: 'quayside-viewer' }).check()
  await dialog(page, 'Assign roles to nadia').getByRole('button', { name: 'Assign' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'quayside-viewer' }).first()).toContainText('Assigned')
  await expect(clusters).toBeVisible({ timeout: 30_000 })

  // A group, and an address; then nothing works for them any more.
  await tab(page, 'Groups').click()
  await page.getByRole('button', { name: /^Add to a group/ }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Groups' }).getByRole('rowheader')).toHaveCount(1)
  await tab(page, 'Details').click()
  await page.getByLabel('E-mail', { exact: true }).fill('nadia@example.org')
  await Promise.all([
    page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok()),
    page.getByRole('button', { name: 'Save' }).click(),
  ])
  await page.reload()
  await expect(page.getByLabel('E-mail', { exact: true })).toHaveValue('nadia@example.org')
  await page.getByRole('button', { name: 'Disable' }).click()
  await confirmed(page, 'Disable')
  await expect(page.getByRole('button', { name: 'Enable' })).toBeVisible()
  await theirs.goto('/en/account')
  await expect(theirs.getByLabel('Username or e-mail')).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await confirmed(page, 'Delete user')
  await expect(page).toHaveURL(/\/users$/)
  await page.getByRole('searchbox').fill('nadia')
  await expect(page.getByText('No user matches')).toBeVisible()
})

for (const look of looks) {
  test(`the page of a user in ${look.name}`, async ({ page, world }) => {
    await applyLook(page, look)
    await page.goto('/en/users?q=ravi')
    await signIn(page, world.admin)
    await page.getByRole('table', { name: 'Users' }).getByRole('link').first().click()
    for (const name of ['Details', 'Roles', 'Groups', 'Credentials', 'Sessions']) {
      await tab(page, name).click()
      await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
      expect.soft(await faultsOf(page), name).toEqual([])
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/${name}-${look.name}.png`, fullPage: true })
    }
    await tab(page, 'Credentials').click()
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(dialog(page, 'Set password of').first()).toBeVisible()
    expect.soft(await faultsOf(page), 'setting a password').toEqual([])
    await page.keyboard.press('Escape')
    await tab(page, 'Roles').click()
    await page.getByRole('button', { name: 'Assign roles' }).click()
    await expect(page.getByRole('checkbox').first()).toBeVisible()
    expect.soft(await faultsOf(page), 'assigning roles').toEqual([])
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/assign-${look.name}.png` })
  })
}
