import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Data, type DataSource, type OwnPostgres, openData } from './data.ts'
import type { Plan } from './plan.ts'
import { loadPortal, type Portal, watchPortal } from './portal.ts'
import type { Progress } from './progress.ts'

/** Choice of the parts of a plan to start, and their folders and ports. */
type Choice = {
  /** The folder with server/ and web/ in it. */
  root: string
  data: DataSource
  ports: { identity: number; cluster: number; metrics: number }
  identity: boolean
  /** Time of the sandbox runs `speed` times as fast. */
  cluster: false | { speed?: number; policiesAfterMs?: number }
  portal: boolean
  /** Restarts the portal when its sources change, and shows what it logs. */
  watch?: boolean
}

/** Running parts with their addresses. */
export type Stack = {
  databaseUrl: string
  /** The identity server's own database. */
  identityDatabaseUrl: string
  identityUrl: string
  sandbox: Sandbox | undefined
  /** The metrics engine of ours, as the portal reaches it. */
  metrics: Metrics | undefined
  portal: Portal | undefined
  /** Starts the portal (again). */
  startPortal(): Promise<Portal>
  /** Starts one more portal on the same database, identity server and cluster, for this realm or another one. */
  startReplica(port: number, realm?: string): Promise<Portal>
  /** Ours; undefined when it is somebody else's. */
  postgres: OwnPostgres | undefined
  close(): Promise<void>
}

type Metrics = { url: string; token: string; close(): Promise<void> }

export type Sandbox = { kubeconfigFile: string; kubeconfig: string; url: string }

/** Starts the parts, those that do not need each other at the same time; nothing is left running when one fails. */
export async function startStack(plan: Plan, choice: Choice, progress: Progress): Promise<Stack> {
  const parts = new AsyncDisposableStack()
  try {
    return await startParts(plan, choice, progress, parts)
  } catch (error) {
    await parts.disposeAsync()
    throw error
  }
}

async function startParts(plan: Plan, choice: Choice, progress: Progress, parts: AsyncDisposableStack): Promise<Stack> {
  const place = { root: choice.root, logFile: join(plan.dataDir, 'portal.log') }
  const load = () => (choice.watch ? watchPortal(place) : loadPortal(place))
  let loading = choice.portal ? load() : undefined
  if (loading) parts.defer(loading.close)
  const [directory, [sandbox, metrics]] = await bothSettled(
    startDirectory(plan, choice, progress, parts),
    bothSettled(startSandbox(plan, choice, progress, parts), startMetrics(plan, choice, progress, parts)),
  )
  const { data, identityUrl } = directory
  const stack: Stack = {
    databaseUrl: data.portalUrl,
    identityDatabaseUrl: data.identityUrl,
    identityUrl,
    sandbox,
    metrics,
    portal: undefined,
    postgres: data.postgres,
    close: () => parts.disposeAsync(),
    async startPortal() {
      const portal = loading ?? load()
      loading = undefined
      stack.portal = await portal.start(loopback(plan), portalEnv(plan, stack))
      return stack.portal
    },
    async startReplica(port, realm = plan.realm) {
      const [own, name] = [{ ...plan, port, realm }, `portal-${port}`]
      const replica = loadPortal({ root: choice.root, logFile: join(plan.dataDir, `${name}.log`) })
      parts.defer(replica.close)
      return replica.start(loopback(own), portalEnv(own, stack, name))
    },
  }
  if (choice.portal) {
    parts.defer(async () => stack.portal?.close())
    await progress.step('Portal', () => stack.startPortal())
  }
  return stack
}

/** Where this machine itself reaches the portal, whatever it is called outside. */
const loopback = ({ host, port, tls }: Plan) =>
  `${tls ? 'https' : 'http'}://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`

/** Waits for both even when one fails, so that what the other has started is known when everything is stopped. */
export async function bothSettled<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second])
  return [await first, await second]
}

/** Foreign identity providers are asked within the same bounds as clusters. */
const outboundOf = (env: Record<string, string>) => ({
  allowPrivate: env.QUAYSIDE_ALLOW_PRIVATE_ADDRESSES === 'true',
  allowed: (env.QUAYSIDE_ALLOWED_ADDRESSES ?? '').split(',').flatMap((name) => name.trim() || []),
})

async function startDirectory(plan: Plan, choice: Choice, progress: Progress, parts: AsyncDisposableStack) {
  const data: Data = await progress.step('PostgreSQL', () => openData(choice.data))
  if (data.postgres) parts.defer(data.postgres.close)
  if (!choice.identity || plan.keycloak) return { data, identityUrl: plan.keycloak?.url ?? '' }
  const identity = await progress.step('Identity server', async () => {
    const { startIdentity } = await import('@quayside/embedded-identity/identity')
    return startIdentity({
      databaseUrl: data.identityUrl,
      publicUrl: `${plan.url}/auth`,
      adminClient: plan.identityClient,
      secretKey: plan.secretKey,
      otherSecretKey: plan.otherSecretKey,
      port: choice.ports.identity,
      allowedAddresses: (plan.portalEnv.QUAYSIDE_ALLOWED_ADDRESSES ?? '').split(',').map((address) => address.trim()),
      outbound: outboundOf(plan.portalEnv),
    })
  })
  parts.defer(identity.close)
  return { data, identityUrl: `http://127.0.0.1:${choice.ports.identity}/auth` }
}

async function startSandbox(plan: Plan, choice: Choice, progress: Progress, parts: AsyncDisposableStack) {
  if (!choice.cluster) return undefined
  const { speed, policiesAfterMs } = choice.cluster
  const dataDir = join(plan.dataDir, 'cluster')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const cluster = await progress.step('Sandbox cluster', async () => {
    const { startCluster } = await import('@quayside/embedded-kubernetes/cluster')
    return startCluster({ dataDir, port: choice.ports.cluster, host: '127.0.0.1', speed, policiesAfterMs })
  })
  parts.defer(cluster.close)
  const kubeconfigFile = join(plan.dataDir, 'kubeconfig')
  writeFileSync(kubeconfigFile, cluster.kubeconfig, { mode: 0o600 })
  return { kubeconfigFile, kubeconfig: cluster.kubeconfig, url: cluster.url } satisfies Sandbox
}

/** The engine starts its thread again by itself when that ends. */
async function startMetrics(plan: Plan, choice: Choice, progress: Progress, parts: AsyncDisposableStack) {
  const { metricsToken: token, metricsDays } = plan
  if (token === undefined) return undefined
  const engine = await progress.step('Metrics', async () => {
    const { startTelemetry } = await import('@quayside/embedded-telemetry/telemetry')
    const dataDir = join(plan.dataDir, 'telemetry')
    return startTelemetry({ dataDir, port: choice.ports.metrics, token, keepDays: metricsDays })
  })
  parts.defer(engine.close)
  return { url: engine.url, token, close: engine.close } satisfies Metrics
}

type Addresses = Pick<Stack, 'databaseUrl' | 'identityUrl' | 'sandbox' | 'metrics'>

function portalEnv(
  plan: Plan,
  { databaseUrl, identityUrl, sandbox, metrics }: Addresses,
  folder = 'portal',
): Record<string, string> {
  const dataDir = join(plan.dataDir, folder)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const { keycloak, identityClient } = plan
  const own = sandbox ? [new URL(sandbox.url).host] : []
  return {
    QUAYSIDE_PORT: String(plan.port),
    QUAYSIDE_HOST: plan.host,
    QUAYSIDE_URL: plan.url,
    QUAYSIDE_DATA_DIR: dataDir,
    QUAYSIDE_REALM: plan.realm,
    QUAYSIDE_SECRET_KEY: plan.secretKey,
    ...(plan.otherSecretKey ? { QUAYSIDE_OTHER_SECRET_KEY: plan.otherSecretKey } : {}),
    QUAYSIDE_ADMIN_USERNAME: plan.admin.username,
    QUAYSIDE_ADMIN_PASSWORD: plan.admin.password,
    DATABASE_URL: databaseUrl,
    KEYCLOAK_URL: identityUrl,
    KEYCLOAK_PUBLIC_URL: keycloak ? keycloak.url : `${plan.url}/auth`,
    KEYCLOAK_CLIENT_ID: keycloak?.clientId ?? identityClient.id,
    KEYCLOAK_CLIENT_SECRET: keycloak?.clientSecret ?? identityClient.secret,
    ...(metrics ? { PROMETHEUS_URL: metrics.url, PROMETHEUS_TOKEN: metrics.token } : {}),
    ...(plan.kubeconfig ? { QUAYSIDE_KUBECONFIG: plan.kubeconfig } : {}),
    ...plan.portalEnv,
    QUAYSIDE_ALLOWED_ADDRESSES: [...own, plan.portalEnv.QUAYSIDE_ALLOWED_ADDRESSES ?? ''].join(','),
  }
}
