import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { World } from '@quayside/embedded/world'
import { quantile } from '../statistics.ts'
import type { Sample } from './samples.ts'

const letters = 30
const betweenMs = 120
const longTaskMs = 50

/** Types into a field of the wizard over these values, in Chromium, and reads what its main thread did meanwhile. */
export async function typeIntoForm({ text }: Sample) {
  await using world = await World.start({ seed: true, env: { LOG_LEVEL: 'warn' } })
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(chart(text))]), 'large-1.0.0.tgz')
  const uploaded = await world.api('/catalog/v1/upload/uploadasync', { token, body: form })
  const { versionId } = (await uploaded.json()) as { versionId: string }
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ baseURL: world.url })
    await openForm(page, world, versionId)
    return { letters, bytes: text.length, ...(await typing(page)) }
  } finally {
    await browser.close()
  }
}

async function openForm(page: Page, world: World, versionId: string): Promise<void> {
  await page.goto('/en/home')
  await page.fill('input[name=username]', world.admin.username)
  await page.fill('input[name=password]', world.admin.password)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.goto(`/en/catalog/apps?deploy=${versionId}`)
  const dialog = page.getByRole('dialog').first()
  await dialog.getByRole('button', { name: /^SPACE/ }).click()
  await page.getByRole('option').filter({ hasText: 'Telemetry' }).click()
  await dialog.getByRole('button', { name: 'Next', exact: true }).click()
  await dialog.getByText('Setup basic infrastructure').waitFor()
  // What opening costs is over when the server has looked at the values.
  await dialog.getByText(/ OK$/).waitFor({ timeout: 60_000 })
}

async function typing(page: Page) {
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(window, { tasks })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) tasks.push(entry.duration)
    }).observe({ type: 'longtask' })
  })
  const field = page.getByRole('dialog').first().getByLabel('Repository', { exact: true }).first()
  await field.click()
  const edits: number[] = []
  for (let at = 0; at < letters; at += 1) {
    const start = await page.evaluate(() => performance.now())
    await page.keyboard.type('x')
    await page.waitForTimeout(betweenMs)
    // A form commits when the typing rests: every fifth letter it may.
    if (at % 5 === 4) await page.waitForTimeout(400)
    edits.push((await page.evaluate(() => performance.now())) - start)
  }
  await field.blur()
  await page.waitForTimeout(500)
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks)
  const marks = await page.evaluate(() => performance.getEntriesByName('values-edit').map(({ duration }) => duration))
  return {
    longTasks: tasks.filter((duration) => duration > longTaskMs).length,
    longestTaskMs: Math.max(0, ...tasks),
    editMs: marks.length > 0 ? quantile(marks, 0.95) : 0,
  }
}

function chart(values: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'quayside-bench-chart-'))
  try {
    mkdirSync(join(folder, 'large/templates'), { recursive: true })
    writeFileSync(join(folder, 'large/Chart.yaml'), 'apiVersion: v2\nname: large\nversion: 1.0.0\n')
    writeFileSync(join(folder, 'large/values.yaml'), values)
    const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n'
    writeFileSync(join(folder, 'large/templates/map.yaml'), map)
    return execFileSync('tar', ['-czf', '-', '-C', folder, 'large'])
  } finally {
    rmSync(folder, { recursive: true })
  }
}
