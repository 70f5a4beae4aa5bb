import { AppsV1Api, CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import { expect, test } from '../test.ts'
import { wizardOn } from '../wizard.ts'

test.describe.configure({ mode: 'serial' })

let app: { id: string; namespace: string }
let releaseName: string

test.beforeAll(async ({ script }) => {
  ;({ app, releaseName } = await script.deploy({ chart: 'web-page', version: '1.0.0', name: 'Front door' }))
})

test.afterAll(({ putBack }) => putBack())

function cluster(kubeconfig: string) {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  return { core: config.makeApiClient(CoreV1Api), apps: config.makeApiClient(AppsV1Api) }
}

test('the overview draws what runs, with state, facts and events', async ({ page }) => {
  await page.goto(`/en/apps/${app.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Front door' })).toBeVisible()
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible()
  const tree = page.getByRole('region', { name: 'Objects of the release' })
  await expect(tree.getByRole('listitem').filter({ hasText: `${releaseName}Deployment` })).toContainText('of')
  await expect(tree.getByRole('listitem').filter({ hasText: 'Pod ·' }).first()).toContainText('1 of 1 ready')
  await expect(page.getByText('deployed', { exact: true })).toBeVisible()
  const events = page.getByRole('table', { name: 'Recent events' })
  await expect(events.getByRole('rowheader', { name: 'Pulled' }).first()).toBeVisible()
})

test('pods, their logs that follow, and what else the release made', async ({ page }) => {
  await page.goto(`/en/apps/${app.id}?tab=workloads`)
  const pods = page.getByRole('table', { name: 'Pods' })
  await expect(pods.getByRole('row').filter({ hasText: 'Running' }).first()).toContainText('1/1')
  const pod = await pods.getByRole('rowheader').first().textContent()
  await page.getByRole('button', { name: `Logs of ${pod}` }).click()
  await expect(page.getByRole('log')).toContainText('starting')
  await expect(page.getByLabel('Follow')).toBeChecked()
  await page.getByRole('searchbox', { name: /Text in the log/ }).fill('no line says this')
  await expect(page.getByRole('log')).toHaveText('No lines yet.')
  await expect(page).toHaveURL(new RegExp(`pod=${pod}`))
  await expect(page.getByRole('table', { name: 'Deployments' }).getByRole('rowheader')).toHaveText([releaseName])
  await expect(page.getByRole('table', { name: 'Services' }).getByRole('rowheader')).toContainText([releaseName])
  await expect(page.getByRole('table', { name: 'Service accounts' }).getByRole('rowheader')).toContainText([
    releaseName,
  ])
})

test('the logs of all pods as one, which a pod that comes joins', async ({ page, world }) => {
  await page.goto(`/en/apps/${app.id}?tab=logs`)
  const log = page.getByRole('log', { name: 'Logs' })
  await expect(log).toContainText('starting')
  await page.getByRole('searchbox', { name: /Text in the logs/ }).fill('LISTENING')
  await expect(log).not.toContainText('starting')
  await expect(log).toContainText('listening')
  const { core } = cluster(world.kubeconfig)
  const lines = log.getByText(/listening/)
  const before = await lines.count()
  const { items } = await core.listNamespacedPod({ namespace: app.namespace })
  const pod = items.find(({ metadata }) => metadata?.name?.startsWith(releaseName))?.metadata?.name ?? ''
  await core.deleteNamespacedPod({ namespace: app.namespace, name: pod })
  await expect.poll(() => lines.count()).toBeGreaterThan(before)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toBe(`${releaseName}.log`)
})

test('what changes in the cluster changes on the page, whoever does it', async ({ page, world }) => {
  await page.goto(`/en/apps/${app.id}?tab=workloads`)
  const names = page.getByRole('table', { name: 'Pods' }).getByRole('rowheader')
  await expect(names.first()).toBeVisible()
  const before = await names.allTextContents()
  const gone = before[0] ?? ''
  const { core, apps } = cluster(world.kubeconfig)
  await core.deleteNamespacedPod({ namespace: app.namespace, name: gone })
  await expect(names.filter({ hasText: gone })).toHaveCount(0)
  await expect(names).toHaveCount(before.length)

  const second = (await names.allTextContents())[0] ?? ''
  await page.getByRole('button', { name: `Actions for ${second}` }).click()
  await page.getByRole('menuitem', { name: 'Delete pod' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(names.filter({ hasText: second })).toHaveCount(0)
  await expect(names).toHaveCount(before.length)

  await apps.deleteNamespacedDeployment({ namespace: app.namespace, name: releaseName })
  await expect(names).toHaveCount(0)
  // The header's; the table may still have the row of the deployment.
  await expect(page.getByText('Degraded', { exact: true }).first()).toBeVisible()
})

test('settings are trimmed, saved and seen at once', async ({ page, script }) => {
  await page.goto(`/en/apps/${app.id}?tab=settings`)
  await page.getByLabel('Name', { exact: false }).first().fill('  Back door ')
  await page.getByLabel('Tags').fill('kept')
  await page.getByLabel('Tags').press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Back door' })).toBeVisible()
  await expect
    .poll(() => script.call<{ displayName: string; tags: string[] }>(`/portal-api/v2/apps/${app.id}`))
    .toMatchObject({ displayName: 'Back door', tags: expect.arrayContaining(['kept']) })
})

test('upgrade to another version', async ({ page }) => {
  await page.goto(`/en/apps/${app.id}`)
  await page.getByRole('button', { name: /^Upgrade/ }).click()
  const wizard = wizardOn(page)
  const { dialog, button } = wizard
  await expect(wizard.steps).toHaveText(['Select Version', 'Infrastructure', 'Summary', 'Deployment'])
  await wizard.version.click()
  await expect(page.getByRole('option')).toHaveText([/^2\.0\.0/, /^1\.1\.0/, /^1\.0\.0/])
  await page.getByRole('option').filter({ hasText: '2.0.0' }).click()
  await button('Next').click()
  await expect(wizard.step).toHaveText('Infrastructure')
  await wizard.toSummary()
  await expect(
    dialog.getByText('Please review your deployment settings and select "Upgrade" to start the process'),
  ).toBeVisible()
  await button('Upgrade').click()
  await expect(wizard.heading('Upgrading Now…')).toBeVisible()
  await expect(button('Upgrade Started')).toBeVisible()
  await expect(wizard.log).toContainText('Starting to Upgrade App ...... (This can take a while)')
  await expect(wizard.heading('Upgrade Finished')).toBeVisible({ timeout: 45_000 })
  await expect(wizard.log).toContainText('Upgrade result of App: Success')
  await expect(button('Upgrade Finished')).toBeVisible()
  await button('Go To App').click()
  await page.getByRole('tab', { name: 'Revisions' }).click()
  const revisions = page.getByRole('table', { name: 'Revisions' })
  await expect(revisions.getByRole('rowheader')).toHaveText(['2 (installed)', '1'])
  await expect(revisions.getByRole('row', { name: /^2 \(installed\)/ })).toContainText('2.0.0')
})

test('rollback to the revision before', async ({ page }) => {
  await page.goto(`/en/apps/${app.id}`)
  await page.getByRole('button', { name: 'Rollback' }).click()
  const wizard = wizardOn(page)
  const { dialog, button } = wizard
  await expect(wizard.steps).toHaveText(['Select Revision', 'Overview', 'Deployment'])
  await expect(dialog.getByRole('heading', { name: 'Rollback Deployment' })).toBeVisible()
  await expect(dialog.getByText('Please choose revision to rollback to.')).toBeVisible()
  await expect(dialog.getByText('An overview will be given on the next page.')).toBeVisible()
  await expect(dialog.getByRole('radio', { name: '2 (installed)' })).toBeDisabled()
  await expect(dialog.getByRole('radio', { name: '1', exact: true })).toBeChecked()
  await button('Next').click()
  await expect(wizard.step).toHaveText('Overview')
  await expect(dialog.getByRole('heading', { name: 'Infrastructure' })).toBeVisible()
  await expect(dialog.getByText(/replicas:/).first()).toBeVisible()
  await expect(button('Cancel Rollback')).toBeVisible()
  await button('Previous').click()
  await button('Next').click()
  await button('Rollback').click()
  await expect(wizard.heading('Performing Rollback Now…')).toBeVisible()
  await expect(wizard.log).toContainText(/Starting rollback of \S+ to revision 1/)
  await expect(wizard.log).toContainText(/Rolling back \S+ to revision 1 \.\.\./)
  await expect(wizard.heading('Rollback Finished')).toBeVisible({ timeout: 45_000 })
  await button('Close').click()
  await page.getByRole('tab', { name: 'Revisions' }).click()
  const revisions = page.getByRole('table', { name: 'Revisions' })
  await expect(revisions.getByRole('rowheader')).toHaveText(['3 (installed)', '2', '1'])
  await expect(revisions.getByRole('row', { name: /^3 \(installed\)/ })).toContainText('1.0.0')
})

test('delete takes the release off the cluster and the app off the list', async ({ page, world }) => {
  await page.goto(`/en/apps/${app.id}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const wizard = wizardOn(page)
  const { dialog, button } = wizard
  await expect(wizard.steps).toHaveText(['Delete Deployment', 'Deployment'])
  await expect(dialog.getByRole('columnheader')).toHaveText(['App Name', 'Release', 'Version', 'Namespace'])
  await expect(dialog.getByRole('cell')).toHaveText(['Back door', releaseName, '1.0.0 / Rev: 3', app.namespace])
  await expect(button('Cancel')).toBeVisible()
  await button('Delete').click()
  await expect(wizard.heading('Deleting Now…')).toBeVisible()
  await expect(button('Previous')).toBeVisible()
  await expect(button('Deletion Started')).toBeVisible()
  await expect(wizard.heading('Deletion Finished')).toBeVisible({ timeout: 45_000 })
  await expect(button('Deletion Finished')).toBeVisible()
  await expect(button('Previous')).toBeHidden()
  await expect(button('Go To App')).toBeHidden()
  await button('Close').click()
  const { apps } = cluster(world.kubeconfig)
  const left = await apps.listNamespacedDeployment({ namespace: app.namespace })
  expect(left.items.map(({ metadata }) => metadata?.name)).not.toContain(releaseName)
  await page.goto('/en/apps')
  await expect(page.getByRole('heading', { level: 1, name: /^Apps/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /^Back door/ })).toBeHidden()
})
