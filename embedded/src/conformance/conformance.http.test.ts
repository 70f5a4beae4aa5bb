import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../cluster/cluster.ts'
import { lackOf, runCheck } from './run-check.ts'
import { SANDBOX_DIFFERENCES } from './sandbox-differences.ts'
import { suite } from './suite.ts'
import { openTarget, type Target } from './target.ts'

const DEADLINE = 100_000
const folder = mkdtempSync(join(tmpdir(), 'conformance-sandbox-'))
let cluster: Cluster
let target: Target

beforeAll(async () => {
  cluster = await startCluster({ dataDir: join(folder, 'cluster') })
  const path = join(folder, 'kubeconfig')
  writeFileSync(path, cluster.kubeconfig, { mode: 0o600 })
  target = await openTarget(path)
})
afterAll(async () => {
  target.close()
  await cluster.close()
  rmSync(folder, { recursive: true })
})

const nameOf = ({ area, name }: { area: string; name: string }) => `${area}: ${name}`

describe.concurrent('the Sandbox', () => {
  for (const check of suite) {
    test(nameOf(check), { timeout: DEADLINE }, async ({ skip }) => {
      const differs = SANDBOX_DIFFERENCES[nameOf(check)] ?? lackOf(check, target)
      if (differs) skip(differs)
      const { result, why } = await runCheck(check, target)
      if (result === 'skipped') skip(why)
      expect(result, why).toBe('passed')
    })
  }
})

describe('the suite', () => {
  test('gives each check a name of its own', () => {
    const names = suite.map(nameOf)
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([])
  })

  test('asks little beyond the API server', () => {
    expect(suite.filter(({ needs }) => !needs).length).toBeGreaterThan(220)
  })

  test('leaves out only checks that there are, for reasons that the documentation gives', () => {
    const names = new Set(suite.map(nameOf))
    const page = readFileSync(resolve(import.meta.dirname, '../../../docs/sandbox.md'), 'utf8').replaceAll(/\s+/g, ' ')
    for (const [name, why] of Object.entries(SANDBOX_DIFFERENCES)) {
      expect(names, name).toContain(name)
      expect(page, name).toContain(why)
    }
  })
})
