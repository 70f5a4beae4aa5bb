import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { DeployData } from '@quayside/contract/deployments/deploy-data'
import { type Action, type ActionKind, deployments } from '@quayside/contract/deployments/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import { type Space, spaces } from '@quayside/contract/spaces/endpoints'
import { decodeJwt } from 'jose'
import { callsOf } from '../portal-calls.ts'
import type { World } from '../world.ts'
import { chartPackage } from './small-chart.ts'

const realmOf = (token: string) => decodeJwt(token).iss?.split('/').at(-1) ?? ''

/** Calls of one person against a World, in the order in which the wizards make them. */
export function createStory(world: Pick<World, 'api'>, token: string) {
  const { call, good } = callsOf(world, token)

  async function upload(chart: Uint8Array<ArrayBuffer>): Promise<CatalogChild> {
    const form = new FormData()
    form.set('file', new Blob([chart]), 'chart.tgz')
    const { itemId, versionId } = await good<{ itemId: string; versionId: string }>('/catalog/v1/upload/uploadasync', {
      body: form,
    })
    return {
      item: await good(`/catalog/v2/items/${itemId}`),
      version: await good(`/catalog/v2/versions/${versionId}`),
    }
  }

  return {
    userId: decodeJwt(token).sub ?? '',
    token,
    call,
    good,
    post: <T>(kind: ActionKind, body: unknown, headers: Record<string, string> = {}) =>
      call<T>(`/deployment/v1/helm/deployment/actions.${kind}`, { body, headers }),

    /** Puts a chart package into the catalog. */
    upload,
    /** Puts a version of the small chart into the catalog, with more files or others in place of its own. */
    uploadSmall: async (name: string, version: string, more: Record<string, string> = {}): Promise<CatalogChild> =>
      upload(await chartPackage(name, version, more)),

    /** A space on a cluster of its own kubeconfig. */
    async space(displayName: string, kubeconfig: string): Promise<Space> {
      const cluster = { displayName: 'Sandbox', iaas: { type: 'Sandbox' }, kubeconfig, clusterScoped: false }
      const { id } = await good<{ id: string }>('/cluster/v1/clusters', { body: cluster })
      return good(pathOf(spaces.createSpace), { body: { displayName, clusterIds: [id] } })
    },

    tenantId: async (): Promise<string> =>
      (await good<{ id: string }>(`/portal-api/v2/tenants/byrealm/${realmOf(token)}`)).id,

    async assign(space: Space, catalogChild: CatalogChild): Promise<App> {
      const body = {
        tenantId: await this.tenantId(),
        spaceId: space.id,
        clusterId: space.clusters[0]?.id,
        catalogChild,
      }
      return good(pathOf(deployments.assign), { body })
    },

    releaseName: async (app: App, name: string): Promise<string> =>
      (await good<{ name: string }>(pathOf(deployments.releaseName, { appId: app.id, name }))).name,

    /** Waits for the end of an action, as a script does. */
    ended: (id: string): Promise<Action> => good(`${pathOf(deployments.getAction, { id })}?wait=60`),
  }
}
export type Story = ReturnType<typeof createStory>

/** The `deployData` that the wizards send for an app. */
export function deployDataOf(app: App, space: Space, catalogChild: CatalogChild, yaml: string): DeployData {
  return {
    realm: 'demo',
    clusterId: app.clusterId,
    spaceId: app.spaceId,
    appMetadata: metadataOf(app, space),
    namespace: app.namespace,
    yaml,
    catalogChild,
    groups: [],
  }
}

export function metadataOf(app: App, space: Space) {
  return {
    tenantIdentifier: 'demo',
    envIdentifier: space.identifier,
    instanceIdentifier: app.identifier,
    appIdentifier: app.identifier,
  }
}
