import type { CatalogChild } from '@quayside/contract/catalog'
import type { DeployData } from '@quayside/contract/deploy-data'
import { type Action, type ActionKind, deployment } from '@quayside/contract/deployment'
import { pathOf } from '@quayside/contract/path'
import { type App, portalApi, type Space } from '@quayside/contract/portal-api'
import { chartPackage } from './chart.ts'

/** The one thing that a story needs of a World. */
interface Portal {
  api(
    path: string,
    call: { method?: string; token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Response>
}

/** Calls of one person against a World, in the order in which the wizards make them. */
export function createStory(world: Portal, token: string) {
  async function call<T>(
    path: string,
    init: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) {
    const answer = await world.api(path, { token, ...init })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T }
  }

  async function good<T>(path: string, init: Parameters<typeof call>[1] = {}): Promise<T> {
    const { status, body } = await call<T>(path, init)
    if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  return {
    call,
    good,
    post: <T>(kind: ActionKind, body: unknown, headers: Record<string, string> = {}) =>
      call<T>(`/deployment/v1/helm/deployment/actions.${kind}`, { body, headers }),

    async upload(name: string, version: string, more: Record<string, string> = {}): Promise<CatalogChild> {
      const form = new FormData()
      form.set('file', new Blob([await chartPackage(name, version, more)]), `${name}-${version}.tgz`)
      const { itemId, versionId } = await good<{ itemId: string; versionId: string }>(
        '/catalog/v1/upload/uploadasync',
        { body: form },
      )
      return {
        item: await good(`/catalog/v2/items/${itemId}`),
        version: await good(`/catalog/v2/versions/${versionId}`),
      }
    },

    /** A space on a cluster of its own kubeconfig. */
    async space(displayName: string, kubeconfig: string): Promise<Space> {
      const cluster = { displayName: 'Sandbox', iaas: { type: 'Sandbox' }, kubeconfig, clusterScoped: false }
      const { id } = await good<{ id: string }>('/cluster/v1/clusters', { body: cluster })
      return good(pathOf(portalApi.createSpace), { body: { displayName, clusterIds: [id] } })
    },

    tenantId: async (): Promise<string> => (await good<{ id: string }>('/portal-api/v2/tenants/byrealm/demo')).id,

    async assign(space: Space, catalogChild: CatalogChild): Promise<App> {
      const body = {
        tenantId: await this.tenantId(),
        spaceId: space.id,
        clusterId: space.clusters[0]?.id,
        catalogChild,
      }
      return good(pathOf(deployment.assign), { body })
    },

    releaseName: async (app: App, name: string): Promise<string> =>
      (await good<{ name: string }>(pathOf(deployment.releaseName, { a: app.id, b: name }))).name,

    /** Waits for the end of an action, as a script does. */
    ended: (id: string): Promise<Action> => good(`${pathOf(deployment.getAction, { id })}?wait=60`),
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
