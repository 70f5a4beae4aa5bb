import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { errorCode, Obstacle } from '@quayside/embedded-postgres/obstacle'

/** Programs to start, and their settings. */
export type Plan = {
  dataDir: string
  host: string
  port: number
  /** How people reach the portal. */
  url: string
  /** Files to serve https with. */
  tls: { certFile: string; keyFile: string } | undefined
  realm: string
  admin: { username: string; password: string }
  secretKey: string
  /** A second key to read with, while the first one is rotated. */
  otherSecretKey?: string | undefined
  /** A PostgreSQL of somebody else; undefined starts our own. */
  databaseUrl: string | undefined
  /** An identity server of somebody else; undefined starts our own with `identityClient`. */
  keycloak: { url: string; clientId: string; clientSecret: string } | undefined
  identityClient: { id: string; secret: string }
  sandbox: boolean
  /** The secret that the portal shows to a metrics engine of ours; undefined starts none. */
  metricsToken: string | undefined
  /** How long that engine keeps samples. */
  metricsDays: number
  /** A cluster of somebody else that the portal registers. */
  kubeconfig: string | undefined
  /** Tells whether the tenant is filled; `new realm`: only where the portal makes the realm, not in one of somebody else. */
  samples: boolean | 'new realm'
  /** Further environment variables of the portal. */
  portalEnv: Record<string, string>
}

type Env = Record<string, string | undefined>

/** Settings of the portal that the launcher only hands on; `plan.test.ts` compares them with the documented ones. */
const handedOn = [
  'ENABLE_UMA',
  'HELM_BIN',
  'KEYCLOAK_PUBLIC_URL',
  'LOG_LEVEL',
  'NODESCATALOG',
  'PROMETHEUS_URL',
  'PROMETHEUS_USERNAME',
  'PROMETHEUS_WRITE_URL',
  'REQUIRE_CONFIRMATION_FOR_DEFAULT_HOME',
  'QUAYSIDE_ALLOWED_ADDRESSES',
  'QUAYSIDE_ALLOW_PRIVATE_ADDRESSES',
  'QUAYSIDE_AUDIT_DAYS',
  'QUAYSIDE_AUDIT_URL',
  'QUAYSIDE_DEPLOY_TIMEOUT_SECONDS',
  'QUAYSIDE_FAILPOINTS',
  'QUAYSIDE_FETCH_ICONS',
  'QUAYSIDE_FOREIGN_HELM_SECONDS',
  'QUAYSIDE_LEASE_SECONDS',
  'QUAYSIDE_LEDGER_DAYS',
  'QUAYSIDE_LIVE_CONNECTIONS',
  'QUAYSIDE_METRICS_SECONDS',
  'QUAYSIDE_OUTAGE_SECONDS',
  'QUAYSIDE_RATE_LIMIT',
  'QUAYSIDE_TRUSTED_CLIENTS',
  'QUAYSIDE_TRUSTED_PROXIES',
  'QUAYSIDE_WAITING_HELMS',
  ...['PROMETHEUS_PASSWORD', 'PROMETHEUS_TOKEN', 'QUAYSIDE_AUDIT_TOKEN', 'QUAYSIDE_METRICS_TOKEN'].flatMap((secret) => [
    secret,
    `${secret}_FILE`,
  ]),
]

/** Databases and folder of an installation, which a backup reads and a restore fills. */
export type Installation = Pick<Plan, 'dataDir' | 'databaseUrl' | 'keycloak' | 'otherSecretKey'> & {
  secretKey: string | undefined
}

/** Files of the data folder with the key, and with the one before until nothing is encrypted by it any more. */
export const keyFile = 'secret-key'
export const keyBeforeFile = 'secret-key-before'

/** Reads the environment and writes nothing; the secret key is undefined where none has been made yet. */
export function installationFrom(env: Env, root: string): Installation {
  const dataDir = dataDirFrom(env, root)
  return {
    dataDir,
    databaseUrl: given(env, 'DATABASE_URL'),
    keycloak: keycloakFrom(env),
    secretKey: given(env, 'QUAYSIDE_SECRET_KEY') ?? keptSecret(dataDir, keyFile),
    otherSecretKey: given(env, 'QUAYSIDE_OTHER_SECRET_KEY') ?? keptSecret(dataDir, keyBeforeFile),
  }
}

/** Reads the environment; what it does not say comes from the data folder, where generated secrets are kept. */
export function planFrom(env: Env, root: string): Plan {
  const port = portFrom(env.QUAYSIDE_PORT)
  const { dataDir, databaseUrl, keycloak, secretKey, otherSecretKey } = installationFrom(env, root)
  const tls = tlsFrom(env)
  return {
    dataDir,
    host: env.QUAYSIDE_HOST || '127.0.0.1',
    port,
    url: urlFrom(env.QUAYSIDE_URL || `${tls ? 'https' : 'http'}://localhost:${port}`),
    tls,
    realm: env.QUAYSIDE_REALM || 'demo',
    admin: {
      username: env.QUAYSIDE_ADMIN_USERNAME || 'admin',
      password: given(env, 'QUAYSIDE_ADMIN_PASSWORD') ?? secretMark(dataDir, 'admin-password', password),
    },
    secretKey: secretKey ?? secretMark(dataDir, keyFile, newKey),
    otherSecretKey,
    databaseUrl,
    keycloak,
    identityClient: { id: 'quayside-server', secret: secretMark(dataDir, 'identity-client-secret', newKey) },
    sandbox: env.QUAYSIDE_SANDBOX !== 'false',
    metricsToken: wantsMetrics(env) ? secretMark(dataDir, 'metrics-token', newKey) : undefined,
    metricsDays: daysFrom(env.QUAYSIDE_METRICS_DAYS),
    kubeconfig: env.QUAYSIDE_KUBECONFIG ? resolve(env.QUAYSIDE_KUBECONFIG) : undefined,
    samples: env.QUAYSIDE_SAMPLES ? env.QUAYSIDE_SAMPLES === 'true' : env.KEYCLOAK_URL ? 'new realm' : true,
    portalEnv: {
      ...Object.fromEntries(handedOn.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
      ...(tls ? { QUAYSIDE_TLS_CERT_FILE: tls.certFile, QUAYSIDE_TLS_KEY_FILE: tls.keyFile } : {}),
    },
  }
}

function tlsFrom({ QUAYSIDE_TLS_CERT_FILE: certFile, QUAYSIDE_TLS_KEY_FILE: keyFile }: Env) {
  if (!certFile && !keyFile) return undefined
  if (certFile && keyFile) return { certFile: resolve(certFile), keyFile: resolve(keyFile) }
  throw new Obstacle('Set both QUAYSIDE_TLS_CERT_FILE and QUAYSIDE_TLS_KEY_FILE, or neither.')
}

/** A Prometheus of somebody else is used in the place of ours. */
function wantsMetrics(env: Env): boolean {
  if (env.PROMETHEUS_URL) return false
  const lost = handedOn.find((name) => name.startsWith('PROMETHEUS_') && env[name])
  if (lost) throw new Obstacle(`${lost} is set without PROMETHEUS_URL. Set that as well, or neither of them.`)
  return env.QUAYSIDE_METRICS !== 'false'
}

function daysFrom(text: string | undefined): number {
  const days = Number(text || '7')
  if (Number.isInteger(days) && days > 0 && days <= 365) return days
  throw new Obstacle(`QUAYSIDE_METRICS_DAYS is ${JSON.stringify(text)}. Set it to a whole number from 1 to 365.`)
}

/** Where this environment keeps its data. */
export const dataDirFrom = (env: Env, root: string) => resolve(env.QUAYSIDE_DATA_DIR || join(root, '.quayside'))

function portFrom(text: string | undefined): number {
  const port = Number(text || '8080')
  if (Number.isInteger(port) && port > 0 && port < 65536) return port
  throw new Obstacle(`QUAYSIDE_PORT is ${JSON.stringify(text)}, which is no port. Set it to a number from 1 to 65535.`)
}

function urlFrom(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, '')
  throw new Obstacle(
    `QUAYSIDE_URL is ${JSON.stringify(text)}. Set it to an address such as https://quayside.example.com.`,
  )
}

function keycloakFrom(env: Env): Plan['keycloak'] {
  if (!env.KEYCLOAK_URL) return undefined
  const [clientId, clientSecret] = [given(env, 'KEYCLOAK_CLIENT_ID'), given(env, 'KEYCLOAK_CLIENT_SECRET')]
  if (clientId && clientSecret) return { url: urlFrom(env.KEYCLOAK_URL), clientId, clientSecret }
  throw new Obstacle('KEYCLOAK_URL is set. Set KEYCLOAK_CLIENT_ID and KEYCLOAK_CLIENT_SECRET as well.')
}

/** A setting, or the content of the file that `…_FILE` names. */
function given(env: Env, name: string): string | undefined {
  const file = env[`${name}_FILE`]
  if (!file) return env[name] || undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Obstacle(`${name}_FILE names ${file}, which cannot be read (${errorCode(error)}).`)
  }
}

export const newKey = () => randomBytes(32).toString('base64url')

/** 120 bits in groups that can be typed from a screen. */
const password = () => randomBytes(15).toString('hex').match(/.{6}/g)?.join('-') ?? newKey()

const passwordFile = (username: string) => `${username}-password`

/** The password of a sample person: made when it is asked for first, and the same from then on. */
export function keptPassword(dataDir: string, username: string): string {
  return secretMark(dataDir, passwordFile(username), password)
}

/** The same for who has one already; undefined for others. */
export function knownPassword(dataDir: string, username: string): string | undefined {
  return keptSecret(dataDir, passwordFile(username))
}

function secretMark(dataDir: string, name: string, make: () => string): string {
  const kept = keptSecret(dataDir, name)
  if (kept !== undefined) return kept
  const made = make()
  writeFileSync(join(dataDir, name), `${made}\n`, { mode: 0o600 })
  return made
}

export function keptSecret(dataDir: string, name: string): string | undefined {
  const file = join(dataDir, name)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}
