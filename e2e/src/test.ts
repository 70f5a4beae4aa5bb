import { test as base, expect, type Page } from '@playwright/test'
import { World } from '@quayside/embedded/world'
import { type Script, scriptOf } from './script.ts'
import { signIn } from './sign-in.ts'

type Kept = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>

type WorkerFixtures = {
  /** Settings of the portal, for stories that need other ones than a first start has. */
  settings: Record<string, string>
  /** The whole product with its samples, one for all stories that want the same settings. */
  world: World
  /** An administrator's script: what a story needs but does not tell is done by it. */
  script: Script
  signedIn: Kept
}

/** A browser that is signed in as the administrator; a story fails when its page throws. */
export const test = base.extend<object, WorkerFixtures>({
  settings: [{}, { option: true, scope: 'worker' }],
  world: [
    async ({ settings }, use) => {
      // Slow enough that what is only there for a moment can be seen, also on a busy machine.
      const cluster = { speed: 0.5 }
      await using world = await World.start({ seed: true, cluster, env: { LOG_LEVEL: 'warn', ...settings } })
      await use(world)
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  script: [({ world }, use) => use(scriptOf(world, { realmRoles: ['quayside-admin'] })), { scope: 'worker' }],
  signedIn: [
    async ({ world, browser }, use) => {
      const page = await browser.newPage({ baseURL: world.url })
      await page.goto('/en/home')
      await signIn(page, world.admin)
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
      const kept = await page.context().storageState()
      await page.context().close()
      await use(kept)
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: ({ world }, use) => use(world.url),
  storageState: ({ signedIn }, use) => use(signedIn),
  page: async ({ page }, use) => {
    const thrown: string[] = []
    page.on('pageerror', (error) => thrown.push(error.stack ?? error.message))
    await use(page)
    expect(thrown, 'errors that the page threw').toEqual([])
  },
})

export { expect }

/** Nobody is signed in. */
export const nobody = { cookies: [], origins: [] }
