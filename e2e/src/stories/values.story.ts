import { signIn } from '../sign-in.ts'
import { expect, nobody, test } from '../test.ts'
import { openInstall } from '../wizard.ts'

test('form and YAML are two views of one text, which keeps its comments and its order', async ({ page }) => {
  const wizard = await openInstall(page, 'Web Page')
  const { dialog, button } = wizard
  await wizard.assign('Telemetry')
  await dialog.getByRole('button', { name: /^Page/ }).click()
  await dialog.getByLabel('Title', { exact: true }).fill('Ships: today')
  await button('YAML').click()
  const editor = dialog.getByRole('textbox', { name: 'Values as YAML' })
  await expect(editor).toContainText('# Title of the page')
  await expect(editor).toContainText(/title: ['"]Ships: today['"]/)
  await expect(editor).toContainText('# @TOOLTIP Two or more survive the loss of a node.')
  await expect(editor).toHaveCSS('font-size', '12px')
  // 60vh of a window that is 900 px high.
  expect((await dialog.locator('.cm-editor').boundingBox())?.height).toBe(540)

  await dialog.getByText('replicas: 2').click()
  await page.keyboard.press('End')
  await page.keyboard.type('1 # as many as days in a month')
  await button('Form').click()
  await dialog.getByRole('button', { name: /^General/ }).click()
  await expect(dialog.getByLabel('Replicas', { exact: true })).toHaveValue('21')
  await dialog.getByLabel('Replicas', { exact: true }).fill('3')
  await dialog.getByLabel('Replicas', { exact: true }).blur()
  await button('YAML').click()
  await expect(editor).toContainText('replicas: 3 # as many as days in a month')
  await expect(editor).toContainText(/title: ['"]Ships: today['"]/)
  await wizard.toSummary()
  await button('Previous').click()
  await expect(dialog.getByText('Setup basic infrastructure parameters')).toBeVisible()
  await dialog.getByRole('button', { name: /^Page/ }).click()
  await expect(dialog.getByLabel('Title', { exact: true })).toHaveValue('Ships: today')
  await button('Cancel Deployment').click()
})

test('values that the server refuses say why, and Next stays closed', async ({ page }) => {
  const wizard = await openInstall(page, 'Web Page')
  const { dialog, button } = wizard
  await wizard.assign('Telemetry')
  await button('YAML').click()
  await dialog.getByText('replicas: 2').click()
  await page.keyboard.press('End')
  await page.keyboard.type('x')
  await expect(dialog.getByText('Validation failed')).toBeVisible()
  await expect(button('Next')).toBeDisabled()
  await expect(dialog.getByText(/Error$/)).toBeHidden()
  await button('Show Details').click()
  await expect(dialog.getByText(/^\S+ (Error|Fatal Error)$/)).toBeVisible()
  await expect(dialog.getByRole('alert').getByRole('listitem')).toContainText([/replicas/])

  await page.keyboard.press('Shift+Tab')
  await dialog.getByText('replicas: 2x').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Backspace')
  await expect(button('Next')).toBeEnabled()
  await expect(dialog.getByText('Validation failed')).toBeHidden()
  await button('Cancel Deployment').click()
})

test('a server that is away while it validates is a communication error', async ({ page }) => {
  const wizard = await openInstall(page, 'Web Page')
  await page.route('**/validate/*', (route) => route.abort('connectionrefused'))
  await wizard.choose(wizard.space, 'Telemetry')
  await wizard.button('Next').click()
  await expect(wizard.dialog.getByText('Validation failed')).toBeVisible()
  await wizard.button('Show Details').click()
  await expect(wizard.dialog.getByText('Communication Error')).toBeVisible()
  await expect(wizard.button('Next')).toBeDisabled()
})

test.describe('without the permission', () => {
  test.use({ storageState: nobody })

  test('there is no Form/YAML toggle', async ({ page, world }) => {
    const person = await world.personWith({
      clientRoles: {
        'quayside-portal-ui-apps': ['access', 'apps.create'],
        'quayside-portal-ui-spaces': ['access'],
        'quayside-portal-ui-catalog-apps': ['access', 'catalog.view', 'catalog.deploy', 'catalog.deployments.view'],
        'quayside-portal-ui-clusters': ['access', 'clusters.view'],
      },
    })
    await page.goto('/en/catalog/apps')
    await signIn(page, person)
    await expect(page.getByRole('heading', { name: /^Catalog apps/ })).toBeVisible()
    const wizard = await openInstall(page, 'Web Page')
    await wizard.assign('Telemetry')
    await expect(wizard.button('YAML')).toBeHidden()
    await expect(wizard.button('Form')).toBeHidden()
  })
})
