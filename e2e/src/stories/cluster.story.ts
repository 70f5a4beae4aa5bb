import type { Page } from '@playwright/test'
import type { World } from '@quayside/embedded/world'
import { browserOf } from '../browser-of.ts'
import { ownSpace } from '../own-space.ts'
import { chartPackage } from '../packages.ts'
import type { Script } from '../script.ts'
import { expect, nobody, test } from '../test.ts'
import { openInstall, wizardOn } from '../wizard.ts'

test.use({ storageState: nobody })

const role = (name: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ${name}}
rules: [{apiGroups: [""], resources: [nodes], verbs: [get, list]}]
`

async function upload(world: World, script: Script, name: string, files: Record<string, string>): Promise<void> {
  const form = new FormData()
  const bytes = new Uint8Array(await chartPackage({ name, version: '1.0.0', files }))
  form.set('file', new Blob([bytes]), `${name}-1.0.0.tgz`)
  const answer = await world.api('/catalog/v1/upload/uploadasync', { token: await script.token(), body: form })
  if (!answer.ok) throw new Error(await answer.text())
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

test('an administrator lets a chart make a role on the cluster, approves another, and looks after its spaces', async ({
  browser,
  world,
  script,
}) => {
  test.setTimeout(90_000)
  await upload(world, script, 'watchman', {
    'templates/listed.yaml': role('watchman-listed'),
    'templates/asked.yaml': role('watchman-asked'),
  })
  // Releases with rights on the cluster change what can be done in their space.
  const { id: spaceId, clusterId } = await ownSpace(script, 'Lookout', [{ name: 'Ravi Sandoval', role: 'manager' }])
  const ravi = await browserOf(browser, world, world.samplePerson('ravi'), 'home')
  const admin = await browserOf(browser, world, world.admin, `clusters/${clusterId}`)

  // A rule for one item.
  await tab(admin, 'Outside spaces')
  await admin.getByRole('button', { name: 'Allow a kind' }).click()
  const allow = admin.getByRole('dialog', { name: 'Allow a kind' })
  await allow.getByLabel(/^Kind/).fill('ClusterRole')
  await allow.getByLabel('Name', { exact: true }).fill('*-listed')
  await allow.getByRole('button', { name: /^Catalog item/ }).click()
  await admin.getByRole('combobox', { name: 'Search Catalog item' }).fill('watchm')
  await admin.getByRole('option', { name: /watchman/i }).click()
  await allow.getByRole('button', { name: 'Allow', exact: true }).click()
  const rule = admin.getByRole('row').filter({ hasText: '*-listed' })
  await expect(rule).toContainText(/watchman/i)

  // The wizard says what is on the list and what is not, and asks for it.
  const wizard = await openInstall(ravi, 'Watchman')
  await wizard.choose(wizard.space, 'Lookout')
  await wizard.button('Next').click()
  const needs = wizard.dialog.getByRole('region', { name: 'Needed outside of the space' })
  await expect(needs.getByRole('listitem').filter({ hasText: 'watchman-listed' })).toContainText('On the list')
  await expect(needs.getByRole('listitem').filter({ hasText: 'watchman-asked' })).toContainText('Not on the list')
  await expect(wizard.button('Next')).toBeDisabled()
  await needs.getByRole('button', { name: 'Ask for approval' }).click()
  await needs.getByLabel(/^Reason/).fill('Watches the nodes')
  await needs.getByRole('button', { name: 'Send request' }).click()
  await expect(needs).toContainText('Waits for approval')

  // The request is in the tab at once, and the wizard goes on as soon as it is granted.
  const request = admin.getByRole('article', { name: /asks$/ })
  await expect(request).toContainText('Watches the nodes')
  await request.getByRole('button', { name: 'Approve' }).click()
  await admin
    .getByRole('dialog', { name: /^Approve for/ })
    .getByRole('button', { name: 'Approve' })
    .click()
  await expect(admin.getByRole('article', { name: /is approved$/ })).toBeVisible()
  await expect(needs).toContainText('Approved')
  await wizard.toSummary()
  await wizard.button('Deploy').click()
  await expect(wizard.heading('Deployment Finished')).toBeVisible({ timeout: 45_000 })
  await wizard.button('Go To App').click()
  await expect(wizardOn(ravi).dialog).toBeHidden()

  // Pod Security of the space.
  await tab(admin, 'Spaces')
  const lookout = admin.getByRole('row', { name: /^Lookout/ })
  await expect(lookout).toContainText('Baseline')
  await expect(lookout).toContainText('Applied')
  await lookout.getByRole('button', { name: 'Actions for Lookout' }).click()
  await admin.getByRole('menuitem', { name: 'Change' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Lookout on this cluster' })
  await dialog.getByRole('button', { name: /^Pod Security/ }).click()
  await admin.getByRole('option', { name: /^Restricted/ }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(lookout).toContainText('Restricted')
  await expect(lookout).toContainText('Applied')

  // A kubeconfig is made on the page of the space and ended on that of the cluster.
  await ravi.goto(`/en/spaces/${spaceId}/overview`)
  const download = ravi.waitForEvent('download')
  await ravi.getByRole('button', { name: 'Download kubeconfig' }).click()
  await download
  await tab(admin, 'Kubeconfigs')
  const holder = admin.getByRole('row', { name: /ravi/i }).filter({ hasText: 'Lookout' })
  await holder.getByRole('button', { name: /^End kubeconfig/ }).click()
  await admin.getByRole('button', { name: 'Confirm' }).click()
  await expect(holder).toContainText('ended by hand')

  // On a phone the open tab is in sight, whichever way the page is read, and the page itself has not moved.
  for (const direction of ['ltr', 'rtl']) {
    await admin.evaluate((wanted) => localStorage.setItem('quayside.direction', wanted), direction)
    await admin.setViewportSize({ width: 360, height: 800 })
    await admin.goto(`/en/clusters/${clusterId}?tab=kubeconfigs`)
    await expect(admin.getByRole('tab', { name: 'Kubeconfigs' })).toBeInViewport({ ratio: 1 })
    await admin.getByRole('tab', { name: 'Kubeconfigs' }).press('Home')
    await expect(admin.getByRole('tab', { name: 'Overview' })).toBeInViewport({ ratio: 1 })
    expect(await admin.evaluate(() => window.scrollY)).toBe(0)
    // A text that fills a box begins where the page does.
    await tab(admin, 'Outside spaces')
    const added = admin
      .getByRole('row')
      .filter({ hasText: '*-listed' })
      .getByText(/^Watchman/)
    await expect(added).toHaveCSS('text-align', direction === 'rtl' ? 'right' : 'left')
  }

  await admin.setViewportSize({ width: 1440, height: 900 })
  await rule.getByRole('button', { name: /^Actions for/ }).click()
  await admin.getByRole('menuitem', { name: 'Remove' }).click()
  await admin.getByRole('button', { name: 'Confirm' }).click()
  await expect(rule).toHaveCount(0)
  for (const page of [admin, ravi]) await page.context().close()
})
