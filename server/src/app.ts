import { createKeycloak } from './adapters/keycloak/keycloak.ts'
import { createAuth } from './kernel/auth.ts'
import type { Config } from './kernel/config.ts'
import { openDb } from './kernel/db.ts'
import { createHttp } from './kernel/http.ts'
import { createLive } from './kernel/live.ts'
import { createLogger } from './kernel/logger.ts'
import { migrate } from './kernel/migrate.ts'
import { guards } from './portal/guards.ts'
import { health } from './portal/health.ts'
import { identityProxy } from './portal/identity-proxy.ts'
import { openapi } from './portal/openapi.ts'
import { pages } from './portal/pages.ts'
import { createCatalog } from './services/catalog/index.ts'
import { steps as catalogSteps } from './services/catalog/migrations.ts'
import { routes as catalogRoutes } from './services/catalog/routes.ts'
import { createIam } from './services/iam/index.ts'
import { routes as iamRoutes } from './services/iam/routes.ts'
import { createPortalApi } from './services/portal-api/index.ts'
import { steps as portalApiSteps } from './services/portal-api/migrations.ts'
import { routes as portalApiRoutes } from './services/portal-api/routes.ts'

export interface App {
  config: Config
  listen(): Promise<void>
  close(): Promise<void>
}

/** Puts everything together: the one place that knows everybody. */
export async function createApp(config: Config): Promise<App> {
  const log = createLogger(config.logLevel)
  const db = openDb(config.databaseUrl, log)
  await migrate(db, [...portalApiSteps, ...catalogSteps])

  let isStopping = false
  const auth = createAuth(config.keycloak, (realm) => portalApi.tenants.ofRealm(realm))
  const http = createHttp(log, auth)
  const iam = createIam({ keycloak: createKeycloak(config.keycloak), config, log, forget: auth.forget })
  const live = await createLive({ server: http.server, auth, db, log, allowedOrigins: () => [config.url] })
  const portalApi = createPortalApi({
    db,
    changed: live.changed,
    clusterNames: async () => new Map(),
    newestVersions: (tenantId) => catalog.newestVersions(tenantId),
  })
  const catalog = createCatalog({
    db,
    config,
    changed: live.changed,
    deployedCounts: (tenantId) => portalApi.apps.countsBy(tenantId, 'catalog_item_id'),
    itemOfApp: async (tenantId, appId) => (await portalApi.apps.find(tenantId, appId))?.catalogItemId,
  })
  const tenant = await portalApi.tenants.ensure(config.realm, displayNameOf(config.realm))
  await iam.prepare(tenant.realm, tenant.displayName)

  await guards(http, config)
  await openapi(http, config)
  health(http, db, () => isStopping)
  await identityProxy(http, config)
  portalApiRoutes(http, portalApi, config)
  await catalogRoutes(http, catalog)
  iamRoutes(http, iam)
  await pages(http, config, (realm) => portalApi.tenants.ofRealm(realm))

  return {
    config,
    async listen() {
      await http.listen({ port: config.port, host: config.host })
    },
    async close() {
      isStopping = true
      iam.close()
      await live.close()
      await http.close()
      await db.close()
    },
  }
}

/** A tenant is called as its realm until somebody names it: `demo` becomes `Demo`. */
function displayNameOf(realm: string): string {
  return realm.charAt(0).toUpperCase() + realm.slice(1)
}
