import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { ensureChromium } from '../chromium.ts'
import { buildWeb } from '../launch/web-build.ts'
import { runBounded } from './bounded.ts'
import { type Count, countPlaywright, countVitest, judge } from './reports.ts'

/** A stage that is not through in this time hangs: it is ended, so that the others still run and the sum is told. */
type Stage = { name: string; minutes: number; run: (place: Place) => Promise<Count> }
type Place = { root: string; reports: string; milliseconds: number }

const stages: Stage[] = [
  { name: 'style', minutes: 2, run: (place) => check(place, '@biomejs/biome/bin/biome', ['check', '.']) },
  { name: 'import law', minutes: 2, run: (place) => check(place, '../law/check.ts', []) },
  { name: 'types', minutes: 5, run: (place) => check(place, 'typescript/bin/tsc', ['-p', 'tsconfig.json']) },
  { name: 'unit tests', minutes: 10, run: (place) => vitest(place, ['unit', 'web']) },
  { name: 'http tests', minutes: 25, run: (place) => vitest(place, ['http']) },
  { name: 'web build', minutes: 3, run: ({ root }) => buildWeb(root).then(() => ({ passed: 1, failed: 0 })) },
  { name: 'browser journeys', minutes: 40, run: playwright },
]

/** Runs every stage, also after one has failed, and sums up. */
export async function runStages(root: string): Promise<Count> {
  const reports = mkdtempSync(join(tmpdir(), 'quayside-reports-'))
  const results: (Count & { name: string; seconds: number })[] = []
  for (const { name, minutes, run } of stages) {
    console.log(`\n== ${name}`)
    const since = performance.now()
    const count = await run({ root, reports, milliseconds: minutes * 60_000 }).catch((error) => {
      console.error(error instanceof Error ? error.message : error)
      return { passed: 0, failed: 1 }
    })
    const result = { name, ...count, seconds: (performance.now() - since) / 1000 }
    results.push(result)
    console.log(`== ${line(result)}`)
  }
  rmSync(reports, { recursive: true, force: true })
  // Once more at the end: what went wrong early is far above, or cut off, where a log keeps its last lines only.
  for (const { test, message } of results.flatMap(({ failures = [] }) => failures))
    console.log(`\nFAILED ${relative(root, resolve(root, test))}\n${message.replace(/^/gm, '    ')}`)
  console.log(`\n${results.map(line).join('\n')}\n`)
  return results.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  })
}

const line = ({ name, passed, failed, seconds }: Count & { name: string; seconds: number }) =>
  `${failed > 0 ? 'FAILED' : 'ok    '} ${name}: ${passed} passed, ${failed} failed (${seconds.toFixed(1)} s)`

/** Runs a program of the installation with our own Node; resolves with its exit code. */
async function program({ root, milliseconds }: Place, path: string, args: string[], env = {}): Promise<number> {
  const argv = [join(root, 'node_modules', path), ...args]
  const { code, isLate } = await runBounded(process.execPath, argv, { cwd: root, env, milliseconds })
  if (isLate) console.error(`Ended: it was not through after ${milliseconds / 60_000} minutes.`)
  return code
}

/** A check counts as one test. */
async function check(place: Place, path: string, args: string[]): Promise<Count> {
  return (await program(place, path, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function vitest(place: Place, projects: string[]): Promise<Count> {
  const report = join(place.reports, `${projects.join('-')}.json`)
  const args = ['run', ...projects.flatMap((name) => ['--project', name]), '--reporter=default', '--reporter=json']
  const code = await program(place, 'vitest/vitest.mjs', [...args, `--outputFile.json=${report}`])
  return judge(
    code,
    existsSync(report) ? countVitest(JSON.parse(readFileSync(report, 'utf8'))) : { passed: 0, failed: 1 },
  )
}

async function playwright(place: Place): Promise<Count> {
  const report = join(place.reports, 'playwright.json')
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json']
  const env = { CHROMIUM_BIN: ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const code = await program(place, '@playwright/test/cli.js', args, env)
  return judge(
    code,
    existsSync(report) ? countPlaywright(JSON.parse(readFileSync(report, 'utf8'))) : { passed: 0, failed: 1 },
  )
}
