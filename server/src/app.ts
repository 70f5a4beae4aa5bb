import { sql } from 'kysely'
import { createHelm } from './adapters/helm/create-helm.ts'
import { createKeycloak } from './adapters/keycloak/keycloak.ts'
import { createKubernetes } from './adapters/kubernetes/create-kubernetes.ts'
import { createPictureFetcher } from './adapters/pictures/fetch-picture.ts'
import { createAuth } from './kernel/auth.ts'
import type { Config } from './kernel/config.ts'
import { openDb } from './kernel/db.ts'
import { untilDatabaseAnswers } from './kernel/db-start.ts'
import { createExclusive } from './kernel/exclusive.ts'
import { armFailpoints } from './kernel/failpoints.ts'
import { createHttp } from './kernel/http.ts'
import { createJobs } from './kernel/jobs.ts'
import { createLive } from './kernel/live.ts'
import { createLogger } from './kernel/logger.ts'
import { migrate } from './kernel/migrate.ts'
import { type Party, partyScopes } from './kernel/party.ts'
import { createRefusalLimit } from './kernel/refusal-limit.ts'
import { createSeal } from './kernel/seal.ts'
import { createStanding, type Standing } from './kernel/standing.ts'
import { clientAddress, trustedProxies } from './kernel/trusted-proxies.ts'
import { guards } from './portal/guards.ts'
import { health } from './portal/health.ts'
import { identityProxy } from './portal/identity-proxy.ts'
import { openapi } from './portal/openapi.ts'
import { pages } from './portal/pages.ts'
import { createCatalog } from './services/catalog/index.ts'
import { steps as catalogSteps } from './services/catalog/migrations.ts'
import { routes as catalogRoutes } from './services/catalog/routes.ts'
import { createClusters } from './services/cluster/index.ts'
import { endKubeconfigs } from './services/cluster/kubeconfigs/store.ts'
import { steps as clusterSteps } from './services/cluster/migrations.ts'
import { routes as clusterRoutes } from './services/cluster/routes.ts'
import { createDeployments } from './services/deployment/index.ts'
import { steps as deploymentSteps } from './services/deployment/migrations.ts'
import { forgetPresets, presetPlaces } from './services/deployment/preset-store.ts'
import { routes as deploymentRoutes } from './services/deployment/routes.ts'
import { actionPlaces } from './services/deployment/store.ts'
import { createIam } from './services/iam/index.ts'
import { signInClients } from './services/iam/portal-clients.ts'
import { routes as iamRoutes } from './services/iam/routes.ts'
import { createPermissions } from './services/permissions/index.ts'
import { steps as permissionSteps } from './services/permissions/migrations.ts'
import { routes as permissionRoutes } from './services/permissions/routes.ts'
import { appPlaces } from './services/portal-api/apps.ts'
import { createPortalApi } from './services/portal-api/index.ts'
import { steps as portalApiSteps } from './services/portal-api/migrations.ts'
import { routes as portalApiRoutes } from './services/portal-api/routes.ts'
import { clusterPlaces, spacePlaces } from './services/portal-api/spaces.ts'

export interface App {
  config: Config
  listen(): Promise<void>
  close(): Promise<void>
}

/** Puts everything together: the one place that knows everybody. */
export async function createApp(config: Config): Promise<App> {
  const log = createLogger(config.logLevel)
  armFailpoints(config.failpoints)
  const db = openDb(config.databaseUrl, log)
  await untilDatabaseAnswers(() => db.platform((trx) => sql`select 1`.execute(trx)), log)
  await migrate(db, [...portalApiSteps, ...permissionSteps, ...catalogSteps, ...clusterSteps, ...deploymentSteps])
  const jobs = await createJobs(config.databaseUrl, log)
  const seal = createSeal(config.secretKey)
  const helm = await createHelm({ config, log })

  let isStopping = false
  const standing = createStanding({
    person: (realm, userId) => iam.reads.person(realm, userId),
    token: (realm, token) => iam.reads.token(realm, token),
    groups: (realm, userId) => iam.reads.groups(realm, userId),
    parentOfGroup: (realm, groupId) => iam.reads.parentOfGroup(realm, groupId),
    client: (realm, clientId) => iam.reads.client(realm, clientId),
  })
  const trusts = (clientId: string) => signInClients.has(clientId) || config.trustedClients.has(clientId)
  const auth = createAuth(
    { ...config.keycloak, trusts },
    { tenantOfRealm: (realm) => portalApi.tenants.ofRealm(realm), standing },
  )
  /** By the roles of the tenant and the list of the app's space, as both are now. */
  async function mayDeploy(
    { tenantId, appId }: { tenantId: string; appId: string },
    person: Standing & { userId: string },
  ) {
    const app = await apps.record(tenantId, appId)
    const found = app && (await rights.at({ ...person, tenantId }, 'space', [app.spaceId]))
    const held = found?.get(app?.spaceId ?? '')
    return held?.has('space.deploy') === true || held?.has('app.manage') === true
  }
  const iam = createIam({
    keycloak: createKeycloak(config.keycloak),
    config,
    log,
    forget: auth.forget,
    grants: { actorNow: auth.actorNow, exclusive: createExclusive(db.pool) },
    starter: { readNow: standing.readNow, mayDeploy: (person, target) => mayDeploy(target, person) },
  })
  // Services know each other only through these arguments; a few know each other both ways, so these are looked up late.
  const permissions = await createPermissions({
    db,
    changed: (...note) => live.changed(...note),
    places: {
      space: spacePlaces,
      app: appPlaces,
      cluster: clusterPlaces,
      action: actionPlaces,
      preset: presetPlaces,
    },
    directory: { ...iam.principals, ...iam.roleWays, person: iam.reads.person },
  })
  const { rights } = permissions
  /** A script has nobody to trade a ticket for it. */
  const takesTickets = (clientId: string) => config.enableUma === 'true' && signInClients.has(clientId)
  const party: Party = {
    async ticketFor({ realm, clientId }, spaceId, scope) {
      return takesTickets(clientId) ? iam.tickets.ticketFor(realm, spaceId, scope) : undefined
    },
    scopesOf: async (actor, token) =>
      takesTickets(actor.clientId) ? partyScopes(await auth.permissionsOf(actor, token)) : new Map(),
  }
  const refusals = createRefusalLimit()
  const isTrusted = trustedProxies(config.trustedProxies)
  const http = createHttp(log, auth, rights, { isTrusted, refusals, party })
  const live = await createLive({
    ...{ server: http.server, auth, db, log, rights, refusals },
    addressOf: ({ socket, headers }) =>
      clientAddress(socket.remoteAddress ?? '', [headers['x-forwarded-for'] ?? []].flat().join(','), isTrusted),
    allowedOrigins: () => [config.url],
  })
  permissions.onAccessChanged(({ tenantId }) => {
    void live.accessChanged(tenantId)
    clusters.lookAtKubeconfigs().catch((error: unknown) => log.warn({ err: error }, 'kubeconfigs were not looked at'))
  })

  const portalApi = createPortalApi({
    db,
    rights,
    permissions: permissions.entries,
    async onRemove(trx, tenantId, spaceId) {
      await forgetPresets(trx, spaceId)
      await endKubeconfigs(trx, { spaceId })
      await permissions.tellAccess(trx, tenantId, spaceId)
    },
    changed: live.changed,
    clusterNames: (tenantId) => clusters.names(tenantId),
    newestVersions: (tenantId) => catalog.newestVersions(tenantId),
  })
  const { apps, spaces, tenants, menu } = portalApi
  const catalog = createCatalog({
    db,
    config,
    log,
    jobs,
    fetchPicture: createPictureFetcher(config.allowedAddresses),
    changed: live.changed,
    deployedCounts: (tenantId, within) =>
      apps.deployedByItem(tenantId, (appIds) => deployments.begun(tenantId, appIds), within),
    async itemOfApp(actor, appId) {
      if (!(await rights.at(actor, 'app', [appId])).has(appId)) return undefined
      return (await apps.record(actor.tenantId, appId))?.catalogItemId
    },
    iconFound: apps.showIcon,
  })
  const clusters = createClusters({
    db,
    config,
    log,
    seal,
    kubernetes: createKubernetes({ log, allowedAddresses: config.allowedAddresses }),
    live,
    jobs,
    ports: {
      app: apps.record,
      space: spaces.record,
      appCounts: apps.countsByCluster,
      spaceCounts: spaces.countsByCluster,
      clustersOfSpaces: spaces.clusterIdsIn,
      usersOf: spaces.usersOf,
      knowsCluster: async (actor, clusterId) => (await portalApi.clusterNamesFor(actor)).has(clusterId),
      actionsAtWork: (tenantId, ids) => deployments.atWork(tenantId, ids),
      itemName: (tenantId, id) =>
        catalog.get(tenantId, { id }).then(
          ({ displayName }) => displayName,
          () => undefined,
        ),
      deployedApps: apps.deployed,
      hiding: (tenantId, appId, release) => deployments.hiding(tenantId, appId, release),
      async personNow(tenantId, userId) {
        const realm = await tenants.realmOf(tenantId)
        const person = realm === undefined ? undefined : await standing.readNow(realm, userId)
        return person && { ...person, tenantId, userId }
      },
      scopesIn: (person, spaceIds) => rights.at(person, 'space', spaceIds),
      setAppState: (tenantId, seen, state, stateMessage) => apps.setSeenState(tenantId, seen, { state, stateMessage }),
    },
  })

  const tenant = await tenants.ensure(config.realm, displayNameOf(config.realm))
  await iam.prepare(tenant.realm, tenant.displayName)
  await clusters.registry.registerOperators(tenant.id)
  const deployments = await createDeployments({
    db,
    config,
    log,
    seal,
    jobs,
    live,
    helm,
    catalog,
    spaces,
    apps,
    menu,
    clusters,
    access: iam.access,
    rights,
    async mayStill(who, anyOf) {
      const realm = await tenants.realmOf(who.tenantId)
      return realm !== undefined && permissions.holdsNow(realm, who, anyOf)
    },
  })
  catalog.start()
  clusters.start()
  permissions.start(jobs)

  await guards(http, config)
  await openapi(http, config)
  health(http, db, config, () => isStopping)
  await identityProxy(http, config)
  portalApiRoutes(http, portalApi, config, deployments.deleteSpace)
  permissionRoutes(http, permissions)
  await catalogRoutes(http, catalog)
  clusterRoutes(http, clusters, deployments.deregisterCluster)
  deploymentRoutes(http, deployments)
  iamRoutes(http, iam)
  await pages(http, config, tenants.ofRealm)

  return {
    config,
    async listen() {
      await http.listen({ port: config.port, host: config.host })
    },
    async close() {
      isStopping = true
      // Whoever waits at a terminal waits less long, and the cluster of a launcher ends with it anyway.
      await deployments.close(config.exitWithParent ? 3_000 : 20_000)
      iam.close()
      await jobs.close()
      clusters.close()
      await permissions.close()
      // A connection that was busy when the closing began stays open for as long as its browser likes.
      const hurry = setInterval(() => http.server.closeIdleConnections(), 100)
      const force = setTimeout(() => http.server.closeAllConnections(), 3_000)
      await live.close()
      await http.close()
      clearInterval(hurry)
      clearTimeout(force)
      await db.close()
    },
  }
}

/** A tenant is called as its realm until somebody names it: `demo` becomes `Demo`. */
function displayNameOf(realm: string): string {
  return realm.charAt(0).toUpperCase() + realm.slice(1)
}
