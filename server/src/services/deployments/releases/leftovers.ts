import type { App } from '@quayside/contract/apps/endpoints'
import type { Leftover, LeftoverChoice } from '@quayside/contract/clusters/leftovers'
import { type Actor, holds } from '../../../platform/auth/actor.ts'
import { Failure, fail } from '../../../platform/http/errors.ts'
import { decryptInput } from '../commands/command-input.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { LeftObject } from '../ports.ts'
import { findLastDelete } from '../store.ts'
import { fateOf, idOf, type LeftoverPlan, refusalOf } from './leftover-plan.ts'

/** Everything that deleting an app would leave behind: objects of the cluster, the access set up for it, and pins. */
export async function leftoversOf(deps: DeploymentDeps, actor: Actor, app: App): Promise<Leftover[]> {
  const [objects, access, pinned, may] = await Promise.all([
    objectsOf(deps, actor, app),
    deps.access.accessOf(targetOf(app, actor.realm)),
    deps.sidebar.pinsOfApp(actor.tenantId, app.id),
    mayOf(deps, actor, app),
  ])
  const of = { what: 'object' } as const
  const grants: Leftover = {
    id: 'grants',
    what: 'grants',
    kind: 'Grants',
    name: access.groups.join(', '),
    namespace: null,
    why: 'Groups hold resource roles of the app',
    detail: `${peopleOf(access.people)} in ${access.groups.length === 1 ? 'one group' : `${access.groups.length} groups`}`,
    byDefault: 'remove',
    refusal: null,
  }
  const uris: Leftover = {
    ...grants,
    id: 'redirect-uris',
    what: 'redirect-uris',
    kind: 'Redirect URIs',
    name: access.redirectUris.join(', '),
    why: 'The app’s sign-in may return to this address',
    detail: null,
  }
  const pins: Leftover = {
    ...uris,
    id: 'pins',
    what: 'pins',
    kind: 'Pins',
    name: app.displayName,
    why: 'It is pinned in side bars, where a pin that stays says that the app is gone',
    detail: `${pinned.pins === 1 ? 'one pin' : `${pinned.pins} pins`} of ${peopleOf(pinned.people)}`,
  }
  return [
    ...objects.map(
      ({ kind, name, namespace, why, detail, ...object }): Leftover => ({
        ...of,
        byDefault: object.goes ? 'remove' : 'keep',
        ...{ id: idOf({ kind, name, namespace }), kind, name, namespace, why, detail },
        refusal: refusalOf({ namespace, refusal: object.refusal }, may),
      }),
    ),
    ...(access.groups.length > 0 ? [grants] : []),
    ...(access.redirectUris.length > 0 ? [uris] : []),
    ...(pinned.pins > 0 ? [pins] : []),
  ]
}

function peopleOf(count: number): string {
  return count === 1 ? 'one person' : `${count} people`
}

/** Plans each leftover of a deletion. Throws before anything is deleted if a choice cannot be carried out. */
export async function planLeftovers(
  deps: DeploymentDeps,
  actor: Actor,
  app: App,
  choices: readonly LeftoverChoice[] = [],
): Promise<LeftoverPlan> {
  const [objects, may] = await Promise.all([
    objectsOf(deps, actor, app).catch((error: unknown) => {
      // A deletion waits for its cluster; but what is to be removed from it must have been seen.
      if (choices.length > 0 || !(error instanceof Failure) || !error.code.startsWith('cluster.')) throw error
      return []
    }),
    mayOf(deps, actor, app),
  ])
  const fate = fateOf(objects, choices, may)
  if ('stays' in fate) throw fail('deployment.leftover-stays', { field: fate.field, message: fate.stays })
  if ('unknown' in fate) throw fail('request.invalid', { field: fate.field, message: fate.unknown })
  return fate.plan
}

async function objectsOf(deps: DeploymentDeps, actor: Actor, app: App): Promise<LeftObject[]> {
  const { releaseName, clusterId, namespace } = app
  if (!releaseName) return []
  const [crds, last] = await Promise.all([
    deps.catalog.crdsOf(actor.tenantId, app.catalogVersionId),
    findLastDelete(deps.db, actor.tenantId, app.id),
  ])
  // A deletion that got half way took the release along, which alone tells what it leaves.
  const input = last && decryptInput(deps.encryption, last)
  const earlier =
    input?.kind === 'Delete' && input.leftovers ? [...input.leftovers.remove, ...input.leftovers.keep] : []
  return deps.clusters.leftovers({ tenantId: actor.tenantId, clusterId, namespace, releaseName }, { crds, earlier })
}

async function mayOf(deps: DeploymentDeps, actor: Actor, app: App) {
  const cluster = await deps.clusters.record(actor.tenantId, app.clusterId)
  return {
    namespace: app.namespace,
    clusterAllows: cluster?.clusterScoped ?? false,
    managesClusters: holds(actor, 'clusters', 'clusters.edit'),
  }
}

function targetOf(app: App, realm: string) {
  return {
    tenantId: '',
    realm,
    appId: app.id,
    appName: app.displayName,
    releaseName: app.releaseName ?? '',
    resourceRoles: [],
  }
}
