import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Locator, Page } from '@playwright/test'
import type { World } from '@quayside/embedded/world'
import { cuttableLine } from '../cuttable-line.ts'
import type { Script } from '../script.ts'
import { expect, test } from '../test.ts'
import { wizardOn } from '../wizard.ts'

/** `LOG_SURVIVES=all` tries ten points of a deployment and both lengths of silence; without it a spread of three. */
const isLong = process.env.LOG_SURVIVES === 'all'
/** Shares of a deployment; those of one round look on at the same one, as many as a small machine can draw. */
const rounds = isLong
  ? [
      [0, 0.2, 0.4, 0.6, 0.8],
      [0.1, 0.3, 0.5, 0.7, 0.9],
    ]
  : [[0, 0.4, 0.8]]
const silences = isLong ? [10, 130] : [10]

test.describe.configure({ timeout: isLong ? 900_000 : 120_000 })

interface Ledger {
  data: { seq: number; event: string; payload: { type?: string; message?: string } }[]
}

/** One browser that looks on at the action; its line can be cut. */
interface Viewer {
  page: Page
  line: Awaited<ReturnType<typeof cuttableLine>>
  close(): Promise<void>
}

/** The longest of the samples: three servers, one after the other. */
const wanted = (name: string) => ({ chart: 'message-broker', name, space: 'Telemetry' })

/** A deployment, and a way to wait until so much of it has happened as a share of an earlier one. */
async function deployment(script: Script, name: string, total: number) {
  const started = await script.startDeploy(wanted(name))
  const events = async () => (await script.call<Ledger>(`/deployment/v1/actions/${started.actionId}/events`)).data
  const reached = async (share: number) => {
    for (;;) {
      const [action, last] = await Promise.all([
        script.call<{ running: boolean; lastSeq: number }>(`/deployment/v1/actions/${started.actionId}`),
        Math.floor(share * total),
      ])
      if (!action.running || action.lastSeq >= last) return
      await sleep(200)
    }
  }
  return { ...started, events, reached }
}
type Deployment = Awaited<ReturnType<typeof deployment>>

test.describe('the log is complete and not doubled', () => {
  let world: World
  let script: Script
  let total = 0
  let kept: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>

  test.beforeAll(async ({ world: shared, signedIn, script: ours }) => {
    world = shared
    kept = signedIn
    script = ours
    const rehearsal = await script.deploy(wanted('Rehearsal'))
    total = (await script.call<{ lastSeq: number }>(`/deployment/v1/actions/${rehearsal.actionId}`)).lastSeq
  })
  test.afterAll(({ putBack }) => putBack())

  async function viewer(browser: Browser): Promise<Viewer> {
    const line = await cuttableLine()
    const context = await browser.newContext({
      baseURL: world.url,
      storageState: kept,
      proxy: { server: line.server, bypass: '<-loopback>' },
    })
    const page = await context.newPage()
    // A page that reads little again when something changes.
    await page.goto('/en/account')
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    return {
      page,
      line,
      async close() {
        await context.close()
        line.close()
      },
    }
  }

  /** One after the other: browsers that all start at once are a load that this is not about. */
  async function viewersFor(browser: Browser, points: readonly number[]): Promise<Viewer[]> {
    const viewers: Viewer[] = []
    for (const _ of points) viewers.push(await viewer(browser))
    return viewers
  }

  /** Without the pointer, which a tab in the background gets late. */
  const press = (button: Locator) =>
    button.evaluate((element) => element instanceof HTMLElement && element.click(), undefined, { timeout: 60_000 })

  /** Tells whether it runs or has ended by now, the home page knows it. */
  async function follow(page: Page, name: string) {
    await page.goto('/en/home')
    await press(page.getByRole('button', { name: new RegExp(`^Deploy ${name}`) }).first())
    await expect(wizardOn(page).dialog).toBeVisible()
  }

  async function expectWhole(page: Page, deployed: Deployment, where: string) {
    const wizard = wizardOn(page)
    await expect(wizard.heading('Deployment Finished'), where).toBeVisible({ timeout: 120_000 })
    const events = await deployed.events()
    const linesOf = (isIam: boolean) =>
      events
        .filter(({ event, payload }) => event === 'message' && (payload.type === 'iam') === isIam)
        .map(({ payload }) => payload.message ?? '')
    for (const [button, isIam] of [
      ['IAM Finished', true],
      ['Deployment Finished', false],
    ] as const) {
      await press(wizard.button(button))
      await expect
        .poll(() => wizard.log.locator('time + span').allTextContents(), { message: `${where}, ${button}` })
        .toEqual(linesOf(isIam))
    }
  }

  test('after a reload', async ({ browser }) => {
    for (const points of rounds) await reloadAt(browser, points)
  })

  async function reloadAt(browser: Browser, points: readonly number[]) {
    const viewers = await viewersFor(browser, points)
    const name = `Reloaded ${points[0]}`
    const deployed = await deployment(script, name, total)
    await Promise.all(
      viewers.map(async ({ page }, index) => {
        await follow(page, name)
        await deployed.reached(points[index] ?? 0)
        await page.reload()
        await follow(page, name)
      }),
    )
    await Promise.all(viewers.map(({ page }, index) => expectWhole(page, deployed, `reload at ${points[index]}`)))
    await Promise.all(viewers.map(({ close }) => close()))
  }

  for (const seconds of silences) {
    test(`after ${seconds} s without a line`, async ({ browser }) => {
      for (const points of rounds) await silenceAt(browser, points, seconds)
    })
  }

  async function silenceAt(browser: Browser, points: readonly number[], seconds: number) {
    const name = `Silent ${seconds} ${points[0]}`
    const viewers = await viewersFor(browser, points)
    const deployed = await deployment(script, name, total)
    await Promise.all(
      viewers.map(async ({ page, line }, index) => {
        await follow(page, name)
        await deployed.reached(points[index] ?? 0)
        line.cut()
        await page.context().setOffline(true)
        await sleep(seconds * 1000)
        line.mend()
        await page.context().setOffline(false)
      }),
    )
    await Promise.all(viewers.map(({ page }, index) => expectWhole(page, deployed, `${seconds} s at ${points[index]}`)))
    await Promise.all(viewers.map(({ close }) => close()))
  }

  test('in three tabs of one browser', async ({ browser }) => {
    // Three of them for each point: two points at a time are enough to draw.
    const all = rounds.flat()
    for (let at = 0; at < all.length; at += 2) await tabsAt(browser, all.slice(at, at + 2))
  })

  async function tabsAt(browser: Browser, points: readonly number[]) {
    const viewers = await viewersFor(browser, points)
    const name = `Three tabs ${points[0]}`
    const deployed = await deployment(script, name, total)
    const tabs = await Promise.all(
      viewers.map(async ({ page }, index) => {
        await deployed.reached(points[index] ?? 0)
        const more = [await page.context().newPage(), await page.context().newPage()]
        const all = [page, ...more]
        await Promise.all(all.map((tab) => follow(tab, name)))
        return all
      }),
    )
    for (const [index, all] of tabs.entries())
      await Promise.all(all.map((tab, number) => expectWhole(tab, deployed, `tab ${number} at ${points[index]}`)))
    await Promise.all(viewers.map(({ close }) => close()))
  }
})
