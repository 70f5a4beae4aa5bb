import { readFileSync } from 'node:fs'
import { KubeConfig } from '@kubernetes/client-node'
import type { Cluster } from '@quayside/contract/cluster'
import type { Approval } from '@quayside/contract/cluster-rules'
import type { Action, ValidationResult } from '@quayside/contract/deployment'
import type { App, Space } from '@quayside/contract/portal-api'
import type { World } from '@quayside/embedded/world'
import { packFiles, type Story, storyOf } from './story.ts'

/** A chart that makes whatever its values say: `objects` is a manifest with templates in it. */
const files = {
  'Chart.yaml': 'apiVersion: v2\nname: anything\nversion: 1.0.0\n',
  'values.yaml': 'objects: ""\n',
  'templates/objects.yaml': '{{ tpl .Values.objects . }}\n',
}

const actions = '/deployment/v1/helm/deployment/actions'
const metadataOf = (app: App, space: Space) => ({
  tenantIdentifier: 'demo',
  envIdentifier: space.identifier,
  instanceIdentifier: app.identifier,
  appIdentifier: app.identifier,
})

export interface Team {
  space: Space
  story: Story
}

/** A cluster that charts may reach into as far as it says, an administrator of it, and teams that deploy. */
export async function teamsOn(world: World) {
  const admin = storyOf(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const sandbox = readFileSync(world.kubeconfig, 'utf8')
  const cluster = await admin.good<Cluster>('/cluster/v1/clusters', {
    body: { displayName: 'Here', iaas: { type: 'Sandbox' }, kubeconfig: sandbox, clusterScoped: true },
  })
  let made = 0
  const child = await admin.upload(await packFiles('anything', files))
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(sandbox)

  async function team(): Promise<Team> {
    const story = storyOf(world, await world.tokenFor({ realmRoles: ['quayside-member'] }))
    made += 1
    const space = await admin.good<Space>('/portal-api/v3/spaces', {
      body: {
        displayName: `Team ${made}`,
        clusterIds: [cluster.id],
        members: [{ principal: { type: 'user', id: story.userId }, role: 'deployer' }],
      },
    })
    return { space, story }
  }

  const yamlOf = (objects: string) => `objects: ${JSON.stringify(objects)}\n`
  return {
    admin,
    cluster,
    child,
    kubeconfig,
    team,
    yamlOf,

    assign: ({ story, space }: Team): Promise<App> => story.assign(space, child),

    validate: ({ story, space }: Team, app: App, objects: string) =>
      story.good<ValidationResult>(`/deployment/v1/helm/deployment/validate/${child.version.id}`, {
        method: 'PUT',
        body: { appMetadata: metadataOf(app, space), yaml: yamlOf(objects) },
      }),

    ask: ({ story, space }: Team, app: App, objects: string) =>
      story.call<Approval & { code?: string; message?: string }>(
        `/deployment/v1/helm/deployment/approvals/${child.version.id}`,
        { body: { appMetadata: metadataOf(app, space), yaml: yamlOf(objects), reason: 'It reads nodes' } },
      ),

    answer: (by: Story, { id }: Pick<Approval, 'id'>, decision: 'grant' | 'decline') =>
      by.call<Approval>(`/cluster/v1/approvals/${id}/answer`, { body: { decision } }),

    /** Starts a deployment, whoever may, and waits for its end; a refused one has its status alone. */
    async deploy(
      { space }: Team,
      story: Story,
      app: App,
      objects: string,
    ): Promise<{ status: number; action?: Action }> {
      const releaseName = await story.releaseName(app, 'anything')
      const kind = app.releaseName === null ? 'Deploy' : 'Upgrade'
      const { status, body } = await story.call<{ actionId: string }>(`${actions}.${kind}`, {
        body: {
          appId: app.id,
          versionId: child.version.id,
          ...(kind === 'Deploy' ? { releaseName } : {}),
          deployData: {
            realm: world.realm,
            clusterId: app.clusterId,
            spaceId: app.spaceId,
            namespace: app.namespace,
            appMetadata: metadataOf(app, space),
            yaml: yamlOf(objects),
            catalogChild: child,
          },
        },
      })
      return status === 202 ? { status, action: await story.ended(body.actionId) } : { status }
    },
  }
}
export type Teams = Awaited<ReturnType<typeof teamsOn>>
