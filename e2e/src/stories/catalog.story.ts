import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { brokenPackage, chartPackage } from '../packages.ts'
import { expect, test } from '../test.ts'

const cards = (page: Page) => page.getByRole('article')
const picker = (page: Page) => page.getByLabel('Chart packages', { exact: true })

test('search answers as one types, and the address carries it', async ({ page }) => {
  await page.goto('/en/catalog/apps')
  await expect(page.getByRole('heading', { level: 1, name: /^Catalog apps/ })).toBeVisible()
  const search = page.getByRole('searchbox', { name: /^Search/ }).first()
  await search.pressSequentially('key-v')
  await expect(cards(page)).toHaveCount(1)
  await expect(cards(page)).toHaveAccessibleName('Key-Value Store')
  await expect(page).toHaveURL(/[?&]q=key-v/)
  await page.reload()
  await expect(search).toHaveValue('key-v')
  await expect(cards(page)).toHaveCount(1)
  await search.fill('there is no such chart')
  await expect(page.getByText('Nothing in the catalog matches')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await expect(cards(page).nth(8)).toBeVisible()
})

test('featured items come first; filters live in the address and survive the back button', async ({ page, script }) => {
  await page.goto('/en/catalog/apps')
  const { data } = await script.call<{ data: { displayName: string; featured: boolean }[] }>('/catalog/v2/items')
  const featured = data.filter((item) => item.featured).length
  expect(featured).toBeGreaterThan(0)
  await expect(cards(page).nth(featured)).toBeVisible()
  const taken = page.getByRole('button', { name: /^Stop featuring/ })
  await expect(taken).toHaveCount(featured)
  await expect(
    cards(page)
      .nth(featured - 1)
      .getByRole('button', { name: /^Stop featuring/ }),
  ).toBeVisible()
  await expect(
    cards(page)
      .nth(featured)
      .getByRole('button', { name: /^Feature / }),
  ).toBeVisible()

  await page.getByRole('button', { name: /^Type/ }).click()
  await page.getByRole('menuitem', { name: 'Legacy' }).click()
  await expect(page).toHaveURL(/type=Legacy/)
  await expect(cards(page)).toHaveCount(1)
  await expect(cards(page)).toHaveAccessibleName('Legacy Bridge')
  await page.getByRole('link', { name: 'Legacy Bridge' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Legacy Bridge' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/type=Legacy/)
  await expect(cards(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Feature Legacy Bridge' }).click()
  await expect(page.getByRole('button', { name: 'Stop featuring Legacy Bridge' })).toBeVisible()
  await page.getByRole('button', { name: 'Stop featuring Legacy Bridge' }).click()
  await expect(page.getByRole('button', { name: 'Feature Legacy Bridge' })).toBeVisible()
})

test('the detail page has readme, versions and values', async ({ page }) => {
  await page.goto('/en/catalog/apps?q=web-page')
  await page.getByRole('link', { name: 'Web Page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Web Page' })).toBeVisible()
  const readme = readFileSync(resolve(import.meta.dirname, '../../../samples/charts/web-page/2.0.0/README.md'), 'utf8')
  await expect(page.getByRole('heading', { name: readme.match(/^# (.+)$/m)?.[1] ?? '', exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Versions' }).click()
  const versions = page.getByRole('table', { name: 'Versions' })
  await expect(versions.getByRole('rowheader')).toHaveText(['2.0.0', '1.1.0', '1.0.0'])
  await page.getByRole('tab', { name: 'Values' }).click()
  await expect(
    page.getByRole('row', { name: /^page\.title string Hello from Quayside Title of the page/ }),
  ).toBeVisible()
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Values' })).toHaveAttribute('aria-selected', 'true')
})

test('a package goes up by the picker, with its percentage, and is there', async ({ page }) => {
  await page.goto('/en/catalog/apps')
  await expect(cards(page).first()).toBeVisible()
  await page.route('**/uploadasync', async (route) => {
    await expect(
      page
        .getByRole('list', { name: 'Uploads' })
        .getByText(/^\d+ %$/)
        .last(),
    ).toBeVisible()
    await route.continue()
  })
  const buffer = await chartPackage({ name: 'picked', version: '0.1.0' })
  await picker(page).setInputFiles({ name: 'picked-0.1.0.tgz', mimeType: 'application/gzip', buffer })
  await expect(page.getByText('picked 0.1.0 is in the catalog.')).toBeVisible()
  await expect(page.getByText('100 %')).toBeVisible()
  await expect(page.getByRole('article', { name: 'picked' })).toBeVisible()
  await picker(page).setInputFiles({ name: 'picked-0.1.0.tgz', mimeType: 'application/gzip', buffer })
  await expect(page.getByText('picked 0.1.0 was there already.')).toBeVisible()
})

test('a package goes up by drop', async ({ page }) => {
  await page.goto('/en/catalog/apps')
  await expect(cards(page).first()).toBeVisible()
  const bytes = (await chartPackage({ name: 'dropped', version: '0.1.0' })).toString('base64')
  const files = await page.evaluateHandle((base64) => {
    const transfer = new DataTransfer()
    const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    transfer.items.add(new File([content], 'dropped-0.1.0.tgz', { type: 'application/gzip' }))
    return transfer
  }, bytes)
  await page.getByRole('region', { name: 'Catalog apps' }).dispatchEvent('dragenter', { dataTransfer: files })
  const zone = page.getByText('Drop chart packages here')
  await expect(zone).toBeVisible()
  await zone.dispatchEvent('drop', { dataTransfer: files })
  await expect(page.getByText('dropped 0.1.0 is in the catalog.')).toBeVisible()
  await expect(page.getByRole('article', { name: 'dropped' })).toBeVisible()
  await expect(zone).toBeHidden()
})

test('broken packages are refused with what is wrong with them; the others still go up', async ({ page }) => {
  await page.goto('/en/catalog/apps')
  const whole = await chartPackage({ name: 'truncated', version: '0.1.0' })
  await picker(page).setInputFiles([
    { name: 'text.tgz', mimeType: 'application/gzip', buffer: Buffer.from('this is no archive') },
    { name: 'short.tgz', mimeType: 'application/gzip', buffer: whole.subarray(0, whole.length / 2) },
    { name: 'above.tgz', mimeType: 'application/gzip', buffer: await brokenPackage('../escape') },
    {
      name: 'fine-0.1.0.tgz',
      mimeType: 'application/gzip',
      buffer: await chartPackage({ name: 'fine', version: '0.1.0' }),
    },
  ])
  for (const name of ['text.tgz', 'short.tgz', 'above.tgz']) {
    const refusal = page.getByRole('alert').filter({ hasText: `Upload of ${name} failed!` })
    await expect(refusal).toHaveText(new RegExp(`^Upload of ${name.replace('.', '\\.')} failed! \\(\\S.+\\)$`))
    await expect(refusal).not.toContainText(/Status|undefined|Internal Server Error/)
  }
  await expect(page.getByText('fine 0.1.0 is in the catalog.')).toBeVisible()
})

test('an icon that could run something is refused', async ({ page }) => {
  const icon = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
  const buffer = await chartPackage({
    name: 'icon',
    version: '0.1.0',
    chart: { icon: `data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}` },
  })
  await page.goto('/en/catalog/apps')
  await picker(page).setInputFiles({ name: 'icon-0.1.0.tgz', mimeType: 'application/gzip', buffer })
  await expect(page.getByRole('alert')).toContainText('Upload of icon-0.1.0.tgz failed! (Chart.yaml: The icon')
})

test('what a package says about itself is shown as text and never runs', async ({ page }) => {
  const attack = `<img src=x onerror="window.attacked='img'"><script>window.attacked='script'</script>`
  const readme = [
    '# Harmless',
    attack,
    '[click me](javascript:window.attacked=1)',
    '[and me](data:text/html,<script>window.attacked=2</script>)',
    '<a href="javascript:window.attacked=3">or me</a>',
    '![picture](javascript:window.attacked=4)',
    '<iframe srcdoc="<script>parent.attacked=5</script>"></iframe>',
    '<svg onload="window.attacked=6"></svg>',
  ].join('\n\n')
  const buffer = await chartPackage({
    name: 'hostile',
    version: '0.1.0',
    readme,
    values: `# ${attack}\ntitle: ${JSON.stringify(attack)}\n`,
    chart: {
      description: attack,
      home: 'javascript:window.attacked=7',
      maintainers: [{ name: attack }],
      annotations: {
        'quayside.io/display-name': `Hostile ${attack}`.slice(0, 80),
        'quayside.io/short-description': attack,
        'quayside.io/manufacturer': '<b onmouseover="window.attacked=9">Evil</b>',
      },
    },
  })
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await page.goto('/en/catalog/apps')
  await picker(page).setInputFiles({ name: 'hostile-0.1.0.tgz', mimeType: 'application/gzip', buffer })
  await expect(page.getByText('hostile 0.1.0 is in the catalog.')).toBeVisible()
  await page
    .getByRole('searchbox', { name: /^Search/ })
    .first()
    .fill('hostile')
  await expect(cards(page)).toHaveCount(1)
  await cards(page).getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'Harmless' })).toBeVisible()
  for (const tab of ['Versions', 'Values', 'Readme']) {
    await page.getByRole('tab', { name: tab }).click()
    await expect(page.getByRole('tabpanel')).not.toBeEmpty()
  }
  await expect(page.getByText('click me')).toBeVisible()
  await page.getByText('click me').click()
  await page.getByText('or me').click()
  expect(await page.locator('a[href^="javascript:" i], a[href^="data:" i], main iframe, main script').count()).toBe(0)
  expect(await page.evaluate(() => 'attacked' in window)).toBe(false)
  expect(dialogs).toEqual([])
})
