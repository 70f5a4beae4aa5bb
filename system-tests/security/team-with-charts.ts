import { readFileSync } from 'node:fs'
import { KubeConfig } from '@kubernetes/client-node'
import type { Cluster } from '@quayside/contract/cluster'
import type { Approval } from '@quayside/contract/cluster-rules'
import type { Action, ValidationResult } from '@quayside/contract/deployment'
import type { App, Space } from '@quayside/contract/portal-api'
import type { World } from '@quayside/embedded/world'
import {
  createStory,
  deployDataOf,
  metadataOf,
  type Story,
} from '../../server/src/services/deployment/testing/story.ts'
import { member, newSpace, type Person, personOf, user } from '../../server/src/services/permissions/testing/team.ts'

/** A chart that makes whatever its values say: `objects` is a manifest with templates in it. */
const files = {
  'templates/objects.yaml': '{{ tpl .Values.objects . }}\n',
  'templates/deployment.yaml': '',
  'templates/service.yaml': '',
  'templates/secret.yaml': '',
  'templates/NOTES.txt': '',
  'values.yaml': 'objects: ""\n',
  'values.schema.json': '{}',
}

export interface Team {
  space: Space
  person: Person
  story: Story
}

/** A cluster that charts may reach into as far as it says, an administrator of it, and teams that deploy. */
export async function teamsOn(world: World) {
  const administrator = await personOf(world, { realmRoles: ['quayside-admin'] })
  const admin = createStory(world, administrator.token)
  const sandbox = readFileSync(world.kubeconfig, 'utf8')
  const cluster = await admin.good<Cluster>('/cluster/v1/clusters', {
    body: { displayName: 'Here', iaas: { type: 'Sandbox' }, kubeconfig: sandbox, clusterScoped: true },
  })
  const child = await admin.upload('anything', '1.0.0', files)
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(sandbox)

  async function team(): Promise<Team> {
    const person = await personOf(world, member)
    const space = await newSpace(administrator, [{ principal: user(person), role: 'deployer' }], {
      clusterIds: [cluster.id],
    })
    return { space, person, story: createStory(world, person.token) }
  }

  const yamlOf = (objects: string) => `objects: ${JSON.stringify(objects)}\n`
  return {
    administrator,
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
      const { status, body } = await story.post<{ actionId: string }>(kind, {
        appId: app.id,
        versionId: child.version.id,
        ...(kind === 'Deploy' ? { releaseName } : {}),
        deployData: deployDataOf(app, space, child, yamlOf(objects)),
      })
      return status === 202 ? { status, action: await story.ended(body.actionId) } : { status }
    },
  }
}
export type Teams = Awaited<ReturnType<typeof teamsOn>>
