import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import { applyLook, faultsOf, looks } from '../looks.ts'
import { expect, test } from '../test.ts'
import { deployTill, recordTraffic, secret } from '../till.ts'
import { wizardOn } from '../wizard.ts'

test.describe.configure({ mode: 'serial' })

let app: { id: string; namespace: string }
let releaseName: string

test.beforeAll(async ({ world, script }) => {
  ;({ app, releaseName } = await deployTill(world, script, 'Corner till'))
})

test.afterAll(({ putBack }) => putBack())

test('a version says what it brings before it is chosen', async ({ page }) => {
  await page.goto(`/en/apps/${app.id}`)
  await page.getByRole('button', { name: /^Upgrade/ }).click()
  const wizard = wizardOn(page)
  const { dialog, button } = wizard
  await expect(wizard.steps).toHaveText(['Select Version', 'Infrastructure', 'Summary', 'Deployment'])
  await expect(wizard.version).toContainText('2.0.0')
  await expect(dialog.getByRole('heading', { name: 'Till, second edition' })).toBeVisible()

  await button('Default values').click()
  const defaults = dialog.getByRole('region', { name: 'Default values' })
  await expect(defaults.locator('.cm-deletedChunk')).toContainText(['title: A till', '58mm'])
  await expect(defaults.getByText('# Since 2.0.0')).toBeVisible()

  await button('Chart').click()
  await expect(dialog.getByRole('row', { name: /^App version/ })).toContainText('2.0')
  await expect(dialog.getByRole('row', { name: /^Kubernetes/ })).toContainText('any>=1.28.0-0')

  await button('Objects').click()
  const objects = dialog.getByRole('list', { name: 'Objects' })
  await expect(objects.getByRole('listitem')).toHaveText([
    `ChangedConfigMap${releaseName}-paper`,
    '2 objects stay as they are.',
  ])
  await button('Cancel').click()
})

test('every step of the upgrade in both themes, wide and narrow', async ({ page }) => {
  test.setTimeout(150_000)
  for (const look of looks.filter(({ direction }) => direction === 'rtl')) {
    await test.step(look.name, async () => {
      await applyLook(page, look)
      await page.goto(`/en/apps/${app.id}`)
      await page.getByRole('button', { name: /^Upgrade/ }).click()
      const wizard = wizardOn(page)
      const { dialog, button } = wizard
      const lookAt = async (step: string) => expect.soft(await faultsOf(page), `${step}, ${look.name}`).toEqual([])
      await expect(dialog.getByRole('heading', { name: 'Till, second edition' })).toBeVisible()
      await lookAt('readme')
      for (const view of ['Default values', 'Chart', 'Objects']) {
        await button(view).click()
        await expect(dialog.locator('.cm-content').or(dialog.getByRole('table')).first()).toBeVisible()
        await lookAt(view)
      }
      await button('Next').click()
      await expect(dialog.getByText('2 to decide')).toBeVisible()
      await lookAt('conflicts')
      for (const name of ['title', 'paper.width'])
        await dialog
          .getByRole('group', { name })
          .getByRole('radio', { name: /^Yours/ })
          .check()
      await expect(button('Next')).toBeEnabled()
      await lookAt('decided')
      await wizard.toSummary()
      await expect(dialog.locator('.cm-content')).toBeVisible()
      await lookAt('Summary')
      await wizard.leave('Cancel Upgrade')
    })
  }
})

test('what both sides changed is chosen one by one, and nobody reads the secret', async ({ page, world }) => {
  const traffic = recordTraffic(page)
  await page.goto(`/en/apps/${app.id}`)
  await page.getByRole('button', { name: /^Upgrade/ }).click()
  const wizard = wizardOn(page)
  const { dialog, button } = wizard
  await button('Next').click()
  await expect(wizard.step).toHaveText('Infrastructure')
  const conflicts = dialog.getByRole('region', { name: 'Your values and the new chart' })
  await expect(conflicts.getByRole('status')).toHaveText('2 to decide')
  await expect(conflicts.getByRole('group')).toHaveCount(2)
  const title = conflicts.getByRole('group', { name: 'title' })
  await expect(title).toContainText('You changed it, and the chart changed its default.')
  await expect(title.getByRole('radio')).toHaveCount(3)
  await expect(title.getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(dialog.getByText('Values are valid')).toBeVisible()
  await expect(button('Next')).toBeDisabled()
  await title.getByRole('radio', { name: /^Yours/ }).check()
  await conflicts
    .getByRole('group', { name: 'paper.width' })
    .getByRole('radio', { name: /^New default/ })
    .check()
  await expect(conflicts.getByRole('status')).toHaveText('All decided')

  await button('YAML').click()
  const editor = dialog.getByRole('textbox', { name: 'Values as YAML' })
  await expect(editor).toContainText('title: Corner shop # the family chose it')
  await expect(editor).toContainText('queue: 6')
  await expect(editor).toContainText(/width: "?80mm/)
  await expect(editor).toContainText('code: "••••••••"')
  await expect(editor).toContainText('# Since 2.0.0')
  await button('Deployed').click()
  await expect(dialog.getByRole('region', { name: /^Deployed/ }).locator('.cm-deletedChunk')).toContainText([
    'queue: 4',
    'width: 57mm',
  ])
  await button('Nothing').click()

  await wizard.toSummary()
  const report = dialog.getByRole('list', { name: 'Your values and the new chart' })
  await expect(report.getByRole('listitem')).toHaveText([
    '1 setting of yours keptcode',
    '2 conflicts decidedtitle, paper.width',
    '1 new default takenqueue',
    '1 new settingreceipts',
  ])
  const changes = dialog.getByRole('region', { name: 'What will change' })
  await expect(changes.getByRole('region', { name: /^Values/ })).toContainText('receipts: true')
  await changes.getByRole('button', { name: 'Objects (1)' }).click()
  await expect(changes.getByRole('region', { name: /^Objects/ })).toContainText(/width: "?80mm/)
  await button('Upgrade').click()
  await expect(wizard.heading('Upgrade Finished')).toBeVisible({ timeout: 45_000 })

  const config = new KubeConfig()
  config.loadFromFile(world.kubeconfig)
  const core = config.makeApiClient(CoreV1Api)
  const { data } = await core.readNamespacedSecret({ name: releaseName, namespace: app.namespace })
  expect(Buffer.from(data?.code ?? '', 'base64').toString()).toBe(secret)
  await button('Go To App').click()
  await page.getByRole('tab', { name: 'Values' }).click()
  await expect(page.getByText('title: Corner shop # the family chose it')).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(page.getByText('Healthy', { exact: true }).first()).toBeVisible()
  expect(await traffic.contains(secret)).toBe(false)
})

test('the same version starts from what is deployed, and a new secret takes the place of the old one', async ({
  page,
  world,
}) => {
  await page.goto(`/en/apps/${app.id}`)
  await page.getByRole('button', { name: /^Upgrade/ }).click()
  const wizard = wizardOn(page)
  const { dialog, button } = wizard
  await wizard.choose(wizard.version, '2.0.0')
  await expect(dialog.getByText('This version is installed.')).toBeVisible()
  await button('Next').click()
  await expect(wizard.step).toHaveText('Infrastructure')
  await expect(dialog.getByRole('region', { name: 'Your values and the new chart' })).toBeHidden()
  await button('YAML').click()
  await dialog.getByText('code: "••••••••"').click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+End')
  await page.keyboard.type('code: under-the-mat')
  await wizard.toSummary()
  const changes = dialog.getByRole('region', { name: 'What will change' })
  await expect(changes.getByRole('region', { name: /^Values/ })).toContainText('•••••••• (changed)')
  await expect(changes).not.toContainText('under-the-mat')
  await button('Upgrade').click()
  await expect(wizard.heading('Upgrade Finished')).toBeVisible({ timeout: 45_000 })
  const config = new KubeConfig()
  config.loadFromFile(world.kubeconfig)
  const core = config.makeApiClient(CoreV1Api)
  const { data } = await core.readNamespacedSecret({ name: releaseName, namespace: app.namespace })
  expect(Buffer.from(data?.code ?? '', 'base64').toString()).toBe('under-the-mat')
  await button('Close').click()
})
