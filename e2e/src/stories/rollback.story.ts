import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import { applyLook, faultsOf, looks } from '../looks.ts'
import { expect, test } from '../test.ts'
import { deployTill, recordTraffic, secret } from '../till.ts'
import { wizardOn } from '../wizard.ts'

test.describe.configure({ mode: 'serial' })

let app: { id: string; namespace: string }
let releaseName: string

test.beforeAll(async ({ world, script }) => {
  const till = await deployTill(world, script, 'Back till')
  ;({ app, releaseName } = till)
  const { deployData, versionId } = till.command
  const yaml = deployData.yaml.replace('queue: 4', 'queue: 9').replace(secret, 'another-place')
  const { actionId } = await script.call<{ actionId: string }>('/deployment/v1/helm/deployment/actions.Upgrade', {
    appId: app.id,
    versionId,
    deployData: { ...deployData, yaml },
  })
  expect(await script.ended(actionId)).toMatchObject({ state: 'Success' })
})

test.afterAll(({ putBack }) => putBack())

test('the installed revision cannot be chosen; the overview only shows, and says what would change', async ({
  page,
  world,
}) => {
  const traffic = recordTraffic(page)
  await page.goto(`/en/apps/${app.id}`)
  await page.getByRole('button', { name: 'Rollback' }).click()
  const wizard = wizardOn(page)
  const { dialog, button } = wizard
  await expect(dialog.getByRole('radio', { name: '2 (installed)' })).toBeDisabled()
  await expect(dialog.getByRole('radio', { name: '1', exact: true })).toBeChecked()
  await button('Next').click()
  await expect(wizard.step).toHaveText('Overview')
  const then = dialog.getByRole('region', { name: 'Values of revision 1' })
  await expect(then).toContainText('title: Corner shop # the family chose it')
  await expect(then).toContainText('code: "••••••••"')
  const editor = then.locator('.cm-content').first()
  await expect(editor).toHaveAttribute('contenteditable', 'false')
  const changes = dialog.getByRole('region', { name: 'What the rollback would change' })
  const values = changes.getByRole('region', { name: /^Values/ })
  await expect(values.locator('.cm-deletedChunk').first()).toContainText('queue: 9')
  await expect(values).toContainText('queue: 4')
  await expect(values).toContainText('•••••••• (changed)')
  await changes.getByRole('button', { name: 'Objects (2)' }).click()
  await expect(changes.getByRole('list', { name: 'Objects' }).getByRole('listitem')).toHaveText([
    `ChangedConfigMap${releaseName}-paper`,
    `ChangedSecret${releaseName}`,
    '1 object stays as it is.',
  ])
  await expect(changes.getByRole('region', { name: /^Objects/ })).toContainText('•••••••• (changed)')
  await button('Rollback').click()
  await expect(wizard.heading('Rollback Finished')).toBeVisible({ timeout: 45_000 })
  await button('Close').click()
  expect(await traffic.contains(secret)).toBe(false)
  expect(await traffic.contains('another-place')).toBe(false)

  const config = new KubeConfig()
  config.loadFromFile(world.kubeconfig)
  const core = config.makeApiClient(CoreV1Api)
  const { data } = await core.readNamespacedSecret({ name: releaseName, namespace: app.namespace })
  expect(Buffer.from(data?.code ?? '', 'base64').toString()).toBe(secret)
})

test('every step of the rollback in both themes, wide and narrow', async ({ page }) => {
  test.setTimeout(120_000)
  for (const look of looks.filter(({ direction }) => direction === 'rtl')) {
    await test.step(look.name, async () => {
      await applyLook(page, look)
      await page.goto(`/en/apps/${app.id}`)
      await page.getByRole('button', { name: 'Rollback' }).click()
      const { dialog, button } = wizardOn(page)
      const lookAt = async (step: string) => expect.soft(await faultsOf(page), `${step}, ${look.name}`).toEqual([])
      await expect(button('Next')).toBeVisible()
      await lookAt('Select Revision')
      await button('Next').click()
      await expect(dialog.locator('.cm-content')).toHaveCount(2)
      await lookAt('values')
      await dialog.getByRole('button', { name: /^Objects/ }).click()
      await expect(dialog.getByRole('list', { name: 'Objects' })).toBeVisible()
      await lookAt('objects')
      await button('Cancel Rollback').click()
    })
  }
})
