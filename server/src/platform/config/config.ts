import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { CertificateFiles } from '../http/certificate.ts'
import { sentenceOf } from '../http/plain-issues.ts'
import { isNetwork } from '../http/trusted-proxies.ts'

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true')
const onUnlessFalse = z
  .enum(['true', 'false'])
  .default('true')
  .transform((text) => text === 'true')
const address = z
  .url({ protocol: /^https?$/, error: 'must be a http or https address' })
  .refine((url) => !URL.canParse(url) || (new URL(url).username === '' && new URL(url).password === ''), {
    error: 'must have no user name and no password in it: addresses are logged',
  })
  .transform((url) => url.replace(/\/$/, ''))
/** Addresses as `host:port`, with commas between them. */
const addresses = z
  .string()
  .default('')
  .transform((text) =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((part) => part !== ''),
  )
  .refine(
    (list) => list.every((part) => /^([a-z0-9.-]+|\[[0-9a-f:]+\]):\d{1,5}$/.test(part)),
    'must be addresses such as 10.0.0.5:6443, with commas between them',
  )
/** Names with commas between them. */
const names = z
  .string()
  .default('')
  .transform((text) => new Set(text.split(',').flatMap((name) => name.trim() || [])))
const seconds = (fallback: number) => z.coerce.number().int().min(5).max(7200).default(fallback)

/**
 * Everything that can be set, by its environment variable. Secrets can be given as a file with `_FILE` after the name.
 */
const Settings = z.object({
  QUAYSIDE_PORT: z.coerce.number().int().min(0).max(65535).default(8080),
  QUAYSIDE_HOST: z.string().default('127.0.0.1'),
  QUAYSIDE_URL: address.optional(),
  QUAYSIDE_DATA_DIR: z.string().default('.quayside'),
  QUAYSIDE_TLS_CERT_FILE: z.string().optional(),
  QUAYSIDE_TLS_KEY_FILE: z.string().optional(),
  QUAYSIDE_STATIC_DIR: z.string().default(resolve(import.meta.dirname, '../../../../web/dist')),
  QUAYSIDE_REALM: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and dashes')
    .default('demo'),
  QUAYSIDE_SECRET_KEY: z.string().min(32, 'must be at least 32 characters'),
  QUAYSIDE_OTHER_SECRET_KEY: z.string().min(32, 'must be at least 32 characters').optional(),
  QUAYSIDE_ADMIN_USERNAME: z.string().min(1).max(100).default('admin'),
  QUAYSIDE_ADMIN_PASSWORD: z.string().min(8, 'must be at least 8 characters').optional(),
  QUAYSIDE_KUBECONFIG: z.string().optional(),
  QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: flag,
  QUAYSIDE_ALLOWED_ADDRESSES: addresses,
  QUAYSIDE_EXIT_WITH_PARENT: flag,
  QUAYSIDE_FETCH_ICONS: onUnlessFalse,
  QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: seconds(300),
  QUAYSIDE_LEASE_SECONDS: z.coerce.number().int().min(3).max(300).default(20),
  QUAYSIDE_FOREIGN_HELM_SECONDS: z.coerce.number().int().min(3).max(86_400).default(600),
  QUAYSIDE_LEDGER_DAYS: z.coerce.number().int().min(30).max(36_500).default(365),
  QUAYSIDE_OUTAGE_SECONDS: z.coerce.number().int().min(1).max(3600).default(60),
  QUAYSIDE_WAITING_HELMS: z.coerce.number().int().min(0).max(1000).default(24),
  QUAYSIDE_AUDIT_DAYS: z.coerce.number().int().min(30).max(36_500).default(365),
  QUAYSIDE_AUDIT_URL: z
    .url({ protocol: /^(https?|syslog|syslogs)$/, error: 'must be an address with https, http, syslog or syslogs' })
    .optional(),
  QUAYSIDE_AUDIT_TOKEN: z.string().min(1).optional(),
  QUAYSIDE_FAILPOINTS: z.string().optional(),
  QUAYSIDE_LIVE_CONNECTIONS: z.coerce.number().int().min(1).max(100_000).default(100),
  QUAYSIDE_METRICS_SECONDS: z.coerce.number().int().min(1).max(300).default(30),
  QUAYSIDE_METRICS_TOKEN: z.string().min(16, 'must be at least 16 characters').optional(),
  QUAYSIDE_TRUSTED_CLIENTS: names,
  QUAYSIDE_TRUSTED_PROXIES: names.refine(
    (given) => [...given].every(isNetwork),
    'must be addresses and networks such as 10.0.0.0/8, with commas between them',
  ),
  QUAYSIDE_RATE_LIMIT: z.coerce.number().int().min(1).default(600).describe('requests per token and 10 seconds'),
  EXCHANGE_RATES_URL: address.optional(),
  PROMETHEUS_URL: address.optional(),
  PROMETHEUS_WRITE_URL: address.optional(),
  PROMETHEUS_TOKEN: z.string().min(1).optional(),
  PROMETHEUS_USERNAME: z.string().min(1).optional(),
  PROMETHEUS_PASSWORD: z.string().min(1).optional(),
  DATABASE_URL: z.string().min(1),
  KEYCLOAK_URL: address,
  KEYCLOAK_PUBLIC_URL: address.optional(),
  KEYCLOAK_CLIENT_ID: z.string().min(1),
  KEYCLOAK_CLIENT_SECRET: z.string().min(1),
  HELM_BIN: z.string().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  NODESCATALOG: z.enum(['true', 'false']).default('true'),
  REQUIRE_CONFIRMATION_FOR_DEFAULT_HOME: z.enum(['true', 'false']).default('false'),
  ENABLE_UMA: z.enum(['true', 'false']).default('true'),
})

export interface Config {
  port: number
  host: string
  /** How people reach the portal, without a slash at the end. */
  url: string
  /** Files to serve https with; without them it is http, as behind a proxy. */
  tls: CertificateFiles | undefined
  dataDir: string
  staticDir: string
  realm: string
  secretKey: string
  /** A second key to read with, while the first one is rotated. */
  otherSecretKey: string | undefined
  admin: { username: string; password: string | undefined }
  kubeconfigFile: string | undefined
  allowPrivateAddresses: boolean
  /** Addresses of the own network, `host:port`, that clusters may have all the same. */
  allowedAddresses: readonly string[]
  exitWithParent: boolean
  /** Tells whether icons that charts only name the address of are fetched from there. */
  fetchIcons: boolean
  deployTimeoutSeconds: number
  /** How long a replica that says nothing keeps an action; a third more and another one takes it over. */
  leaseSeconds: number
  /** How long nothing may move of a release that a Helm from outside holds before that one counts as gone. */
  foreignHelmSeconds: number
  /** How long actions that have ended are kept with their lines. */
  ledgerDays: number
  /** How long an app has to be unhealthy, or healthy again, before people are told. */
  outageSeconds: number
  /** How many Helms that only wait may live beside the actions that a replica works on. */
  waitingHelms: number
  /** How long entries of the audit log are kept, and the collector that they are sent to as well. */
  audit: { days: number; collector: { url: string; token: string | undefined } | undefined }
  failpoints: string | undefined
  /** Prometheus, where usage is written and read; without one there are no metrics. */
  prometheus: { url: string; writeUrl: string; authorization: string | undefined } | undefined
  /** A file of daily exchange rates, as the European Central Bank has it. */
  exchangeRatesUrl: string | undefined
  /** Seconds from one collection of a cluster's usage to the next. */
  metricsSeconds: number
  /** The bearer token that Prometheus shows; without one there are no figures to be had. */
  metricsToken: string | undefined
  /** Clients of the realm, beside the portal's own and those of scripts, whose tokens may call the portal. */
  trustedClients: ReadonlySet<string>
  /** Addresses and networks of proxies whose X-Forwarded-* headers count. */
  trustedProxies: readonly string[]
  rateLimit: number
  /** Live connections that a person may have open to a replica at a time. */
  liveConnections: number
  databaseUrl: string
  keycloak: { url: string; publicUrl: string; clientId: string; clientSecret: string }
  helmBin: string | undefined
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  nodesCatalog: 'true' | 'false'
  /** Tells whether the default Home of the tenant is shown only to those who agree. */
  requireConfirmationForDefaultHome: boolean
  /** Tells whether pages that are refused get a ticket to ask the identity server with. */
  enableUma: 'true' | 'false'
  build: string
}

export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Reads the environment, the only place that does. Throws ConfigError with one line for each wrong setting. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = Settings.safeParse(withFiles(env))
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => sentenceOf(issue.path.join('.'), issue.message))
    throw new ConfigError(lines.join('\n'))
  }
  const set = parsed.data
  const tls = tlsOf(set)
  const url = set.QUAYSIDE_URL ?? `${tls ? 'https' : 'http'}://localhost:${set.QUAYSIDE_PORT}`
  return {
    port: set.QUAYSIDE_PORT,
    host: set.QUAYSIDE_HOST,
    url,
    tls,
    dataDir: resolve(set.QUAYSIDE_DATA_DIR),
    staticDir: set.QUAYSIDE_STATIC_DIR,
    realm: set.QUAYSIDE_REALM,
    secretKey: set.QUAYSIDE_SECRET_KEY,
    otherSecretKey: set.QUAYSIDE_OTHER_SECRET_KEY,
    admin: { username: set.QUAYSIDE_ADMIN_USERNAME, password: set.QUAYSIDE_ADMIN_PASSWORD },
    kubeconfigFile: set.QUAYSIDE_KUBECONFIG,
    allowPrivateAddresses: set.QUAYSIDE_ALLOW_PRIVATE_ADDRESSES,
    allowedAddresses: set.QUAYSIDE_ALLOWED_ADDRESSES,
    exitWithParent: set.QUAYSIDE_EXIT_WITH_PARENT,
    fetchIcons: set.QUAYSIDE_FETCH_ICONS,
    deployTimeoutSeconds: set.QUAYSIDE_DEPLOY_TIMEOUT_SECONDS,
    leaseSeconds: set.QUAYSIDE_LEASE_SECONDS,
    foreignHelmSeconds: set.QUAYSIDE_FOREIGN_HELM_SECONDS,
    ledgerDays: set.QUAYSIDE_LEDGER_DAYS,
    outageSeconds: set.QUAYSIDE_OUTAGE_SECONDS,
    waitingHelms: set.QUAYSIDE_WAITING_HELMS,
    audit: {
      days: set.QUAYSIDE_AUDIT_DAYS,
      collector: set.QUAYSIDE_AUDIT_URL ? { url: set.QUAYSIDE_AUDIT_URL, token: set.QUAYSIDE_AUDIT_TOKEN } : undefined,
    },
    failpoints: set.QUAYSIDE_FAILPOINTS,
    prometheus: prometheusOf(set),
    exchangeRatesUrl: set.EXCHANGE_RATES_URL,
    metricsSeconds: set.QUAYSIDE_METRICS_SECONDS,
    metricsToken: set.QUAYSIDE_METRICS_TOKEN,
    trustedClients: set.QUAYSIDE_TRUSTED_CLIENTS,
    trustedProxies: [...set.QUAYSIDE_TRUSTED_PROXIES],
    rateLimit: set.QUAYSIDE_RATE_LIMIT,
    liveConnections: set.QUAYSIDE_LIVE_CONNECTIONS,
    databaseUrl: set.DATABASE_URL,
    keycloak: {
      url: set.KEYCLOAK_URL,
      publicUrl: set.KEYCLOAK_PUBLIC_URL ?? set.KEYCLOAK_URL,
      clientId: set.KEYCLOAK_CLIENT_ID,
      clientSecret: set.KEYCLOAK_CLIENT_SECRET,
    },
    helmBin: set.HELM_BIN,
    logLevel: set.LOG_LEVEL,
    nodesCatalog: set.NODESCATALOG,
    requireConfirmationForDefaultHome: set.REQUIRE_CONFIRMATION_FOR_DEFAULT_HOME === 'true',
    enableUma: set.ENABLE_UMA,
    build: 'v5.7.0',
  }
}

function tlsOf(set: z.infer<typeof Settings>): CertificateFiles | undefined {
  const { QUAYSIDE_TLS_CERT_FILE: certFile, QUAYSIDE_TLS_KEY_FILE: keyFile } = set
  if (certFile === undefined && keyFile === undefined) return undefined
  if (certFile === undefined) throw new ConfigError('QUAYSIDE_TLS_CERT_FILE: is needed beside QUAYSIDE_TLS_KEY_FILE')
  if (keyFile === undefined) throw new ConfigError('QUAYSIDE_TLS_KEY_FILE: is needed beside QUAYSIDE_TLS_CERT_FILE')
  if (set.QUAYSIDE_URL?.startsWith('http:'))
    throw new ConfigError('QUAYSIDE_URL: must begin with https:// where a certificate is given')
  return { certFile, keyFile }
}

function prometheusOf(set: z.infer<typeof Settings>): Config['prometheus'] {
  const { PROMETHEUS_URL: url, PROMETHEUS_WRITE_URL: writeUrl = `${url}/api/v1/write` } = set
  if (url !== undefined) return { url, writeUrl, authorization: authorizationOf(set) }
  const beside = ['PROMETHEUS_WRITE_URL', 'PROMETHEUS_TOKEN', 'PROMETHEUS_USERNAME', 'PROMETHEUS_PASSWORD'] as const
  const lost = beside.find((name) => set[name] !== undefined)
  if (lost) throw new ConfigError(`PROMETHEUS_URL: is needed beside ${lost}`)
  return undefined
}

function authorizationOf(set: z.infer<typeof Settings>): string | undefined {
  if (set.PROMETHEUS_TOKEN) return `Bearer ${set.PROMETHEUS_TOKEN}`
  if (!set.PROMETHEUS_USERNAME) return undefined
  return `Basic ${Buffer.from(`${set.PROMETHEUS_USERNAME}:${set.PROMETHEUS_PASSWORD ?? ''}`).toString('base64')}`
}

/** Names of everything that can be set. */
export const settingNames: readonly string[] = Object.keys(Settings.shape)

/** The settings that an environment gives, with the content of those that it names a file for. */
export function withFiles(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const result: Record<string, string | undefined> = {}
  for (const name of settingNames) {
    const file = env[`${name}_FILE`]
    if (file) {
      try {
        result[name] = readFileSync(file, 'utf8').trim()
      } catch {
        throw new ConfigError(`${name}_FILE: cannot be read`)
      }
    } else if (env[name] !== undefined && env[name] !== '') result[name] = env[name]
  }
  return result
}
