import { type Browser, expect, type Page } from '@playwright/test'
import type { World } from '@quayside/embedded/world'
import { signIn } from './sign-in.ts'
import { nobody } from './test.ts'

/** A browser of a person's own, on the page that the person was sent to. */
export async function browserOf(
  browser: Browser,
  world: World,
  who: { username: string; password: string },
  path: string,
): Promise<Page> {
  const viewport = { width: 1440, height: 900 }
  const context = await browser.newContext({ baseURL: world.url, viewport, storageState: nobody })
  const page = await context.newPage()
  await page.goto('/en/home')
  await signIn(page, who)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.goto(`/en/${path}`)
  return page
}
