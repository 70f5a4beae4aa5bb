import { expect, nobody, test } from '../../test.ts'

test('a rule for passwords is tried, saved and met by whoever chooses a new password', async ({
  page,
  browser,
  world,
}) => {
  // With a password of before the rule.
  const person = await world.personWith({ realmRoles: ['quayside-member'] })
  await page.goto('/en/home')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Policies' }).click()
  const rules = page.getByRole('form', { name: 'Password policy' })
  const save = page.getByRole('button', { name: 'Save: Password policy' })
  await rules.getByRole('checkbox', { name: 'Digits' }).check()
  await rules.getByRole('textbox', { name: 'Digits: at least' }).fill('2')
  const verdict = page.getByRole('list', { name: 'Rules and the password' }).getByRole('listitem').last()
  await page.getByLabel('Password to try').fill('only 1 digit')
  await expect(verdict).toHaveText('Digits: at least 2Not met')
  await page.getByLabel('Password to try').fill('here are 22')
  await expect(verdict).toHaveText('Digits: at least 2Met')
  await save.click()
  await expect(rules.getByText('Saved')).toBeVisible()

  const directory = await world.directory()
  const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${person.username}`)
  await directory.put(`/users/${user?.id}`, { requiredActions: ['UPDATE_PASSWORD'] })
  const context = await browser.newContext({ baseURL: world.url, storageState: nobody })
  const other = await context.newPage()
  await other.goto('/en/home')
  await other.getByLabel('Username or e-mail').fill(person.username)
  await other.getByLabel('Password').fill(person.password)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await expect(other.getByText('At least 2 digits')).toBeVisible()
  const choose = async (password: string) => {
    await other.getByLabel('New password').fill(password)
    await other.getByLabel('Confirm password').fill(password)
    await other.getByRole('button', { name: 'Save and continue' }).click()
  }
  await choose('only 1 digit')
  await expect(other.getByRole('alert')).toContainText('must contain at least 2 numerical digits')
  await choose('here are 22')
  await expect(other.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await context.close()

  await rules.getByRole('checkbox', { name: 'Digits' }).uncheck()
  await save.click()
  const question = page.getByRole('dialog', { name: 'Accept weaker passwords' })
  await expect(question).toContainText('No longer required: Digits: at least 2.')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(rules.getByText('Saved')).toBeVisible()
})

test('settings of sign-in are asked about where they open something, and refused in words', async ({ page, world }) => {
  await page.goto('/en/login-settings')
  const defence = page.getByRole('form', { name: 'Brute force detection' })
  await defence.getByRole('checkbox', { name: 'Lock out after wrong passwords' }).uncheck()
  await page.getByRole('button', { name: 'Save: Brute force detection' }).click()
  const question = page.getByRole('dialog', { name: 'Change how people sign in' })
  await expect(question).toContainText('attackers can guess passwords of everybody in this tenant')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard changes: Brute force detection' }).click()
  await expect(defence.getByRole('checkbox', { name: 'Lock out after wrong passwords' })).toBeChecked()

  const login = page.getByRole('form', { name: 'Signing in' })
  await login.getByRole('checkbox', { name: 'One e-mail address for several people' }).check()
  await page.getByRole('button', { name: 'Save: Signing in' }).click()
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(login.getByText('only where nobody signs in or registers with an e-mail address')).toBeVisible()
  const directory = await world.directory()
  expect(await directory.get('')).toMatchObject({ duplicateEmailsAllowed: false, bruteForceProtected: true })
})
