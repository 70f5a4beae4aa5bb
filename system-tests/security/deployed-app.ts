import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packChart } from '@quayside/embedded/seed/chart-package'
import type { World } from '@quayside/embedded/world'

const samples = resolve(import.meta.dirname, '../../samples/charts')

/** Calls the portal and gives the answer's body; throws what it says where it refuses. */
export function caller(world: World, token: string) {
  return async <T>(path: string, call: { method?: string; body?: unknown } = {}): Promise<T> => {
    const answer = await world.api(path, { token, ...call })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
}

export interface Deployment {
  clusterId: string
  appId: string
  action: { state: string; message?: string | null; result?: unknown }
}

/** Registers the Sandbox, makes a space and deploys the chart of a web page into it. */
export async function deployedApp(world: World, token: string): Promise<Deployment> {
  const deployment = await deployed(world, token, {
    chart: await packChart(join(samples, 'web-page/1.0.0'), 'web-page'),
    yaml: '',
  })
  const { action } = deployment
  if (action.state !== 'Success') throw new Error(`the deployment ended as ${action.state}: ${JSON.stringify(action)}`)
  return deployment
}

/** Registers the Sandbox, makes a space and deploys a chart with values into it, to whatever end. */
export async function deployed(
  world: World,
  token: string,
  { chart, yaml }: { chart: Uint8Array; yaml: string },
): Promise<Deployment> {
  const call = caller(world, token)
  const kubeconfig = readFileSync(world.kubeconfig, 'utf8')
  const cluster = await call<{ id: string }>('/cluster/v1/clusters', { body: { displayName: 'Here', kubeconfig } })
  const form = new FormData()
  form.set('file', new Blob([Buffer.from(chart)]), 'chart.tgz')
  const uploaded = await call<{ itemId: string; versionId: string }>('/catalog/v1/upload/uploadasync', { body: form })
  const catalogChild = {
    item: await call(`/catalog/v2/items/${uploaded.itemId}`),
    version: await call(`/catalog/v2/versions/${uploaded.versionId}`),
  }
  const space = await call<{ id: string; identifier: string; namespace: string }>('/portal-api/v3/spaces', {
    body: { displayName: 'Team', clusterIds: [cluster.id] },
  })
  const tenant = await call<{ id: string }>(`/portal-api/v2/tenants/byrealm/${world.realm}`)
  const app = await call<{ id: string; identifier: string }>('/deployment/v1/helm/deployment/actions.Assign', {
    body: { tenantId: tenant.id, spaceId: space.id, clusterId: cluster.id, catalogChild },
  })
  const appMetadata = {
    tenantIdentifier: world.realm,
    envIdentifier: space.identifier,
    instanceIdentifier: app.identifier,
    appIdentifier: app.identifier,
  }
  const deployData = {
    realm: world.realm,
    clusterId: cluster.id,
    spaceId: space.id,
    namespace: space.namespace,
    appMetadata,
    yaml,
    catalogChild,
  }
  const { actionId } = await call<{ actionId: string }>('/deployment/v1/helm/deployment/actions.Deploy', {
    body: { appId: app.id, versionId: uploaded.versionId, releaseName: `web-${app.id}`, deployData },
  })
  const action = await call<Deployment['action']>(`/deployment/v1/actions/${actionId}?wait=50`)
  return { clusterId: cluster.id, appId: app.id, action }
}
