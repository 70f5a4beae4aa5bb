import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, type Page, test as plain } from '@playwright/test'
import { signIn } from '../sign-in.ts'

const root = resolve(import.meta.dirname, '../../..')

const pollEagerly = { timeout: 90_000, intervals: [50] }

/** `npm start` in a terminal of its own, so that Ctrl-C reaches all that it started. */
function npmStart(dataDir: string, port: number) {
  const child = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: 'true', QUAYSIDE_DATA_DIR: dataDir, QUAYSIDE_PORT: String(port) },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  const exited = once(child, 'exit')
  const since = performance.now()
  return {
    child,
    exited,
    text: () => text,
    /** The printed table, and how long it took to come. */
    async table() {
      const until = expect.poll(() => (child.exitCode === null ? text : `It ended:\n${text}`), pollEagerly)
      await until.toMatch(/Ctrl-C stops everything\.|^It ended:/)
      expect(child.exitCode, text).toBeNull()
      const rows = [...text.matchAll(/│ (\S.*?) +│ (\S.*?) +│/g)].map(([, label = '', value = '']) => [label, value])
      return { ms: performance.now() - since, rows: Object.fromEntries(rows) as Record<string, string> }
    },
    async interrupt() {
      process.kill(-(child.pid ?? Number.NaN), 'SIGINT')
      await exited
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Programs that still work in the data folder, by their command lines. */
function leftIn(dataDir: string): string[] {
  if (!existsSync('/proc/self/cmdline')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const file = `/proc/${pid}/cmdline`
      return existsSync(file) && statSync(file).isFile() ? [readFileSync(file, 'utf8').replaceAll('\0', ' ')] : []
    })
    .filter((line) => line.includes(dataDir))
}

/** A person of a team signs in with what the table shows and sees the space of that team, and no other one. */
async function seesTheTeamAlone(page: Page, rows: Record<string, string>) {
  const [username = '', password = ''] = rows['Storefront team']?.split(' / ') ?? []
  const context = await page.context().browser()?.newContext()
  const theirs = await context?.newPage()
  if (!theirs) throw new Error('the browser is gone')
  await theirs.goto(`${rows.URL}/en/spaces`)
  await signIn(theirs, { username, password })
  await expect(theirs.getByText('Storefront').first()).toBeVisible()
  await expect(theirs.getByText('Telemetry')).toHaveCount(0)
  await context?.close()
}

plain.describe.configure({ mode: 'serial', timeout: 180_000 })

let dataDir: string
let port: number
plain.beforeAll(async () => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'quayside-e2e-')), 'data')
  port = await freePort()
})
plain.afterAll(() => rmSync(resolve(dataDir, '..'), { recursive: true, force: true }))

plain('one command leads to a signed-in portal; Ctrl-C leaves nothing; the second start is quick', async ({ page }) => {
  const first = npmStart(dataDir, port)
  const { rows, ms } = await first.table()
  const labels = ['URL', 'User', 'Password', 'Storefront team', 'Telemetry team', 'Data folder', 'Kubeconfig']
  expect(Object.keys(rows)).toEqual(labels)
  expect(rows).toMatchObject({ URL: `http://localhost:${port}`, User: 'admin', 'Data folder': dataDir })
  expect(readFileSync(rows.Kubeconfig ?? '', 'utf8')).toContain('kind: Config')
  await page.goto(rows.URL ?? '')
  await signIn(page, { username: rows.User ?? '', password: rows.Password ?? '' })
  await expect(page).toHaveURL(`http://localhost:${port}/en/home`)
  await page.goto(`${rows.URL}/en/spaces`)
  await expect(page.getByText('Storefront').first()).toBeVisible()
  await expect(page.getByText('Telemetry').first()).toBeVisible()
  await page.goto(`${rows.URL}/en/catalog/apps`)
  await expect(page.getByRole('article').nth(7)).toBeVisible()

  await seesTheTeamAlone(page, rows)

  await first.interrupt()
  expect(first.text()).toContain('Stopping …')
  await expect.poll(() => leftIn(dataDir)).toEqual([])

  const second = npmStart(dataDir, port)
  const again = await second.table()
  expect(again.rows).toEqual(rows)
  expect(second.text()).not.toContain('First content')
  expect(again.ms, 'milliseconds of the second start').toBeLessThan(Math.max(ms, 8000))
  await page.goto(`${rows.URL}/en/spaces`)
  await expect(page.getByText('Storefront').first()).toBeVisible()
  await second.interrupt()
  await expect.poll(() => leftIn(dataDir)).toEqual([])
})

plain('a taken port is said in one sentence that names the way out', async () => {
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  const refused = npmStart(dataDir, port)
  const [code] = await refused.exited
  other.close()
  expect(code).not.toBe(0)
  expect(refused.text()).toContain(
    `Port ${port} is taken by another program. Set QUAYSIDE_PORT to a free one: QUAYSIDE_PORT=${port + 1} npm start`,
  )
  expect(refused.text()).not.toMatch(/^ +at /m)
})
