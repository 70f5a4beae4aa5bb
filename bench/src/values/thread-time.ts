import type { Page } from '@playwright/test'

/**
 * How long the main thread of a page has been at these kinds of work, in ms, by the browser's own account. It is the
 * time of the thread itself: what others on the machine do meanwhile does not count.
 */
export async function threadTime(page: Page, kinds: readonly string[]): Promise<() => Promise<number>> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await browser.send('Performance.getMetrics')
    const taken = metrics.filter(({ name }) => kinds.includes(name)).map(({ value }) => value)
    if (taken.length < kinds.length) throw new Error(`The browser does not tell all of ${kinds.join(', ')}`)
    return taken.reduce((sum, value) => sum + value, 0) * 1000
  }
}
