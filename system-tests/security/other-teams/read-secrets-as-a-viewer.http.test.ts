import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import type { AuditEntry } from '@quayside/contract/audit/endpoints'
import type { Action, ActionEvent } from '@quayside/contract/deployments/endpoints'
import { World } from '@quayside/embedded/world'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deployBody, makeTeam, makeTenant, type Team, type Tenant } from '../../permissions/two-teams.ts'

let world: World
let tenant: Tenant
let team: Team
let prepared: Action
let socket: Socket
const heard: string[] = []
const helm = '/deployment/v1/helm/deployment'

/** Every form in which the templates of the chart say the code, but for the one that takes it apart letter by letter. */
function formsOf(code: string): string[] {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const hex = Buffer.from(code).toString('hex')
  const turned = [code.toUpperCase(), code.toLowerCase(), hex, hex.toUpperCase(), [...code].reverse().join('')]
  return [code, base64(code), base64(base64(code)), ...turned]
}

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 } })
  tenant = await makeTenant(world)
  team = await makeTeam(world, tenant, 'harbour')
  socket = io(world.url, { path: '/deployment/socket.io', auth: { token: team.viewer.token }, forceNew: true })
  socket.onAny((name, payload) => heard.push(JSON.stringify([name, payload])))
  await new Promise<void>((connected) => socket.once('connect', connected))
  const { item, version } = tenant.child
  const { actionId } = await team.deployer.good<{ actionId: string }>(`${helm}/actions.Prepare`, {
    body: {
      ...{ catalogItemId: item.id, catalogVersionId: version.id, catalogItemType: item.type, appKind: item.appKind },
      appId: team.app.id,
    },
  })
  const { releaseName, ...upgrade } = deployBody(
    tenant,
    team.space,
    team.app,
    '',
    `code: ${team.secret}More\nreplicas: 1\n`,
  )
  prepared = await team.deployer.good<Action>(`/deployment/v1/actions/${actionId}?wait=30`)
  socket.emit('register', { releaseName: String(team.app.releaseName), lastSeq: 0 })
  const upgraded = await team.deployer.good<{ actionId: string }>(`${helm}/actions.Upgrade`, { body: upgrade })
  await team.deployer.good(`/deployment/v1/actions/${upgraded.actionId}?wait=50`)
}, 120_000)
afterAll(async () => {
  socket?.disconnect()
  await world?.close()
})

const pathsOf = ({ app, action, pod, space }: Team): string[] => [
  `${helm}/revision/${app.id}/1`,
  `${helm}/revision/${app.id}/2`,
  `${helm}/revisions/${app.id}`,
  `${helm}/compare/${app.id}?from=1&to=2`,
  `/cluster/v1/apps/${app.id}/overview`,
  `/cluster/v1/apps/${app.id}/pods`,
  `/cluster/v1/apps/${app.id}/deployments`,
  `/cluster/v1/apps/${app.id}/services`,
  `/cluster/v1/apps/${app.id}/events`,
  `/log/v1/apps/${app.id}/lines`,
  `/log/v1/spaces/${space.id}/lines`,
  `/log/v1/apps/${app.id}/pods/${pod}`,
  `/portal-api/v2/apps/${app.id}`,
  `/deployment/v1/actions?filters.appId=${app.id}`,
  `/deployment/v1/actions/${action.id}`,
  `/deployment/v1/actions/${action.id}/events`,
  `/deployment/v1/actions/${prepared.id}`,
  `/deployment/v1/actions/${prepared.id}/events`,
]

it('reads the code of an app nowhere, in none of the forms that its templates give it', async () => {
  const codes = [team.secret, `${team.secret}More`].flatMap(formsOf)
  for (const path of pathsOf(team)) {
    const answer = await world.api(path, { token: team.viewer.token })
    const text = await answer.text()
    // A pod of the revision before may be gone.
    if (!path.startsWith('/log/')) expect(answer.status, path).toBe(200)
    expect(
      codes.filter((code) => text.includes(code)),
      `${path}: ${text.slice(0, 3000)}`,
    ).toEqual([])
  }
})

it('reads no message of an event that repeats it, in a panel or on the page of the cluster, and finds none by its words', async () => {
  const kube = new KubeConfig()
  kube.loadFromFile(world.kubeconfig)
  const { namespace } = team.space
  await kube.makeApiClient(CoreV1Api).createNamespacedEvent({
    namespace,
    body: {
      ...{ metadata: { name: 'probe', namespace }, reason: 'Unhealthy', type: 'Warning' },
      ...{
        involvedObject: { kind: 'Pod', name: team.pod, namespace },
        message: `the probe was answered ${team.secret}`,
      },
      ...{ firstTimestamp: new Date(), lastTimestamp: new Date() },
    },
  })
  const eventsPanel = {
    kind: 'Panel',
    spec: { display: { name: 'Events' }, plugin: { kind: 'Events', spec: { spaceId: team.space.id } } },
  }
  const range = {
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 3_600_000).toISOString(),
  }
  const panelFor = async (token: string) =>
    (await world.api('/dashboard/v1/query', { token, body: { preview: { events: eventsPanel }, range } })).text()
  expect(await panelFor(team.deployer.token)).toContain(team.secret)
  expect(await panelFor(team.viewer.token)).toContain('Unhealthy')
  expect(await panelFor(team.viewer.token)).not.toContain(team.secret)

  const looker = await world.tokenFor({ realmRoles: ['quayside-viewer'] })
  const page = async (token: string, query: string) =>
    (
      await world.api(`/cluster/v2/clusters/${team.clusterId}/events?filters.namespace=${namespace}&${query}`, {
        token,
      })
    ).text()
  const operator = await world.tokenFor({ realmRoles: ['quayside-operator'] })
  expect(await page(operator, `search=${team.secret}`)).toContain(team.secret)
  expect(await page(looker, 'page.limit=1000')).toContain('Unhealthy')
  expect(await page(looker, 'page.limit=1000')).not.toContain(team.secret)
  expect(JSON.parse(await page(looker, `search=${team.secret}`)).data).toEqual([])
})

it('sees neither manifests of Secrets nor what the environment is set to, which a deployer does', async () => {
  const manifestOf = async (token: string) =>
    ((await (await world.api(`${helm}/revision/${team.app.id}/1`, { token })).json()) as { manifest: string }).manifest
  const seen = await manifestOf(team.viewer.token)
  expect(seen).toContain('kind: Deployment')
  expect(seen).toContain('name: PLAIN_BUT_MINE')
  expect(seen).not.toMatch(/kind: Secret|only-for-the-pod/)
  const whole = await manifestOf(team.deployer.token)
  expect(whole).toContain('kind: Secret')
  expect(whole).toContain('only-for-the-pod')
  expect(whole).not.toContain(team.secret)
})

it('is said in the audit log to have been shown no secrets, as whoever holds the scope was', async () => {
  const path = `${helm}/revision/${team.app.id}/1`
  for (const { token } of [team.viewer, team.deployer]) await world.api(path, { token })
  const admin = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const log = await world.api(`/portal-api/v1/audit?filters.capability=deployments&search=${team.app.id}`, {
    token: admin,
  })
  const { data } = (await log.json()) as { data: AuditEntry[] }
  const shownTo = (userId: string) =>
    new Set(
      data
        .filter(({ call, who }) => call.endsWith('/:revision') && who.id === userId)
        .map(({ about }) => about.secrets),
    )
  expect(shownTo(team.viewer.id)).toEqual(new Set(['hidden']))
  expect(shownTo(team.deployer.id)).toEqual(new Set(['shown']))
})

it('is not told what somebody has prepared for an upgrade, by the ledger or by the socket', async () => {
  const values = 'fieldConfig'
  expect(JSON.stringify(prepared.prepared)).toContain(values)
  const read = await team.viewer.good<Action>(`/deployment/v1/actions/${prepared.id}`)
  expect(read).toMatchObject({ id: prepared.id, state: 'Success', prepared: null })
  const events = await team.viewer.good<{ data: ActionEvent[] }>(`/deployment/v1/actions/${prepared.id}/events`)
  expect(events.data.map(({ event }) => event)).toContain('Prepare')
  expect(JSON.stringify(events)).not.toContain(values)
  const full = await team.deployer.good<{ data: ActionEvent[] }>(`/deployment/v1/actions/${prepared.id}/events`)
  expect(JSON.stringify(full)).toContain(values)
  const asked = { releaseName: 'any', actionId: prepared.id, lastSeq: 0 }
  expect(await socket.emitWithAck('register', asked)).toMatchObject({ ok: true })
  await expect.poll(() => heard.some((line) => line.startsWith('["Prepare"'))).toBe(true)
  expect(heard.filter((line) => line.startsWith('["Prepare"')).join()).not.toContain(values)
})

it('hears none of it live while it is deployed', () => {
  const codes = [team.secret, `${team.secret}More`].flatMap(formsOf)
  expect(heard.some((line) => line.includes('"hookresult"') || line.includes('"Upgrade"'))).toBe(true)
  expect(heard.filter((line) => codes.some((code) => line.includes(code)))).toEqual([])
})
