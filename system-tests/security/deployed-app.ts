import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Accepted, deployments } from '@quayside/contract/deployments/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { packChart } from '@quayside/embedded/seed/chart-package'
import { createStory, deployDataOf } from '@quayside/embedded/story/story'
import type { World } from '@quayside/embedded/world'

const samples = resolve(import.meta.dirname, '../../samples/charts')

interface Deployment {
  clusterId: string
  appId: string
  action: { state: string; message?: string | null; result?: unknown }
}

/** Registers the Sandbox, makes a space and deploys the chart of a web page into it. */
export async function deployedApp(world: World, token: string): Promise<Deployment> {
  const made = await deployed(world, token, {
    chart: await packChart(join(samples, 'web-page/1.0.0'), 'web-page'),
    yaml: '',
  })
  const { action } = made
  if (action.state !== 'Success') throw new Error(`the deployment ended as ${action.state}: ${JSON.stringify(action)}`)
  return made
}

/** Registers the Sandbox, makes a space and deploys a chart with values into it, to whatever end. */
export async function deployed(
  world: World,
  token: string,
  { chart, yaml }: { chart: Uint8Array<ArrayBuffer>; yaml: string },
): Promise<Deployment> {
  const story = createStory(world, token)
  const kubeconfig = readFileSync(world.kubeconfig, 'utf8')
  const cluster = await story.good<{ id: string }>('/cluster/v1/clusters', {
    body: { displayName: 'Here', kubeconfig },
  })
  const child = await story.upload(chart)
  const space = await story.good<Space>('/portal-api/v3/spaces', {
    body: { displayName: 'Team', clusterIds: [cluster.id] },
  })
  const app = await story.assign(space, child)
  const { actionId } = await story.good<Accepted>(pathOf(deployments.deploy), {
    body: {
      appId: app.id,
      versionId: child.version.id,
      releaseName: `web-${app.id}`,
      deployData: deployDataOf(app, space, child, yaml),
    },
  })
  return { clusterId: cluster.id, appId: app.id, action: await story.ended(actionId) }
}
