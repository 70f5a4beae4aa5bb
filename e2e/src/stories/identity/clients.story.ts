import type { Page } from '@playwright/test'
import { applyLook, faultsOf, looks } from '../../looks.ts'
import { signIn } from '../../sign-in.ts'
import { expect, nobody, test } from '../../test.ts'

test.use({ storageState: nobody })

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const confirmed = (page: Page, title: string) => dialog(page, title).getByRole('button', { name: 'Confirm' }).click()

test('an application is registered, changed, given roles and a new secret, and deleted', async ({ page, world }) => {
  test.setTimeout(90_000)
  await page.goto('/en/users/service-accounts')
  await signIn(page, world.admin)
  await page.getByRole('tab', { name: 'Clients' }).click()
  await page.getByRole('button', { name: 'Register application' }).click()
  const form = dialog(page, 'Register application')
  await form.getByLabel('Client id').fill('ledger')
  await form.getByLabel('Name').fill('Ledger')
  await form.getByLabel('Addresses to come back to').fill('https://ledger.example.org/in')
  await form.getByRole('button', { name: 'Register' }).click()
  await expect(dialog(page, 'Secret of ledger')).toContainText(/SECRET=\S{20,}/)
  await dialog(page, 'Secret of ledger').getByRole('button', { name: 'Done' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'ledger' })).toBeVisible()
  const addresses = page.getByLabel('Addresses to come back to')
  await addresses.fill('https://ledger.example.org/in\nhttps://*')
  await expect(page.getByText(/^https:\/\/\*: /)).toBeVisible()
  await addresses.fill('https://ledger.example.org/in\nhttps://ledger.example.org/back')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
  await page.reload()
  await expect(addresses).toHaveValue('https://ledger.example.org/in\nhttps://ledger.example.org/back')

  await page.getByRole('tab', { name: 'Roles' }).click()
  await page.getByRole('button', { name: 'New role' }).click()
  await dialog(page, 'New role of ledger').getByLabel('Name').fill('read')
  await page.getByRole('button', { name: 'Create role' }).click()
  await page.getByRole('button', { name: 'Actions for read' }).click()
  await page.getByRole('menuitem', { name: 'Give to every user' }).click()
  await confirmed(page, 'Give to every user')
  await expect(page.getByRole('row', { name: /^read/ })).toContainText('Yes')
  await page.getByRole('button', { name: 'New secret' }).click()
  await confirmed(page, 'New secret')
  await dialog(page, 'Secret of ledger').getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await confirmed(page, 'Delete client')
  await expect(page).toHaveURL(/service-accounts\?tab=clients$/)

  // The portal's own says why it stays as it is.
  await page
    .getByRole('searchbox')
    .or(page.getByLabel(/^Search/))
    .first()
    .fill('quayside-portal-ui-clusters')
  await page.getByRole('link', { name: 'quayside-portal-ui-clusters' }).click()
  await expect(page.getByText(/it stays as it is/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'New secret' })).toHaveCount(0)
})

for (const look of looks) {
  test(`clients in ${look.name}`, async ({ page, world }) => {
    test.setTimeout(90_000)
    await applyLook(page, look)
    const shot = async (name: string) => {
      await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
      expect.soft(await faultsOf(page), name).toEqual([])
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/${name}-${look.name}.png`, fullPage: true })
    }
    await page.goto('/en/users/service-accounts?tab=clients')
    await signIn(page, world.admin)
    await expect(page.getByRole('heading', { level: 1, name: /^Clients/ })).toBeVisible()
    await shot('clients')
    await page.getByRole('button', { name: 'Register application' }).click()
    await expect(dialog(page, 'Register application')).toBeVisible()
    await shot('client-new')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'quayside-portal-ui', exact: true }).click()
    for (const name of ['Settings', 'Roles', 'Tokens', 'Sessions']) {
      await page.getByRole('tab', { name }).click()
      await shot(`client-${name}`)
    }
  })
}
