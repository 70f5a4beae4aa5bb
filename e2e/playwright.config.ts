import { defineConfig } from '@playwright/test'
import { ensureChromium } from '@quayside/embedded/chromium'

/** Each worker runs a whole World and waits for its cluster half of the time: three keep two cores busy. */
export default defineConfig({
  testDir: 'src/stories',
  testMatch: '*.story.ts',
  outputDir: 'test-results',
  workers: 3,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 15_000,
    screenshot: 'only-on-failure',
    // Animations are drawn by the processor here.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: ensureChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'],
    },
  },
})
