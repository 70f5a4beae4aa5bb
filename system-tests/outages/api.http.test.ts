import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Action } from '@quayside/contract/deployments/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import type { Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { traceHelm } from '../fault-matrix/helm-trace.ts'
import { brokenInvariants } from '../fault-matrix/invariants.ts'
import { createStage, type Stage } from '../fault-matrix/stage.ts'
import { type Subject, subjectOf } from '../fault-matrix/subject.ts'
import { type ApiCase, apiCases, helmKinds } from './api-cases.ts'
import { type Assertions, createAssertions } from './assertions.ts'

const timeoutSeconds = 5
/**
 * Seconds from the start of Helm to the end, by what docs/robustness.md promises: Helm's own deadline and the portal's
 * grace, from being asked to end to being killed, and time to read back and write the end. The wait for one of the four
 * places for Helm is not in it: that is as long as the others need.
 */
const longestSeconds = timeoutSeconds + 8 + 10 + 5

let world: World
let stage: Stage
let assertions: Assertions
let folder: string
let otherCluster: string

beforeAll(async () => {
  const env = { LOG_LEVEL: 'warn', QUAYSIDE_LEASE_SECONDS: '5', QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: `${timeoutSeconds}` }
  world = await World.start({ cluster: { speed: 20 }, env })
  folder = mkdtempSync(join(tmpdir(), 'quayside-outages-'))
  stage = await createStage(world, join(folder, 'armed'))
  assertions = createAssertions(stage.ledger)
  // Faults for the portal's own calls mark their cluster as failing: the cases about Helm must use another one.
  const kubeconfig = readFileSync(world.kubeconfig, 'utf8')
  const body = { displayName: 'In trouble', iaas: { type: 'Sandbox' }, kubeconfig, clusterScoped: false }
  otherCluster = (await (await stage.admin()).good<{ id: string }>('/cluster/v1/clusters', { body })).id
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** `API_FAULTS=all` runs every fault with every action, else every action where Helm has to be killed, and one of each other. */
const isWhole = process.env.API_FAULTS === 'all'
const cases = apiCases.flatMap((one, index) =>
  helmKinds
    .filter((_, turn) => isWhole || one.isKilled || one.waits || turn === index % helmKinds.length)
    .map((kind) => ({ ...one, kind })),
)

test.concurrent.each(cases)(
  'the API $name: $kind ends, and as the cluster says',
  async (one) => {
    const own = await ownStage(one)
    const about = { kind: one.kind, point: '', fault: 'hang' } as const
    const subject = await subjectOf(own, about)
    const { namespace } = own.space
    const trace = traceHelm(subject.releaseName ?? '')
    try {
      const placed = await Promise.all(one.faults.map((fault) => stage.faults.add({ ...fault, namespace })))
      expect(placed.length).toBeGreaterThan(0)
      const id = await sent(await stage.admin(), one.kind, subject)
      const action = await assertions.untilFinal(id)
      expect({ state: action.state, said: action.result?.summary }).toMatchObject({ state: one.ends[one.kind] })
      expect(await brokenInvariants(own, about, subject, action, trace.mostAtOnce())).toEqual([])
      if (one.waits) await mustTellWaiting(id)
      if (one.isKilled) {
        expect((endOf(action) - (trace.startedAt() ?? 0)) / 1000).toBeLessThan(longestSeconds)
        await mustTellTimeout(id)
      }
    } finally {
      trace.stop()
    }
  },
  120_000,
)

test('no folder of a run is left', async () => {
  await expect.poll(() => readdirSync(stage.runsFolder), { timeout: 5000 }).toEqual([])
})

/** A space, and so a namespace, of the case's own: its faults strike nobody else. */
async function ownStage({ name, kind, faults }: ApiCase & { kind: string }): Promise<Stage> {
  const isAboutPortal = JSON.stringify(faults).includes('"quayside"')
  const clusterIds = isAboutPortal ? [otherCluster] : stage.space.clusters.map(({ id }) => id)
  const body = { displayName: `${kind} ${apiCases.findIndex((one) => one.name === name)}`, clusterIds }
  // Run folders cannot be matched to cases, so they are checked at the end of the file.
  const runsFolder = join(folder, 'none')
  return { ...stage, runsFolder, space: await (await stage.admin()).good<Space>('/portal-api/v3/spaces', { body }) }
}

/** Sends with the same key until it is answered, like a careful client. */
async function sent(story: Story, kind: (typeof helmKinds)[number], { body, app }: Subject): Promise<string> {
  const headers = { 'idempotency-key': `${kind}-${app?.id}` }
  const until = performance.now() + 40_000
  for (;;) {
    const answer = await story.post<{ actionId: string }>(kind, body, headers)
    if (answer.status < 300) return answer.body.actionId
    if (answer.status < 500 || performance.now() > until) throw new Error(JSON.stringify(answer))
    await delay(200)
  }
}

const endOf = ({ finishedAt }: Action) => (finishedAt === null ? Number.POSITIVE_INFINITY : Date.parse(finishedAt))

/** The log must mention waiting twice: for the portal's own calls before Helm, and for Helm. */
async function mustTellWaiting(id: string) {
  const said = (await stage.ledger.lines(id)).join('\n')
  expect(said).toContain('Waiting for the API of the cluster, trying again in 1 s')
  expect(said).toMatch(/The API of the cluster is not available to Helm, .*: trying again in 1 s/)
}

/** Timeout is said on the way; the end comes after it, and is another one. */
async function mustTellTimeout(id: string) {
  const events = await stage.ledger.events(id)
  const told = events.filter(({ event }) => event !== 'message' && event !== 'IAM')
  const summary = expect.stringContaining('Timeout received, waiting for HELM...')
  expect(told[0]).toMatchObject({ event: 'helmresult', payload: { state: 2, summary } })
  expect(told.at(-2)).toMatchObject({ event: 'hookresult', payload: { state: 1, summary: 'Deployment finished' } })
  expect(told.at(-1)?.payload).toMatchObject({ state: 1 })
}
