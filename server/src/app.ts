import { createClientRoles } from './adapters/keycloak/client-roles.ts'
import { createRealmRoles } from './adapters/keycloak/realm-roles.ts'
import { places, serveAll } from './app/capabilities.ts'
import { openFoundation } from './app/foundation.ts'
import { createIdentity } from './app/identity.ts'
import { createServer } from './app/server.ts'
import { createPeople, createServices, type Ground, type Services, startDeployments } from './app/services.ts'
import type { Config } from './platform/config/config.ts'
import type { Http } from './platform/http/http.ts'
import { guards } from './portal/guards.ts'
import { health } from './portal/health.ts'
import { identityProxy } from './portal/identity-proxy.ts'
import { openapi } from './portal/openapi.ts'
import { pages } from './portal/pages.ts'
import { createPermissions } from './services/permissions/index.ts'
import { createTenants } from './services/tenants/index.ts'

interface App {
  config: Config
  listen(): Promise<void>
  close(): Promise<void>
}

/** Puts everything together: the one place that knows everybody. */
export async function createApp(config: Config): Promise<App> {
  const foundation = await openFoundation(config)
  const { db, log, jobs } = foundation
  const tenants = createTenants(db)
  const identity = createIdentity(foundation, tenants)
  const { directory, auth, standing } = identity
  const permissions = await createPermissions({
    db,
    changed: (...note) => live.changed(...note),
    places,
    directory: {
      ...directory.principals,
      ...directory.roleWays,
      holdersOfAll: directory.holdersOfAll,
      person: directory.reads.person,
    },
    roleGranting: {
      exclusive: foundation.exclusive,
      clientRoles: createClientRoles(foundation.keycloak, createRealmRoles(foundation.keycloak)),
      actorNow: auth.actorNow,
      isActive: async (realm, userId) => (await standing.readNow(realm, userId)) !== undefined,
      realmOf: tenants.realmOf,
      forget: auth.forget,
    },
  })
  const { http, live } = await createServer(foundation, identity, permissions.rights)
  const ground: Ground = { ...foundation, auth, standing, tenants, permissions, live }
  const services = createServices(ground)
  const { clusters, catalog } = services
  permissions.onAccessChanged(({ tenantId }) => {
    void live.accessChanged(tenantId)
    clusters.lookAtKubeconfigs().catch((error: unknown) => log.warn({ err: error }, 'kubeconfigs were not looked at'))
  })

  const tenant = await tenants.ensure(config.realm, displayNameOf(config.realm))
  await identity.realms.prepare(tenant.realm, tenant.displayName)
  await clusters.registry.registerOperators(tenant.id)
  await startDeployments(ground, services)
  await catalog.start()
  clusters.start()
  permissions.start(jobs)

  let isStopping = false
  await guards(http, config)
  await openapi(http, config)
  health(http, db, config, () => isStopping)
  await identityProxy(http, config)
  await serveCapabilities(http, ground, services)
  await pages(http, config, tenants.ofRealm)

  return {
    config,
    async listen() {
      await http.listen({ port: config.port, host: config.host })
    },
    async close() {
      isStopping = true
      // A person waits at the terminal of a launcher, whose cluster ends with it anyway, so the wait is shorter.
      await services.deployments.close(config.exitWithParent ? 3_000 : 20_000)
      identity.realms.close()
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

/** Gives the routes of each capability what they call. */
function serveCapabilities(http: Http, ground: Ground, services: Services): Promise<void> {
  const { config, tenants, permissions, live } = ground
  const { spaces, apps, sidebar, catalog, clusters, deployments } = services
  const { changed } = live
  return serveAll(http, {
    tenants: { tenants, config },
    spaces: {
      spaces,
      changed,
      leave: deployments.leaveCluster,
      remove: deployments.deleteSpace,
      removed: deployments.deletedSpace,
    },
    apps: { apps, changed },
    sidebar,
    permissions,
    catalog,
    clusters: { clusters, deregister: deployments.deregisterCluster },
    deployments,
    ...createPeople(ground),
  })
}

/** A tenant is called as its realm until somebody names it: `demo` becomes `Demo`. */
function displayNameOf(realm: string): string {
  return realm.charAt(0).toUpperCase() + realm.slice(1)
}
