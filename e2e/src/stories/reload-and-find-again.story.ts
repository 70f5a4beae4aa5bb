import type { Locator, Page } from '@playwright/test'
import { holdNodes } from '../held-nodes.ts'
import { expect, test } from '../test.ts'
import { openInstall, wizardOn } from '../wizard.ts'

const linesOf = (log: Locator) => log.locator('time + span').allTextContents()

test('a wizard closed while it runs is found again, also after a reload and a time offline, with its whole log', async ({
  page,
  context,
  script,
  world,
}) => {
  const wizard = await openInstall(page, 'SQL Database')
  await wizard.assign('Telemetry', 'Found again')
  await wizard.toSummary()
  const releaseNodes = await holdNodes(world.kubeconfig)
  const posted = page.waitForResponse('**/actions.Deploy')
  await wizard.button('Deploy').click()
  const { actionId } = (await (await posted).json()) as { actionId: string }
  await expect(wizard.heading('Deploying Now…')).toBeVisible()
  const steps = await wizard.steps.allTextContents()
  const elapsed = async (on: Page) => {
    const [minutes = 0, seconds = 0] = ((await on.getByText(/^\d\d:\d\d$/).textContent()) ?? '').split(':').map(Number)
    return minutes * 60 + seconds
  }
  await expect.poll(() => elapsed(page)).toBeGreaterThan(1)
  const before = await elapsed(page)
  await wizard.button('Close').click()
  await expect(wizard.dialog).toBeHidden()

  await page.reload()
  const running = page.getByRole('button', { name: '1 running' })
  await expect(running).toBeVisible()
  await running.click()
  await page.getByRole('button', { name: /^Deploy Found again/ }).click()
  const again = wizardOn(page)
  await expect(again.dialog).toBeVisible()
  await expect(again.log).toContainText('SQL Database')
  await expect(again.steps).toHaveText(steps)
  await expect(again.step).toHaveText('Deployment')
  expect(await elapsed(page)).toBeGreaterThanOrEqual(before)

  const tab = await context.newPage()
  await tab.goto('/en/apps')
  await tab.getByRole('button', { name: '1 running' }).click()
  await tab.getByRole('button', { name: /^Deploy Found again/ }).click()
  const beside = wizardOn(tab)
  await expect(beside.steps).toHaveText(steps)
  await expect.poll(async () => Math.abs((await elapsed(tab)) - (await elapsed(page)))).toBeLessThanOrEqual(2)
  await tab.close()

  await context.setOffline(true)
  await releaseNodes()
  // The deployment ends while nobody can hear it.
  await script.ended(actionId)
  await context.setOffline(false)
  await expect(again.heading('Deployment Finished')).toBeVisible({ timeout: 45_000 })
  await expect(again.log).toContainText('Deploy result of App: Success')

  const kept = await script.call<{ data: { event: string; payload: { type?: string; message?: string } }[] }>(
    `/deployment/v1/actions/${actionId}/events`,
  )
  const expected = kept.data
    .filter(({ event, payload }) => event === 'message' && payload.type !== 'iam')
    .map(({ payload }) => payload.message ?? '')
  await again.button('Deployment Finished').click()
  await expect.poll(() => linesOf(again.log)).toEqual(expected)
  await expect(page.getByRole('button', { name: 'No running actions' })).toBeAttached()
})

test('an install that a reload has cut off is found as not deployed, and goes on with its values', async ({ page }) => {
  const wizard = await openInstall(page, 'Web Page')
  await wizard.assign('Telemetry', 'Cut off')
  await wizard.dialog.getByRole('button', { name: /^Page/ }).click()
  const title = wizard.dialog.getByLabel('Title', { exact: true })
  await title.fill('As it was left')
  await title.blur()
  await page.reload()

  await page.goto('/en/apps?q=Cut off')
  const row = page.getByRole('row').filter({ hasText: 'Cut off' })
  await expect(row).toContainText('Not deployed')
  await row.getByRole('link', { name: 'Cut off' }).click()
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  const again = wizardOn(page)
  await expect(again.step).toHaveText('Infrastructure')
  await expect(again.dialog.getByText('The values are as you left them.')).toBeVisible()
  await again.dialog.getByRole('button', { name: /^Page/ }).click()
  await expect(again.dialog.getByLabel('Title', { exact: true })).toHaveValue('As it was left')
  await again.toSummary()
  await expect(again.dialog.getByRole('table', { name: 'General Info' })).toContainText('Cut off')
  await again.button('Deploy').click()
  await expect(again.heading('Deployment Finished')).toBeVisible({ timeout: 60_000 })
  await again.button('Go To App').click()
  await expect(page.getByRole('button', { name: /^Upgrade/ })).toBeVisible()
})

test('a network that is lost is said within five seconds, on every page, and again when it is back', async ({
  page,
  context,
}) => {
  await page.goto('/en/apps')
  await expect(page.getByRole('contentinfo').getByText('Live', { exact: true })).toBeVisible()
  await context.setOffline(true)
  const note = page.getByRole('alert').filter({ hasText: 'You are offline.' })
  await expect(note).toBeVisible({ timeout: 5000 })
  await context.setOffline(false)
  await expect(note).toBeHidden()
})
