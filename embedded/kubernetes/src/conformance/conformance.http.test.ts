import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../cluster.ts'
import { lackOf, runCheck } from './run-check.ts'
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
      const lack = lackOf(check, target)
      if (lack) skip(lack)
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
})
