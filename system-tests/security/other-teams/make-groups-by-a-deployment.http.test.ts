import type { Action } from '@quayside/contract/deployments/endpoints'
import type { Group } from '@quayside/contract/groups/endpoints'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deployBody, makeTeam, makeTenant, newPerson, type Team, type Tenant } from '../../permissions/two-teams.ts'

let world: World
let tenant: Tenant
let team: Team

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 } })
  tenant = await makeTenant(world)
  team = await makeTeam(world, tenant, 'harbour')
})
afterAll(() => world?.close())

const actions = '/deployment/v1/helm/deployment/actions'
const bodyOf = (kind: string, name: string) => {
  const app = kind === 'Deploy' ? team.assigned : team.app
  const { releaseName, deployData, ...rest } = deployBody(
    tenant,
    team.space,
    app,
    `groups-${kind.toLowerCase()}`,
    'code: abc12345\n',
  )
  const groups = [{ name, resourceRoles: [] }]
  return { ...rest, ...(kind === 'Deploy' ? { releaseName } : {}), deployData: { ...deployData, groups } }
}
const groupNames = async () =>
  (await tenant.admin.good<{ data: Group[] }>('/iam/v2/groups')).data.map(({ name }) => name)

it.each(['Deploy', 'Upgrade'])(
  '%s makes no group for somebody without groups.create, whatever they hold in the space',
  async (kind) => {
    const name = `Keepers ${kind}`
    const answer = await world.api(`${actions}.${kind}`, { token: team.deployer.token, body: bodyOf(kind, name) })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({
      code: 'auth.forbidden',
      field: 'deployData.groups.0.name',
      details: { needs: [{ section: 'iam-groups', role: 'groups.create' }] },
    })
    expect(await groupNames()).not.toContain(name)
  },
)

it.each(['Deploy', 'Upgrade'])(
  '%s makes it for somebody who holds it, and no group that is there can be meant by its name',
  async (kind) => {
    const name = `Makers ${kind}`
    const maker = await newPerson(world, {
      realmRoles: ['quayside-member'],
      clientRoles: { 'quayside-portal-ui-iam-groups': ['groups.create'] },
    })
    await team.manager.good(`/portal-api/v3/spaces/${team.space.id}/permissions`, {
      body: { principal: { type: 'user', id: maker.id }, role: 'deployer' },
    })
    const taken = await world.api(`${actions}.${kind}`, { token: maker.token, body: bodyOf(kind, 'everybody') })
    expect([taken.status, await taken.json()]).toMatchObject([400, { field: 'deployData.groups.0.name' }])
    const { actionId } = await maker.good<{ actionId: string }>(`${actions}.${kind}`, { body: bodyOf(kind, name) })
    expect(await team.manager.good<Action>(`/deployment/v1/actions/${actionId}?wait=50`)).toMatchObject({
      state: 'Success',
    })
    expect(await groupNames()).toContain(name)
  },
)
