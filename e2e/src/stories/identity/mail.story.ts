import type { Page } from '@playwright/test'
import { applyLook, faultsOf, looks } from '../../looks.ts'
import { signIn } from '../../sign-in.ts'
import { expect, nobody, test } from '../../test.ts'

const login = '/iam/v2/realms/login/settings'

async function choosePassword(page: Page, password: string) {
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await expect(page.getByRole('heading', { name: 'Done' })).toBeVisible()
}

test('somebody is invited by a link, forgets their password, and gets another by the outbox', async ({
  page,
  browser,
  world,
  script,
}) => {
  test.setTimeout(120_000)
  const before = await script.call<object>(login)
  await script.call(login, { ...before, resetPasswordAllowed: true, registrationAllowed: true }, 'PUT')
  await page.goto('/en/users')
  await page.getByRole('button', { name: 'New user' }).click()
  const making = page.getByRole('dialog', { name: 'New user' })
  await making.getByLabel('User name *').fill('selma')
  await making.getByLabel('E-mail').fill('selma@demo.example')
  await making.getByLabel('First name').fill('Selma')
  await making.getByLabel('Last name').fill('Sand')
  await making.getByLabel('First sign-in').selectOption('Invite by a link to copy')
  await making.getByRole('button', { name: 'Create user' }).click()
  const link = await page.getByLabel('Link', { exact: true }).inputValue()

  // Without JavaScript: these pages need none.
  const context = await browser.newContext({ baseURL: world.url, storageState: nobody, javaScriptEnabled: false })
  const theirs = await context.newPage()
  await theirs.goto(link)
  await theirs.getByRole('button', { name: 'Continue' }).click()
  await choosePassword(theirs, 'A first one 4711')
  await theirs.goto(link)
  await expect(theirs.getByRole('heading', { name: 'This link cannot be used any more' })).toBeVisible()
  await context.close()

  const scripted = await browser.newContext({ baseURL: world.url, storageState: nobody })
  const again = await scripted.newPage()
  await again.goto('/en/home')
  await again.getByRole('link', { name: 'Create an account' }).click()
  await expect(again.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  for (const look of looks) {
    await applyLook(again, look)
    expect.soft(await faultsOf(again), `registration in ${look.name}`).toEqual([])
  }
  await again.getByRole('link', { name: 'Back to the sign-in' }).click()
  await again.getByRole('link', { name: 'Forgot your password?' }).click()
  expect.soft(await faultsOf(again), 'forgotten password').toEqual([])
  await again.getByLabel('Username or e-mail').fill('selma@demo.example')
  await again.getByRole('button', { name: 'Send the link' }).click()
  await expect(again.getByRole('heading', { name: 'Ask an administrator' })).toBeVisible()

  await page.goto('/en/login-settings?tab=mail')
  await page.getByRole('button', { name: /selma@demo\.example/ }).click({ timeout: 20_000 })
  await page.getByRole('menuitem', { name: 'Read' }).click()
  const mailed = await page.getByLabel('Link', { exact: true }).inputValue()
  await again.goto(mailed)
  expect.soft(await faultsOf(again), 'link').toEqual([])
  await again.getByRole('button', { name: 'Continue' }).click()
  expect.soft(await faultsOf(again), 'new password').toEqual([])
  await choosePassword(again, 'A second one 4711')
  await again.goto('/en/home')
  await signIn(again, { username: 'selma', password: 'A second one 4711' })
  await scripted.close()
  await script.call(login, before, 'PUT')
})
