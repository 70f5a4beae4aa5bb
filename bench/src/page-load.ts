import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import { findChromium } from '@quayside/embedded/chromium'
import { type Started, withProduct } from './product/product.ts'
import type { Report } from './report.ts'
import { median, round } from './statistics.ts'

const rounds = 5

interface Load {
  lcp: number
  tbt: number
  bytes: number
  scriptBytes: number
}

/** Home, cold, for a person who has signed in, in headless Chromium: as it is and with the processor slowed down. */
export function pageLoad(): Promise<Report> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('there is no Chromium here: install one or set CHROMIUM_BIN')
  return withProduct(async (product) => {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
    try {
      const signedIn = await signIn(browser, product)
      const rows: Report['rows'] = []
      for (const slowDown of [1, 4]) {
        const loads: Load[] = []
        for (let at = 0; at <= rounds; at += 1) {
          const load = await loadHome(browser, product, signedIn, slowDown)
          if (at > 0) loads.push(load)
        }
        const of = (pick: (load: Load) => number) => round(median(loads.map(pick)))
        const sizes = [of((one) => one.bytes), of((one) => one.scriptBytes)]
        rows.push([`${slowDown}×`, of((one) => one.lcp), of((one) => one.tbt), ...sizes])
      }
      const [plain, slow] = rows
      return {
        bench: 'page-load',
        columns: ['processor slow-down', 'LCP ms', 'TBT ms', 'bytes received', 'of these scripts'],
        rows,
        notes: [
          `Chromium ${browser.version()}, ${rounds} rounds after one warm-up, medians; empty cache, loopback, 1440×900.`,
          `LCP slowed down to LCP: ${round(Number(slow?.[1]) / Number(plain?.[1]), 2)}. Good is at most 2500 ms.`,
          'TBT: what long tasks take beyond 50 ms each, until the network has been quiet.',
        ],
      }
    } finally {
      await browser.close()
    }
  })
}

async function signIn(browser: Browser, { url, admin }: Started) {
  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  await page.goto('/en/home')
  await page.getByLabel('Username or e-mail').fill(admin.username)
  await page.getByLabel('Password').fill(admin.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

async function loadHome(
  browser: Browser,
  { url }: Started,
  storageState: Awaited<ReturnType<BrowserContext['storageState']>>,
  slowDown: number,
): Promise<Load> {
  const context = await browser.newContext({ baseURL: url, storageState, viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
    const scripts = new Set<string>()
    let [bytes, scriptBytes] = [0, 0]
    session.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script') scripts.add(requestId)
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      bytes += encodedDataLength
      if (scripts.has(requestId)) scriptBytes += encodedDataLength
    })
    await page.addInitScript(watchPaint)
    await page.goto('/en/home')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await page.waitForLoadState('networkidle')
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: { lcp: number; tbt: number } }).seen)
    return { ...seen, bytes, scriptBytes }
  } finally {
    await context.close()
  }
}

/** Runs in the page before anything else. */
function watchPaint() {
  const seen = { lcp: 0, tbt: 0 }
  Object.assign(globalThis, { seen })
  const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('largest-contentful-paint', (entry) => {
    seen.lcp = entry.startTime
  })
  watch('longtask', (entry) => {
    seen.tbt += Math.max(0, entry.duration - 50)
  })
}
