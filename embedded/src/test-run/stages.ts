import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from '../chromium.ts'
import { buildWeb } from '../launch/web-build.ts'
import { type Count, countPlaywright, countVitest, judge } from './reports.ts'

type Stage = { name: string; run: (place: Place) => Promise<Count> }
type Place = { root: string; reports: string }

const stages: Stage[] = [
  { name: 'style', run: ({ root }) => check(root, '@biomejs/biome/bin/biome', ['check', '.']) },
  { name: 'import law', run: ({ root }) => check(root, '../law/check.ts', []) },
  { name: 'types', run: ({ root }) => check(root, 'typescript/bin/tsc', ['-p', 'tsconfig.json']) },
  { name: 'unit tests', run: (place) => vitest(place, ['unit', 'web']) },
  { name: 'http tests', run: (place) => vitest(place, ['http']) },
  { name: 'web build', run: ({ root }) => buildWeb(root).then(() => ({ passed: 1, failed: 0 })) },
  { name: 'browser journeys', run: playwright },
]

/** Runs every stage, also after one has failed, and sums up. */
export async function runStages(root: string): Promise<Count> {
  const reports = mkdtempSync(join(tmpdir(), 'quayside-reports-'))
  const results: (Count & { name: string; seconds: number })[] = []
  for (const { name, run } of stages) {
    console.log(`\n== ${name}`)
    const since = performance.now()
    const count = await run({ root, reports }).catch((error) => {
      console.error(error instanceof Error ? error.message : error)
      return { passed: 0, failed: 1 }
    })
    const result = { name, ...count, seconds: (performance.now() - since) / 1000 }
    results.push(result)
    console.log(`== ${line(result)}`)
  }
  rmSync(reports, { recursive: true, force: true })
  console.log(`\n${results.map(line).join('\n')}\n`)
  return results.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  })
}

const line = ({ name, passed, failed, seconds }: Count & { name: string; seconds: number }) =>
  `${failed > 0 ? 'FAILED' : 'ok    '} ${name}: ${passed} passed, ${failed} failed (${seconds.toFixed(1)} s)`

/** Runs a program of the installation with our own Node; resolves with its exit code. */
async function program(root: string, path: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, [join(root, 'node_modules', path), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [code] = await once(child, 'exit')
  return typeof code === 'number' ? code : 1
}

/** A check counts as one test. */
async function check(root: string, path: string, args: string[]): Promise<Count> {
  return (await program(root, path, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function vitest({ root, reports }: Place, projects: string[]): Promise<Count> {
  const report = join(reports, `${projects.join('-')}.json`)
  const args = ['run', ...projects.flatMap((name) => ['--project', name]), '--reporter=default', '--reporter=json']
  const code = await program(root, 'vitest/vitest.mjs', [...args, `--outputFile.json=${report}`])
  return judge(
    code,
    existsSync(report) ? countVitest(JSON.parse(readFileSync(report, 'utf8'))) : { passed: 0, failed: 1 },
  )
}

async function playwright({ root, reports }: Place): Promise<Count> {
  const report = join(reports, 'playwright.json')
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json']
  const env = { CHROMIUM_BIN: ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const code = await program(root, '@playwright/test/cli.js', args, env)
  return judge(
    code,
    existsSync(report) ? countPlaywright(JSON.parse(readFileSync(report, 'utf8'))) : { passed: 0, failed: 1 },
  )
}
