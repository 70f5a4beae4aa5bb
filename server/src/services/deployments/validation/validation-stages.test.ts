import type { App } from '@quayside/contract/apps/endpoints'
import { expect, test } from 'vitest'
import type { HelmOutcome } from '../../../adapters/helm/helm.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { VersionOf } from '../ports.ts'
import { heldLoop } from '../testing/held-loop.ts'
import { readValues } from '../values/values.ts'
import { type StageName, type Subject, stages } from './validation-stages.ts'

const app = { releaseName: null, displayName: 'Web', identifier: 'abc1234', namespace: 'n', clusterId: 'c' } as App

/** A cluster without the app, and a Helm that complains. */
function depsOf(complaints: readonly string[]): DeploymentDeps {
  const outcome = { ended: 'exit', code: 1, stdout: '', stderr: complaints.join('\n') } as HelmOutcome
  const capabilities = { kubeVersion: '1.33.0', apiVersions: [], resourceScopes: new Map() }
  return {
    helm: { template: async () => outcome, lint: async () => ({ ...outcome, stdout: complaints.join('\n') }) },
    clusters: { capabilities: async () => capabilities, readRelease: async () => [] },
    catalog: { packageFile: async () => '/chart.tgz' },
  } as unknown as DeploymentDeps
}

async function subjectOf(yaml: string, rest: Partial<Subject> & { chart: string; schema?: unknown }): Promise<Subject> {
  const chosen = { version: { id: 'v' }, valuesYaml: rest.chart, valuesSchema: rest.schema ?? null } as VersionOf
  const values = await readValues(yaml, 'yaml')
  const shared = { render: { chartFile: '' } as Subject['shared']['render'] } as Subject['shared']
  const deps = depsOf([])
  return {
    deps,
    actor: { tenantId: 't' },
    app,
    chosen,
    yaml,
    values,
    mayWriteYaml: false,
    secretPaths: [],
    shared,
    ...rest,
  }
}

const stage = (name: StageName) => stages.find((one) => one.name === name)?.check ?? expect.fail(name)

test('a key that comes again is told with its line and refuses nothing', async () => {
  const yaml = 'image:\n  tag: a\n  tag: b\n'
  for (const mayWriteYaml of [true, false]) {
    const lines = await stage('YAML')(await subjectOf(yaml, { chart: 'image: {tag: x}\n', mayWriteYaml }))
    expect(lines).toEqual([
      {
        provider: 'YAML',
        resultType: 'info',
        path: 'image.tag',
        line: 2,
        isSummary: false,
        message: 'image.tag comes again in line 3: the last one counts, this one does not',
      },
    ])
  }
})

test('what is outside of the form is refused before anything else is told of it', async () => {
  const lines = await stage('YAML')(await subjectOf('a: 1\na: 2\nb: 3\n', { chart: 'a: 1\n' }))
  expect(lines.map(({ resultType, path, line }) => [resultType, path, line])).toEqual([
    ['error', 'b', 3],
    ['info', 'a', 1],
  ])
})

test('values that cannot be checked in time are refused, with what can be done', { timeout: 20_000 }, async () => {
  const schema = { properties: { a: { pattern: '^(a+)+$' } } }
  const [line] = await stage('Schema')(await subjectOf(`a: ${'a'.repeat(40)}!`, { chart: 'a: b\n', schema }))
  expect(line).toMatchObject({
    resultType: 'error',
    message: expect.stringMatching(/longer than 5 s\. Shorten the values/),
  })
})

test('values are refused where the schema cannot be read', async () => {
  const schema = { $ref: '#/definitions/none' }
  const [line] = await stage('Schema')(await subjectOf('a: b\n', { chart: 'a: b\n', schema }))
  expect(line).toMatchObject({ resultType: 'error', message: expect.stringMatching(/cannot be checked/) })
})

const section = (at: number) => `section${at}:\n  # How many\n  replicas: ${at}\n  name: name-${at}\n`

test('values as large as they may be are looked at beside the event loop', { timeout: 120_000 }, async () => {
  const chart = Array.from({ length: 4000 }, (_, at) => section(at)).join('')
  const yaml = chart.replace('section9:\n', 'section9:\n  strange: 1\n')
  const complaints = Array.from({ length: 20 }, (_, at) => `Error: at <.Values.section${at * 200}.replicas>: wrong`)
  const schema = { additionalProperties: { properties: { replicas: { type: 'string' } } } }
  const deps = depsOf(complaints)
  const found: Awaited<ReturnType<ReturnType<typeof stage>>>[] = []
  const began = performance.now()
  const longest = await heldLoop(async () => {
    const subject = await subjectOf(yaml, { chart, schema, deps })
    for (const name of ['YAML', 'Schema', 'Helm'] as const) found.push(await stage(name)(subject))
  })
  const took = performance.now() - began
  expect(found.map((lines) => lines.length)).toEqual([1, 50, 20])
  expect(found[2]?.[19]).toMatchObject({ path: 'section3800.replicas', line: 3800 * 4 + 4 })
  expect(longest).toBeLessThan(took / 3)
})
