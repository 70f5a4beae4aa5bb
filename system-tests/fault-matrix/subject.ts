import type { App } from '@quayside/contract/apps/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { deployDataOf } from '@quayside/embedded/story/story'
import type { Case } from './cases.ts'
import type { Stage } from './stage.ts'

/** The app, space or cluster that a case acts on, with the request ready to be sent. */
export interface Subject {
  app: App | null
  releaseName: string | null
  group: string | null
  body: unknown
  /** Path of a deletion that has its subject in the address, and the namespace that is deleted with it. */
  deletion?: { path: string; namespace: string }
}

const yaml = (replicas: number) => `replicas: ${replicas}\nimage: nginx:1.27\ncode: "hunter22"\nextra: {}\n`
let made = 0
/** An installed app that upgrades and rollbacks of a stage share for as long as it is well. */
const sharedOf = new WeakMap<Stage, { app: App; releaseName: string; group: string }>()

/** Forgets the shared app: the next case starts from a fresh one. */
export function forgetShared(stage: Stage): void {
  sharedOf.delete(stage)
}

export async function subjectOf(stage: Stage, { kind }: Case): Promise<Subject> {
  const story = await stage.admin()
  const [older, newer] = stage.versions
  if (kind === 'Assign') {
    const tenant = await story.good<{ id: string }>('/portal-api/v2/tenants/byrealm/demo')
    const { space } = stage
    const body = { tenantId: tenant.id, spaceId: space.id, clusterId: space.clusters[0]?.id, catalogChild: older }
    return { app: null, releaseName: null, group: null, body }
  }
  if (kind === 'Prepare') {
    const { item, version } = older
    const body = {
      catalogItemId: item.id,
      catalogVersionId: version.id,
      catalogItemType: item.type,
      appKind: item.appKind,
    }
    return { app: null, releaseName: null, group: null, body }
  }
  if (kind === 'DeleteSpace' || kind === 'DeregisterCluster') return toClear(stage, kind)
  if (kind === 'Deploy') return assigned(stage)
  if (kind === 'Delete') {
    const { app, releaseName, group } = await installed(stage)
    return { app, releaseName, group, body: { app: { id: app.id } } }
  }
  const shared = sharedOf.get(stage) ?? (await installed(stage))
  sharedOf.set(stage, shared)
  const { app, releaseName, group } = shared
  made += 1
  const upgrade = {
    appId: app.id,
    versionId: newer.version.id,
    deployData: deployDataOf(app, stage.space, newer, yaml(1 + (made % 2))),
  }
  if (kind === 'Upgrade') return { app, releaseName, group, body: upgrade }
  const revisions = await story.good<{ data: { revision: number; status: string }[] }>(
    `/deployment/v1/helm/deployment/revisions/${app.id}`,
  )
  const target = revisions.data.find(({ status }) => status === 'superseded')
  if (!target) {
    const { body } = await story.post<{ actionId: string }>('Upgrade', upgrade)
    await story.ended(body.actionId)
    return subjectOf(stage, { kind, point: '', fault: 'kill' })
  }
  return { app, releaseName, group, body: { appId: app.id, revision: target.revision } }
}

/** A fresh space with a namespace and a kubeconfig, on a cluster that is registered for it alone. */
async function toClear(stage: Stage, kind: 'DeleteSpace' | 'DeregisterCluster'): Promise<Subject> {
  const story = await stage.admin()
  made += 1
  const iaas = { type: 'Sandbox' }
  const cluster = { displayName: `To clear ${made}`, iaas, kubeconfig: stage.kubeconfig }
  const { id: clusterId } = await story.good<{ id: string }>('/cluster/v1/clusters', { body: cluster })
  const body = { displayName: `To clear ${made}`, clusterIds: [clusterId] }
  const space = await story.good<Space>('/portal-api/v3/spaces', { body })
  await story.good('/cluster/v1/kubeconfigs', { body: { places: [{ spaceId: space.id, clusterId }] } })
  const path = kind === 'DeleteSpace' ? `/portal-api/v3/spaces/${space.id}` : `/cluster/v1/clusters/${clusterId}`
  return { app: null, releaseName: null, group: null, body: null, deletion: { path, namespace: space.namespace } }
}

/** A fresh app, and the command that installs it. */
export async function assigned(stage: Stage) {
  const story = await stage.admin()
  const [older] = stage.versions
  const app = await story.assign(stage.space, older)
  made += 1
  const releaseName = await story.releaseName(app, `m${made}`)
  const group = `keepers-${app.id}`
  const body = {
    appId: app.id,
    versionId: older.version.id,
    releaseName,
    deployData: { ...deployDataOf(app, stage.space, older, yaml(1)), groups: [{ name: group, resourceRoles: [] }] },
  }
  return { app, releaseName, group, body }
}

async function installed(stage: Stage) {
  const story = await stage.admin()
  const { app, releaseName, group, body } = await assigned(stage)
  const sent = await story.post<{ actionId: string }>('Deploy', body)
  const action = await story.ended(sent.body.actionId)
  if (action.state !== 'Success') throw new Error(`the installation before the case failed: ${action.result?.summary}`)
  return { app, releaseName, group }
}
