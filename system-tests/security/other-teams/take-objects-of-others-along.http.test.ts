import { CustomObjectsApi } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

let world: World
let teams: Teams
let owner: Team
let user: Team

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  owner = await teams.team()
  user = await teams.team()
})
afterAll(() => world?.close())

const group = 'example.com'
const definition = (plural: string, annotations = '{}', scope = 'Namespaced') => `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.${group}, annotations: ${annotations}}
spec:
  group: ${group}
  scope: ${scope}
  names: {kind: K${plural}, plural: ${plural}, singular: k${plural}}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
const map = (name: string) => `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`
const object = (plural: string, name: string) =>
  `---\napiVersion: ${group}/v1\nkind: K${plural}\nmetadata: {name: ${name}}\n`

const app = ({ id }: App) => teams.admin.good<App>(`/portal-api/v2/apps/${id}`)
const deploy = async (by: Team, what: App, objects: string) =>
  JSON.stringify((await teams.deploy(by, teams.admin, what, objects)).action)
async function deployed(by: Team, objects: string): Promise<App> {
  const made = await teams.assign(by)
  expect(await deploy(by, made, objects)).toContain('"state":"Success"')
  return app(made)
}
const remove = async ({ id }: App) => JSON.stringify(await teams.act('Delete', { app: { id } }))
async function left(plural: string): Promise<string[]> {
  const custom = teams.kubeconfig.makeApiClient(CustomObjectsApi)
  const found = await custom
    .listCustomObjectForAllNamespaces({ group, version: 'v1', resourcePlural: plural })
    .catch((error: { code?: number }) => {
      if (error.code === 404) return { items: [] }
      throw error
    })
  return (found as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name).sort()
}

test('a team that brought a definition deletes no objects of another by deleting its app, nor by an upgrade', async () => {
  const brought = await deployed(owner, definition('boats') + map('boats'))
  expect(await deploy(owner, await teams.assign(owner), object('boats', 'own'))).toContain('"state":"Success"')
  const used = await deployed(user, object('boats', 'one') + object('boats', 'two'))
  const all = ['one', 'own', 'two']
  expect(await left('boats')).toEqual(all)
  const words =
    'boats.example.com cannot be removed: 2 objects of the kind Kboats in one other space would be deleted with it'

  for (const attempt of [() => remove(brought), async () => deploy(owner, await app(brought), map('boats'))]) {
    const says = await attempt()
    expect(says).toContain('"state":"Failed"')
    expect(says).toContain(words)
    expect(await left('boats')).toEqual(all)
  }

  expect(await remove(used)).toContain('"state":"Success"')
  expect(await remove(await app(brought))).toContain('"state":"Success"')
  expect(await left('boats')).toEqual([])
})

test('nor by a hook, which Helm would delete before it makes it again', async () => {
  const hook = '{helm.sh/hook: "pre-install,pre-upgrade"}'
  const brought = await deployed(owner, definition('hooked', hook) + map('hooked'))
  await deployed(user, object('hooked', 'theirs'))
  const says = await deploy(owner, brought, definition('hooked', hook) + map('again'))
  expect([says, await left('hooked')]).toEqual([expect.stringContaining('one object of the kind Khooked'), ['theirs']])
})

test('what its chart keeps stays when its app is deleted', async () => {
  const brought = await deployed(owner, definition('kept', '{helm.sh/resource-policy: keep}') + map('kept'))
  await deployed(user, object('kept', 'theirs'))
  expect(await remove(brought)).toContain('"state":"Success"')
  expect(await left('kept')).toEqual(['theirs'])
})
