import type { Page } from '@playwright/test'
import { applyLook, faultsOf, looks } from '../looks.ts'
import { expect, test } from '../test.ts'

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'ADD NEW MENU ENTRY' })
const button = (page: Page, name: string | RegExp) => dialog(page).getByRole('button', { name })
const names = (page: Page) =>
  navigation(page)
    .getByRole('region', { name: 'CUSTOM SIDEBAR' })
    .getByRole('listitem')
    .locator('a, button[aria-disabled]')
const actions = (page: Page, name: string) => navigation(page).getByRole('button', { name: `Actions for ${name}` })

async function confirmed(page: Page, title: string) {
  const question = page.getByRole('dialog', { name: title })
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(question).toBeHidden()
}

test('a space, an app and a link are pinned, renamed, reloaded, moved and removed', async ({ page, script }) => {
  test.setTimeout(90_000)
  const { app, releaseName } = await script.deploy({ chart: 'web-page', name: 'Pinned page' })
  await page.goto('/en/home')
  await expect(navigation(page).getByText('Pin what you use often')).toBeVisible()

  // A space, chosen in the dialog, into a default group.
  await navigation(page).getByRole('button', { name: 'Add menu entry' }).click()
  await expect(button(page, 'CATEGORY Spaces')).toBeVisible()
  await expect(button(page, 'Confirm')).toBeDisabled()
  await button(page, /^ITEM/).click()
  await dialog(page).getByLabel('Search ITEM').fill('nothing is called so')
  await expect(page.getByText('No Match Found!')).toBeVisible()
  expect(await faultsOf(page), 'the dialog with an open list').toEqual([])
  await dialog(page).getByLabel('Search ITEM').fill('storefr')
  // Without the mouse: down to the first match and Enter.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(button(page, 'ITEM Storefront')).toBeVisible()
  await expect(button(page, 'GROUPNAME My Side-bar')).toBeVisible()
  await button(page, 'Confirm').click()
  await expect(dialog(page)).toBeHidden()
  await navigation(page).getByRole('link', { name: 'Storefront' }).click()
  await expect(page).toHaveURL(/\/spaces\/[a-z0-9]{7}\/overview$/)
  await expect(page.getByRole('button', { name: 'Unpin from the side bar' })).toBeVisible()

  // An app, pinned on its page, into a group of its own.
  await page.goto(`/en/apps/${app.id}`)
  await page.getByRole('button', { name: 'Pin to the side bar' }).click()
  await expect(dialog(page).getByText('Pinning Pinned page App to the Custom Sidebar! Select a group')).toBeVisible()
  await button(page, /^GROUPNAME/).click()
  await page.getByRole('option', { name: 'Add a new group' }).click()
  await page.getByLabel('NEW GROUP NAME').fill('Production')
  await expect(dialog(page).getByText('10/24')).toBeVisible()
  // The list above takes the focus back when it has closed.
  await page.getByLabel('NEW GROUP NAME').press('Enter')
  await expect(dialog(page)).toBeHidden()

  // A link: the alert first, then a full address.
  await actions(page, 'Production').click()
  await page.getByRole('button', { name: 'Add menu entry' }).last().click()
  await button(page, /^CATEGORY/).click()
  await page.getByRole('option', { name: 'External link' }).click()
  await dialog(page).getByLabel('LABEL *').fill('Runbook')
  await dialog(page).getByLabel('URL *').fill('wiki.example.org')
  await page.keyboard.press('Enter')
  const alert = page.getByRole('dialog', { name: 'Invalid URL' })
  await expect(alert.getByText('Please provide the complete URL!')).toBeVisible()
  // Escape closes the alert and leaves the dialog as it is.
  await page.keyboard.press('Escape')
  await expect(alert).toBeHidden()
  await dialog(page).getByLabel('URL *').fill('https://wiki.example.org/runbook')
  await button(page, 'Confirm').click()
  await expect(dialog(page)).toBeHidden()
  await expect(names(page)).toHaveText(['Storefront', 'Pinned page', /^Runbook/])
  const link = navigation(page).getByRole('link', { name: /^Runbook/ })
  await expect(link).toHaveAttribute('href', 'https://wiki.example.org/runbook')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(link).toHaveAttribute('target', '_blank')

  // Another order and another name, which a reload keeps.
  await actions(page, 'Runbook').click()
  await page.getByRole('button', { name: 'Move up' }).click()
  await expect(names(page)).toHaveText(['Storefront', /^Runbook/, 'Pinned page'])
  await actions(page, 'Production').click()
  await page.getByRole('button', { name: 'Edit group name' }).click()
  const edit = page.getByRole('dialog', { name: 'EDIT GROUP NAME' })
  await edit.getByLabel('GROUPNAME').fill('Live')
  await edit.getByRole('button', { name: 'Confirm' }).click()
  await expect(edit).toBeHidden()
  await navigation(page).getByRole('button', { name: 'My Side-bar', exact: true }).click()
  await page.reload()
  await expect(navigation(page).getByRole('button', { name: 'Live', exact: true })).toBeVisible()
  await expect(names(page)).toHaveText([/^Runbook/, 'Pinned page'])
  await navigation(page).getByRole('button', { name: 'My Side-bar', exact: true }).click()
  await expect(names(page)).toHaveCount(3)

  // The app is deleted by somebody who keeps its pins: no dead link, a reason, and a way to remove it.
  const { actionId } = await script.call<{ actionId: string }>('/deployment/v1/helm/deployment/actions.Delete', {
    app: { id: app.id, releaseName },
    leftovers: [{ id: 'pins', choice: 'keep' }],
  })
  await script.ended(actionId)
  const dead = navigation(page).getByRole('button', { name: /^Pinned page gone$/ })
  await expect(dead).toHaveAttribute('aria-disabled', 'true')
  await dead.hover()
  await expect(page.getByRole('tooltip')).toContainText('This has been deleted')

  for (const look of looks) {
    await applyLook(page, look)
    await page.goto('/en/spaces')
    if (look.width < 900)
      await page
        .getByRole('button', { name: /navigation/i })
        .first()
        .click()
    await expect(dead).toBeVisible()
    expect.soft(await faultsOf(page), look.name).toEqual([])
    await navigation(page).getByRole('button', { name: 'Add menu entry' }).click()
    await expect(dialog(page)).toBeVisible()
    expect.soft(await faultsOf(page), `the dialog in ${look.name}`).toEqual([])
    await button(page, 'Cancel').click()
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/en/home')

  await actions(page, 'Pinned page').click()
  await page.getByRole('button', { name: 'Remove pin' }).click()
  await confirmed(page, 'Remove pin')
  await expect(names(page)).toHaveText(['Storefront', /^Runbook/])
  for (const group of ['Live', 'My Side-bar']) {
    await actions(page, group).click()
    await page.getByRole('button', { name: 'Delete group' }).click()
    await confirmed(page, 'Delete group')
  }
  await expect(navigation(page).getByText('Pin what you use often')).toBeVisible()
})
