import { expect, type Locator, type Page } from '@playwright/test'

/** The deployment wizard as a person sees it: one dialog, its steps and its buttons. */
export function wizardOn(page: Page) {
  const dialog = page.getByRole('dialog')
  const button = (name: string) => dialog.getByRole('button', { name, exact: true })
  const wizard = {
    dialog,
    button,
    steps: dialog.getByRole('list', { name: 'Steps' }).getByRole('listitem'),
    step: dialog.locator('[aria-current=step]'),
    space: dialog.getByRole('button', { name: /^SPACE/ }),
    cluster: dialog.getByRole('button', { name: /^CLUSTER/ }),
    version: dialog.getByRole('button', { name: /^VERSION/ }),
    log: dialog.getByRole('log'),
    bar: dialog.getByRole('progressbar').first(),
    heading: (name: string) => dialog.getByRole('heading', { level: 2, name, exact: true }),
    async choose(select: Locator, option: string) {
      await select.click()
      await page.getByRole('option').filter({ hasText: option }).click()
    },
    /** From an open General Information to a validated Infrastructure. */
    async assign(space: string, name?: string) {
      await wizard.choose(wizard.space, space)
      if (name !== undefined) await dialog.getByLabel('APP NAME').fill(name)
      await button('Next').click()
      await expect(dialog.getByText('Setup basic infrastructure parameters for your new deployment')).toBeVisible()
      await expect(button('Next')).toBeEnabled()
    },
    /** Closes it although something was entered, which is asked first. */
    async leave(cancel: string) {
      await button(cancel).click()
      const question = page.getByRole('dialog', { name: 'Discard your changes?' })
      // An app that was assigned for an installation goes with its wizard.
      const isGoing = cancel === 'Cancel Deployment' ? page.waitForResponse(/actions\.Delete/) : undefined
      await question.getByRole('button', { name: 'Confirm', exact: true }).click()
      await isGoing
    },
    async toSummary() {
      await expect(button('Next')).toBeEnabled()
      await button('Next').click()
      await expect(dialog.getByRole('table', { name: 'General Info' })).toBeVisible()
    },
  }
  return wizard
}

/** Opens the install wizard from the item's card in the catalog. */
export async function openInstall(page: Page, item: string) {
  await page.goto('/en/catalog/apps')
  await page.getByRole('button', { name: `Deploy ${item}`, exact: true }).click()
  const wizard = wizardOn(page)
  await expect(wizard.steps.first()).toBeVisible()
  return wizard
}
