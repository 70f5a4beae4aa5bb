import { expect, test } from '../../test.ts'

let app: { id: string; spaceId: string; clusterId: string }
let releaseName: string

test.beforeAll(async ({ script }) => {
  ;({ app, releaseName } = await script.deploy({ chart: 'web-page', version: '1.0.0', name: 'Measured' }))
})

test.afterAll(({ putBack }) => putBack())

test('use of an app is seen over time, from its deployment on, down to its pods and up to its cluster', async ({
  page,
}) => {
  await page.goto(`/en/apps/${app.id}`)
  await page.getByRole('tab', { name: 'Metrics' }).click()
  await page.getByRole('button', { name: 'Refresh 30 s' }).click()
  await page.getByRole('menuitem', { name: '10 s' }).click()
  const cpu = page.getByRole('slider', { name: 'CPU of Measured' })
  await expect(cpu).toHaveAttribute('aria-valuetext', /Usage \d+m, Requests 50m/, { timeout: 30_000 })
  await cpu.press('Home')
  await expect(cpu).toHaveAttribute('aria-valuenow', '0')
  await expect(page.getByRole('table', { name: 'Busiest pods' }).getByText(releaseName).first()).toBeVisible()

  await page.getByRole('button', { name: 'Show tables' }).click()
  await expect(page.getByRole('table', { name: 'Memory over time' }).getByRole('row').nth(1)).toContainText('Mi')
  await page.reload()
  await page.getByRole('button', { name: 'Show charts' }).click()

  const mark = page.getByRole('region', { name: 'CPU' }).getByRole('link', { name: /^Deployment of 1\.0\.0 by/ })
  await mark.click()
  await expect(page).toHaveURL(/\/cloud-automation\//)

  await page.goto(`/en/spaces/${app.spaceId}/overview?tab=metrics`)
  await expect(page.getByRole('slider', { name: /^CPU of / })).toHaveAttribute('aria-valuetext', /Usage \d+m/)
  await page.getByRole('table', { name: 'Busiest pods' }).getByRole('link', { name: 'Measured' }).first().click()
  await expect(page.getByRole('slider', { name: 'Memory of Measured' })).toBeVisible()

  await page.goto(`/en/clusters/${app.clusterId}?tab=metrics`)
  await expect(page.getByRole('slider', { name: /^CPU of / })).toHaveAttribute('aria-valuetext', /Capacity \d+ cores/)
  await expect(page.getByRole('table', { name: 'Busiest nodes' }).getByRole('row')).not.toHaveCount(1)
})
