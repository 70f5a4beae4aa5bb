import { readFileSync } from 'node:fs'
import {
  AdmissionregistrationV1Api,
  CoreV1Api,
  KubeConfig,
  NetworkingV1Api,
  RbacAuthorizationV1Api,
} from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { Approval } from '@quayside/contract/clusters/rules'
import type { Action, ValidationResult } from '@quayside/contract/deployments/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { packFiles } from '@quayside/embedded/seed/chart-package'
import { packRelease, unpackRelease } from '@quayside/embedded/story/helm-release'
import { createStory, deployDataOf, metadataOf, type Story } from '@quayside/embedded/story/story'
import type { World } from '@quayside/embedded/world'

/** A chart that makes whatever its values say: `objects` is a manifest with templates in it. */
const files = {
  'Chart.yaml': 'apiVersion: v2\nname: anything\nversion: 1.0.0\n',
  'values.yaml': 'objects: ""\n',
  'templates/objects.yaml': '{{ tpl .Values.objects . }}\n',
}

const actions = '/deployment/v1/helm/deployment/actions'
export const yamlOf = (objects: string) => `objects: ${JSON.stringify(objects)}\n`

/** Clients of an administrator of the cluster. */
const clientsOf = (kubeconfig: KubeConfig) => ({
  core: kubeconfig.makeApiClient(CoreV1Api),
  rbac: kubeconfig.makeApiClient(RbacAuthorizationV1Api),
  net: kubeconfig.makeApiClient(NetworkingV1Api),
  admission: kubeconfig.makeApiClient(AdmissionregistrationV1Api),
})

type Stored = ReturnType<typeof unpackRelease>

/** Revisions of releases as Helm has stored them in Secrets of the space. */
function storedReleases(core: CoreV1Api) {
  const secretOf = ({ releaseName, namespace }: App, revision: number) =>
    core.readNamespacedSecret({ namespace, name: `sh.helm.release.v1.${releaseName}.v${revision}` })
  return {
    storedOf: async (app: App, revision = 1): Promise<Stored> => unpackRelease((await secretOf(app, revision)).data),

    /** Writes something else into a revision, as a pod that may change Secrets of the space could. */
    async storeAnew(app: App, change: (release: Stored) => Stored, revision = 1): Promise<void> {
      const secret = await secretOf(app, revision)
      const body = { ...secret, data: { ...secret.data, ...packRelease(change(unpackRelease(secret.data))) } }
      await core.replaceNamespacedSecret({ namespace: app.namespace, name: secret.metadata?.name ?? '', body })
    },
  }
}

export interface Team {
  space: Space
  story: Story
}

/** Validation, and approvals of what an app needs outside of its space. */
function judging(admin: Story, { version }: CatalogChild) {
  const path = '/deployment/v1/helm/deployment'
  const ask = ({ story, space }: Team, app: App, objects: string) =>
    story.call<Approval & { code?: string; message?: string }>(`${path}/approvals/${version.id}`, {
      body: { appMetadata: metadataOf(app, space), yaml: yamlOf(objects), reason: 'It reads nodes' },
    })
  const answer = (by: Story, { id }: Pick<Approval, 'id'>, decision: 'grant' | 'decline') =>
    by.call<Approval>(`/cluster/v1/approvals/${id}/answer`, { body: { decision } })
  return {
    ask,
    answer,

    /** Asks, and has the administrator grant it. */
    async approve(by: Team, app: App, objects: string): Promise<Approval> {
      const asked = await ask(by, app, objects)
      if (asked.status !== 201) throw new Error(`it was not asked for: ${JSON.stringify(asked)}`)
      const granted = await answer(admin, asked.body, 'grant')
      if (granted.body.state !== 'granted') throw new Error(`it was not granted: ${JSON.stringify(granted)}`)
      return granted.body
    },

    validate: ({ story, space }: Team, app: App, objects: string) =>
      story.good<ValidationResult>(`${path}/validate/${version.id}`, {
        method: 'PUT',
        body: { appMetadata: metadataOf(app, space), yaml: yamlOf(objects) },
      }),
  }
}

/** A cluster that charts may reach into as far as it says, an administrator of it, and teams that deploy. */
export async function teamsOn(world: World) {
  const admin = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const sandbox = readFileSync(world.kubeconfig, 'utf8')
  const cluster = await admin.good<Cluster>('/cluster/v1/clusters', {
    body: { displayName: 'Here', iaas: { type: 'Sandbox' }, kubeconfig: sandbox, clusterScoped: true },
  })
  let made = 0
  const child = await admin.upload(await packFiles('anything', files))
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(sandbox)

  async function team(): Promise<Team> {
    const story = createStory(world, await world.tokenFor({ realmRoles: ['quayside-member'] }))
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

  /** Acts as somebody whom the administrator of the cluster impersonates. */
  function asUser(user: string): CoreV1Api {
    const other = new KubeConfig()
    other.loadFromString(sandbox)
    other.users = other.users.map((one) => ({ ...one, impersonateUser: user }))
    return other.makeApiClient(CoreV1Api)
  }

  const clients = clientsOf(kubeconfig)
  return {
    asUser,
    admin,
    cluster,
    child,
    kubeconfig,
    clients,
    team,
    ...judging(admin, child),
    ...storedReleases(clients.core),

    assign: ({ story, space }: Team): Promise<App> => story.assign(space, child),

    /** Starts another action, and waits for its end. */
    async act(kind: 'Delete' | 'Rollback', body: object, by = admin): Promise<Action> {
      const { actionId } = await by.good<{ actionId: string }>(`${actions}.${kind}`, { body })
      return by.ended(actionId)
    },

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
          deployData: deployDataOf(app, space, child, yamlOf(objects)),
        },
      })
      return status === 202 ? { status, action: await story.ended(body.actionId) } : { status }
    },
  }
}
export type Teams = Awaited<ReturnType<typeof teamsOn>>
