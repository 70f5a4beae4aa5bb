import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { World } from '@quayside/embedded/world'
import { quantile } from '../statistics.ts'
import type { Sample } from './samples.ts'
import { threadTime } from './thread-time.ts'

const letters = 30
/** A percentile needs more edits than a few; each is what was typed when the typing rests. */
const edits = 24
const lettersPerEdit = 3
const betweenMs = 120
/** The field tells of its edit within this. */
const settledMs = 450
const longTaskMs = 50
/** After this everything that follows an edit is done. */
const restMs = 2500

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
    return { letters, bytes: text.length, ...(await typing(page)), yaml: await typingYaml(page) }
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
  // The work of opening the form is over when the server has validated the values.
  await dialog.getByText(/ OK$/).waitFor({ timeout: 60_000 })
}

async function typing(page: Page) {
  const work = await threadTime(page, ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'])
  await watchTasks(page)
  const field = page.getByRole('dialog').first().getByLabel('Repository', { exact: true }).first()
  await field.click()
  const threadMs: number[] = []
  for (let edit = 0; edit < edits; edit += 1) {
    for (let letter = 0; letter < lettersPerEdit; letter += 1) await typeLetter(page)
    // The letters have been drawn, and what follows now is the edit: its values, and all that is drawn for it.
    const [before, known] = [await work(), (await editTimes(page)).length]
    await page.waitForTimeout(settledMs)
    const after = await work()
    // On a busy machine it may have come before the first look.
    if ((await editTimes(page)).length === known + 1) threadMs.push(after - before)
  }
  await field.blur()
  await page.waitForTimeout(restMs)
  const marks = await editTimes(page)
  if (threadMs.length < edits * 0.75) throw new Error(`Of ${edits} edits only ${threadMs.length} could be told apart`)
  return {
    ...(await tasksOf(page)),
    edits: threadMs.length,
    editMs: quantile(marks, 0.95),
    medianThreadMs: quantile(threadMs, 0.5),
    threadMs: quantile(threadMs, 0.95),
  }
}

function editTimes(page: Page): Promise<number[]> {
  return page.evaluate(() => performance.getEntriesByName('values-edit').map(({ duration }) => duration))
}

/** The same in the YAML view, where every letter is an edit; scripts of the page are counted by the browser itself. */
async function typingYaml(page: Page) {
  await page.getByRole('dialog').first().getByRole('button', { name: 'YAML', exact: true }).click()
  const line = page.locator('.cm-line', { hasText: 'replicas: 1' }).first()
  await line.click()
  await page.keyboard.press('End')
  await page.keyboard.type(' # ')
  await page.waitForTimeout(restMs)
  const scripts = await threadTime(page, ['ScriptDuration'])
  await watchTasks(page)
  const before = await scripts()
  await typeLetters(page)
  await page.waitForTimeout(restMs)
  const scriptMs = (await scripts()) - before
  const shown = await page.locator('.cm-content').textContent()
  if (!shown?.includes(`# ${'x'.repeat(letters)}`)) throw new Error('The letters did not arrive in the YAML view')
  return { ...(await tasksOf(page)), editMs: scriptMs / letters }
}

async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(window, { tasks })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) tasks.push(entry.duration)
    }).observe({ type: 'longtask' })
  })
}

async function tasksOf(page: Page) {
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks)
  return {
    longTasks: tasks.filter((duration) => duration > longTaskMs).length,
    longestTaskMs: Math.max(0, ...tasks),
  }
}

async function typeLetter(page: Page): Promise<void> {
  await page.keyboard.type('x')
  await page.waitForTimeout(betweenMs)
}

async function typeLetters(page: Page): Promise<void> {
  for (let at = 0; at < letters; at += 1) {
    await typeLetter(page)
    // Pause after every fifth letter, so that debounced work runs and is measured too.
    if (at % 5 === 4) await page.waitForTimeout(400)
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
