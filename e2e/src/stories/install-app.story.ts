import { holdNodes } from '../held-nodes.ts'
import { expect, test } from '../test.ts'
import { openInstall, wizardOn } from '../wizard.ts'

test('the Containerized wizard leads from General Information to a running app', async ({ page, world }) => {
  const wizard = await openInstall(page, 'Web Page')
  const { dialog, button } = wizard
  await expect(wizard.steps).toHaveText(['General Information', 'Infrastructure', 'Summary', 'Deployment'])
  await expect(dialog.getByRole('heading', { name: 'General Information' })).toBeVisible()
  await expect(dialog.getByText('Provide general information about the app')).toBeVisible()

  await expect(button('Next')).toBeDisabled()
  await expect(wizard.cluster).toBeHidden()
  await wizard.space.click()
  await expect(page.getByRole('option')).toHaveText([/^None$/, /^StorefrontID: \w{7}/, /^TelemetryID: \w{7}/])
  await page.getByRole('combobox', { name: 'Search SPACE' }).fill('tele')
  await expect(page.getByRole('option')).toHaveText([/^Telemetry/])
  await page.getByRole('combobox', { name: 'Search SPACE' }).fill('nowhere')
  await expect(page.getByText('No Match Found!')).toBeVisible()
  await page.getByRole('combobox', { name: 'Search SPACE' }).fill('')
  await page.getByRole('option').filter({ hasText: 'Storefront' }).click()
  await expect(wizard.cluster).toBeDisabled()
  await expect(wizard.cluster).toHaveText('Sandbox')

  await dialog.getByLabel('APP NAME').fill('  ')
  await dialog.getByLabel('APP NAME').blur()
  await expect(dialog.getByText('Name required')).toBeVisible()
  await expect(button('Next')).toBeDisabled()
  await dialog.getByLabel('APP NAME').fill(' Harbour front ')

  const tags = dialog.getByLabel('TAGS')
  const chip = (text: string) => dialog.getByRole('button', { name: `Remove tag ${text}`, exact: true })
  await tags.fill(' by enter ')
  await tags.press('Enter')
  await tags.pressSequentially('by comma,')
  await tags.fill('   ')
  await tags.press('Enter')
  await tags.fill('by blur')
  await tags.blur()
  for (const text of ['by enter', 'by comma', 'by blur']) await expect(chip(text)).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^Remove tag/ })).toHaveCount(6)
  await chip('by comma').click()
  await expect(chip('by comma')).toBeHidden()

  // Slow enough to see what stands there while it assigns.
  await page.route('**/actions.Assign', async (route) => {
    await expect(dialog.getByText('Assigning deployment')).toBeVisible()
    await expect(dialog.getByRole('progressbar', { name: 'Assigning deployment' })).toBeVisible()
    await route.continue()
  })
  await button('Next').click()
  await expect(wizard.step).toHaveText('Infrastructure')
  await expect(dialog.getByText('Setup basic infrastructure parameters for your new deployment')).toBeVisible()
  await expect(dialog.getByText('Validating Infrastructure')).toBeVisible()
  await expect(button('Next')).toBeDisabled()
  await expect(button('Next')).toBeEnabled()

  await dialog.getByRole('button', { name: /^Image/ }).click()
  await dialog.getByLabel('Tag', { exact: true }).fill(`1.29-${Date.now()}`)
  await dialog.getByLabel('Tag', { exact: true }).blur()
  await expect(dialog.getByText('Validating Infrastructure')).toBeVisible()
  await expect(button('Next')).toBeEnabled()

  await button('Next').click()
  await expect(wizard.step).toHaveText('Summary')
  await expect(
    dialog.getByText('Please review your deployment settings and select "Deploy" to start the process'),
  ).toBeVisible()
  const general = dialog.getByRole('table', { name: 'General Info' })
  await expect(general.getByRole('row', { name: /^App Name/ })).toHaveText('App NameHarbour front')
  await expect(general.getByRole('row', { name: /^Tags/ })).toContainText('by blur')
  await expect(general.getByRole('row', { name: /^Version/ })).toHaveText('Version2.0.0')
  await expect(general.getByRole('row', { name: /^Cluster/ })).toHaveText('ClusterSandbox')
  await expect(general.getByRole('row', { name: /^Space/ })).toHaveText('SpaceStorefront')
  await expect(dialog.getByRole('table', { name: 'Access Management' })).toBeHidden()

  const releaseNodes = await holdNodes(world.kubeconfig)
  // Close comes to the place of Deploy: the second half of a double-click is not for it.
  await button('Deploy').click({ trial: true })
  const at = await button('Deploy').boundingBox()
  await page.mouse.dblclick((at?.x ?? 0) + (at?.width ?? 0) / 2, (at?.y ?? 0) + (at?.height ?? 0) / 2, { delay: 40 })
  await expect(wizard.step).toHaveText('Deployment')
  await expect(wizard.heading('Deploying Now…')).toBeVisible()
  await expect(button('Go To App')).toBeHidden()
  await expect(dialog.getByText('CURRENT TASK')).toBeVisible()
  await expect(dialog.getByText('PROGRESS', { exact: true })).toBeVisible()
  await expect(wizard.bar).not.toHaveAttribute('aria-valuenow')
  await expect(button('IAM Finished')).toBeVisible()
  await expect(button('Deployment Started')).toBeVisible()
  await expect(dialog.getByRole('heading', { name: /^WAITING FOR \d+ OF \d+$/ })).toBeVisible()
  const waitedFor = dialog.getByRole('listitem').filter({ hasText: /^web-page-\w+/ })
  await expect(waitedFor.filter({ hasText: /Deployment · 0( of 2 ready|\/\d+ nodes are available)/ })).toBeVisible()

  await releaseNodes()
  await expect(wizard.heading('Deployment Finished')).toBeVisible({ timeout: 45_000 })
  await expect(button('Deployment Finished')).toBeVisible()
  await expect(wizard.bar).toHaveAttribute('aria-valuenow', '100')
  await expect(wizard.log).toContainText('Deploy result of App: Success')
  await button('IAM Finished').click()
  await expect(wizard.log).not.toContainText('Deploy result of App')
  await button('Go To App').click()
  await expect(page).toHaveURL(/\/en\/apps\/\w+$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour front' })).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('the dialog is 826 px wide, keeps to the screen, and only its buttons close it', async ({ page }) => {
  const wizard = await openInstall(page, 'Web Page')
  const content = wizard.dialog
  await expect.poll(async () => (await content.boundingBox())?.width).toBe(826)
  expect((await content.boundingBox())?.height).toBeLessThanOrEqual(900)
  await page.keyboard.press('Escape')
  await page.mouse.click(20, 450)
  await expect(content).toBeVisible()
  for (const step of await wizard.steps.all()) {
    await step.click({ force: true })
    await expect(wizard.step).toHaveText('General Information')
  }
  await wizard.button('Cancel Deployment').click()
  await expect(content).toBeHidden()
})

test('SPACE says that it loads, that it failed and that there is none', async ({ page }) => {
  const spaces = '**/portal-api/v2/spaces?*limit=1000*'
  let answer: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(spaces, async (route) => {
    await asked
    await route.fulfill({ status: 503, json: { status: 503, message: 'The database is away' } })
  })
  const wizard = await openInstall(page, 'Web Page')
  await wizard.space.click()
  await expect(
    wizard.dialog.getByRole('listbox', { name: 'SPACE' }).getByText('Loading', { exact: true }),
  ).toBeVisible()
  answer()
  const panel = wizard.dialog.getByRole('alert', { name: /^Apps Space Dropdown/ })
  await expect(panel).toContainText('Service Temporary Unavailable')
  await expect(panel).toContainText('Status code: 503')
  await expect(panel).toContainText('Reason: The database is away')
  await expect(panel).toContainText('Please contact our technical support.')

  await page.unroute(spaces)
  await page.route(spaces, (route) => route.fulfill({ json: { data: [], page: { skip: 0, limit: 1000, total: 0 } } }))
  await openInstall(page, 'Web Page')
  await wizardOn(page).space.click()
  await expect(wizard.dialog.getByText('No Spaces!')).toBeVisible()
  await expect(wizard.button('Next')).toBeDisabled()
})

test('the only space there is comes chosen, with its cluster', async ({ page }) => {
  await page.route('**/portal-api/v2/spaces?*limit=1000*', async (route) => {
    const answer = await route.fetch()
    const all = (await answer.json()) as { data: unknown[] }
    await route.fulfill({ response: answer, json: { ...all, data: all.data.slice(0, 1) } })
  })
  const wizard = await openInstall(page, 'Web Page')
  await expect(wizard.space).toContainText('Storefront')
  await expect(wizard.cluster).toBeDisabled()
  await expect(wizard.button('Next')).toBeEnabled()
})
