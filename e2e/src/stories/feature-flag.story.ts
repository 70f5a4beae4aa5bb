import { expect, test } from '../test.ts'

test.use({ settings: { NODESCATALOG: 'false' } })

test('without the flag nodescatalog, Nodes and Flows are there but disabled', async ({ page }) => {
  await page.goto('/en/home')
  const catalog = page.getByRole('navigation', { name: 'Main' }).getByRole('region', { name: 'CATALOG' })
  await expect(catalog.getByRole('link', { name: /^Apps/ })).toBeVisible()
  for (const name of ['Nodes', 'Flows']) {
    await expect(catalog.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true')
    await expect(catalog.getByRole('link', { name })).toHaveCount(0)
  }
})
