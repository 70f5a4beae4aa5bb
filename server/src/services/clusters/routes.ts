import { clusters as endpoints } from '@quayside/contract/clusters/endpoints'
import { kubeconfigPolicies } from '@quayside/contract/clusters/kubeconfig-policies'
import { kubeconfigs as kubeconfigCalls } from '@quayside/contract/clusters/kubeconfigs'
import { clusterPolicies } from '@quayside/contract/clusters/policies'
import type { Scope } from '@quayside/contract/permissions/scopes'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Access } from '../../platform/auth/rights.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Http } from '../../platform/http/http.ts'
import { type Handlers, serve } from '../../platform/http/route.ts'
import type { Deployments } from '../deployments/index.ts'
import type { Clusters } from './index.ts'
import { logRoutes } from './logs/routes.ts'
import { outsideRoutes } from './outside/routes.ts'
import { defaultClassAnnotation } from './registry/health.ts'
import { toOverview } from './registry/overview.ts'
import type { Part } from './releases/app-parts.ts'
import type { AppScope } from './releases/app-scope.ts'
import { registrySecrets } from './releases/registry-secrets.ts'
import { scalingRoutes } from './scaling/routes.ts'
import { spacesShownOnCluster } from './spaces-shown-on-cluster.ts'
import { eventsOfParts, pageOfEvents } from './workloads/events.ts'
import { textOf } from './workloads/fields.ts'
import { cleanText } from './workloads/foreign-text.ts'
import { hideInTexts } from './workloads/hide-in-texts.ts'
import { toNode, toPod, toPvc, toService, toServiceAccount, toWorkload } from './workloads/present.ts'

type WithObject = Part & { object: NonNullable<Part['object']> }

const workloads = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob']

export interface ClusterRoutes {
  clusters: Clusters
  deployments: Deployments
}

export function routes(http: Http, { clusters, deployments }: ClusterRoutes): void {
  serve(http, endpoints, clusterPolicies, {
    ...clusterHandlers(clusters, deployments),
    ...appHandlers(clusters, deployments),
  })
  serve(http, kubeconfigCalls, kubeconfigPolicies, kubeconfigHandlers(clusters))
  outsideRoutes(http, clusters.outside, clusters.row)
  scalingRoutes(http, clusters, deployments)
  logRoutes(http, clusters)
}

type ClusterKeys =
  | 'names'
  | 'list'
  | 'get'
  | 'create'
  | 'update'
  | 'remove'
  | 'events'
  | 'nodes'
  | 'healthCheck'
  | 'storageClasses'
  | 'registrySecrets'
type All = Handlers<typeof endpoints>

function clusterHandlers(clusters: Clusters, deployments: Deployments): Pick<All, ClusterKeys> {
  const { registry } = clusters
  return {
    async names({ actor, access }) {
      const [names, within] = [await clusters.names(actor.tenantId), access.spacesWith('space.view')]
      const seen = within && (await clusters.ofSpaces(actor.tenantId, within))
      const known = [...names.values()].filter(({ id }) => !seen || seen.has(id))
      return { data: known.map(({ provider, ...name }) => ({ ...name, iaas: { type: provider } })) }
    },
    list: ({ actor, query, access }) => clusters.list(actor.tenantId, query, '/cluster/v2/clusters', countedBy(access)),
    get: ({ actor, params, access }) => clusters.get(actor.tenantId, params.id, countedBy(access)),
    async create({ actor, body, access }) {
      const id = await registry.create(actor.tenantId, body)
      clusters.changed(actor.tenantId, 'clusters', id)
      return clusters.get(actor.tenantId, id, countedBy(access))
    },
    async update({ actor, params, body, access }) {
      await registry.update(actor, params.id, body)
      clusters.changed(actor.tenantId, 'cluster', params.id)
      clusters.changed(actor.tenantId, 'clusters', params.id)
      return clusters.get(actor.tenantId, params.id, countedBy(access))
    },
    async remove({ actor, params, query, request }) {
      const accepted = await deployments.deregisterCluster(
        actor,
        { clusterId: params.id, forget: query.forget === 'true' },
        request,
      )
      clusters.changed(actor.tenantId, 'clusters', params.id)
      return accepted
    },
    async events({ actor, params, query, access }) {
      const connection = await clusters.connection(actor.tenantId, params.id)
      const namespacesWith = async (scope: Scope) => {
        const within = spacesShownOnCluster(actor, access, scope)
        return within && clusters.outside.isolation.namespaces(actor.tenantId, params.id, within)
      }
      const [seen, withSecrets] = await Promise.all([namespacesWith('app.view'), namespacesWith('app.secrets')])
      const path = `/cluster/v2/clusters/${params.id}/events`
      return pageOfEvents(connection, query, { path, tenantId: actor.tenantId, seen, withSecrets })
    },
    async nodes({ actor, params }) {
      const connection = await clusters.connection(actor.tenantId, params.id)
      return { data: (await connection.list('v1/nodes')).map(toNode) }
    },
    healthCheck: ({ actor, params }) => clusters.healthCheck(actor.tenantId, params.id),
    async storageClasses({ actor, params }) {
      const connection = await clusters.connection(actor.tenantId, params.id)
      const classes = await connection.list('storage.k8s.io/v1/storageclasses')
      return {
        data: classes.map(({ metadata, provisioner }) => ({
          metadata: { name: cleanText(metadata.name, 253) },
          provisioner: cleanText(textOf(provisioner), 253),
          isDefault: metadata.annotations?.[defaultClassAnnotation] === 'true',
        })),
      }
    },
    async registrySecrets({ actor, params }) {
      const space = await clusters.space(actor.tenantId, params.spaceId)
      if (!space) throw fail('space.not-found')
      if (!space.clusterIds.includes(params.clusterId)) throw await clusters.elsewhere(actor, params.clusterId)
      const connection = await clusters.connection(actor.tenantId, params.clusterId)
      return { data: await registrySecrets(connection, space.namespace) }
    },
  }
}

function kubeconfigHandlers({ kubeconfigs, row, space }: Clusters): Handlers<typeof kubeconfigCalls> {
  return {
    create: ({ actor, body, access }) => kubeconfigs.create(actor, body.places, access),
    listMine: ({ actor, query }) =>
      kubeconfigs.list(actor.tenantId, { userId: actor.userId }, query, '/cluster/v1/kubeconfigs'),
    endMine: ({ actor, params }) => kubeconfigs.end(actor, params.id, { userId: actor.userId }),
    async listOfSpace({ actor, params, query }) {
      if (!(await space(actor.tenantId, params.id))) throw fail('space.not-found')
      const path = `/cluster/v1/spaces/${params.id}/kubeconfigs`
      return kubeconfigs.list(actor.tenantId, { spaceId: params.id }, query, path)
    },
    endInSpace: ({ actor, params }) => kubeconfigs.end(actor, params.kubeconfigId, { spaceId: params.id }),
    async listOfCluster({ actor, params, query }) {
      await row(actor.tenantId, params.id)
      const path = `/cluster/v1/clusters/${params.id}/kubeconfigs`
      return kubeconfigs.list(actor.tenantId, { clusterId: params.id }, query, path)
    },
    endOnCluster: ({ actor, params }) => kubeconfigs.end(actor, params.kubeconfigId, { clusterId: params.id }),
  }
}

interface OfApp {
  actor: Actor
  params: { id: string }
  access: Access
}

function appHandlers(clusters: Clusters, deployments: Deployments): Omit<All, ClusterKeys> {
  const { scopes, redactor } = clusters
  /** Presents an app's objects, with secrets hidden unless the caller may see them. */
  async function told<T>({ actor, params, access }: OfApp, tell: (scope: AppScope) => T): Promise<T> {
    const scope = await scopes.of(actor.tenantId, params.id)
    const [words, hide] = [tell(scope), await redactorFor(clusters, actor.tenantId, scope, access)]
    return hide ? hideInTexts(words, hide) : words
  }
  const among = <R>(kinds: readonly string[], toRow: (part: WithObject, all: Map<string, Part>) => R) => {
    return ({ parts }: AppScope) => {
      const byId = new Map(parts.map((part) => [part.id, part]))
      const found = parts.filter((part): part is WithObject => part.object !== undefined && kinds.includes(part.kind))
      return { data: found.map((part) => toRow(part, byId)) }
    }
  }
  return {
    async overview(call) {
      const { tenantId } = call.actor
      const scope = await scopes.of(tenantId, call.params.id)
      const release = scope.content?.release
      const hide = release && (await redactor(tenantId, call.params.id, release))
      const overview = toOverview(scope, hide)
      return hide && !call.access.scopes.has('app.secrets') ? hideInTexts(overview, hide) : overview
    },
    pods: (call) => told(call, among(['Pod'], toPod)),
    deployments: (call) => told(call, among(workloads, toWorkload)),
    pvcs: (call) => told(call, among(['PersistentVolumeClaim'], toPvc)),
    services: (call) => told(call, among(['Service'], toService)),
    serviceAccounts: (call) => told(call, among(['ServiceAccount'], toServiceAccount)),
    appEvents: (call) => told(call, ({ parts, view }) => ({ data: eventsOfParts(view.of('Event'), parts) })),
    async deletePod({ actor, params }) {
      const scope = await scopes.of(actor.tenantId, params.appId)
      if (params.namespace !== scope.app.namespace) throw fail('cluster.pod-not-found')
      const pod = podOf(scope, params.pod)
      await deployments.mustNotBeFrozen(actor, scope.app.spaceId)
      // A controller starts another one in its place.
      if (pod.object?.metadata.ownerReferences !== undefined) await deployments.mustMayStartPods(actor, scope.app)
      await scope.connection.remove('v1/pods', scope.app.namespace, pod.name)
    },
  }
}

/** For who may not see secrets: what hides those of the app's release. */
async function redactorFor({ redactor }: Clusters, tenantId: string, { app, content }: AppScope, { scopes }: Access) {
  const release = content?.release
  return release && !scopes.has('app.secrets') ? redactor(tenantId, app.id, release) : undefined
}

/** The apps and spaces that the caller sees are those that are counted. */
function countedBy(access: Access) {
  return { apps: access.spacesWith('app.view'), spaces: access.spacesWith('space.view') }
}

/** A pod of the app; one that is not its own does not exist here. */
function podOf({ parts }: AppScope, name: string): Part {
  const pod = parts.find((part) => part.kind === 'Pod' && part.name === name)
  if (!pod) throw fail('cluster.pod-not-found')
  return pod
}
