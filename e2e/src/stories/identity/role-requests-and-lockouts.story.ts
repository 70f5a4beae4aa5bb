import { browserOf } from '../../browser-of.ts'
import { signIn } from '../../sign-in.ts'
import { expect, nobody, test } from '../../test.ts'

test.use({ storageState: nobody })

test('somebody asks for a role where a page is closed, works with it without a reload, and loses it', async ({
  browser,
  world,
}) => {
  test.setTimeout(120_000)
  const person = await world.personWith({ realmRoles: ['quayside-member'] })
  const asker = await browserOf(browser, world, person, 'clusters')
  await expect(asker.getByRole('heading', { name: 'You do not have access to this page' })).toBeVisible()
  await asker.getByRole('button', { name: 'Ask for access' }).click()
  const ask = asker.getByRole('dialog', { name: 'Ask for access' })
  await ask.getByLabel(/^Reason/).fill('I look after the nodes on Friday')
  await ask.getByLabel('For how long').selectOption({ label: '1 hour' })
  await ask.getByRole('button', { name: 'Send request' }).click()
  await expect(ask.getByText('Your request was sent')).toBeVisible()
  await ask.getByRole('button', { name: 'Close' }).last().click()

  const admin = await browserOf(browser, world, world.admin, 'users?tab=requests')
  const card = admin.getByRole('article', { name: /asks for access \(clusters\)/ })
  await expect(card).toContainText('I look after the nodes on Friday')
  await card.getByRole('button', { name: 'Grant for 1 hour' }).click()
  await expect(admin.getByText('No requests for tenant roles')).toBeVisible()
  const clusters = asker.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Clusters' })
  await expect(clusters).toBeVisible({ timeout: 30_000 })

  const given = admin.getByRole('table', { name: 'Roles granted on request' })
  await given
    .getByRole('row')
    .filter({ hasText: 'access (clusters)' })
    .getByRole('button', { name: /^Actions/ })
    .click()
  await admin.getByRole('menuitem', { name: 'Revoke' }).click()
  await admin.getByRole('dialog', { name: 'Remove role' }).getByRole('button', { name: 'Confirm' }).click()
  await expect(admin.getByText('No roles granted on request')).toBeVisible()
  await expect(clusters).toBeHidden({ timeout: 30_000 })
  for (const page of [asker, admin]) await page.context().close()
})

test('somebody who is locked out after wrong passwords is let in again by an administrator', async ({
  browser,
  page,
  world,
}) => {
  test.setTimeout(120_000)
  const [person, directory] = [await world.personWith({ realmRoles: ['quayside-member'] }), await world.directory()]
  const realm = await directory.get<object>('')
  await directory.put('', { ...realm, bruteForceProtected: true, failureFactor: 2, quickLoginCheckMilliSeconds: 0 })
  try {
    await page.goto('/en/home')
    for (const password of ['not-it-4711', 'nor-this-4711', person.password]) {
      await signIn(page, { ...person, password })
      await expect(page.getByRole('alert')).toBeVisible()
    }
    await expect(page.getByRole('alert')).toContainText('Too many attempts')

    const admin = await browserOf(browser, world, world.admin, `users?q=${person.username}`)
    const row = admin.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: 'Locked out' })
    await row.getByRole('button', { name: /^Unlock/ }).click()
    await expect(row).toHaveCount(0)
    await expect(admin.getByRole('list', { name: 'Unlocked' })).toContainText('was unlocked by')
    await admin.context().close()
    await signIn(page, person)
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  } finally {
    await directory.put('', realm)
  }
})
