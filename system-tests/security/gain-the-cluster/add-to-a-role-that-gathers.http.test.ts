import type { ClusterRule } from '@quayside/contract/clusters/rules'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'
import { bound, readsNodes, role } from './charts-that-reach-out.ts'

let world: World
let teams: Teams
let rbac: Teams['clients']['rbac']
let other: Team

const label = (of: string) => `serving.example.com/${of}`
const onSecrets = '{apiGroups: [""], resources: [secrets], verbs: [get, list]}'
const labelled = (name: string, of: string) => role(name, onSecrets, `, labels: {${label(of)}: "true"}`)
const rolesThere = async () => (await rbac.listClusterRole()).items.map(({ metadata }) => metadata?.name)

/** A role of the cluster that takes up all roles with a label of its own, as Knative has one. */
const makeGatherer = (name: string, selector: object) =>
  rbac.createClusterRole({
    body: { metadata: { name }, aggregationRule: { clusterRoleSelectors: [selector] }, rules: [] },
  })

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  rbac = teams.clients.rbac
  other = await teams.team()
  // Every chart may make cluster roles here, because a role alone gives nobody anything.
  const body = { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', note: '' }
  await teams.admin.good<ClusterRule>(`/cluster/v1/clusters/${teams.cluster.id}/rules`, { body })
  await makeGatherer('gathers', { matchLabels: { [label('gathers')]: 'true' } })
  await makeGatherer('gathers-more', { matchExpressions: [{ key: label('more'), operator: 'In', values: ['true'] }] })
}, 60_000)
afterAll(() => world?.close())

async function attempt(by: Team, objects: string) {
  const { action } = await teams.deploy(by, by.story, await teams.assign(by), objects)
  return [action?.state, JSON.stringify(action)]
}

describe('a role that another one gathers by a label', () => {
  test.each([
    ['by what the label is', 'gathers'],
    ['by an expression', 'more'],
  ])('is let be by no list, %s: who is bound to the other one would have its rights', async (_, of) => {
    const verdicts = async (objects: string) =>
      (await teams.validate(other, await teams.assign(other), objects)).outside?.needs.map(({ verdict }) => verdict)
    expect(await verdicts(labelled('plain', 'nobody'))).toEqual(['rule'])
    expect(await verdicts(labelled(`adds-${of}`, of))).toEqual(['ask'])
    const [state, says] = await attempt(other, labelled(`adds-${of}`, of))
    expect([state, says]).toEqual(['Failed', expect.stringContaining('Ask for approval')])
    expect(await rolesThere()).not.toContain(`adds-${of}`)
  })

  test('says that to whoever is asked, is made when it is approved, and elevates its space', async () => {
    const by = await teams.team()
    const holder = await teams.team()
    const uses = await teams.assign(holder)
    await teams.approve(holder, uses, bound('uses-gathers', 'gathers'))
    expect((await teams.deploy(holder, holder.story, uses, bound('uses-gathers', 'gathers'))).action?.state).toBe(
      'Success',
    )
    const app = await teams.assign(by)
    const objects = labelled('adding', 'gathers')
    const { objects: asked } = await teams.approve(by, app, objects)
    expect(asked[0]).toMatchObject({ elevates: true })
    expect(asked[0]?.grants[0]).toBe('adds this to what the role gathers gives')
    const { action } = await teams.deploy(by, by.story, app, objects)
    expect([action?.state, JSON.stringify(action)]).toEqual(['Success', expect.anything()])
    const rulesOf = async () => (await rbac.readClusterRole({ name: 'gathers' })).rules?.flatMap((one) => one.resources)
    await expect.poll(rulesOf, { timeout: 10_000 }).toContain('secrets')
  })

  test('is not what was approved when the other one came later', async () => {
    const by = await teams.team()
    const app = await teams.assign(by)
    const objects = role('early', readsNodes, `, labels: {${label('late')}: "true"}`) + bound('early')
    await teams.approve(by, app, objects)
    await makeGatherer('gathers-late', { matchLabels: { [label('late')]: 'true' } })
    const { action } = await teams.deploy(by, by.story, app, objects)
    expect([action?.state, JSON.stringify(action)]).toEqual(['Failed', expect.stringContaining('Ask for approval')])
    expect(await rolesThere()).not.toContain('early')
  })
})
