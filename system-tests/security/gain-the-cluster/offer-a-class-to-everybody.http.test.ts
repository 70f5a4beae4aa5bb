import { SchedulingV1Api, StorageV1Api } from '@kubernetes/client-node'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

let world: World
let teams: Teams
let storage: StorageV1Api
let team: Team
let other: Team

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  storage = teams.kubeconfig.makeApiClient(StorageV1Api)
  team = await teams.team()
  other = await teams.team()
  const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: first}\n'
  expect((await teams.deploy(other, other.story, await teams.assign(other), map)).action?.state).toBe('Success')
})
afterAll(() => world?.close())

const ofStorage = (name: string, parameters: object) =>
  `apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: ${name}}\nprovisioner: rancher.io/local-path\nparameters: ${JSON.stringify(parameters)}\n`
const ofPriority = (name: string, more: string) =>
  `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: ${name}}\n${more}\n`

async function attempt(objects: string) {
  const app = await teams.assign(team)
  const { action } = await teams.deploy(team, team.story, app, objects)
  return { app, state: action?.state, says: JSON.stringify(action) }
}

describe('a class of storage', () => {
  test('that would give pods a folder of a node is made by nobody without approval, who asks says what it does', async () => {
    // The driver of small clusters puts volumes wherever this pattern leads.
    const objects = ofStorage('nodes-root', { pathPattern: '../../../../' })
    const { app, state, says } = await attempt(objects)
    expect([state, says]).toEqual(['Failed', expect.stringContaining('Ask for approval')])
    const { items } = await storage.listStorageClass()
    expect(items.map(({ metadata }) => metadata?.name)).not.toContain('nodes-root')
    const { body } = await teams.ask(team, app, objects)
    expect(body.objects?.[0]?.grants.join()).toContain(
      'volumes of rancher.io/local-path with {"pathPattern":"../../../../"}',
    )
  })

  test.each(['another space', 'quayside-system', 'kube-system', 'every volume'])(
    'whose driver would read a Secret of %s: for whatever approval',
    async (of) => {
      const where = { 'another space': other.space.namespace, 'every volume': ['$', '{pv.name}'].join('') }[of] ?? of
      const parameters = {
        'csi.storage.k8s.io/node-stage-secret-name': 'kept',
        'csi.storage.k8s.io/node-stage-secret-namespace': where,
      }
      const { app, state, says } = await attempt(ofStorage('reads', parameters))
      expect([state, says]).toEqual(['Failed', expect.stringContaining('nobody can approve it')])
      expect((await teams.ask(team, app, ofStorage('reads', parameters))).status).toBe(409)
    },
  )
})

describe('a class of priority', () => {
  test('that drives pods of other spaces off their nodes is on no list', async () => {
    const { state, says } = await attempt(ofPriority('first', 'value: 1000000'))
    expect([state, says]).toEqual(['Failed', expect.stringContaining('Ask for approval')])
  })

  test('that only waits for the next free place comes before others all the same, and is on no list', async () => {
    const { state, says } = await attempt(ofPriority('gentle', 'value: 1000\npreemptionPolicy: Never'))
    expect([state, says]).toEqual(['Failed', expect.stringContaining('Ask for approval')])
  })

  test('that comes before nobody is what the list says', async () => {
    expect((await attempt(ofPriority('last', 'value: -10'))).state).toBe('Success')
  })
})

describe('a class of priority that is there already', () => {
  const pods = (name: string, priorityClassName: string) =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec: {selector: {matchLabels: {app: ${name}}}, template: {metadata: {labels: {app: ${name}}}, spec: {priorityClassName: ${priorityClassName}, containers: [{name: a, image: b}]}}}\n`
  const startPod = (priorityClassName: string) =>
    teams.clients.core
      .createNamespacedPod({
        namespace: other.space.namespace,
        body: {
          metadata: { generateName: 'tried-' },
          spec: { priorityClassName, containers: [{ name: 'a', image: 'b' }] },
        },
      })
      .then(
        () => 'let in',
        ({ code }: { code?: number }) => code,
      )

  test('and drives pods of others off their nodes is named by no chart and no pod, until it is on the list', async () => {
    const scheduling = teams.kubeconfig.makeApiClient(SchedulingV1Api)
    await scheduling.createPriorityClass({ body: { metadata: { name: 'urgent' }, value: 1000 } })
    await scheduling.createPriorityClass({
      body: { metadata: { name: 'calm' }, value: 1000, preemptionPolicy: 'Never' },
    })
    const app = await teams.assign(other)
    for (const name of ['urgent', 'system-cluster-critical']) {
      const found = await teams.validate(other, app, pods('web', name))
      expect(found.lines).toContainEqual(
        expect.objectContaining({
          message: expect.stringMatching(`^Deployment web has the class of priority ${name}, whose pods drive`),
          resultType: 'error',
        }),
      )
      expect((await teams.deploy(other, other.story, app, pods('web', name))).action?.state).toBe('Failed')
      expect(await startPod(name)).toBe(403)
    }
    expect(await startPod('calm')).toBe(403)
    const rules = `/cluster/v1/clusters/${teams.cluster.id}/rules`
    const body = { group: 'scheduling.k8s.io', kind: 'PriorityClass', name: 'urgent' }
    const { id } = await teams.admin.good<{ id: string }>(rules, { body })
    expect(await startPod('urgent')).toBe('let in')
    expect((await teams.validate(other, app, pods('web', 'urgent'))).success).toBe(true)
    await teams.admin.good(`${rules}/${id}`, { method: 'DELETE' })
    expect(await startPod('urgent')).toBe(403)
  })

  test('one that an app was let make is named by pods of its space alone', async () => {
    const app = await teams.assign(team)
    const objects = `${ofPriority('ours', 'value: 50')}---\n${pods('mine', 'ours')}`
    await teams.approve(team, app, objects)
    const { action } = await teams.deploy(team, team.story, app, objects)
    expect(JSON.stringify(action)).toContain('"state":"Success"')
    expect(await startPod('ours')).toBe(403)
  })
})
