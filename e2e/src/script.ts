import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogItem, CatalogVersionDetail } from '@quayside/contract/catalog/endpoints'
import type { Action, PreparedVersion } from '@quayside/contract/deployments/endpoints'
import type { ListReply } from '@quayside/contract/http/paging'
import type { Space } from '@quayside/contract/spaces/endpoints'
import type { World } from '@quayside/embedded/world'

type Roles = Parameters<World['tokenFor']>[0]
export type Script = ReturnType<typeof scriptAs>

/** The app that a story needs already running, when how it was installed is not part of the story. */
type Wanted = {
  chart: string
  version?: string
  space?: string
  name?: string
  /** Changes the text of the prepared values. */
  values?: (yaml: string) => string
}

const helm = '/deployment/v1/helm/deployment'

/** A script with an account of its own. */
export function scriptOf(world: World, roles: Roles): Script {
  let account: ReturnType<World['accountWith']> | undefined
  return scriptAs(world, async () => {
    account ??= world.accountWith(roles)
    return (await account)()
  })
}

/** Calls the portal over HTTP with this token, as the scripts of docs/scripting.md do. */
export function scriptAs(world: World, token: () => Promise<string>) {
  async function call<Reply>(path: string, body?: unknown, method?: string): Promise<Reply> {
    const answer = await world.api(path, { token: await token(), body, method })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method ?? 'call'} ${path} answered ${answer.status}: ${text.slice(0, 500)}`)
    return (text === '' ? undefined : JSON.parse(text)) as Reply
  }

  const spaceNamed = async (name: string) => {
    const { data } = await call<ListReply<Space>>('/portal-api/v2/spaces')
    return found(data.find(({ displayName }) => displayName === name))
  }
  const itemNamed = async (name: string) => {
    const { data } = await call<ListReply<CatalogItem>>('/catalog/v2/items?page.limit=1000')
    return found(data.find((item) => item.name === name))
  }

  /** Waits on the server until the action has ended. */
  async function ended(actionId: string): Promise<Action> {
    for (;;) {
      const action = await call<Action>(`/deployment/v1/actions/${actionId}?wait=60`)
      if (!action.running) return action
    }
  }

  /** Assigns, prepares and posts Deploy; gives the app and the action that runs. */
  async function startDeploy({ chart, version, space: where = 'Storefront', name, values = (yaml) => yaml }: Wanted) {
    const [item, space] = await Promise.all([itemNamed(chart), spaceNamed(where)])
    const all = await call<{ data: { id: string; version: string }[] }>(`/catalog/v2/versions/bycatalogitem/${item.id}`)
    const id = version ? found(all.data.find((one) => one.version === version)).id : item.latestVersionId
    const child = { item, version: await call<CatalogVersionDetail>(`/catalog/v2/versions/${id}`) }
    const tenant = await call<{ id: string; identifier: string }>(`/portal-api/v2/tenants/byrealm/${world.realm}`)
    const app = await call<App>(`${helm}/actions.Assign`, {
      tenantId: tenant.id,
      spaceId: space.id,
      clusterId: found(space.clusters[0]).id,
      catalogChild: child,
      editableAppData: name ? { displayName: name } : undefined,
    })
    const { actionId } = await call<{ actionId: string }>(`${helm}/actions.Prepare`, {
      catalogItemId: item.id,
      catalogVersionId: id,
      catalogItemType: item.type,
      appKind: item.appKind,
      appType: item.appType,
    })
    const prepared = found((await ended(actionId)).prepared) as PreparedVersion
    const release = await call<{ name: string }>(`${helm}/releasename/${app.id}/${app.name}`)
    const yaml = values(prepared.values.yaml)
    const deployData = { realm: world.realm, ...placeOf(tenant, space, app), yaml, catalogChild: child, groups: [] }
    const command = { appId: app.id, versionId: id, releaseName: release.name, deployData }
    const started = await call<{ actionId: string }>(`${helm}/actions.Deploy`, command)
    return { app, releaseName: release.name, actionId: started.actionId, command }
  }

  return {
    token,
    call,
    ended,
    spaceNamed,
    itemNamed,
    startDeploy,
    /** An app that runs. */
    async deploy(wanted: Wanted) {
      const started = await startDeploy(wanted)
      const action = await ended(started.actionId)
      if (action.state !== 'Success') throw new Error(`${wanted.chart}: ${JSON.stringify(action.result)}`)
      return started
    },
    async remove(app: { id: string }, releaseName: string) {
      const { actionId } = await call<{ actionId: string }>(`${helm}/actions.Delete`, {
        app: { id: app.id, releaseName },
      })
      return ended(actionId)
    },
  }
}

function placeOf(tenant: { identifier: string }, space: Space, app: App) {
  return {
    clusterId: app.clusterId,
    spaceId: space.id,
    appMetadata: {
      tenantIdentifier: tenant.identifier,
      envIdentifier: space.identifier,
      instanceIdentifier: app.identifier,
      appIdentifier: app.identifier,
    },
    namespace: app.namespace,
  }
}

function found<T>(thing: T | null | undefined): T {
  if (thing === undefined || thing === null) throw new Error('the samples lack what this story needs')
  return thing
}
