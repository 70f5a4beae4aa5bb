import type { Page } from '@playwright/test'
import { applyLook, faultsOf, looks } from '../../looks.ts'
import { signIn } from '../../sign-in.ts'
import { expect, nobody, test } from '../../test.ts'

test.use({ storageState: nobody })

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const item = (page: Page, name: string) => page.getByRole('treeitem').filter({ hasText: name })
const confirmed = (page: Page, title: string) => dialog(page, title).getByRole('button', { name: 'Confirm' }).click()

async function makeGroup(page: Page, button: string, name: string) {
  await page.getByRole('button', { name: button, exact: true }).click()
  await dialog(page, /^New (sub)?group/)
    .getByLabel('Name *')
    .fill(name)
  await page.getByRole('button', { name: 'Create group' }).click()
  await expect(item(page, name)).toHaveAttribute('aria-selected', 'true')
}

test('groups are made, moved by drag, made default and deleted; a role holds others', async ({ page, world }) => {
  test.setTimeout(120_000)
  await page.goto('/en/groups')
  await signIn(page, world.admin)
  await makeGroup(page, 'New group', 'Fleet')
  await makeGroup(page, 'New subgroup', 'Pilots')
  await expect(item(page, 'Pilots')).toContainText('/Fleet/Pilots')
  await makeGroup(page, 'New group', 'Harbour')
  await item(page, 'Pilots').dragTo(item(page, 'Harbour'))
  await confirmed(page, 'Move group')
  await expect(item(page, 'Pilots')).toContainText('/Harbour/Pilots')

  // Everybody to come is put into it, until it is a default group no longer.
  await item(page, 'Pilots').click()
  await page.getByRole('button', { name: 'Default group: off' }).click()
  await confirmed(page, 'Default group')
  await page.getByRole('button', { name: 'Default group: on' }).click()
  await expect(page.getByRole('button', { name: 'Default group: off' })).toBeVisible()
  for (const name of ['Harbour', 'Fleet']) {
    await item(page, `/${name}`).first().click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await confirmed(page, 'Delete group')
    await expect(item(page, `/${name}`)).toHaveCount(0)
  }

  await page.goto('/en/roles')
  await page.getByRole('button', { name: 'New role' }).click()
  await dialog(page, 'New role').getByLabel('Name *').fill('night watch')
  await page.getByRole('button', { name: 'Create role' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'night watch' })).toBeVisible()
  await page.getByRole('tab', { name: 'Roles inside' }).click()
  await page.getByRole('button', { name: 'Add roles' }).click()
  const adding = dialog(page, 'Add roles to night watch')
  await adding.getByRole('checkbox', { name: 'quayside-viewer' }).check()
  await adding.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('rowheader', { name: /^quayside-viewer/ })).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await confirmed(page, 'Delete role')
  await expect(page).toHaveURL(/\/roles$/)
})

for (const look of looks) {
  test(`groups and a role in ${look.name}`, async ({ page, world }) => {
    test.setTimeout(90_000)
    await applyLook(page, look)
    const shot = async (name: string) => {
      await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
      expect.soft(await faultsOf(page), name).toEqual([])
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/${name}-${look.name}.png`, fullPage: true })
    }
    await page.goto('/en/groups')
    await signIn(page, world.admin)
    await page.getByRole('treeitem').first().click()
    await expect(page.getByRole('button', { name: /^Default group/ })).toBeVisible()
    await shot('groups')
    await page.getByRole('button', { name: 'Edit' }).click()
    await expect(page.getByText('Attributes')).toBeVisible()
    await shot('groups-edit')
    await page.keyboard.press('Escape')
    await page.goto('/en/roles')
    await page.getByRole('link', { name: 'quayside-operator' }).click()
    for (const name of ['Details', 'Roles inside', 'Users']) {
      await page.getByRole('tab', { name }).click()
      await shot(`role-${name}`)
    }
    await page.goto('/en/roles?tab=defaults')
    await page.getByRole('button', { name: 'Add default roles' }).click()
    await expect(page.getByRole('checkbox').first()).toBeVisible()
    await shot('default-roles')
  })
}
