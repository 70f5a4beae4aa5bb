import type { Page } from '@playwright/test'

/** Fills the identity server's page in, as a person does. */
export async function signIn(page: Page, { username, password }: { username: string; password: string }) {
  await page.getByLabel('Username or e-mail').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
