import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '@quayside/contract/apps/endpoints'
import type { Action, Revision } from '@quayside/contract/deployments/endpoints'
import type { Permission } from '@quayside/contract/permissions/permission-entry'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assignBody, deployBody, makeTeam, makeTenant, type Team, type Tenant } from '../../permissions/two-teams.ts'

let world: World
let tenant: Tenant
let team: Team
const folder = mkdtempSync(join(tmpdir(), 'quayside-removed-'))
const armed = join(folder, 'armed')

beforeAll(async () => {
  writeFileSync(armed, '')
  world = await World.start({ cluster: { speed: 10 }, env: { QUAYSIDE_FAILPOINTS: `@${armed}` } })
  tenant = await makeTenant(world)
  team = await makeTeam(world, tenant, 'harbour')
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

const helm = '/deployment/v1/helm/deployment'
const listPath = () => `/portal-api/v3/spaces/${team.space.id}/permissions`
const entryOfDeployer = async () => {
  const { data } = await team.manager.good<{ data: Permission[] }>(listPath())
  return data.find(({ principal }) => principal.id === team.deployer.id)
}
const remove = async () => {
  await team.manager.good(`${listPath()}/${(await entryOfDeployer())?.id}`, { method: 'DELETE' })
}
const makeViewer = async () => {
  const body = { id: (await entryOfDeployer())?.id, role: 'viewer', owner: false, expiresAt: null }
  await team.manager.good(listPath(), { method: 'PUT', body })
}
const disable = async () => {
  const directory = await world.directory()
  const account = await directory.get<object>(`/users/${team.deployer.id}`)
  await directory.put(`/users/${team.deployer.id}`, { ...account, enabled: false })
}
const backAgain = async () => {
  const directory = await world.directory()
  const account = await directory.get<object>(`/users/${team.deployer.id}`)
  await directory.put(`/users/${team.deployer.id}`, { ...account, enabled: true })
  const entry = await entryOfDeployer()
  const body = { principal: { type: 'user', id: team.deployer.id }, role: 'deployer' }
  if (entry)
    await team.manager.good(listPath(), {
      method: 'PUT',
      body: { id: entry.id, role: 'deployer', owner: false, expiresAt: null },
    })
  else await team.manager.good(listPath(), { body })
}

it.each<[when: string, failpoint: string, how: string, lose: () => Promise<void>]>([
  ['waits to be begun', 'F4', 'taken off the list', remove],
  ['has its namespace but no Helm yet', 'F8', 'made a viewer', makeViewer],
  ['waits to be begun', 'F4', 'disabled', disable],
])('a deployment that %s (%s) ends without Helm when its starter was %s', async (_, failpoint, __, lose) => {
  const app = await team.deployer.good<App>(`${helm}/actions.Assign`, {
    body: assignBody(tenant, team.space, team.clusterId, `late-${failpoint}`),
  })
  writeFileSync(armed, `${failpoint}=hang:6000`)
  const { actionId } = await team.deployer.good<{ actionId: string }>(`${helm}/actions.Deploy`, {
    body: deployBody(tenant, team.space, app, `late-${app.id}`, 'code: late12345\n'),
  })
  await lose()
  try {
    const action = await team.manager.good<Action>(`/deployment/v1/actions/${actionId}?wait=40`)
    expect(action.state).toBe('Failed')
    expect(action.result?.summary).toBe(
      `${action.startedBy} may not do this in ${team.space.displayName} any more (space.deploy is missing)`,
    )
    const { data } = await team.manager.good<{ data: Revision[] }>(`${helm}/revisions/${app.id}`)
    expect(data).toEqual([])
    expect(await team.manager.good<App>(`/portal-api/v2/apps/${app.id}`)).toMatchObject({ state: 'assigned' })
  } finally {
    await backAgain()
  }
})

it('an upgrade that waits ends without Helm, and what runs stays as it was', async () => {
  writeFileSync(armed, 'F4=hang:6000')
  const { releaseName, ...body } = deployBody(tenant, team.space, team.app, '', 'code: other12345\nreplicas: 2\n')
  const { actionId } = await team.deployer.good<{ actionId: string }>(`${helm}/actions.Upgrade`, { body })
  await remove()
  const action = await team.manager.good<Action>(`/deployment/v1/actions/${actionId}?wait=40`)
  expect(action.result?.summary).toContain('may not do this in harbour-space any more (app.manage is missing)')
  const { data } = await team.manager.good<{ data: Revision[] }>(`${helm}/revisions/${team.app.id}`)
  expect(data.map(({ revision }) => revision)).toEqual([1])
  expect(await team.manager.good<App>(`/portal-api/v2/apps/${team.app.id}`)).toMatchObject({ revision: 1 })
  await backAgain()
})

it('what waits when its space is frozen ends without Helm, unless its starter is exempt', async () => {
  const freezing = `/portal-api/v3/spaces/${team.space.id}/freeze`
  const { releaseName, ...body } = deployBody(tenant, team.space, team.app, '', 'code: frozen12345\nreplicas: 2\n')
  const upgrade = () => team.deployer.good<{ actionId: string }>(`${helm}/actions.Upgrade`, { body })
  const ended = (id: string) => team.manager.good<Action>(`/deployment/v1/actions/${id}?wait=40`)
  const freeze = (exempt: string[]) =>
    team.manager.good(freezing, { method: 'PUT', body: { reason: 'Quarter end', exempt } })
  writeFileSync(armed, 'F4=hang:6000')
  const { actionId: late } = await upgrade()
  await freeze([])
  const { state, result } = await ended(late)
  expect([state, result?.summary]).toEqual(['Failed', 'Deployments in this space are frozen: Quarter end'])
  await team.manager.good(freezing, { method: 'DELETE' })
  writeFileSync(armed, 'F4=hang:6000')
  const { actionId: exempt } = await upgrade()
  await freeze([team.deployer.id])
  expect(await ended(exempt)).toMatchObject({ state: 'Success' })
  await team.manager.good(freezing, { method: 'DELETE' })
})
