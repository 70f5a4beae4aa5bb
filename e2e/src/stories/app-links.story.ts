import type { Page } from '@playwright/test'
import { browserOf } from '../browser-of.ts'
import { applyLook, faultsOf, looks } from '../looks.ts'
import { signIn } from '../sign-in.ts'
import { expect, nobody, test } from '../test.ts'

test.use({ storageState: nobody })

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const link = (page: Page, name: string) => row(page, name).getByRole('link', { name: new RegExp(`^${name}`) })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const chosen = async (page: Page, of: string, entry: string) => {
  await row(page, of)
    .getByRole('button', { name: `Actions for ${of}` })
    .click()
  await page.getByRole('menuitem', { name: entry }).click()
}
const confirmed = (page: Page) => dialog(page, 'Delete app link').getByRole('button', { name: 'Confirm' }).click()

const long = {
  name: 'Überwachung der Pumpen في الميناء الشمالي – pressure, flow and temperature 42',
  url: `https://monitoring.example.org/d/${'pressure-flow-and-temperature-of-pumps/'.repeat(8)}?from=now-6h`,
  description: `${'Where the night shift looks first. '.repeat(9)}${'w'.repeat(80)}`,
  tags: ['a tag of forty characters, which is most', 'مراقبة', 'third', 'fourth'],
  color: '#f2c744',
}

test('a link is made, refused, followed, tagged, changed and deleted, while somebody else looks on', async ({
  page,
  browser,
  world,
  script,
}) => {
  test.setTimeout(120_000)
  const ravi = await browserOf(browser, world, world.samplePerson('ravi'), 'apps?tab=links')
  await expect(ravi.getByText('No app links yet')).toBeVisible()
  await page.goto('/en/apps')
  await signIn(page, world.admin)
  await page.getByRole('tab', { name: 'App links' }).click()
  await expect(page).toHaveURL(/\/apps\?tab=links$/)

  // Somebody who only looks on is told which role is missing.
  await ravi.getByRole('button', { name: 'New app link' }).first().press('Enter')
  const why = ravi.getByRole('dialog', { name: 'Why can’t I make an app link?' })
  await expect(why).toContainText('apps.create')
  await ravi.keyboard.press('Escape')

  // An address that runs is refused at its field, as is one with a password.
  await page.getByRole('button', { name: 'New app link' }).first().press('Enter')
  const making = dialog(page, 'New app link')
  const create = making.getByRole('button', { name: 'Create app link' })
  const address = making.getByLabel('Address *')
  await making.getByLabel('Name *').fill('Runbook')
  for (const [wrong, told] of [
    ['javascript:alert(1)', 'begin with http:// or https://'],
    ['https://mara:secret@wiki.example.org', 'must not have a user name or a password'],
  ] as const) {
    await address.fill(wrong)
    await create.click()
    await expect(making.getByRole('alert').filter({ hasText: told })).toBeVisible()
    await expect(address).toHaveAttribute('aria-invalid', 'true')
  }
  expect(await faultsOf(page), 'the dialog with a refusal').toEqual([])
  const target = `${world.url}/openapi.json`
  await address.fill(target)
  await making.getByLabel('Tags').fill('docs,night shift')
  await create.click()
  await expect(making).toBeHidden()

  // The other browser shows it without a reload, and opens it in a tab of its own.
  await expect(link(ravi, 'Runbook')).toHaveAttribute('rel', 'noopener noreferrer')
  const [opened] = await Promise.all([ravi.waitForEvent('popup'), link(ravi, 'Runbook').click()])
  await expect(opened).toHaveURL(target)
  expect(await opened.evaluate(() => window.opener)).toBeNull()
  await opened.close()

  // A name that is taken is said at its field.
  await script.call('/portal-api/v2/applinks', long)
  await expect(row(page, 'Überwachung')).toBeVisible()
  await chosen(page, 'Runbook', 'Edit')
  const editing = dialog(page, 'Edit app link')
  await editing.getByLabel('Name *').fill(long.name.toUpperCase())
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(editing.getByText('An app link with this name already exists.')).toBeVisible()

  // Tags that come while it is edited stay, because only the name was typed.
  const { data } = await script.call<{ data: { id: string; name: string }[] }>('/portal-api/v2/applinks?search=runbook')
  await script.call(`/portal-api/v2/applinks/${data[0]?.id}/tags/meanwhile`, undefined, 'PUT')
  await expect(editing.getByRole('button', { name: 'Remove tag meanwhile' })).toBeVisible()
  await editing.getByLabel('Name *').fill('Handbook')
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(editing).toBeHidden()
  await expect(link(ravi, 'Handbook')).toBeVisible()

  // A tag, a search and an order are the server's; the address keeps them.
  await page.getByRole('button', { name: /^Tag/ }).click()
  await page.getByRole('menuitem', { name: 'meanwhile' }).click()
  await expect(row(page, 'Überwachung')).toBeHidden()
  await expect(link(page, 'Handbook')).toBeVisible()
  await page.reload()
  await expect(link(page, 'Handbook')).toBeVisible()
  await expect(row(page, 'Überwachung')).toBeHidden()
  await page.goto('/en/apps?tab=links&sort=-name')
  await expect(page.getByRole('rowheader').first()).toContainText('Überwachung')

  for (const look of looks) {
    await applyLook(page, look)
    await page.goto('/en/apps?tab=links')
    await expect(row(page, 'Überwachung')).toBeVisible()
    expect.soft(await faultsOf(page), look.name).toEqual([])
    const cut = await row(page, 'Überwachung').getByRole('link').locator('span').first().evaluate(isCut)
    expect.soft(cut, `the name in ${look.name}`).toBe(true)
    await row(page, 'Überwachung').getByRole('link').hover()
    await expect(page.getByRole('tooltip')).toContainText(long.name)
    expect.soft(await faultsOf(page), `the tooltip in ${look.name}`).toEqual([])
    await chosen(page, long.name, 'Edit')
    await expect(editing.getByLabel('Name *')).toHaveValue(long.name)
    expect.soft(await faultsOf(page), `the dialog in ${look.name}`).toEqual([])
    await editing.getByRole('button', { name: 'Cancel' }).click()
    await expect(editing).toBeHidden()
  }
  await page.setViewportSize({ width: 1440, height: 900 })

  for (const name of ['Handbook', long.name]) {
    await chosen(page, name, 'Delete')
    await confirmed(page)
    await expect(row(ravi, name)).toBeHidden()
  }
  await expect(ravi.getByText('No app links yet')).toBeVisible()
  await ravi.context().close()
})

const isCut = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element) =>
  scrollWidth > clientWidth || scrollHeight > clientHeight
