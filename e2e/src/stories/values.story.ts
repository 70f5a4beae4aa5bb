import type { Page } from '@playwright/test'
import type { World } from '@quayside/embedded/world'
import { chartPackage } from '../packages.ts'
import { signIn } from '../sign-in.ts'
import { expect, nobody, test } from '../test.ts'
import { openInstall, wizardOn } from '../wizard.ts'

test('form and YAML are two views of one text, which keeps its comments and its order', async ({ page }) => {
  const wizard = await openInstall(page, 'Web Page')
  const { dialog, button } = wizard
  await wizard.assign('Telemetry')
  await dialog.getByRole('button', { name: /^Page/ }).click()
  await dialog.getByLabel('Title', { exact: true }).fill('Ships: today')
  expect((await dialog.locator('fieldset').first().boundingBox())?.height).toBe(400)
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
  await wizard.leave('Cancel Deployment')
  await expect(dialog).toBeHidden()
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

test('a validation that fails is a communication error; a server that is away is asked again by itself', async ({
  page,
}) => {
  const wizard = await openInstall(page, 'Web Page')
  await page.route('**/validate/*', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await wizard.choose(wizard.space, 'Telemetry')
  await wizard.button('Next').click()
  await expect(wizard.dialog.getByText('Validation failed')).toBeVisible()
  await wizard.button('Show Details').click()
  await expect(wizard.dialog.getByText('Communication Error')).toBeVisible()
  await expect(wizard.button('Next')).toBeDisabled()

  await page.unroute('**/validate/*')
  await page.route('**/validate/*', (route) => route.abort('connectionrefused'))
  await wizard.dialog.getByRole('button', { name: /^Image/ }).click()
  await wizard.dialog.getByLabel('Tag', { exact: true }).fill('1.29')
  await expect(wizard.dialog.getByText('Can’t reach the portal. Retrying…').first()).toBeVisible()
  await expect(wizard.button('Next')).toBeDisabled()
  await page.unroute('**/validate/*')
  await expect(wizard.button('Next')).toBeEnabled()
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
    await expect(wizard.button('YAML')).toHaveAttribute('aria-disabled', 'true')
    await expect(wizard.button('Form')).toBeHidden()
  })
})

const harbour = {
  values: `# How the harbour is called
# @TOOLTIP Ships read it from afar.
title: Home port
size: s
# @HIDDEN
internal: keep
# @MASKED
code: ""
storage:
  # Where the log book is kept
  kind: disk
  size: 2Gi
berths:
  north: # the old one
    depth: 8
labels:
  sea: baltic
ships:
  # The first that came
  - name: Anna
    tons: 100
  - name: Berta
    tons: 200
mode: one
affinity: {}
`,
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { berth: { type: 'object', required: ['depth'], properties: { depth: { type: 'integer' } } } },
    properties: {
      size: {
        oneOf: [
          { const: 's', title: 'Small' },
          { const: 'l', title: 'Large' },
        ],
      },
      berths: { type: 'object', additionalProperties: { $ref: '#/$defs/berth' } },
      storage: {
        oneOf: [
          { title: 'On disk', properties: { kind: { const: 'disk' }, size: { type: 'string' } }, required: ['kind'] },
          {
            title: 'Object store',
            properties: { kind: { const: 's3' }, bucket: { type: 'string' } },
            required: ['kind', 'bucket'],
          },
        ],
      },
      mode: { enum: ['one', 'many'], description: 'How many harbours there are' },
    },
    if: { properties: { mode: { const: 'many' } }, required: ['mode'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of the schema.
    then: { properties: { harbours: { type: 'integer', minimum: 2 } }, required: ['harbours'] },
  },
}

async function openHarbour(page: Page, world: World, version: string) {
  const files = { 'values.schema.json': JSON.stringify(harbour.schema) }
  const bytes = await chartPackage({ name: 'harbour', version, values: harbour.values, files })
  const body = new FormData()
  body.set('file', new Blob([new Uint8Array(bytes)]), `harbour-${version}.tgz`)
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const { versionId } = await (await world.api('/catalog/v1/upload/uploadasync', { token, body })).json()
  /** The text as the server is asked about it. */
  let text = ''
  page.on('request', (request) => {
    if (request.url().includes('/validate/')) text = request.postDataJSON().yaml
  })
  await page.goto(`/en/catalog/apps?deploy=${versionId}`)
  const wizard = wizardOn(page)
  await wizard.assign('Telemetry')
  return { ...wizard, says: (expected: string) => expect.poll(() => text, { timeout: 15_000 }).toBe(expected) }
}

test('a form takes entries in, renames them, changes a kind, and rewrites nothing else', async ({ page, world }) => {
  const { dialog, says } = await openHarbour(page, world, '1.0.0')
  const group = (name: RegExp) => dialog.getByRole('button', { name }).first().click()
  let text = harbour.values
  await group(/^General/)
  await dialog.getByRole('radio', { name: 'Large' }).check()
  text = text.replace('size: s\n', 'size: l\n')
  await says(text)

  const labels = dialog.getByRole('group', { name: 'Labels', exact: true })
  await labels.getByLabel('Name of sea').fill('ocean')
  await labels.getByLabel('Name of sea').press('Enter')
  await labels.getByPlaceholder('New name').fill('country')
  await labels.getByRole('button', { name: 'Add' }).click()
  await labels.getByLabel('country', { exact: true }).fill('Denmark')
  // The chart would lay its own label below again.
  text = text.replace('  sea: baltic\n', '  ocean: baltic\n  sea: null\n  country: "Denmark"\n')
  await says(text)

  const ships = dialog.getByRole('group', { name: 'Ships', exact: true })
  await ships.getByRole('button', { name: 'Remove entry 2' }).click()
  await ships.getByLabel('Tons', { exact: true }).fill('120')
  text = text.replace('  - name: Berta\n    tons: 200\n', '').replace('tons: 100', 'tons: 120')
  await says(text)

  await group(/^Storage/)
  await dialog.getByLabel('Kind of Storage').selectOption('Object store')
  await dialog.getByLabel('Bucket', { exact: true }).fill('logs')
  await expect(dialog.getByLabel('Size', { exact: true })).toBeHidden()
  const stored = text
  text = text.replace('  kind: disk\n  size: 2Gi\n', '  kind: s3\n  size: null\n  bucket: "logs"\n')
  await says(text)
  await dialog.getByLabel('Kind of Storage').selectOption('On disk')
  await says(stored)

  await group(/^General/)
  await expect(dialog.getByLabel('Harbours', { exact: true })).toBeHidden()
  await dialog.getByLabel('Mode', { exact: true }).selectOption('many')
  await expect(dialog.getByLabel('Harbours', { exact: true })).toBeVisible()
  await expect(dialog.getByText('Internal', { exact: true })).toBeHidden()
})

test('the YAML view completes, explains and shows errors; a text that cannot be read stays', async ({
  page,
  world,
}) => {
  const { dialog, button } = await openHarbour(page, world, '1.0.1')
  await button('YAML').click()
  const line = (text: string) => dialog.locator('.cm-line').filter({ hasText: text }).first()
  await line('mode: one').click()
  await page.keyboard.press('End')
  for (let letter = 0; letter < 3; letter += 1) await page.keyboard.press('Backspace')
  await page.keyboard.press('Control+Space')
  await expect(page.getByRole('option', { name: /many/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await line('mode:').hover({ position: { x: 12, y: 8 } })
  await expect(page.getByText('How many harbours there are')).toBeVisible()
  await page.keyboard.type('onex')
  await expect(dialog.getByText('Validation failed')).toBeVisible()
  await expect(dialog.locator('.cm-lint-marker-error')).toBeVisible()
  await page.keyboard.type(': [')
  await button('Form').click()
  await expect(dialog.getByRole('alert').filter({ hasText: /^ERROR: line/ })).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Values as YAML' })).toContainText('mode: onex: [')
})

test('values are kept as a preset and carried by a link, without what is masked', async ({ page, world, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { dialog, button, says, leave } = await openHarbour(page, world, '1.0.2')
  await dialog
    .getByRole('button', { name: /^General/ })
    .first()
    .click()
  await dialog.getByLabel('Title', { exact: true }).fill('Far port')
  await dialog.getByLabel('Code', { exact: true }).fill('sesame-42')
  await says(harbour.values.replace('Home port', 'Far port').replace('code: ""', 'code: "sesame-42"'))

  await button('Presets').click()
  const presets = page.getByRole('dialog', { name: 'Presets' })
  await presets.getByLabel('Name', { exact: true }).fill('Far')
  await presets.getByRole('button', { name: 'Save as preset' }).click()
  await expect(presets.getByRole('button', { name: /^Far/ })).toBeVisible()
  await presets.getByRole('button', { name: 'Rename Far' }).click()
  await presets.getByLabel('Rename Far').fill('Away')
  await presets.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(presets.getByRole('button', { name: /^Away/ })).toBeVisible()
  await page.keyboard.press('Escape')

  await button('Copy link').click()
  await expect(dialog.getByText('Copied, without masked values')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await leave('Cancel Deployment')

  await page.goto('/en/home')
  await page.goto(link)
  const again = wizardOn(page)
  await again.assign('Telemetry')
  await expect(again.dialog.getByText('The values of a link are filled in.')).toBeVisible()
  await again.dialog
    .getByRole('button', { name: /^General/ })
    .first()
    .click()
  const title = again.dialog.getByLabel('Title', { exact: true })
  await expect(title).toHaveValue('Far port')
  await expect(again.dialog.getByLabel('Code', { exact: true })).toHaveValue('')
  expect(page.url()).not.toContain('values=')

  await title.fill('Nowhere')
  await title.blur()
  await again.button('Presets').click()
  await presets.getByRole('button', { name: /^Away/ }).click()
  await expect(title).toHaveValue('Far port')
  await again.button('Presets').click()
  await presets.getByRole('button', { name: 'Delete Away' }).click()
  const question = page.getByRole('dialog', { name: 'Delete preset' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await again.button('Presets').click()
  await presets.getByRole('button', { name: 'Delete Away' }).click()
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(question).toBeHidden()
  await again.button('Presets').click()
  await expect(presets.getByText('There is no preset yet.')).toBeVisible()
})
