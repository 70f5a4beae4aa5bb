import { createAttempts } from '../adapters/keycloak/attempts.ts'
import { createRealmRoles } from '../adapters/keycloak/realm-roles.ts'
import { createKubernetes } from '../adapters/kubernetes/create-kubernetes.ts'
import { createPictureFetcher } from '../adapters/pictures/fetch-picture.ts'
import type { Live } from '../platform/live/live.ts'
import { createAccount } from '../services/account/index.ts'
import { type AppAccess, createAppAccess } from '../services/app-access/index.ts'
import { createStarterCheck, type StarterDeps } from '../services/app-access/starter.ts'
import { type Apps, createApps } from '../services/apps/index.ts'
import { type Catalog, createCatalog } from '../services/catalog/index.ts'
import { createClients } from '../services/clients/index.ts'
import { type Clusters, createClusters } from '../services/clusters/index.ts'
import { endKubeconfigs } from '../services/clusters/kubeconfigs/store.ts'
import { endIsolation } from '../services/clusters/outside/rights/isolation-store.ts'
import { createDeployments, type Deployments } from '../services/deployments/index.ts'
import { findLeaving } from '../services/deployments/store.ts'
import { forgetPresets } from '../services/deployments/values/preset-store.ts'
import { createGroups } from '../services/groups/index.ts'
import type { Permissions } from '../services/permissions/index.ts'
import { createRoles } from '../services/roles/index.ts'
import { createSidebar, type Sidebar } from '../services/sidebar/index.ts'
import { createSpaces, type Spaces } from '../services/spaces/index.ts'
import type { Tenants } from '../services/tenants/index.ts'
import { createUsers } from '../services/users/index.ts'
import { createLockouts } from '../services/users/lockouts.ts'
import type { Foundation } from './foundation.ts'
import type { Identity } from './identity.ts'

/** Everything that services are made of besides each other. */
export interface Ground extends Foundation, Pick<Identity, 'auth' | 'standing'> {
  tenants: Tenants
  permissions: Permissions
  live: Live
}

/**
 * Services by name. They know each other only through the arguments below; a few know each other both ways, so a
 * service looks another one up here when it is called, never while it is made.
 */
export interface Services {
  spaces: Spaces
  apps: Apps
  sidebar: Sidebar
  catalog: Catalog
  clusters: Clusters
  appAccess: AppAccess
  deployments: Deployments
}

/** Makes the services of spaces, what is in them and where it runs; `startDeployments` makes the last of them. */
export function createServices(ground: Ground): Services {
  const services = {} as Services
  services.spaces = spacesFor(ground, services)
  services.apps = createApps(ground.db, {
    clusterNames: (tenantId) => services.clusters.names(tenantId),
    newestVersions: (tenantId) => services.catalog.newestVersions(tenantId),
  })
  services.sidebar = createSidebar(ground.db, {
    rights: ground.permissions.rights,
    changed: ground.live.changed,
    clusterNamesFor: services.spaces.clusterNamesFor,
    spaceName: async (tenantId, id) => (await services.spaces.record(tenantId, id))?.displayName,
    appName: async (tenantId, id) => (await services.apps.record(tenantId, id))?.displayName,
  })
  services.catalog = catalogFor(ground, services)
  services.clusters = clustersFor(ground, services)
  services.appAccess = appAccessFor(ground, services)
  return services
}

/** Makes the engine of deployments, which goes on with what was under way. */
export async function startDeployments(ground: Ground, services: Services): Promise<void> {
  const { db, config, log, encryption, jobs, live, helm, tenants, permissions } = ground
  const { catalog, spaces, apps, sidebar, clusters, appAccess } = services
  services.deployments = await createDeployments({
    ...{ db, config, log, encryption, jobs, live, helm, catalog, spaces, apps, sidebar, clusters },
    access: appAccess,
    rights: permissions.rights,
    async mayStill(who, anyOf) {
      const realm = await tenants.realmOf(who.tenantId)
      return realm !== undefined && permissions.holdsNow(realm, who, anyOf)
    },
  })
}

/** People, groups, roles and clients of a realm: the identity server keeps them. */
export function createPeople({ db, keycloak, auth, config, exclusive, permissions }: Ground) {
  const realmRoles = createRealmRoles(keycloak)
  const users = createUsers(keycloak)
  return {
    account: createAccount(keycloak, auth.forget),
    users: { users, lockouts: createLockouts(db, createAttempts(keycloak), users) },
    groups: createGroups(keycloak),
    roles: createRoles(realmRoles),
    clients: createClients(keycloak, realmRoles, config.keycloak.publicUrl, {
      ...{ actorNow: auth.actorNow, exclusive, timedRoles: permissions.timedRoles },
    }),
  }
}

function spacesFor({ db, permissions }: Ground, services: Services): Spaces {
  return createSpaces(db, {
    rights: permissions.rights,
    permissions: permissions.entries,
    clusterNames: (tenantId) => services.clusters.names(tenantId),
    async onRemove(trx, tenantId, spaceId) {
      await forgetPresets(trx, spaceId)
      await endKubeconfigs(trx, { spaceId })
      await permissions.tellAccess(trx, tenantId, spaceId)
    },
    async onLeave(trx, place) {
      await endKubeconfigs(trx, place)
      await endIsolation(trx, place)
    },
    leaving: findLeaving,
  })
}

function catalogFor({ db, config, log, jobs, live, permissions }: Ground, services: Services): Catalog {
  const { apps } = services
  return createCatalog({
    ...{ db, config, log, jobs },
    fetchPicture: createPictureFetcher(config.allowedAddresses),
    changed: live.changed,
    deployedCounts: (tenantId, within) =>
      apps.deployedByItem(tenantId, (appIds) => services.deployments.begun(tenantId, appIds), within),
    async itemOfApp(actor, appId) {
      if (!(await permissions.rights.at(actor, 'app', [appId])).has(appId)) return undefined
      return (await apps.record(actor.tenantId, appId))?.catalogItemId
    },
    iconFound: apps.showIcon,
  })
}

function clustersFor(ground: Ground, services: Services): Clusters {
  const { db, config, log, encryption, live, jobs, tenants, standing, permissions } = ground
  const { apps, spaces, catalog } = services
  return createClusters({
    ...{ db, config, log, encryption, live, jobs },
    kubernetes: createKubernetes({ log, allowedAddresses: config.allowedAddresses }),
    ports: {
      app: apps.record,
      space: spaces.record,
      appCounts: apps.countsByCluster,
      spaceCounts: spaces.countsByCluster,
      clustersOfSpaces: spaces.clusterIdsIn,
      usersOf: spaces.usersOf,
      knowsCluster: async (actor, clusterId) => (await spaces.clusterNamesFor(actor)).has(clusterId),
      actionsAtWork: (tenantId, ids) => services.deployments.atWork(tenantId, ids),
      itemName: (tenantId, id) =>
        catalog.get(tenantId, { id }).then(
          ({ displayName }) => displayName,
          () => undefined,
        ),
      deployedApps: apps.deployed,
      redactor: (tenantId, appId, release) => services.deployments.redactor(tenantId, appId, release),
      async personNow(tenantId, userId) {
        const realm = await tenants.realmOf(tenantId)
        const person = realm === undefined ? undefined : await standing.readNow(realm, userId)
        return person && { ...person, tenantId, userId }
      },
      scopesIn: (person, spaceIds) => permissions.rights.at(person, 'space', spaceIds),
      setAppState: (tenantId, seen, state, stateMessage) => apps.setSeenState(tenantId, seen, { state, stateMessage }),
    },
  })
}

function appAccessFor(ground: Ground, { apps }: Services): AppAccess {
  const { keycloak, config, log, exclusive, standing, permissions } = ground
  /** By the roles of the tenant and the list of the app's space, as both are now. */
  const mayDeploy: StarterDeps['mayDeploy'] = async (person, { tenantId, appId }) => {
    const app = await apps.record(tenantId, appId)
    const found = app && (await permissions.rights.at({ ...person, tenantId }, 'space', [app.spaceId]))
    const held = found?.get(app?.spaceId ?? '')
    return held?.has('space.deploy') === true || held?.has('app.manage') === true
  }
  const roles = createRealmRoles(keycloak)
  const check = createStarterCheck({ readNow: standing.readNow, mayDeploy, roles, timedRoles: permissions.timedRoles })
  return createAppAccess({ keycloak, portalUrl: config.url, log, exclusive, check })
}
