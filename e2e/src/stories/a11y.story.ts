import type { CatalogSource } from '@quayside/contract/catalog/sources'
import { applyLook, faultsOf, looks } from '../looks.ts'
import { expect, test } from '../test.ts'
import { openInstall } from '../wizard.ts'

let app: { id: string }
let source: { id: string }
let webhook: { id: string }

test.beforeAll(async ({ script }) => {
  ;({ app } = await script.deploy({ chart: 'web-page', name: 'Looked at' }))
  // Nobody answers there, so its run has failed.
  source = await script.call('/catalog/v1/sources', {
    ...{ name: 'Looked-at charts', kind: 'helm', address: 'https://charts.invalid', everyHours: null },
  })
  await expect
    .poll(() => script.call<CatalogSource>(`/catalog/v1/sources/${source.id}`).then(({ lastRun }) => lastRun?.state))
    .toBe('failed')
  webhook = await script.call('/im/v1/webhooks', {
    ...{ name: 'Looked-at pager', url: 'https://hooks.invalid', events: ['app-health'], enabled: false },
  })
  await script.call(`/im/v1/webhooks/${webhook.id}/test`, undefined, 'POST')
})

test.afterAll(async ({ putBack, script }) => {
  await script.call(`/im/v1/webhooks/${webhook.id}`, undefined, 'DELETE')
  await script.call(`/catalog/v1/sources/${source.id}`, undefined, 'DELETE')
  await putBack()
})

type Page = [path: string, ready: string | RegExp]
type Things = { item: { id: string }; space: { id: string; clusters: readonly { id: string }[] } }

/** Pages in two parts, each of which one story looks at. */
const pages: Record<string, (things: Things) => Page[]> = {
  'of apps and spaces': ({ space }) => [
    ['home', /./],
    ['apps', /^Apps/],
    ['apps?tab=links', /^App links/],
    [`apps/${app.id}`, 'Looked at'],
    [`apps/${app.id}?tab=workloads`, 'Looked at'],
    [`apps/${app.id}?tab=logs`, 'Looked at'],
    [`apps/${app.id}?tab=metrics`, 'Looked at'],
    [`apps/${app.id}?tab=metrics&figures=table`, 'Looked at'],
    [`apps/${app.id}?tab=values`, 'Looked at'],
    [`apps/${app.id}?tab=revisions`, 'Looked at'],
    [`apps/${app.id}?tab=settings`, 'Looked at'],
    ['spaces', /^Spaces/],
    [`spaces/${space.id}/overview`, 'Storefront'],
    [`spaces/${space.id}/overview?tab=logs`, 'Storefront'],
    [`spaces/${space.id}/overview?tab=metrics`, 'Storefront'],
    [`spaces/${space.id}/overview?tab=members`, 'Storefront'],
    [`spaces/${space.id}/overview?tab=members&view=who`, 'Storefront'],
    [`spaces/${space.id}/overview?tab=members&view=history`, 'Storefront'],
    ['cloud-automation?tab=audit', /^Audit log/],
    [`cloud-automation?tab=webhooks&webhook=${webhook.id}`, /^Webhooks/],
    ['spaces?tab=roles', /^Roles in spaces/],
    ['spaces?tab=requests', /^Requests for access/],
    ['dashboards', /^Dashboards/],
    ['dashboards?orphaned=true', /^Dashboards/],
  ],
  'of the catalog, clusters and people': ({ item, space }) => [
    ['catalog/apps', /^Catalog apps/],
    ['catalog/apps?tab=sources', /^Catalog sources/],
    [`catalog/apps/sources/${source.id}`, 'Looked-at charts'],
    [`catalog/apps/${item.id}`, 'Web Page'],
    [`catalog/apps/${item.id}?tab=versions`, 'Web Page'],
    [`catalog/apps/${item.id}?tab=values`, 'Web Page'],
    ['clusters', /^Clusters/],
    [`clusters/${space.clusters[0]?.id}`, 'Sandbox'],
    [`clusters/${space.clusters[0]?.id}?tab=metrics`, 'Sandbox'],
    ['users', /^Users/],
    ['users/service-accounts', /^Service accounts/],
    ['users/service-accounts?tab=clients', /^Clients/],
    ['groups', /^Groups/],
    ['roles', /^Roles/],
    ['roles?tab=defaults', /^Roles that every user has/],
    ['policies', /^Policies/],
    ['login-settings', /^Login Settings/],
    ['login-settings?tab=mail', /^E-mail/],
    ['login-settings?tab=sso', /^Login Settings/],
    ['login-settings?tab=sign-ins', /^Login Settings/],
    ['login-settings?tab=changes', /^Login Settings/],
    ['account', /./],
    ['unauthorized', /./],
    ['no/such/page', /./],
  ],
}

for (const look of looks) {
  for (const [part, pagesOf] of Object.entries(pages)) {
    test(`every page ${part} in ${look.name}`, async ({ page, script }) => {
      test.setTimeout(120_000)
      const things = { item: await script.itemNamed('web-page'), space: await script.spaceNamed('Storefront') }
      await applyLook(page, look)
      for (const [path, heading] of pagesOf(things)) {
        await page.goto(`/en/${path}`)
        await expect(page.getByRole('heading', { level: 1, name: heading }).first()).toBeAttached()
        await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
        await expect(page.getByRole('main').getByText('Loading', { exact: true })).toHaveCount(0)
        expect.soft(await faultsOf(page), path).toEqual([])
      }
    })
  }

  test(`every step of the wizard in ${look.name}`, async ({ page }) => {
    test.setTimeout(120_000)
    await applyLook(page, look)
    const wizard = await openInstall(page, 'Sensor Flow')
    const lookAt = async (step: string) => expect.soft(await faultsOf(page), step).toEqual([])
    await wizard.space.click()
    await expect(page.getByRole('option').first()).toBeVisible()
    await lookAt('an open select')
    await page.getByRole('option').filter({ hasText: 'Telemetry' }).click()
    await lookAt('General Information')
    await wizard.button('Next').click()
    await expect(wizard.button('Next')).toBeEnabled()
    await lookAt('Infrastructure as a form')
    await wizard.button('YAML').click()
    await expect(wizard.dialog.locator('.cm-content')).toBeVisible()
    await lookAt('Infrastructure as YAML')
    await wizard.button('Next').click()
    await lookAt('Access Management')
    await wizard.button('Next').click()
    await lookAt('Summary')
    await wizard.button('Deploy').click()
    await expect(wizard.heading('Deploying Now…')).toBeVisible()
    await lookAt('Deployment, which may end while it is looked at')
    await expect(wizard.heading('Deployment Finished')).toBeVisible({ timeout: 45_000 })
    await lookAt('Deployment at its end')
    await wizard.button('Go To App').click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(wizard.dialog.getByRole('radio', { name: 'Keep' }).first()).toBeAttached()
    await lookAt('Delete Deployment')
    await wizard.button('Cancel').click()
  })
}
