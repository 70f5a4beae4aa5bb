import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kubeconfig } from '@quayside/contract/clusters/kubeconfigs'
import { World } from '@quayside/embedded/world'
import { findProgram, runProgram } from '@quayside/embedded-kubernetes/conformance/programs'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  assignBody,
  deployBody,
  makeTeam,
  makeTenant,
  marksOf,
  metadataOf,
  stateOf,
  type Team,
  type Tenant,
} from '../../permissions/two-teams.ts'

/** Answer to an attempt: its status, and its text, which must hold nothing of the other team. */
interface Seen {
  status: number
  text: string
}

let world: World
let tenant: Tenant
let mine: Team
let theirs: Team
let before: unknown
const sockets: Socket[] = []
const heard: string[] = []
const folder = mkdtempSync(join(tmpdir(), 'quayside-other-team-'))

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 } })
  tenant = await makeTenant(world)
  ;[mine, theirs] = await Promise.all([makeTeam(world, tenant, 'harbour'), makeTeam(world, tenant, 'quarry')])
  before = await stateOf(tenant, theirs)
})
afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function call(path: string, how: { method?: string; body?: unknown } = {}): Promise<Seen> {
  const answer = await world.api(path, { token: mine.manager.token, ...how })
  return { status: answer.status, text: await answer.text() }
}
const put = (path: string, body: unknown) => call(path, { method: 'PUT', body })
const patch = (path: string, body: unknown) => call(path, { method: 'PATCH', body })
const remove = (path: string, body?: unknown) => call(path, { method: 'DELETE', body })

async function connected(): Promise<Socket> {
  const socket = io(world.url, { path: '/deployment/socket.io', auth: { token: mine.manager.token }, forceNew: true })
  sockets.push(socket)
  socket.onAny((...said) => heard.push(JSON.stringify(said)))
  await expect.poll(() => socket.connected).toBe(true)
  return socket
}
const registered = async (asked: object): Promise<Seen> => {
  const socket = await connected()
  return { status: 200, text: JSON.stringify(await socket.timeout(5000).emitWithAck('register', asked)) }
}

async function kubectl(args: string): Promise<Seen> {
  const places = [{ spaceId: mine.space.id, clusterId: mine.clusterId }]
  const { kubeconfig } = await mine.manager.good<Kubeconfig>('/cluster/v1/kubeconfigs', { body: { places } })
  const file = join(folder, 'config')
  writeFileSync(file, kubeconfig)
  const program = await findProgram('kubectl')
  if (!program) throw new Error('there is no kubectl here')
  const { out, err } = await runProgram(program, args.split(' '), { KUBECONFIG: file, HOME: folder })
  return { status: err.includes('orbidden') ? 403 : 200, text: out }
}

const helm = '/deployment/v1/helm/deployment'
const app = () => `/portal-api/v2/apps/${theirs.app.id}`
const space = () => `/portal-api/v3/spaces/${theirs.space.id}`
const action = () => `/deployment/v1/actions/${theirs.action.id}`
const cluster = (what: string) => `/cluster/v1/apps/${theirs.app.id}/${what}`
const post = (kind: string, body: unknown) => call(`${helm}/actions.${kind}`, { body })
const upgradeOf = (team: Team) => {
  const { releaseName, ...body } = deployBody(tenant, team.space, team.app, '', 'code: stolen12\n')
  return body
}
const empty = /^\{"data":\[\](,"page":\{"skip":0,"limit":\d+,"total":0\},"next":null)?\}$/

/**
 * Attempts of a manager of one team in the space of the other: refused with a status, or answered with `nothing` to
 * see.
 */
const tries: [what: string, how: () => Promise<Seen>, ending: number | 'nothing'][] = [
  ['read its space', () => call(space()), 404],
  ['rename its space', () => put(space(), { displayName: 'Mine' }), 404],
  ['delete its space', () => remove(space()), 404],
  ['find its space by name', () => call(`/portal-api/v2/spaces?search=${theirs.name}`), 'nothing'],
  ['count its spaces in the tenant', () => call('/portal-api/v2/tenants/byrealm/demo'), 'nothing'],
  ['read who may do what there', () => call(`${space()}/permissions`), 404],
  [
    'become its manager',
    () =>
      call(`${space()}/permissions`, { body: { principal: { type: 'user', id: mine.manager.id }, role: 'manager' } }),
    404,
  ],
  ['take its owner off the list', () => remove(`${space()}/permissions/${theirs.permission.id}`), 404],
  [
    'take an entry of its list off through the own space',
    () => remove(`/portal-api/v3/spaces/${mine.space.id}/permissions/${theirs.permission.id}`),
    404,
  ],
  [
    'grant what somebody has asked for there',
    () => call(`/portal-api/v3/access-requests/${theirs.request.id}/answer`, { body: { decision: 'grant' } }),
    404,
  ],
  [
    'see what is asked for there',
    () => call(`/portal-api/v3/access-requests?filters.spaceId=${theirs.space.id}`),
    'nothing',
  ],
  [
    'have explained what one may there',
    () => call(`/portal-api/v3/explain?scope=space.view&place=space&id=${theirs.space.id}`),
    404,
  ],
  ['read an app', () => call(app()), 404],
  ['find an app by name', () => call(`/portal-api/v2/apps?search=${theirs.name}`), 'nothing'],
  ['list the apps of its space', () => call(`/portal-api/v2/apps?filters.spaceId=${theirs.space.id}`), 'nothing'],
  ['rename an app', () => patch(app(), { displayName: 'Mine' }), 404],
  [
    'move an own app into its space',
    () => patch(`/portal-api/v2/apps/${mine.app.id}`, { spaceId: theirs.space.id }),
    400,
  ],
  ['move an app into the own space', () => patch(app(), { spaceId: mine.space.id }), 400],
  ['tag an app', () => put(`${app()}/tags/mine`, undefined), 404],
  ['untag an app', () => remove(`${app()}/tags/common`), 404],
  [
    'assign an app into its space',
    () => post('Assign', assignBody(tenant, theirs.space, theirs.clusterId, 'Mine')),
    404,
  ],
  ['assign an app to its cluster', () => post('Assign', assignBody(tenant, mine.space, theirs.clusterId, 'Mine')), 404],
  [
    'deploy what it has assigned',
    () => post('Deploy', deployBody(tenant, theirs.space, theirs.assigned, 'mine', 'code: stolen12\n')),
    404,
  ],
  [
    'deploy an own app into its namespace',
    () =>
      post('Upgrade', {
        ...upgradeOf(mine),
        deployData: { ...upgradeOf(mine).deployData, namespace: theirs.app.namespace },
      }),
    400,
  ],
  ['upgrade an app', () => post('Upgrade', upgradeOf(theirs)), 404],
  [
    'prepare an upgrade, with the values that it runs with',
    () =>
      post('Prepare', {
        catalogItemId: tenant.child.item.id,
        catalogVersionId: tenant.child.version.id,
        catalogItemType: tenant.child.item.type,
        appKind: tenant.child.item.appKind,
        appId: theirs.app.id,
      }),
    404,
  ],
  [
    'preview an upgrade',
    () => put(`${helm}/preview/${tenant.child.version.id}`, { appMetadata: metadataOf(theirs.app, theirs.space) }),
    404,
  ],
  [
    'validate values for an app',
    () =>
      put(`${helm}/validate/${tenant.child.version.id}`, {
        appMetadata: metadataOf(theirs.app, theirs.space),
        yaml: 'a: 1\n',
      }),
    404,
  ],
  ['roll an app back', () => post('Rollback', { appId: theirs.app.id, revision: 1 }), 404],
  ['delete an app', () => post('Delete', { app: { id: theirs.app.id } }), 404],
  ['read a revision', () => call(`${helm}/revision/${theirs.app.id}/1`), 404],
  ['compare revisions', () => call(`${helm}/compare/${theirs.app.id}?from=1&to=1`), 404],
  ['read what runs of an app', () => call(cluster('overview')), 404],
  ['read the log of a pod', () => call(`/log/v1/apps/${theirs.app.id}/pods/${theirs.pod}`), 404],
  ['read the log of its pod through an own app', () => call(`/log/v1/apps/${mine.app.id}/pods/${theirs.pod}`), 404],
  [
    'delete its pod through an own app',
    () => remove(`/cluster/v1/apps/${mine.app.id}/${theirs.app.namespace}/pods/${theirs.pod}`),
    404,
  ],
  ['read its events in the ledger', () => call(`${action()}/events`), 404],
  ['cancel an action', () => call(`${action()}/cancel`, { method: 'POST' }), 404],
  ['do an action again', () => call(`${action()}/retry`, { method: 'POST' }), 404],
  ['list its actions', () => call(`/deployment/v1/actions?filters.spaceId=${theirs.space.id}`), 'nothing'],
  ['learn who works there', () => call('/deployment/v1/actions/people'), 'nothing'],
  ['list what is deployed of an item', () => call(`${helm}/deployed/${tenant.id}/${tenant.child.item.id}`), 'nothing'],
  [
    'read deployed apps by their ids',
    () => call(`${helm}/deployed/${tenant.id}/ids`, { body: [theirs.app.id, theirs.assigned.id] }),
    'nothing',
  ],
  ['read its presets', () => call(`/deployment/v1/presets/bycatalogitem/${tenant.child.item.id}`), 'nothing'],
  ['rename its preset', () => patch(`/deployment/v1/presets/${theirs.preset.id}`, { name: 'Mine' }), 404],
  [
    'leave a preset there',
    () =>
      call('/deployment/v1/presets', {
        body: {
          name: 'Mine',
          catalogVersionId: tenant.child.version.id,
          spaceId: theirs.space.id,
          yaml: 'replicas: 3\n',
        },
      }),
    404,
  ],
  [
    'pin its space',
    async () =>
      call(
        `/portal-api/v0/menu/groups/${(await mine.manager.good<{ id: string }>('/portal-api/v0/menu/groups', { body: { title: 'Mine' } })).id}/entries/`,
        { body: { type: 'spaces', selectedEntryId: theirs.space.id, name: 'Mine' } },
      ),
    404,
  ],
  ['change its side bars', () => put(`/portal-api/v0/menu/groups/${theirs.group.id}`, { title: 'Mine' }), 404],
  [
    'get a kubeconfig for its space',
    () =>
      call('/cluster/v1/kubeconfigs', {
        body: { places: [{ spaceId: theirs.space.id, clusterId: theirs.clusterId }] },
      }),
    404,
  ],
  [
    'get one for both spaces at once',
    () =>
      call('/cluster/v1/kubeconfigs', {
        body: { places: [mine, theirs].map((team) => ({ spaceId: team.space.id, clusterId: team.clusterId })) },
      }),
    404,
  ],
  [
    'get one for the own space on its cluster',
    () =>
      call('/cluster/v1/kubeconfigs', { body: { places: [{ spaceId: mine.space.id, clusterId: theirs.clusterId }] } }),
    404,
  ],
  ['list its pods by the own kubeconfig', () => kubectl(`get pods -n ${theirs.app.namespace}`), 403],
  ['read its Secrets by the own kubeconfig', () => kubectl(`get secrets -n ${theirs.app.namespace} -o yaml`), 403],
  ['read Secrets of the whole cluster', () => kubectl('get secrets -A -o yaml'), 403],
  ['name the clusters of others', () => call('/cluster/v1/clusters/list'), 'nothing'],
  [
    'read the registry secrets of its space',
    () => call(`/cluster/v1/secrets/spaces/${theirs.space.id}/clusters/${theirs.clusterId}`),
    404,
  ],
  ['follow its release live', () => registered({ releaseName: theirs.app.releaseName, lastSeq: 0 }), 'nothing'],
  [
    'follow its action live',
    () => registered({ releaseName: theirs.app.releaseName, actionId: theirs.action.id, lastSeq: 0 }),
    'nothing',
  ],
]

describe('a manager of one team', () => {
  it.each(tries)('cannot %s of the other team', async (_, how, ending) => {
    const { status, text } = await how()
    const about = `${status} ${text.slice(0, 500)}`
    if (ending === 'nothing') {
      expect(status, about).toBe(200)
      if (text.startsWith('{"data":[]')) expect(text).toMatch(empty)
    } else expect(status, about).toBe(ending)
    expect(
      marksOf(theirs).filter((mark) => text.includes(mark)),
      about,
    ).toEqual([])
    expect(text).not.toContain(theirs.secret)
  })

  it('has changed nothing there', async () => {
    expect(await stateOf(tenant, theirs)).toEqual(before)
  })

  it('cannot read its Secrets by a chart that looks them up', async () => {
    const { releaseName, ...body } = deployBody(
      tenant,
      mine.space,
      mine.app,
      '',
      `code: ${JSON.stringify(`{{ lookup "v1" "Secret" "${theirs.app.namespace}" "${theirs.app.releaseName}" }}`)}\n`,
    )
    const { status, text } = await put(`${helm}/preview/${tenant.child.version.id}`, {
      appMetadata: metadataOf(mine.app, mine.space),
      yaml: body.deployData.yaml,
    })
    expect(status).toBe(200)
    expect(text).not.toContain(theirs.secret)
  })

  it('sees the same counts whatever the other team has', async () => {
    const { item } = tenant.child
    const counted = await mine.manager.good<{ deployedCount: number }>(`/catalog/v2/items/${item.id}`)
    expect(counted.deployedCount).toBe(1)
    const total = async (path: string) => (await mine.manager.good<{ page: { total: number } }>(path)).page.total
    expect(await total('/portal-api/v2/spaces')).toBe(1)
    expect(await total('/portal-api/v2/apps')).toBe(2)
    const own = await mine.manager.good<{ data: { spaceId: string }[] }>('/deployment/v1/actions?page.limit=1000')
    expect(new Set(own.data.map(({ spaceId }) => spaceId))).toEqual(new Set([mine.space.id]))
  })

  it('hears nothing of what the other team does, on any topic', async () => {
    const socket = await connected()
    const topics = ['apps', 'spaces', 'actions', 'requests', 'clusters'].map((topic) => ({ topic }))
    const named = [
      { topic: 'app', id: theirs.app.id },
      { topic: 'app', id: mine.app.id },
      { topic: 'cluster', id: theirs.clusterId },
    ]
    for (const topic of [...topics, ...named]) socket.emit('watch', topic)
    socket.emit('register', { releaseName: theirs.app.releaseName, lastSeq: 0 })
    const tagOwn = () => mine.deployer.good(`/portal-api/v2/apps/${mine.app.id}/tags/heard`, { method: 'PUT' })
    const hearsOwn = async () => {
      await tagOwn()
      return heard.some((line) => line.includes(mine.app.id))
    }
    await expect.poll(hearsOwn, { timeout: 10_000 }).toBe(true)
    await theirs.deployer.good(`/portal-api/v2/apps/${theirs.app.id}/tags/common`, { method: 'PUT' })
    const { releaseName, ...body } = deployBody(tenant, theirs.space, theirs.app, '', 'code: other1234\nreplicas: 1\n')
    const upgraded = await theirs.deployer.good<{ actionId: string }>(`${helm}/actions.Upgrade`, { body })
    await theirs.deployer.good(`/deployment/v1/actions/${upgraded.actionId}?wait=50`)
    // Notes of one server come in their order: after this one nothing of before is on its way.
    heard.splice(0, heard.length, ...heard.filter((line) => !line.includes(mine.app.id)))
    await expect.poll(hearsOwn, { timeout: 10_000 }).toBe(true)
    expect(heard.filter((line) => marksOf(theirs).some((mark) => line.includes(mark)))).toEqual([])
    expect(heard.filter((line) => line.includes('"actions"') || line.includes('"message"'))).toEqual([])
  })
})

it('has tried at least forty things', () => {
  expect(tries.length).toBeGreaterThanOrEqual(40)
})
