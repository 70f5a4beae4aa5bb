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
  // A new tenant has dashboards to look at.
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(panel(page, 'Clusters')).toContainText('Sandbox')
  await expect(panel(page, 'About this dashboard')).toContainText('what you may see')
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
  // A panel is kept in the library, and removed from it again.
  await page.getByRole('button', { name: 'Settings of Clusters' }).click()
  await settings.getByRole('button', { name: 'Add to the library' }).click()
  await expect(settings.getByRole('button', { name: 'Added to the library' })).toBeVisible()
  await settings.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Add panel' }).click()
  const library = page.getByRole('dialog', { name: 'Widget library' })
  expect.soft(await faultsOf(page), 'library').toEqual([])
  await library.getByRole('button', { name: 'Remove Clusters from the library' }).click()
  await page.getByRole('dialog', { name: 'Remove from the library' }).getByRole('button', { name: 'Confirm' }).click()
  await expect(library.getByRole('button', { name: 'Remove Clusters from the library' })).toHaveCount(0)
  await page.keyboard.press('Escape')
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
  // Below another panel and on from there: it goes with the pointer until it is let go.
  await page.mouse.move(x + 600, y + 420, { steps: 8 })
  await expect.poll(async () => (await text.boundingBox())?.y).toBeGreaterThan((before?.y ?? 0) + 100)
  const below = await text.boundingBox()
  await page.mouse.move(x + 200, y + 420, { steps: 5 })
  await expect.poll(async () => (await text.boundingBox())?.x).not.toBe(below?.x)
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
  // The page of the dashboard has a button of this name too.
  await expect(page.getByRole('link', { name: 'Open dashboard' })).toBeVisible()
  await page.getByRole('button', { name: 'Full screen' }).click()
  await expect(page.getByRole('button', { name: 'Leave full screen' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Use the Home of my tenant' }).click()
  await page.goto(address)

  await page.goto('/en/dashboards?tab=configurations')
  await page.getByRole('button', { name: 'New configuration' }).first().click()
  const configuration = page.getByRole('dialog', { name: 'New configuration' })
  await configuration.getByLabel(/^Name/).fill('Links of the team')
  await configuration.getByRole('textbox', { name: 'Links' }).fill('Wiki https://wiki.example.org/')
  await configuration.getByRole('button', { name: 'Create configuration' }).click()

  for (const look of looks) {
    await applyLook(page, look)
    await page.goto('/en/dashboards')
    await expect(page.getByRole('link', { name: 'Quay today' })).toBeVisible()
    expect.soft(await faultsOf(page), `list in ${look.name}`).toEqual([])
    await page.getByRole('tab', { name: 'Configurations' }).click()
    await expect(page.getByRole('rowheader', { name: /Links of the team/ })).toBeVisible()
    expect.soft(await faultsOf(page), `configurations in ${look.name}`).toEqual([])
    await page.goto(address)
    await expect(panel(page, 'Clusters')).toContainText('Sandbox')
    await expect(panel(page, 'Events')).not.toContainText('Loading')
    expect.soft(await faultsOf(page), `dashboard in ${look.name}`).toEqual([])
    await page.goto(`${address}?edit=1`)
    await expect(page.getByRole('button', { name: /^Move Clusters/ })).toBeVisible()
    expect.soft(await faultsOf(page), `editing in ${look.name}`).toEqual([])
  }

  await page.goto('/en/dashboards?tab=configurations')
  await page.getByRole('button', { name: 'Actions for Links of the team' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete configuration' }).getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('No configurations yet')).toBeVisible()

  await page.goto(address)
  await page.getByRole('button', { name: /^Actions for Quay today/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete dashboard' }).getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('link', { name: 'Overview' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Quay today' })).toHaveCount(0)
})

test('a dashboard whose owner has no account any more is found by an administrator, who takes it over', async ({
  page,
  browser,
  world,
}) => {
  const leaver = await world.personWith({ realmRoles: ['quayside-member'] })
  const theirs = await browserOf(browser, world, leaver, 'dashboards')
  await theirs.getByRole('button', { name: 'New dashboard' }).first().click()
  const fresh = theirs.getByRole('dialog', { name: 'New dashboard' })
  await fresh.getByLabel(/^Name/).fill('Left behind')
  await fresh.getByRole('button', { name: 'Create dashboard' }).click()
  await expect(theirs.getByRole('button', { name: 'Add panel' }).first()).toBeVisible()
  await theirs.context().close()

  await page.goto(`/en/users?q=${leaver.username}`)
  await page.getByRole('table', { name: 'Users' }).getByRole('rowheader').getByRole('link').click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete user' }).getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/\/users$/)

  await page.goto('/en/dashboards')
  await expect(page.getByRole('table', { name: 'Dashboards' })).toBeVisible()
  await expect(page.getByText('Left behind')).toHaveCount(0)
  await page.getByRole('button', { name: 'Without a manager' }).click()
  await page.getByRole('button', { name: 'Actions for Left behind' }).click()
  await page.getByRole('menuitem', { name: 'Take over' }).click()
  const asked = page.getByRole('dialog', { name: 'Take over dashboard' })
  await expect(asked).toContainText(`(owner: ${leaver.username}) no longer has a manager`)
  await asked.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Every dashboard has a manager')).toBeVisible()

  await page.goto('/en/dashboards')
  await page.getByRole('button', { name: 'Actions for Left behind' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete dashboard' }).getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('link', { name: 'Left behind' })).toHaveCount(0)
})
