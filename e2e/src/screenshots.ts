import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { chromium, expect, type Page } from '@playwright/test'
import { findChromium } from '@quayside/embedded/chromium'
import { World } from '@quayside/embedded/world'
import { scriptOf } from './script.ts'
import { signIn } from './sign-in.ts'
import { openInstall } from './wizard.ts'

const folder = resolve(import.meta.dirname, '../../docs/images')
mkdirSync(folder, { recursive: true })

await using world = await World.start({ seed: true, cluster: { speed: 0.5 }, env: { LOG_LEVEL: 'warn' } })
const script = scriptOf(world, { realmRoles: ['quayside-admin'] })
const apps = [
  { chart: 'web-page', version: '1.1.0', name: 'Shop front' },
  { chart: 'key-value-store', name: 'Sessions' },
  { chart: 'sql-database', name: 'Orders' },
  { chart: 'message-broker', name: 'Readings', space: 'Telemetry' },
  { chart: 'sensor-flow', name: 'Tank levels', space: 'Telemetry' },
]
const deployed = await Promise.all(apps.map((app) => script.deploy(app)))

const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
})
const page = await browser.newPage({
  baseURL: world.url,
  viewport: { width: 1440, height: 900 },
  reducedMotion: 'reduce',
})
try {
  await takeAll(page)
} finally {
  await browser.close()
}

/** Waits until nothing on the page is busy; an instant, which would be over by then, is taken at once. */
async function shot(name: string, { instant = false } = {}) {
  await page.mouse.move(0, 0)
  if (!instant) await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.screenshot({ path: resolve(folder, `${name}.png`) })
  console.log(`docs/images/${name}.png`)
}

async function takeAll(on: Page) {
  await on.goto('/en/home')
  await signIn(on, world.admin)
  await expect(on.getByText('Shop front').first()).toBeVisible()
  await shot('home')
  await on.goto('/en/catalog/apps')
  await expect(on.getByRole('article').first()).toBeVisible()
  await shot('catalog')
  await takeWizard(on)
  await on.goto(`/en/apps/${deployed[0]?.app.id}`)
  await expect(on.getByText(/^Pod ·/).first()).toBeVisible()
  await shot('app')
  await on.evaluate(() => {
    localStorage.setItem('quayside.theme', 'app-light')
    localStorage.setItem('quayside.direction', 'rtl')
  })
  await on.goto('/en/apps')
  await expect(on.getByText('Tank levels')).toBeVisible()
  await shot('apps-light-rtl')
  await on.evaluate(() => localStorage.clear())
  await on.setViewportSize({ width: 390, height: 844 })
  await on.goto('/en/catalog/apps')
  await expect(on.getByRole('article').first()).toBeVisible()
  await shot('catalog-390')
}

async function takeWizard(on: Page) {
  const wizard = await openInstall(on, 'SQL Database')
  await wizard.assign('Storefront', 'Invoices')
  await wizard.dialog.getByRole('button', { name: /^Storage/ }).click()
  await shot('wizard-infrastructure')
  await wizard.toSummary()
  await wizard.button('Deploy').click()
  await expect(wizard.dialog.getByRole('heading', { name: /^WAITING FOR/ })).toBeVisible()
  await shot('wizard-deployment', { instant: true })
  await expect(wizard.heading('Deployment Finished')).toBeVisible({ timeout: 60_000 })
  await wizard.button('Close').click()
}
