import { expect, test } from '../../test.ts'
import { openInstall } from '../../wizard.ts'

let app: { id: string; spaceId: string; clusterId: string }

test.beforeAll(async ({ script }) => {
  ;({ app } = await script.deploy({ chart: 'web-page', version: '1.0.0', name: 'Priced' }))
})

test.afterAll(({ putBack }) => putBack())

test('prices that somebody sets on a cluster are in the Summary of the next deployment, and in the costs of its spaces', async ({
  page,
}) => {
  await page.goto(`/en/clusters/${app.clusterId}?tab=cost`)
  const prices = page.getByRole('region', { name: 'Prices', exact: true })
  await expect(prices.getByText('No price', { exact: true })).toBeVisible()
  await prices.getByRole('button', { name: 'Set prices' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set prices' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter a price.')).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Fill in OpenCost’s list prices' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(prices.getByRole('row', { name: /In force/ })).toContainText('$0.031611')

  const wizard = await openInstall(page, 'Web Page')
  await wizard.assign('Storefront', 'Not deployed')
  await wizard.toSummary()
  const cost = wizard.dialog.getByRole('row', { name: /^Estimated monthly cost/ })
  await expect(cost).toContainText(/\$\d+\.\d\d/)
  await wizard.leave('Cancel Deployment')

  await page.goto(`/en/spaces/${app.spaceId}/overview?tab=cost`)
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('table', { name: 'Cost by app' }).getByRole('row', { name: /Priced/ })).toContainText(
      '$',
    )
  }).toPass({ timeout: 60_000 })
  await page.getByRole('link', { name: 'Priced' }).click()
  await page.getByRole('tab', { name: 'Cost' }).click()
  await expect(page.getByText('Forecast for the month')).toBeVisible()
})
