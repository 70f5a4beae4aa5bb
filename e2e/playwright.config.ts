import { defineConfig } from '@playwright/test'
import { ensureChromium } from '@quayside/embedded/chromium'

/** Each worker runs a whole World. One of them waits for a cluster most of the time: two fill a machine with two cores. */
export default defineConfig({
  testDir: 'src/stories',
  testMatch: '*.story.ts',
  outputDir: 'test-results',
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 15_000,
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: ensureChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'],
    },
  },
})
