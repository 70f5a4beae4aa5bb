import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@quayside/embedded-postgres/ports'
import {
  CallFailed,
  type ClientRoles,
  clientToken,
  type Directory,
  makePerson,
  makeServiceClient,
  openDirectory,
} from './directory-client.ts'
import type { DataSource, OwnPostgres } from './launch/data.ts'
import { keptPassword, type Plan } from './launch/plan.ts'
import { quietProgress } from './launch/progress.ts'
import { type Stack, startStack } from './launch/stack.ts'
import { seedSamples } from './seed/seed.ts'
import { keepPrograms, lendPrograms } from './test-run/unpacked-programs.ts'

type WorldOptions = {
  portal?: boolean
  identity?: boolean
  /** A Sandbox unless it is false, or another cluster, by the path of its kubeconfig. */
  cluster?: boolean | { speed: number; policiesAfterMs?: number } | { kubeconfig: string }
  /** The metrics engine, and how often usage is collected. */
  metrics?: { everySeconds: number }
  /** The sample people, spaces, cluster and charts of a first start. */
  seed?: boolean
  /** Further settings of the portal. */
  env?: Record<string, string>
  /** A durable PostgreSQL of its own, which may be killed, instead of the one of the test run. */
  postgres?: 'own'
  /** Files by which the portal speaks https; whoever calls it has to trust them. */
  tls?: Plan['tls']
  /** A folder to keep; without one the World lives in a temporary folder and leaves nothing. */
  dataDir?: string
}

export type Call = { method?: string; token?: string; body?: unknown; headers?: Record<string, string> }

/** One more portal process of a World. */
export type Replica = {
  url: string
  pid: number
  dataDir: string
  api(path: string, call?: Call): Promise<Response>
  close(): Promise<void>
}

const root = resolve(import.meta.dirname, '../..')

/** A Keycloak of somebody else, when a test run names one: each World has a realm of its own there. */
const keycloak = keycloakOf(process.env)
const renewTokenMs = 2 * 60_000
const longestSetUpMs = 60_000

interface Parts {
  plan: Plan
  stack: Stack
  kubeconfig: string
  leave: () => void
}

const isElsewhere = (cluster: WorldOptions['cluster']): cluster is { kubeconfig: string } =>
  typeof cluster === 'object' && 'kubeconfig' in cluster

/** The whole product on free ports and throw-away data: what `npm start` starts, for tests, journeys and benchmarks. */
export class World implements AsyncDisposable {
  /** Starts the parts that are asked for: all of them, without samples, when nothing is said. */
  static async start(options: WorldOptions = {}): Promise<World> {
    const { portal = true, identity = true, cluster = true, seed = false } = options
    const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'quayside-world-'))
    const leave = () => (options.dataDir ? undefined : rmSync(dataDir, { recursive: true, force: true }))
    try {
      chmodSync(dataDir, 0o700)
      const plan = await throwAwayPlan(dataDir, options)
      const choice = {
        root,
        data: dataSource(dataDir, options.postgres === 'own'),
        ports: {
          identity: await freePort('127.0.0.1'),
          cluster: await freePort('127.0.0.1'),
          metrics: await freePort('127.0.0.1'),
        },
        identity,
        cluster: cluster === true ? {} : isElsewhere(cluster) ? (false as const) : cluster,
        portal,
      }
      const programs = join(dataDir, 'portal', 'bin')
      if (portal) lendPrograms(programs)
      const stack = await startStack(plan, choice, quietProgress)
      if (portal) keepPrograms(programs)
      const kubeconfig = isElsewhere(cluster) ? cluster.kubeconfig : (stack.sandbox?.kubeconfigFile ?? '')
      const world = new World({ plan, stack, kubeconfig, leave })
      if (portal && identity) await world.#orClose(world.#untilRealmIsThere())
      if (seed) await world.#orClose(seedSamples({ plan, stack, root, progress: quietProgress }))
      return world
    } catch (error) {
      leave()
      throw error
    }
  }

  readonly url: string
  readonly databaseUrl: string
  /** The identity server's own database. */
  readonly identityDatabaseUrl: string
  readonly identityUrl: string
  /** The path of a kubeconfig for the cluster; empty without one. */
  readonly kubeconfig: string
  readonly admin: { username: string; password: string }
  readonly realm: string
  readonly dataDir: string
  readonly #plan: Plan
  readonly #stack: Stack
  readonly #leave: () => void

  private constructor({ plan, stack, kubeconfig, leave }: Parts) {
    this.url = plan.url
    this.realm = plan.realm
    this.databaseUrl = stack.databaseUrl
    this.identityDatabaseUrl = stack.identityDatabaseUrl
    this.identityUrl = stack.identityUrl
    this.kubeconfig = kubeconfig
    this.admin = plan.admin
    this.dataDir = plan.dataDir
    this.#plan = plan
    this.#stack = stack
    this.#leave = leave
  }

  /** The secret of the client by which the portal calls the identity server, for what terminals do with it. */
  get identitySecret(): string {
    return this.#identityClient.secret
  }

  /** The identity server as people reach it: below the portal, unless it is somebody else's. */
  get signInUrl(): string {
    return keycloak?.url ?? `${this.url}/auth`
  }

  get #identityClient() {
    const { keycloak, identityClient } = this.#plan
    return keycloak ? { id: keycloak.clientId, secret: keycloak.clientSecret } : identityClient
  }

  /** The process id of the portal, for tests that kill it. */
  get portalPid(): number {
    return this.#stack.portal?.pid ?? 0
  }

  /** Stops the portal, gently or by SIGKILL, and starts it again on the same data. */
  async restartPortal(how: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const running = this.#stack.portal
    if (running) {
      if (how === 'SIGKILL') killNow(running.pid)
      else await running.close()
      await running.exited
    }
    await this.#stack.startPortal()
  }

  /**
   * A second portal process on the same PostgreSQL, identity server and cluster; its port and folder are its own. With a
   * realm of its own it makes one more tenant, which every portal process then serves.
   */
  async addReplica({ realm: own }: { realm?: string } = {}): Promise<Replica> {
    const port = await freePort('127.0.0.1')
    const { pid, close } = await this.#stack.startReplica(port, own)
    const url = `http://localhost:${port}`
    return {
      url,
      pid,
      dataDir: join(this.dataDir, `portal-${port}`),
      api: (path, call) => callAt(url, path, call),
      close,
    }
  }

  /** Ends the metrics engine, for tests of what the portal says then. */
  stopMetrics(): Promise<void> {
    return this.#stack.metrics?.close() ?? Promise.resolve()
  }

  /** The World's own PostgreSQL, for tests that take it away. */
  get postgres(): OwnPostgres {
    const { postgres } = this.#stack
    if (!postgres) throw new Error('this World shares its PostgreSQL: start it with postgres: own')
    return postgres
  }

  /** An access token of a fresh service-account client that holds these roles, by real client credentials. */
  async tokenFor(roles: ClientRoles & { realm?: string } = {}): Promise<string> {
    return (await this.accountWith(roles))()
  }

  /** A fresh service account with these roles, whose tokens are all of that one account: call it for one that lasts. */
  async accountWith({ realm: where = this.realm, ...roles }: ClientRoles & { realm?: string } = {}) {
    const directory = await openDirectory(this.identityUrl, where, this.#identityClient)
    const client = await makeServiceClient(directory, `world-${randomBytes(6).toString('hex')}`, roles)
    return lastingToken(() => clientToken(this.identityUrl, where, client))
  }

  /** A realm through the identity server's Admin API, for what no answer of the portal proves. */
  directory(where = this.realm): Promise<Directory> {
    return openDirectory(this.identityUrl, where, this.#identityClient)
  }

  /** A person who holds exactly these roles, with the name and password to sign in with. */
  async personWith(roles: ClientRoles): Promise<{ username: string; password: string }> {
    const directory = await openDirectory(this.identityUrl, this.realm, this.#identityClient)
    return makePerson(directory, `person-${randomBytes(6).toString('hex')}`, roles)
  }

  /** A sample person who can sign in, as the table of a first start shows them. */
  samplePerson(username: string): { username: string; password: string } {
    return { username, password: keptPassword(this.dataDir, username) }
  }

  /** Calls the portal. A body that is no text, form or stream goes out as JSON. */
  api(path: string, call: Call = {}): Promise<Response> {
    return callAt(this.url, path, call)
  }

  async close(): Promise<void> {
    try {
      await this.#stack.close()
    } finally {
      this.#leave()
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** A portal that does not reach the identity server at once is ready all the same, and sets its realm up a little later. */
  async #untilRealmIsThere(): Promise<void> {
    const deadline = Date.now() + longestSetUpMs
    for (;;) {
      const directory = await this.directory()
      const administrators = await directory.get<unknown[]>('/roles/quayside-admin/users').catch(orNone)
      if (administrators.length > 0) return
      if (Date.now() > deadline)
        throw new Error(`the portal has not set up its realm within ${longestSetUpMs / 1000} s`)
      await delay(100)
    }
  }

  async #orClose(work: Promise<unknown>): Promise<void> {
    try {
      await work
    } catch (error) {
      await this.close()
      throw error
    }
  }
}

function orNone(error: unknown): [] {
  if (error instanceof CallFailed && error.status === 404) return []
  throw error
}

function callAt(url: string, path: string, { method, token, body, headers }: Call = {}): Promise<Response> {
  const raw = typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array
  const sent = body === undefined ? undefined : raw ? (body as BodyInit) : JSON.stringify(body)
  return fetch(url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    body: sent,
    redirect: 'manual',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  })
}

/** Asks for a token when the one at hand comes near its end, five minutes after it was given. */
function lastingToken(ask: () => Promise<string>): () => Promise<string> {
  let kept: { token: Promise<string>; until: number } | undefined
  return () => {
    if (kept !== undefined && kept.until > performance.now()) return kept.token
    const token = ask()
    kept = { token, until: performance.now() + renewTokenMs }
    // One that was not given is asked for again by the next caller.
    token.catch(() => {
      kept = undefined
    })
    return token
  }
}

/** Also when it has ended already. */
function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function throwAwayPlan(dataDir: string, { env = {}, metrics, tls }: WorldOptions): Promise<Plan> {
  const port = await freePort('127.0.0.1')
  const secret = () => randomBytes(32).toString('base64url')
  return {
    dataDir,
    host: '127.0.0.1',
    port,
    tls,
    url: `${tls ? 'https' : 'http'}://localhost:${port}`,
    realm: keycloak ? `demo-${randomBytes(6).toString('hex')}` : 'demo',
    admin: { username: 'admin', password: secret() },
    secretKey: secret(),
    databaseUrl: undefined,
    keycloak,
    identityClient: { id: 'quayside-server', secret: secret() },
    sandbox: true,
    metricsToken: metrics && secret(),
    metricsDays: 7,
    kubeconfig: undefined,
    samples: true,
    portalEnv: {
      LOG_LEVEL: 'debug',
      QUAYSIDE_RATE_LIMIT: '100000',
      ...(metrics ? { QUAYSIDE_METRICS_SECONDS: String(metrics.everySeconds) } : {}),
      ...(tls ? { QUAYSIDE_TLS_CERT_FILE: tls.certFile, QUAYSIDE_TLS_KEY_FILE: tls.keyFile } : {}),
      ...env,
    },
  }
}

function keycloakOf({ KEYCLOAK_URL: url, KEYCLOAK_CLIENT_ID: clientId, KEYCLOAK_CLIENT_SECRET: clientSecret }: Env) {
  return url && clientId && clientSecret ? { url, clientId, clientSecret } : undefined
}
type Env = Record<string, string | undefined>

/** A test run starts one PostgreSQL for all its Worlds and says so in the environment. */
function dataSource(dataDir: string, isOwn: boolean): DataSource {
  if (isOwn) return { kind: 'own', dataDir, durable: true }
  const address = process.env.QUAYSIDE_TEST_POSTGRES
  if (!address) return { kind: 'own', dataDir, durable: false }
  const url = (database: string) => address.replace('{database}', encodeURIComponent(database))
  return { kind: 'shared', postgres: { url }, prefix: `world_${randomBytes(6).toString('hex')}` }
}
