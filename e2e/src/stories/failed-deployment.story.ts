import type { Page } from '@playwright/test'
import { applyLook, faultsOf, looks } from '../looks.ts'
import { expect, test } from '../test.ts'
import { openInstall } from '../wizard.ts'

test.use({ settings: { QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '30' } })

async function deployWithFault(page: Page, fault: string) {
  const wizard = await openInstall(page, 'Fault Lab')
  await wizard.assign('Storefront', `Lab ${fault}`)
  await wizard.dialog.getByLabel('Fault', { exact: true }).selectOption(fault)
  await wizard.toSummary()
  await wizard.button('Deploy').click()
  await expect(wizard.heading('Deploying Now…')).toBeVisible()
  return wizard
}

/** Opens the news of a failure from the bell, in each look; it is read afterwards. */
async function findInInbox(page: Page, name: string) {
  const inbox = page.getByRole('dialog', { name: /^Notifications/ })
  const entry = inbox.getByRole('listitem').filter({ hasText: name })
  for (const look of looks.toReversed()) {
    await applyLook(page, look)
    await page.goto('/en/apps')
    await page.getByRole('button', { name: /^Notifications: .*unread/ }).click()
    await expect(entry).toContainText(/Unread: .*Deployment failed in Storefront/)
    expect.soft(await faultsOf(page), `the inbox in ${look.name}`).toEqual([])
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/inbox-${look.name}.png` })
    await page.keyboard.press('Escape')
  }
  await page.goto('/en/apps')
  await page.getByRole('button', { name: /^Notifications: .*unread/ }).click()
  await entry.getByRole('link').click()
  await expect(page).toHaveURL(/\/cloud-automation\/\w+/)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(entry.getByRole('button', { name: `Mark as unread: ${name}` })).toBeVisible()
  await page.keyboard.press('Escape')
}

test('an image that cannot be pulled: what is waited for, the failure, its reason on the app page, and its end', async ({
  page,
}) => {
  const wizard = await deployWithFault(page, 'image-pull-failure')
  const { dialog, button } = wizard
  await expect(dialog.getByRole('listitem').filter({ hasText: /^fault-lab-\w+/ })).toContainText('0 of 1 ready')
  await expect(dialog.getByText(/ImagePullBackOff|ErrImagePull|image/i).first()).toBeVisible()
  await expect(wizard.heading('Deployment Failed')).toBeVisible({ timeout: 40_000 })
  await expect(button('Deployment Failed')).toBeVisible()
  await expect(button('IAM Finished')).toBeVisible()
  await expect(wizard.bar).toHaveAttribute('aria-valuenow', '100')
  await expect(button('Go To App')).toBeHidden()
  await expect(wizard.log).toContainText('registry.invalid/quayside/unpullable')
  await expect(dialog.getByRole('alert')).toContainText(
    /cannot pull its image registry\.invalid\S+: .*Given up after \d+ s/,
  )
  await expect(wizard.log).toContainText('Deploy result of App: Failed')
  await button('Close').click()

  await page.goto('/en/apps')
  const row = page.getByRole('row', { name: /^Lab image-pull-failure/ })
  await expect(row).toContainText('Failed')
  await row.getByRole('link', { name: 'Lab image-pull-failure' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Lab image-pull-failure' })).toBeVisible()
  await expect(page.getByText(/unpullable/).first()).toBeVisible()

  await findInInbox(page, 'Lab image-pull-failure')
  await page.goto('/en/apps')
  await row.getByRole('link', { name: 'Lab image-pull-failure' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(wizard.step).toHaveText('Delete Deployment')
  await button('Delete').click()
  await expect(wizard.heading('Deletion Finished')).toBeVisible({ timeout: 40_000 })
  await button('Close').click()
  await page.goto('/en/apps')
  await expect(page.getByRole('heading', { level: 1, name: /^Apps/ })).toBeVisible()
  await expect(row).toBeHidden()
})

test('a deployment that never becomes ready fails by its timeout, which the log says', async ({ page }) => {
  const wizard = await deployWithFault(page, 'never-ready')
  await expect(wizard.dialog.getByRole('heading', { name: 'WAITING FOR 1 OF 1' })).toBeVisible()
  await expect(wizard.dialog.getByText(/0 of 1|0\/1/).first()).toBeVisible()
  await expect(wizard.heading('Deployment Failed')).toBeVisible({ timeout: 40_000 })
  await expect(wizard.log).toContainText('Timeout received, waiting for HELM...')
  await expect(wizard.log).toContainText('Deploy result of App: Failed')
  await expect(wizard.button('Go To App')).toBeHidden()
})

test('a deployment that cannot succeed is aborted, says what is left, and is deleted from there', async ({ page }) => {
  const wizard = await deployWithFault(page, 'never-ready')
  const { dialog, button } = wizard
  await expect(dialog.getByRole('heading', { name: 'WAITING FOR 1 OF 1' })).toBeVisible()
  await button('Cancel Deployment').click()
  const question = page.getByRole('dialog', { name: 'Abort action' })
  await expect(question).toContainText('Helm is ended now')
  await question.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(wizard.heading('Deployment Failed')).toBeVisible({ timeout: 30_000 })
  await expect(wizard.log).toContainText('Aborted by admin: Helm is asked to end')
  await expect(dialog.getByRole('alert')).toContainText(
    'Deployment aborted by admin. Revision 1 of the release has failed',
  )
  await expect(dialog.getByRole('alert')).toContainText(/Deployment fault-lab-\w+/)
  const ways = dialog.getByRole('region', { name: 'What is to become of what is left?' })
  await expect(ways.getByRole('button')).toHaveText(['Delete the app', 'Keep it as it is'])
  await ways.getByRole('button', { name: 'Delete the app' }).click()
  await expect(wizard.step).toHaveText('Delete Deployment')
  await button('Delete').click()
  await expect(wizard.heading('Deletion Finished')).toBeVisible({ timeout: 40_000 })
})

test('a hook that fails is named', async ({ page }) => {
  const wizard = await deployWithFault(page, 'failing-job')
  await expect(wizard.heading('Deployment Failed')).toBeVisible({ timeout: 40_000 })
  await expect(wizard.dialog.getByText(/hook/).first()).toBeVisible()
})
