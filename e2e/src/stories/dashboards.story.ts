import type { Page } from '@playwright/test'
import { browserOf } from '../browser-of.ts'
import { applyLook, faultsOf, looks } from '../looks.ts'
import { expect, test } from '../test.ts'

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Adds a panel from the library, for one space where it asks for one. */
async function addPanel(page: Page, title: string, space?: string) {
  await page.getByRole('button', { name: 'Add panel' }).first().click()
  await page
    .getByRole('dialog', { name: 'Widget library' })
    .getByRole('button', { name: new RegExp(`^${title}`) })
    .click()
  const settings = page.getByRole('dialog', { name: 'Panel settings' })
  if (space !== undefined) await settings.getByLabel('Space').selectOption({ label: space })
  await settings.getByRole('button', { name: 'Apply' }).click()
  await expect(settings).toBeHidden()
}

test('a dashboard is made from the library, and shared with somebody who sees in it what they see anyway', async ({
  page,
  browser,
  world,
}) => {
  test.setTimeout(120_000)
  await page.goto('/en/dashboards')
  await page.getByRole('button', { name: 'New dashboard' }).first().click()
  const fresh = page.getByRole('dialog', { name: 'New dashboard' })
  await fresh.getByLabel(/^Name/).fill('Quay today')
  await fresh.getByRole('button', { name: 'Create dashboard' }).click()
  await addPanel(page, 'Apps by state', 'Storefront')
  await addPanel(page, 'Clusters')
  await addPanel(page, 'Deployments')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(panel(page, 'Deployments')).toHaveCount(0)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()
  await expect(panel(page, 'Clusters')).toContainText('Sandbox')
  await page.reload()
  await expect(panel(page, 'Apps by state')).toContainText('apps')

  await page.getByRole('button', { name: 'Share' }).click()
  const share = page.getByRole('dialog', { name: 'Share Quay today' })
  await share.getByRole('button', { name: 'Share with everyone' }).click()
  await expect(share.getByRole('list', { name: 'Permissions' })).toContainText('Everyone')
  await page.keyboard.press('Escape')

  const ravi = await browserOf(browser, world, world.samplePerson('ravi'), 'dashboards')
  await ravi.getByRole('link', { name: 'Quay today' }).click()
  await expect(panel(ravi, 'Apps by state')).toContainText('You cannot see the space of this panel.')
  await expect(panel(ravi, 'Clusters')).toContainText('You cannot see clusters.')
  await expect(ravi.getByRole('button', { name: 'Edit' })).toHaveCount(0)
  await ravi.context().close()

  const address = page.url()
  for (const look of looks) {
    await applyLook(page, look)
    await page.goto('/en/dashboards')
    await expect(page.getByRole('link', { name: 'Quay today' })).toBeVisible()
    expect.soft(await faultsOf(page), `list in ${look.name}`).toEqual([])
    await page.goto(address)
    await expect(panel(page, 'Clusters')).toContainText('Sandbox')
    expect.soft(await faultsOf(page), `dashboard in ${look.name}`).toEqual([])
  }

  await page.getByRole('button', { name: /^Actions for Quay today/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete dashboard' }).getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('No dashboards yet')).toBeVisible()
})
