import type { Page } from '@playwright/test'
import { chartPackage } from '../packages.ts'
import type { Script } from '../script.ts'
import { expect, test } from '../test.ts'
import { openInstall, wizardOn } from '../wizard.ts'

/**
 * Every cell of the table of wizards: what opens for an item, and that it does what it says. Containerized apps have
 * stories of their own; the words of the steps are asserted by component tests.
 */
const soon = { timeout: 45_000 }

interface Row {
  name: string
  item: string
  chart: string
  space: string
  install: string[]
  upgrade: string[]
  /** Without one, the error that is shown instead. */
  rollback: string[] | string
  deletion: 'wizard' | 'dialog'
}

const withAccess = ['General Information', 'Infrastructure', 'Access Management', 'Summary', 'Deployment']
const byValues = ['Select Version', 'Infrastructure', 'Summary', 'Deployment']
const byData = ['Select Version', 'DATA', 'Deployment']
const back = ['Select Revision', 'Overview', 'Deployment']
const rows: Row[] = [
  {
    name: 'Flow',
    item: 'Sensor Flow',
    chart: 'sensor-flow',
    space: 'Telemetry',
    install: withAccess,
    upgrade: byValues,
    rollback: back,
    deletion: 'wizard',
  },
  {
    name: 'Legacy',
    item: 'Legacy Bridge',
    chart: 'legacy-bridge',
    space: 'Storefront',
    install: withAccess,
    upgrade: byData,
    rollback: 'Wrong action type',
    deletion: 'wizard',
  },
  {
    name: 'SaaS',
    item: 'SaaS Connector',
    chart: 'saas-connector',
    space: 'Storefront',
    install: withAccess,
    upgrade: byValues,
    rollback: back,
    deletion: 'wizard',
  },
  {
    name: 'Serverless',
    item: 'Function',
    chart: 'function',
    space: 'Telemetry',
    install: ['Assign', 'DATA', 'Summary', 'Result'],
    upgrade: byData,
    rollback: 'Wrong action type',
    deletion: 'dialog',
  },
]

async function expectRefusal(page: Page, message: string) {
  const alert = page.getByRole('dialog', { name: 'Not available' })
  await expect(alert).toContainText(message)
  await alert.getByRole('button', { name: 'OK' }).click()
  await expect(alert).toBeHidden()
}

/** Opens a wizard from the row of the app in the list of apps. */
async function openFor(page: Page, name: string, action: 'Upgrade' | 'Rollback' | 'Delete') {
  await page.goto('/en/apps')
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function install(page: Page, row: Row, appName: string) {
  const wizard = await openInstall(page, row.item)
  await expect(wizard.steps).toHaveText(row.install)
  if (row.install.includes('Infrastructure')) await wizard.assign(row.space, appName)
  else await wizard.choose(wizard.space, row.space)
  for (const step of row.install.slice(2, -1)) {
    await wizard.button('Next').click()
    await expect(wizard.step).toHaveText(row.install.includes('DATA') && step === 'Summary' ? 'DATA' : step)
  }
  if (row.install.includes('DATA')) await wizard.button('Next').click()
  await expect(wizard.step).toHaveText('Summary')
  await expect(wizard.dialog.getByRole('table', { name: 'Access Management' })).toHaveCount(
    row.install.includes('Access Management') ? 1 : 0,
  )
  await wizard.button('Deploy').click()
  await expect(wizard.heading('Deployment Finished')).toBeVisible(soon)
  await expect(wizard.button('Go To App')).toBeVisible()
  await wizard.button('Close').click()
}

async function upgrade(page: Page, row: Row, appName: string) {
  await openFor(page, appName, 'Upgrade')
  const wizard = wizardOn(page)
  await expect(wizard.steps).toHaveText(row.upgrade)
  await wizard.button('Next').click()
  await expect(wizard.step).toHaveText(row.upgrade[1] ?? '')
  if (row.upgrade.includes('Summary')) await wizard.toSummary()
  await expect(wizard.button('Cancel Upgrade')).toBeVisible()
  await wizard.button('Upgrade').click()
  await expect(wizard.heading('Upgrade Finished')).toBeVisible(soon)
  await wizard.button('Close').click()
}

async function rollback(page: Page, { rollback: steps }: Row, appName: string) {
  await openFor(page, appName, 'Rollback')
  if (typeof steps === 'string') return expectRefusal(page, steps)
  const wizard = wizardOn(page)
  await expect(wizard.steps).toHaveText(steps)
  await wizard.button('Next').click()
  await wizard.button('Rollback').click()
  await expect(wizard.heading('Rollback Finished')).toBeVisible(soon)
  await wizard.button('Close').click()
}

async function remove(page: Page, { deletion }: Row, appName: string) {
  await openFor(page, appName, 'Delete')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'What would be left behind' })).toBeVisible()
  const wizard = wizardOn(page)
  await expect(wizard.steps).toHaveCount(deletion === 'wizard' ? 2 : 0)
  await wizard.button('Delete').click()
  if (deletion === 'wizard') {
    await expect(wizard.heading('Deletion Finished')).toBeVisible(soon)
    await wizard.button('Close').click()
  } else await expect(dialog).toBeHidden(soon)
  await expect(page.getByRole('row', { name: new RegExp(`^${appName}`) })).toBeHidden()
}

for (const row of rows) {
  test(`${row.name}: install, upgrade, rollback, delete`, async ({ page }) => {
    test.setTimeout(120_000)
    // The Serverless wizard asks for no name.
    const appName = row.install.includes('Infrastructure') ? `Every ${row.name}` : row.item
    await install(page, row, appName)
    await upgrade(page, row, appName)
    await rollback(page, row, appName)
    await remove(page, row, appName)
  })
}

test('Solution: none of the four is there yet, and each says so', async ({ page, script, world }) => {
  const app = await deployedSolution(script, world.url)
  const says = 'SolutionActionComponent not implemented yet!'
  await page.goto('/en/catalog/apps')
  await page.getByRole('button', { name: 'Deploy Whole Harbour', exact: true }).click()
  await expectRefusal(page, says)
  for (const action of ['Upgrade', 'Rollback', 'Delete'] as const) {
    await openFor(page, app, action)
    await expectRefusal(page, says)
  }
})

/** Only a script can deploy one, and twice, so that there is a revision to go back to. */
async function deployedSolution(script: Script, url: string): Promise<string> {
  const annotations = { 'quayside.io/item-type': 'Solution', 'quayside.io/display-name': 'Whole Harbour' }
  const file = await chartPackage({ name: 'whole-harbour', version: '1.0.0', chart: { annotations } })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(file)]), 'whole-harbour-1.0.0.tgz')
  const headers = { authorization: `Bearer ${await script.token()}` }
  const answer = await fetch(`${url}/catalog/v1/upload/uploadasync`, { method: 'POST', body: form, headers })
  if (!answer.ok) throw new Error(`the upload answered ${answer.status}`)
  const { app, command } = await script.deploy({ chart: 'whole-harbour', name: 'Whole harbour' })
  const { appId, versionId, deployData } = command
  const upgraded = await script.call<{ actionId: string }>('/deployment/v1/helm/deployment/actions.Upgrade', {
    appId,
    versionId,
    deployData,
  })
  await script.ended(upgraded.actionId)
  expect(app.id).toBe(appId)
  return 'Whole harbour'
}

test('a wizard that is cancelled after its app was assigned leaves nothing; one that runs asks before it is aborted', async ({
  page,
  script,
}) => {
  const wizard = await openInstall(page, 'Web Page')
  await wizard.assign('Telemetry', 'Never meant')
  await wizard.toSummary()
  await expect(wizard.dialog.getByRole('row', { name: /^Values/ })).toContainText("The same as the chart's defaults.")
  await wizard.leave('Cancel Deployment')
  await expect(wizard.dialog).toBeHidden()
  const named = async (name: string) => {
    const { data } = await script.call<{ data: { displayName: string }[] }>('/portal-api/v2/apps?page.limit=1000')
    return data.filter(({ displayName }) => displayName === name).length
  }
  await expect.poll(() => named('Never meant')).toBe(0)

  const running = await openInstall(page, 'SQL Database')
  await running.assign('Telemetry', 'Goes on')
  await running.toSummary()
  await running.button('Deploy').click()
  await expect(running.button('IAM Finished')).toBeVisible()
  await running.button('Cancel Deployment').click()
  const question = page.getByRole('dialog', { name: 'Abort action' })
  await expect(question).toContainText('Helm is ended now')
  await question.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(running.heading('Deployment Finished')).toBeVisible(soon)
  await expect(running.button('Cancel Deployment')).toBeHidden()
  await running.button('Close').click()
  expect(await named('Goes on')).toBe(1)
})

test('a version that cannot be had opens no dialog, says so and is logged', async ({ page }) => {
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await page.route('**/deployment/v1/catalogapp/*', (route) =>
    route.fulfill({ status: 404, json: { status: 404, message: 'This catalog version does not exist.' } }),
  )
  await page.goto('/en/catalog/apps')
  await page.getByRole('button', { name: 'Deploy Web Page', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Resources Not Found' })).toContainText('does not exist')
  await expect(wizardOn(page).steps).toHaveCount(0)
  expect(logged.join('\n')).toContain('could not get version by versionId')
})
