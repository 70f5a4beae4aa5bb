import { test as base, expect, type Page } from '@playwright/test'
import { contentsOf } from '@quayside/embedded/story/contents'
import { World } from '@quayside/embedded/world'
import { type Script, scriptOf } from './script.ts'
import { signIn } from './sign-in.ts'
import { type Tidy, tidyOf } from './tidy.ts'

type Kept = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>

type WorkerFixtures = {
  /** Settings of the portal, for stories that need other ones than a first start has. */
  settings: Record<string, string>
  /** The whole product with its samples, one for all stories that want the same settings. */
  world: World
  /** An administrator's script: what a story needs but does not tell is done by it. */
  script: Script
  signedIn: Kept
  tidy: Tidy
  /** For the `afterAll` of a file that makes things for all of its stories. */
  putBack: () => Promise<void>
}

/**
 * A browser that is signed in as the administrator; a story fails when its page throws, and when it leaves its World
 * other than it was, which the next story would find.
 */
export const test = base.extend<{ asFound: undefined }, WorkerFixtures>({
  settings: [{}, { option: true, scope: 'worker' }],
  world: [
    async ({ settings }, use) => {
      // Slow enough that what is only there for a moment can be seen, also on a busy machine.
      const cluster = { speed: 0.5 }
      await using world = await World.start({
        seed: true,
        cluster,
        metrics: { everySeconds: 3 },
        env: { LOG_LEVEL: 'warn', QUAYSIDE_WAITING_HELMS: '0', ...settings },
      })
      await use(world)
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  script: [
    async ({ world }, use) => {
      const script = scriptOf(world, { realmRoles: ['quayside-admin'] })
      // Its account belongs to how the World is found.
      await script.token()
      await use(script)
    },
    { scope: 'worker' },
  ],
  tidy: [
    async ({ world, script }, use) => use(tidyOf(world, script, await contentsOf(world))),
    // A `beforeAll` would otherwise come first, and what it makes would count as found.
    { scope: 'worker', auto: true, timeout: 60_000 },
  ],
  putBack: [
    ({ tidy }, use) => use(async () => expect(await tidy.putBack(), 'after all stories of the file').toEqual([])),
    { scope: 'worker' },
  ],
  asFound: [
    async ({ tidy }, use, story) => {
      await tidy.begin(story.file)
      await use(undefined)
      // After one that has failed, the next one gets a new worker with a new World.
      if (story.status === story.expectedStatus) expect(await tidy.end(), 'after the story').toEqual([])
    },
    { auto: true, timeout: 90_000 },
  ],
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
    page.on('pageerror', (error) => thrown.push(error.stack || `${error.name}: ${error.message}`))
    await use(page)
    expect(thrown, 'errors that the page threw').toEqual([])
  },
})

export { expect }

/** Nobody is signed in. */
export const nobody = { cookies: [], origins: [] }
