import { readFileSync } from 'node:fs'
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import { clusters } from '@quayside/contract/clusters/endpoints'
import { type Accepted, type Action, deployments, type PreparedVersion } from '@quayside/contract/deployments/endpoints'
import type { ReleaseDiff } from '@quayside/contract/deployments/upgrade'
import { pathOf } from '@quayside/contract/http/path'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createStory, deployDataOf, metadataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { secretMark } from '@quayside/values/secrets/secret-mark'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const secrets = ['hunter-of-twenty-two', 'pin-of-ann-1234']
const replacement = 'gatherer-of-forty'
const schema = JSON.stringify({
  properties: {
    replicas: { type: 'integer', maximum: 9 },
    users: {
      type: 'array',
      items: { properties: { name: {}, pin: { type: 'string', writeOnly: true, minLength: 10 } } },
    },
  },
})
const settings = `apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }} }
data:
  title: {{ .Values.title | quote }}
  url: http://me:{{ .Values.code }}@db
  users: {{ toJson .Values.users | quote }}
`
const files = (values: string) => ({
  'values.yaml': values,
  'values.schema.json': schema,
  'templates/settings.yaml': settings,
  'README.md': '# Shop\n',
})
const first = `# How many run at once
replicas: 1
image: nginx:1.27
title: A shop
# Who opens the till
# @MASKED
code: ""
users: []
extra: {}
`
const second = first
  .replace('replicas: 1', 'replicas: 2')
  .replace('title: A shop', 'title: A department store')
  .replace('nginx:1.27', 'nginx:1.28')
  .concat('# Since 2.0.0\nfloors: 3\n')
const own = first
  .replace('title: A shop', 'title: Corner shop # the people chose it')
  .replace('code: ""', `code: ${secrets[0]} # from the safe`)
  .replace('users: []', `users:\n  - name: ann\n    pin: ${secrets[1]}`)

const { overview, pods, services, serviceAccounts, appEvents } = clusters
/** Routes of the cluster service that the app page reads. */
const clusterReads = [overview, pods, clusters.deployments, services, serviceAccounts, appEvents]

let world: World
let admin: Story
let socket: Socket
let space: Space
let old: CatalogChild
let next: CatalogChild
let app: App
let core: CoreV1Api
/** Everything that was answered or sent to the socket. */
const heard: string[] = []

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 }, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const listening: typeof world.api = async (path, call) => {
    const answer = await world.api(path, call)
    heard.push(await answer.clone().text())
    return answer
  }
  admin = createStory({ api: listening }, token)
  const sandbox = readFileSync(world.kubeconfig, 'utf8')
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(sandbox)
  core = kubeconfig.makeApiClient(CoreV1Api)
  space = await admin.space('Upgrades', sandbox)
  old = await admin.uploadSmall('shop', '1.0.0', files(first))
  next = await admin.uploadSmall('shop', '2.0.0', files(second))
  app = await admin.assign(space, old)
  socket = io(world.url, { path: '/deployment/socket.io', auth: { token }, forceNew: true })
  socket.onAny((name: string, payload: unknown) => heard.push(`${name} ${JSON.stringify(payload)}`))
  const releaseName = await admin.releaseName(app, 'shop')
  await socket.timeout(5000).emitWithAck('register', releaseName)
  const deployData = deployDataOf(app, space, old, own)
  await done(
    await admin.post<Accepted>('Deploy', { appId: app.id, versionId: old.version.id, releaseName, deployData }),
  )
  app = await admin.good<App>(`/portal-api/v2/apps/${app.id}`)
})
afterAll(async () => {
  socket?.disconnect()
  await world?.close()
})

async function done({ status, body }: { status: number; body: Accepted }): Promise<Action> {
  expect(status, JSON.stringify(body)).toBe(202)
  const action = await admin.ended(body.actionId)
  expect(action).toMatchObject({ state: 'Success' })
  return action
}

async function prepare({ item, version }: CatalogChild): Promise<PreparedVersion['values']> {
  const action = await done(
    await admin.post<Accepted>('Prepare', {
      catalogItemId: item.id,
      catalogVersionId: version.id,
      catalogItemType: item.type,
      appKind: item.appKind,
      appType: item.appType,
      appId: app.id,
      socketId: socket.id,
    }),
  )
  if (action.prepared === null) throw new Error('nothing was prepared')
  return action.prepared.values
}

const upgrade = async (yaml: string, child = next, baseRevision?: number | null) =>
  admin.post<Accepted>('Upgrade', {
    appId: app.id,
    versionId: child.version.id,
    baseRevision,
    deployData: deployDataOf(app, space, child, yaml),
  })
const preview = (yaml: string | null) =>
  admin.good<ReleaseDiff>(pathOf(deployments.preview, { id: next.version.id }), {
    method: 'PUT',
    body: { appMetadata: metadataOf(app, space), yaml },
  })
const inCluster = async () => {
  const { data } = await core.readNamespacedSecret({ name: app.releaseName ?? '', namespace: app.namespace })
  return Buffer.from(data?.code ?? '', 'base64').toString()
}

describe('what an upgrade starts from', () => {
  test('for the same version it is what was deployed, as it was written, with marks for its secrets', async () => {
    const { yaml, deployed, merge, defaults } = await prepare(old)
    expect(yaml).toBe(secrets.reduce((text, secret) => text.replace(secret, `"${secretMark}"`), own))
    expect({ deployed, merge, defaults }).toEqual({ deployed: yaml, merge: null, defaults: first })
  })

  test('for another one it is both, with what nobody but a person can decide', async () => {
    const { yaml, merge } = await prepare(next)
    expect(yaml).toContain('replicas: 2\nimage: nginx:1.28\ntitle: Corner shop # the people chose it\n')
    expect(yaml).toContain(`code: "${secretMark}" # from the safe\n`)
    expect(yaml).toContain('# Since 2.0.0\nfloors: 3\n')
    expect(merge).toMatchObject({
      conflicts: [
        { path: ['title'], reason: 'changed', before: 'A shop', yours: 'Corner shop', theirs: 'A department store' },
      ],
      kept: [['code'], ['users']],
      taken: [['replicas'], ['image']],
      added: [['floors']],
      removed: [],
    })
    expect(merge?.secrets).toContainEqual(['code'])
  })
})

describe('secrets that stay here', () => {
  test('are checked with their real value, and not said when they fail', async () => {
    const { yaml } = await prepare(next)
    const path = pathOf(deployments.validate, { id: next.version.id })
    const validate = async (text: string) =>
      admin.good<{ success: boolean; lines: { message: string }[] }>(path, {
        method: 'PUT',
        body: { appMetadata: metadataOf(app, space), yaml: text },
      })
    expect(await validate(yaml)).toMatchObject({ success: true })
    const short = await validate(yaml.replace(`pin: "${secretMark}"`, 'pin: short'))
    expect(short.lines.at(-1)?.message).toContain('pin')
    expect(await validate(`${yaml}other: "${secretMark}"\n`)).toMatchObject({ success: false })
  })

  test('pass through conversion as their mark', async () => {
    const { yaml, fieldConfig } = await prepare(old)
    const json = await admin.good<{ yaml: string }>('/deployment/v1/convert/tojson', { body: { originalYaml: yaml } })
    const back = await admin.good<{ yaml: string }>('/deployment/v1/convert/toyaml', {
      body: { originalYaml: json.yaml, config: fieldConfig },
    })
    expect(back.yaml).toBe(yaml)
  })

  test('an app that has none has none to keep', async () => {
    const fresh = await admin.assign(space, old)
    const deployData = deployDataOf(fresh, space, old, `code: "${secretMark}"\n`)
    const answer = await admin.post('Deploy', {
      appId: fresh.id,
      versionId: old.version.id,
      releaseName: 'fresh',
      deployData,
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'values.secret-missing', field: 'deployData.yaml' } })
  })
})

describe('what an upgrade would change', () => {
  test('is told object by object before anything is done', async () => {
    const { values, objects, problem } = await preview(null)
    expect(problem).toBeNull()
    expect(values.before).toContain('replicas: 1')
    expect(values.after).toContain('floors: 3')
    expect(objects.map(({ kind, change }) => [kind, change])).toEqual([['Deployment', 'changed']])
    expect(objects[0]?.after).toContain('nginx:1.28')
  })

  test('a secret that stays is no change, in the values as in the objects', async () => {
    const { yaml } = await prepare(old)
    const { values, objects } = await admin.good<ReleaseDiff>(pathOf(deployments.preview, { id: old.version.id }), {
      method: 'PUT',
      body: { appMetadata: metadataOf(app, space), yaml },
    })
    expect(values.before).toContain(secretMark)
    expect(values.after).toBe(values.before)
    expect(objects).toEqual([])
  })

  test('a secret that becomes another one is told as such', async () => {
    const { yaml } = await prepare(next)
    const { values, objects } = await preview(yaml.replace(`code: "${secretMark}"`, `code: ${replacement}`))
    expect(values.after).toContain(`code: "${secretMark} (changed)" # from the safe`)
    expect(objects.find(({ kind }) => kind === 'Secret')?.after).toContain('code: •••••••• (changed)')
  })

  test('values that the chart cannot be rendered with say why', async () => {
    const { objects, problem } = await preview('extra: none\n')
    expect(objects).toEqual([])
    expect(problem).toContain('template')
  })
})

test('an upgrade with the marks keeps the secrets, and one with a new secret replaces it', async () => {
  const { yaml, revision } = await prepare(next)
  expect(revision).toBe(1)
  await done(await upgrade(yaml, next, revision))
  expect(await inCluster()).toBe(secrets[0])
  // A second upgrade that began with revision 1 would undo what revision 2 has brought.
  const refused = { status: 409, body: { code: 'deployment.revision-changed', field: 'baseRevision' } }
  expect(await upgrade(yaml, next, revision)).toMatchObject(refused)
  expect(await admin.post('Rollback', { appId: app.id, revision: 1, baseRevision: revision })).toMatchObject(refused)
  await done(await upgrade((await prepare(next)).yaml.replace(`code: "${secretMark}"`, `code: ${replacement}`)))
  expect(await inCluster()).toBe(replacement)

  const compare = (from: number, to: number) =>
    admin.good<ReleaseDiff>(`${pathOf(deployments.compareRevisions, { id: app.id })}?from=${from}&to=${to}`)
  const changed = await compare(2, 3)
  expect(changed.values.after).toContain(`"${secretMark} (changed)" # from the safe`)
  expect(changed.objects.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Secret'])
  const back = await compare(3, 1)
  expect(back.values.after).toContain('replicas: 1')

  await done(await admin.post<Accepted>('Rollback', { appId: app.id, revision: 1, baseRevision: 3 }))
  expect(await inCluster()).toBe(secrets[0])
  const same = await admin.good<{ valuesYaml: string }>(pathOf(deployments.revision, { appId: app.id, revision: 4 }))
  expect(same.valuesYaml).toContain('title: Corner shop # the people chose it')
  expect((await prepare(old)).yaml).toBe(same.valuesYaml)
})

test('an upgrade that cannot be rendered says why in its log and in its words', async () => {
  const before = await inCluster()
  const { body } = await upgrade(`extra: none\n`)
  const action = await admin.ended(body.actionId)
  const why = /secret\.yaml:\d+:\d+.*namespace/s
  expect(action).toMatchObject({
    state: 'Failed',
    result: { summary: expect.stringMatching(/^Upgrade failed: The chart cannot be rendered with these values: /) },
  })
  expect(action.result?.summary).toMatch(why)
  const { data } = await admin.good<{ data: { event: string; payload: { message?: string } }[] }>(
    pathOf(deployments.actionEvents, { id: action.id }),
  )
  const lines = data.flatMap(({ event, payload }) => (event === 'message' ? (payload.message ?? []) : []))
  expect(lines).toContain('The chart cannot be rendered with these values')
  expect(lines.join(' ')).toMatch(why)
  expect(await inCluster()).toBe(before)
})

test('no answer and no event has said a secret', async () => {
  for (const path of [
    pathOf(deployments.listActions),
    pathOf(deployments.revisions, { id: app.id }),
    ...[1, 2, 3, 4].map((revision) => pathOf(deployments.revision, { appId: app.id, revision })),
    pathOf(deployments.deployedApp, { tenantId: (await tenant()).id, itemId: old.item.id, appId: app.id }),
    `/portal-api/v2/apps/${app.id}`,
    ...clusterReads.map((endpoint) => pathOf(endpoint, { id: app.id })),
  ])
    expect((await admin.call(path)).status, path).toBe(200)
  const { data } = await admin.good<{ data: { id: string }[] }>(pathOf(deployments.listActions))
  for (const { id } of data) {
    await admin.good(pathOf(deployments.getAction, { id }))
    await admin.good(pathOf(deployments.actionEvents, { id }))
  }
  expect(heard.length).toBeGreaterThan(100)
  expect(heard.filter((text) => text.startsWith('Prepare ')).length).toBeGreaterThan(3)
  for (const secret of [...secrets, replacement])
    for (const form of [secret, Buffer.from(secret).toString('base64').replace(/=+$/, ''), encodeURIComponent(secret)])
      expect(heard.filter((text) => text.includes(form))).toEqual([])
})

async function tenant() {
  return admin.good<{ id: string }>('/portal-api/v2/tenants/byrealm/demo')
}
