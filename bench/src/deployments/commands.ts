import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogItem, CatalogVersionDetail } from '@quayside/contract/catalog/endpoints'
import type { Action } from '@quayside/contract/deployments/endpoints'
import type { ListReply } from '@quayside/contract/http/paging'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { portalClient } from '@quayside/embedded/seed/portal-client'
import type { Started } from '../product/product.ts'

const helm = '/deployment/v1/helm/deployment'

/** One app that only needs its Deploy command to be posted. */
export interface Assigned {
  releaseName: string
  namespace: string
  values: string
  body: object
}

export type Deployer = Awaited<ReturnType<typeof deployerOf>>

/** Calls the portal as a script does, for one chart in one space. */
export async function deployerOf(product: Started, chart: string, spaceName = 'Storefront', given?: string) {
  const token = given ?? (await product.tokenFor({ realmRoles: ['quayside-admin'] }))
  const { call } = portalClient(product.url, token)
  const items = await call<ListReply<CatalogItem>>('GET', '/catalog/v2/items?page.limit=1000')
  const item = found(items.data.find(({ name }) => name === chart))
  const version = await call<CatalogVersionDetail>('GET', `/catalog/v2/versions/${item.latestVersionId}`)
  const spaces = await call<ListReply<Space>>('GET', '/portal-api/v2/spaces')
  const space = found(spaces.data.find(({ displayName }) => displayName === spaceName))
  const tenant = await call<{ id: string; identifier: string }>('GET', '/portal-api/v2/tenants/byrealm/demo')
  const child = { item, version }

  return {
    token,
    call,
    version,

    /** Assigns the next app and prepares its command, as the wizard has when its last button is pressed. */
    async assign(displayName: string): Promise<Assigned> {
      const app = await call<App>('POST', `${helm}/actions.Assign`, {
        tenantId: tenant.id,
        spaceId: space.id,
        clusterId: found(space.clusters[0]).id,
        catalogChild: child,
        editableAppData: { displayName },
      })
      const release = await call<{ name: string }>('GET', `${helm}/releasename/${app.id}/${app.name}`)
      const appMetadata = {
        tenantIdentifier: tenant.identifier,
        envIdentifier: space.identifier,
        instanceIdentifier: app.identifier,
        appIdentifier: app.identifier,
      }
      const { clusterId, namespace } = app
      const place = { realm: 'demo', clusterId, spaceId: space.id, namespace }
      const deployData = { ...place, appMetadata, yaml: version.valuesYaml, catalogChild: child, groups: [] }
      const body = { appId: app.id, versionId: version.id, releaseName: release.name, deployData }
      return { releaseName: release.name, namespace, values: version.valuesYaml, body }
    },

    deploy: ({ body }: Assigned) => call<{ actionId: string }>('POST', `${helm}/actions.Deploy`, body),

    /** Waits on the server until the action has ended. */
    async ended(actionId: string): Promise<Action> {
      for (;;) {
        const action = await call<Action>('GET', `/deployment/v1/actions/${actionId}?wait=60`)
        if (action.running) continue
        if (action.state === 'Success') return action
        throw new Error(`a deployment of ${chart} ended as ${action.state}: ${JSON.stringify(action.result)}`)
      }
    },

    events: (actionId: string) =>
      call<{ data: { event: string; at: string; payload: { message?: string } }[] }>(
        'GET',
        `/deployment/v1/actions/${actionId}/events`,
      ),
  }
}

function found<T>(thing: T | undefined): T {
  if (thing === undefined) throw new Error('the samples lack what this bench needs')
  return thing
}

/** Deployers for so many spaces, which are made where they are not there yet, all with one fresh token. */
export async function teamsOf(product: Started, chart: string, count: number): Promise<[Deployer, ...Deployer[]]> {
  const first = await deployerOf(product, chart)
  const spaces = await first.call<ListReply<Space>>('GET', '/portal-api/v2/spaces')
  const clusterIds = spaces.data[0]?.clusters.map(({ id }) => id)
  const teams: [Deployer, ...Deployer[]] = [first]
  for (let at = 2; at <= count; at += 1) {
    const displayName = `Team ${at}`
    const isThere = spaces.data.some((space) => space.displayName === displayName)
    if (!isThere) await first.call('POST', '/portal-api/v3/spaces', { displayName, clusterIds })
    teams.push(await deployerOf(product, chart, displayName, first.token))
  }
  return teams
}
