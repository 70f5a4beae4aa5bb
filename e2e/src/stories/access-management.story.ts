import { expect, test } from '../test.ts'
import { openInstall } from '../wizard.ts'

test('a flow asks who gets access, and a group answers for its roles', async ({ page }) => {
  const wizard = await openInstall(page, 'Sensor Flow')
  const { dialog, button } = wizard
  await expect(wizard.steps).toHaveText([
    'General Information',
    'Infrastructure',
    'Access Management',
    'Summary',
    'Deployment',
  ])
  await wizard.assign('Telemetry')
  await button('Next').click()
  await expect(wizard.step).toHaveText('Access Management')
  await expect(dialog.getByText('You can assign one or more user groups to access this new deployment')).toBeVisible()
  await expect(dialog.getByText('Available User Groups')).toBeVisible()
  const tick = (name: string) => dialog.getByRole('checkbox', { name, exact: true })
  await tick('viewer for Telemetry').check()
  await expect(tick('Telemetry')).toBeChecked({ indeterminate: true })
  await tick('viewer for Telemetry').uncheck()
  await expect(tick('Telemetry')).not.toBeChecked()
  await tick('Telemetry').check()
  await expect(tick('viewer for Telemetry')).toBeChecked()
  await expect(tick('viewer for Storefront')).not.toBeChecked()
  await button('Next').click()
  const access = dialog.getByRole('table', { name: 'Access Management' })
  await expect(access.getByRole('columnheader')).toHaveText(['Group', 'Role'])
  // The team with the groups below it, each in a row of its own.
  for (const group of ['Telemetry', 'Telemetry Developers', 'Telemetry Guests']) {
    const row = access.getByRole('row').filter({ has: page.getByRole('cell', { name: group, exact: true }) })
    await expect(row.getByRole('cell').nth(1)).toContainText('viewer')
  }
  await button('Deploy').click()
  await expect(wizard.heading('Deployment Finished')).toBeVisible({ timeout: 45_000 })
  await button('IAM Finished').click()
  await expect(wizard.log).toContainText('Telemetry')
  await button('Close').click()
})

test('the DATA step of a Serverless app shows only what is specified', async ({ page }) => {
  const wizard = await openInstall(page, 'Function')
  const { dialog, button } = wizard
  await expect(wizard.steps).toHaveText(['Assign', 'DATA', 'Summary', 'Result'])
  await wizard.choose(wizard.space, 'Telemetry')
  await button('Next').click()
  await expect(wizard.step).toHaveText('DATA')
  await expect(dialog.getByText('INPUT of DATA of Legacy App. (specification needed)')).toBeVisible()
  await button('Next').click()
  await button('Deploy').click()
  await expect(wizard.heading('Deployment Finished')).toBeVisible({ timeout: 45_000 })
})
