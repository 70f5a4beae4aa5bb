import { createParts, manifests } from './app/parts.ts'
import type { Config } from './platform/config/config.ts'
import { guards } from './portal/guards.ts'
import { health } from './portal/health.ts'
import { identityProxy } from './portal/identity-proxy.ts'
import { createIdentityWatch } from './portal/identity-watch.ts'
import { createMetrics } from './portal/metrics.ts'
import { openapi } from './portal/openapi.ts'
import { pages } from './portal/pages.ts'

interface App {
  config: Config
  listen(): Promise<void>
  close(): Promise<void>
}

/** Makes the portal of its parts, begins what it does by itself, and puts its calls and pages on the server. */
export async function createApp(config: Config): Promise<App> {
  const parts = await createParts(config)
  const { db, http, live, jobs, tenants, realmSetup } = parts

  await realmSetup.check()
  const home = await tenants.ensure(config.realm, displayNameOf(config.realm))
  await realmSetup.prepare(home.realm, home.displayName)
  for (const { start } of manifests) await start?.(parts, home)

  let isStopping = false
  await guards(http, config)
  await openapi(http, config)
  const isIdentityThere = createIdentityWatch(config.keycloak.url, home.realm)
  health(http, { db, config, metrics: createMetrics(http, parts), isIdentityThere, isStopping: () => isStopping })
  await identityProxy(http, config)
  for (const { routes } of manifests) await routes?.(http, parts)
  await pages(http, config, tenants.ofRealm)

  return {
    config,
    async listen() {
      await http.listen({ port: config.port, host: config.host })
    },
    async close() {
      isStopping = true
      // A person waits at the terminal of a launcher, whose cluster ends with it anyway, so the wait is shorter.
      const maxWaitMs = config.exitWithParent ? 3_000 : 20_000
      for (const { drain } of manifests) await drain?.(parts, maxWaitMs)
      realmSetup.close()
      await jobs.close()
      for (const { close } of manifests) await close?.(parts)
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
