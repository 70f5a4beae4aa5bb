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
  await addPanel(page, 'Text')
  await page.getByRole('button', { name: 'Settings of Text' }).click()
  const settings = page.getByRole('dialog', { name: 'Panel settings' })
  const lines = Array.from({ length: 40 }, (_, at) => `Line ${at} of the [runbook](https://wiki.example.org/)`)
  await settings.getByRole('textbox', { name: 'Text' }).fill(lines.join('\n\n'))
  await settings.getByRole('button', { name: 'Apply' }).click()
  await addPanel(page, 'Events', 'Storefront')
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
  // A drag is shown before it ends, and a draft is there after a reload.
  await page.goto(`${address}?edit=1`)
  const text = page.locator('[data-panel]', { has: panel(page, 'Text') })
  const before = await text.boundingBox()
  const handle = await page.getByRole('button', { name: /^Move Text/ }).boundingBox()
  const [x, y] = [(handle?.x ?? 0) + 5, (handle?.y ?? 0) + 5]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 600, y, { steps: 5 })
  await expect.poll(async () => (await text.boundingBox())?.x).not.toBe(before?.x)
  await page.mouse.up()
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(page.getByText('Your unsaved changes from before the reload were restored.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog', { name: 'Discard changes' }).getByRole('button', { name: 'Confirm' }).click()

  // The dashboard fills the screen from Home too, and Escape ends that.
  await page.getByRole('button', { name: /^Actions for Quay today/ }).click()
  await page.getByRole('menuitem', { name: 'Use as my Home' }).click()
  await page.getByRole('button', { name: 'Full screen' }).click()
  await expect(page.getByRole('button', { name: 'Leave full screen' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Use the Home of my tenant' }).click()
  await page.goto(address)

  for (const look of looks) {
    await applyLook(page, look)
    await page.goto('/en/dashboards')
    await expect(page.getByRole('link', { name: 'Quay today' })).toBeVisible()
    expect.soft(await faultsOf(page), `list in ${look.name}`).toEqual([])
    await page.goto(address)
    await expect(panel(page, 'Clusters')).toContainText('Sandbox')
    await expect(panel(page, 'Events')).not.toContainText('Loading')
    expect.soft(await faultsOf(page), `dashboard in ${look.name}`).toEqual([])
    await page.goto(`${address}?edit=1`)
    await expect(page.getByRole('button', { name: /^Move Clusters/ })).toBeVisible()
    expect.soft(await faultsOf(page), `editing in ${look.name}`).toEqual([])
  }

  await page.goto(address)
  await page.getByRole('button', { name: /^Actions for Quay today/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete dashboard' }).getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('No dashboards yet')).toBeVisible()
})
