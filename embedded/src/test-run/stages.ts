import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { ensureChromium } from '../chromium.ts'
import { buildWeb } from '../launch/web-build.ts'
import { runBounded } from './bounded.ts'
import { timesVariable } from './file-times.ts'
import { type Count, countPlaywright, countVitest, judge, slowest } from './reports.ts'

/** A stage that is not through in this time hangs: it is ended, so that the others still run and the sum is told. */
type Stage = { name: string; minutes: number; run: (place: Place) => Promise<Count> }
type Result = Count & { name: string; seconds: number }
type Place = { root: string; reports: string; milliseconds: number }

/** Stages of `npm test`. */
export const shortLine: Stage[] = [
  { name: 'style', minutes: 2, run: (place) => check(place, '@biomejs/biome/bin/biome', ['check', '.']) },
  { name: 'architecture check', minutes: 2, run: (place) => check(place, '../tools/architecture/check.ts', []) },
  {
    name: 'permissions page',
    minutes: 2,
    run: (place) => check(place, '../tools/architecture/permissions-page.ts', ['--check']),
  },
  { name: 'types', minutes: 5, run: (place) => check(place, 'typescript/bin/tsc', ['-p', 'tsconfig.json']) },
  { name: 'unit tests', minutes: 10, run: (place) => vitest(place, ['unit', 'web']) },
  { name: 'http tests', minutes: 25, run: (place) => vitest(place, ['http']) },
  { name: 'web build', minutes: 3, run: ({ root }) => buildWeb(root).then(() => ({ passed: 1, failed: 0 })) },
  { name: 'browser journeys', minutes: 40, run: (place) => playwright(place) },
]

/** Stages of `npm run test:long`: the tests that the short line leaves out, or runs only a part of. */
export const longLine: Stage[] = [
  {
    name: 'conformance of the embedded cluster',
    minutes: 30,
    run: (place) => vitest(place, ['long'], ['conformance']),
  },
  {
    name: 'hostile values',
    minutes: 40,
    run: (place) => vitest(place, ['http'], ['hostile-values'], { HOSTILE: 'all' }),
  },
  {
    name: 'values edited at random',
    minutes: 60,
    run: (place) => vitest(place, ['unit'], ['values-model'], { VALUES_ROUNDS: '10000' }),
  },
  { name: 'races', minutes: 120, run: (place) => vitest(place, ['long'], ['races'], { RACES: 'all' }) },
  {
    name: 'fault matrix',
    minutes: 120,
    run: (place) =>
      vitest(place, ['http'], ['fault-matrix'], { MATRIX: 'all', MATRIX_WORLDS: '3' }, ['--maxConcurrency=3']),
  },
  {
    name: 'every look',
    minutes: 60,
    run: (place) => playwright(place, ['a11y', 'members', 'custom-sidebar', 'rollback', 'upgrade'], { LOOKS: 'all' }),
  },
  {
    name: 'outages',
    minutes: 30,
    run: (place) => vitest(place, ['http'], ['outages'], { OUTAGES: 'all' }),
  },
  {
    name: 'spaces made again',
    minutes: 15,
    run: (place) => vitest(place, ['http'], ['come-back-under-the-same-name'], { SPACES: 'all' }),
  },
  {
    name: 'random run',
    minutes: 120,
    run: (place) =>
      vitest(place, ['long'], ['random-run'], {
        RANDOM_STEPS: '500',
        RANDOM_SEEDS: '20',
        RANDOM_MINUTES: '60',
      }),
  },
]

/** Runs every stage, also after one has failed, and sums up. */
export async function runStages(root: string, stages: Stage[]): Promise<Count> {
  const reports = mkdtempSync(join(tmpdir(), 'quayside-reports-'))
  const results: Result[] = []
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
  sumUp(root, results)
  return results.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  })
}

/** Told at the end: what went wrong early is far above, or cut off, where a log keeps its last lines only. */
function sumUp(root: string, results: Result[]): void {
  const shown = (path: string) => relative(root, resolve(root, path))
  for (const { test, message } of results.flatMap(({ failures = [] }) => failures))
    console.log(`\nFAILED ${shown(test)}\n${message.replace(/^/gm, '    ')}`)
  const times = results.flatMap((result) => result.times ?? [])
  console.log('\nThe ten slowest files, in seconds:')
  for (const { file, seconds } of slowest(times, 10)) console.log(`${seconds.toFixed(1).padStart(7)} ${shown(file)}`)
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0)
  console.log(`\n${results.map(line).join('\n')}\n${seconds.toFixed(1)} s in all\n`)
}

const line = ({ name, passed, failed, seconds }: Result) =>
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

async function vitest(
  place: Place,
  projects: string[],
  files: string[] = [],
  settings: Record<string, string> = {},
  options: string[] = [],
): Promise<Count> {
  const path = (name: string) => join(place.reports, `${[...projects, ...files].join('-')}-${name}.json`)
  const args = ['run', ...files, ...projects.flatMap((name) => ['--project', name]), ...options]
  const env = { ...settings, [timesVariable]: path('times') }
  const code = await program(place, 'vitest/vitest.mjs', [...args, `--outputFile.json=${path('report')}`], env)
  const count = existsSync(path('report')) ? countVitest(read(path('report'))) : { passed: 0, failed: 1 }
  return { ...judge(code, count), times: existsSync(path('times')) ? read(path('times')) : [] }
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

async function playwright(place: Place, files: string[] = [], settings: Record<string, string> = {}): Promise<Count> {
  const report = join(place.reports, 'playwright.json')
  const args = ['test', ...files, '--config', 'e2e/playwright.config.ts', '--reporter=list,json']
  const env = { ...settings, CHROMIUM_BIN: ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const code = await program(place, '@playwright/test/cli.js', args, env)
  return judge(code, existsSync(report) ? countPlaywright(read(report)) : { passed: 0, failed: 1 })
}
