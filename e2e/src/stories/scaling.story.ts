import { AppsV1Api, KubeConfig } from '@kubernetes/client-node'
import { applyLook, faultsOf, looks } from '../looks.ts'
import { expect, test } from '../test.ts'

test.describe.configure({ mode: 'serial' })

let app: { id: string; namespace: string }
let releaseName: string

test.beforeAll(async ({ script }) => {
  ;({ app, releaseName } = await script.deploy({ chart: 'web-page', version: '1.0.0', name: 'Elastic' }))
})

test.afterAll(({ putBack }) => putBack())

test('a workload is scaled, limited and restarted beside its release, and the ledger tells of it', async ({
  page,
  world,
}) => {
  const config = new KubeConfig()
  config.loadFromFile(world.kubeconfig)
  const deployed = () =>
    config.makeApiClient(AppsV1Api).readNamespacedDeployment({ name: releaseName, namespace: app.namespace })
  await page.goto(`/en/apps/${app.id}`)
  await page.getByRole('tab', { name: 'Scaling & limits' }).click()
  const workload = page.getByRole('region', { name: `Deployment ${releaseName}` })

  await workload.getByRole('button', { name: 'Scale' }).click()
  await page.getByRole('textbox', { name: 'Replicas' }).fill('3')
  await page.getByRole('dialog').getByRole('button', { name: 'Scale' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'is scaled to 3 replicas' })).toBeVisible()
  await expect(workload.getByText('of 3 ready')).toBeVisible()
  await expect(workload.getByText(/^The next upgrade sets this back to/).first()).toBeVisible()
  expect((await deployed()).spec?.replicas).toBe(3)

  await workload
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Set limits' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'CPU request' }).fill('2')
  await dialog.getByRole('textbox', { name: 'CPU limit' }).fill('1')
  await dialog.getByRole('button', { name: 'Set limits' }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'must be at least the request of 2' })).toBeVisible()
  await dialog.getByRole('textbox', { name: 'CPU limit' }).fill('3')
  await dialog.getByRole('button', { name: 'Set limits' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'now has requests 2 CPU' })).toBeVisible()

  await workload.getByRole('button', { name: 'Restart' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'is restarted' })).toBeVisible()
  const { metadata } = (await deployed()).spec?.template ?? {}
  expect(metadata?.annotations?.['kubectl.kubernetes.io/restartedAt']).toBeDefined()

  await page.getByRole('link', { name: 'All actions' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Change workload' })).toHaveCount(3)
})

for (const look of looks) {
  test(`scaling and node pools in ${look.name}`, async ({ page, script }) => {
    await applyLook(page, look)
    await page.goto(`/en/apps/${app.id}?tab=scaling`)
    await expect(page.getByRole('region', { name: 'Quota of the space' })).toBeVisible()
    expect(await faultsOf(page), 'scaling').toEqual([])
    const { clusters } = await script.spaceNamed('Storefront')
    await page.goto(`/en/clusters/${clusters[0]?.id}?tab=nodes`)
    await expect(page.getByRole('button', { name: 'Resize' })).toBeVisible()
    expect(await faultsOf(page), 'node pools').toEqual([])
  })
}

test('the Sandbox is resized, and a currency is kept with the account', async ({ page, script }) => {
  const { clusters } = await script.spaceNamed('Storefront')
  await page.goto(`/en/clusters/${clusters[0]?.id}?tab=nodes`)
  const nodes = page.getByRole('table', { name: 'Nodes' }).getByRole('rowheader')
  await expect(nodes).toHaveCount(3)
  for (const count of [4, 3]) {
    await page.getByRole('button', { name: 'Resize' }).click()
    await page.getByRole('textbox', { name: 'Nodes' }).fill(String(count))
    await page.getByRole('dialog').getByRole('button', { name: 'Resize' }).click()
    await expect(page.getByRole('status').filter({ hasText: `now has ${count} nodes` })).toBeVisible()
    await expect(nodes).toHaveCount(count)
  }

  await page.goto('/en/account')
  const currency = page.getByRole('combobox', { name: 'Currency' })
  for (const code of ['CHF', '']) {
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok())
    await currency.selectOption(code)
    await saved
    await page.reload()
    await expect(currency).toHaveValue(code)
  }
})
