import { createPrivateKey, X509Certificate } from 'node:crypto'
import { repeatedKeys } from '@quayside/values/yaml/repeated-keys'
import { stringify } from 'yaml'
import { Failure, fail } from '../../platform/http/errors.ts'
import { readYaml } from '../../platform/http/guarded-yaml.ts'

/** All that is kept of a kubeconfig. */
export interface ClusterAccess {
  name: string
  server: string
  certificateAuthority?: string
  tlsServerName?: string
  token?: string
  clientCertificate?: string
  clientKey?: string
  namespace?: string
}

type Fields = Record<string, unknown>

// Fields outside of these lists are refused by name, among them those that run programs and read files.
const rootFields = ['apiVersion', 'kind', 'preferences', 'clusters', 'users', 'contexts', 'current-context']
const clusterFields = ['server', 'certificate-authority-data', 'tls-server-name']
const userFields = ['token', 'client-certificate-data', 'client-key-data']
const contextFields = ['cluster', 'user', 'namespace']
const maxBytes = 256 * 1024

/**
 * Reads a kubeconfig that somebody gave us: one context of it (the one that is named, else its current one), and of that
 * only fields that are harmless. Never use or store the text itself; use `writeKubeconfig` of what this returns.
 */
export function readKubeconfig(text: string, contextName?: string): ClusterAccess {
  const root = asFields(parse(text), 'kubeconfig')
  allow(root, rootFields, '')
  if (root.kind !== undefined && root.kind !== 'Config') throw refused('kind', 'kind: is not Config')
  if (root.preferences != null && Object.keys(asFields(root.preferences, 'preferences')).length > 0)
    throw refused('preferences', 'preferences: must be empty')
  const wanted = contextName ?? chosenContext(root)
  const context = entryOf(root, 'contexts', wanted, 'context')
  allow(context, contextFields, 'context.')
  const clusterName = textOf(context, 'cluster', 'context.')
  const userName = textOf(context, 'user', 'context.')
  if (!clusterName) throw refused('context.cluster', `context.cluster: the context ${wanted} names no cluster`)
  if (!userName) throw refused('context.user', `context.user: the context ${wanted} names no user`)
  const cluster = entryOf(root, 'clusters', clusterName, 'cluster')
  const user = entryOf(root, 'users', userName, 'user')
  allow(cluster, clusterFields, 'cluster.')
  allow(user, userFields, 'user.')
  return withoutUndefined({
    name: wanted,
    server: serverOf(cluster),
    certificateAuthority: certificatesOf(cluster, 'certificate-authority-data', 'cluster.'),
    tlsServerName: matching(cluster, 'tls-server-name', 'cluster.', /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/),
    ...credentialsOf(user),
    namespace: matching(context, 'namespace', 'context.', /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/),
  })
}

/** A fresh kubeconfig with nothing in it but the fields that we know. */
export const writeKubeconfig = (access: ClusterAccess): string => written([entriesOf(access)])

/** One with a context for each, under its name; the first is the current one. */
export const writeKubeconfigs = (accesses: readonly ClusterAccess[]): string =>
  written(accesses.map((access) => entriesOf(access, access.name)))

function entriesOf(access: ClusterAccess, name?: string) {
  const base64 = (pem: string | undefined) => (pem === undefined ? undefined : Buffer.from(pem).toString('base64'))
  const cluster = {
    server: access.server,
    'certificate-authority-data': base64(access.certificateAuthority),
    'tls-server-name': access.tlsServerName,
  }
  const user = {
    token: access.token,
    'client-certificate-data': base64(access.clientCertificate),
    'client-key-data': base64(access.clientKey),
  }
  const names = { cluster: name ?? 'cluster', user: name ?? 'user' }
  return {
    cluster: { name: names.cluster, cluster: withoutUndefined(cluster) },
    user: { name: names.user, user: withoutUndefined(user) },
    context: { name: access.name, context: withoutUndefined({ ...names, namespace: access.namespace }) },
  }
}

function written(entries: readonly ReturnType<typeof entriesOf>[]): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: entries.map(({ cluster }) => cluster),
    users: entries.map(({ user }) => user),
    contexts: entries.map(({ context }) => context),
    'current-context': entries[0]?.context.name,
  }
  // Quoted, so that no reader takes a name or a token for a number or a truth value.
  return stringify(config, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', lineWidth: 0 })
}

function parse(text: string): unknown {
  try {
    const read = readYaml(text, { maxBytes, maxDepth: 12, field: 'kubeconfig' })
    // Another reader may take the first of two entries where this one takes the last: one that was shown, and another that is used.
    const [twice] = repeatedKeys(text)
    if (twice) throw refused(twice.path, `${twice.path}: stands there twice, also in line ${twice.line}`)
    return read
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'cluster.kubeconfig-refused') throw error
    throw fail('cluster.kubeconfig-refused', { field: 'kubeconfig', message: error.message, cause: error })
  }
}

function chosenContext(root: Fields): string {
  const current = textOf(root, 'current-context', '')
  if (current) return current
  const contexts = Array.isArray(root.contexts) ? root.contexts : []
  const only = contexts.length === 1 ? (contexts[0] as { name?: unknown } | null)?.name : undefined
  if (typeof only === 'string' && only) return only
  throw refused('current-context', 'current-context: names no context')
}

function entryOf(root: Fields, list: 'clusters' | 'users' | 'contexts', name: string, inner: string): Fields {
  const entries = root[list]
  if (!Array.isArray(entries)) throw refused(list, `${list}: is not a list`)
  if (entries.length > 100) throw refused(list, `${list}: has more than 100 entries`)
  const found = entries.map((entry) => asFields(entry, list)).filter((entry) => entry.name === name)
  const [entry] = found
  if (!entry) throw refused(list, `${list}: there is none named ${name.slice(0, 200)}`)
  if (found.length > 1) throw refused(list, `${list}: there are two named ${name.slice(0, 200)}`)
  allow(entry, ['name', inner], `${list}.`)
  return asFields(entry[inner], `${list}.${inner}`)
}

function allow(fields: Fields, allowed: readonly string[], where: string): void {
  const extra = Object.keys(fields).find((key) => !allowed.includes(key))
  if (extra !== undefined) {
    const path = where + extra.slice(0, 100)
    throw refused(path, `${path}: this field is not accepted in a kubeconfig here`)
  }
}

function serverOf(cluster: Fields): string {
  const text = textOf(cluster, 'server', 'cluster.')
  const url = text && URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:') throw refused('cluster.server', 'cluster.server: must be a https address')
  if (url.username || url.password || url.search || url.hash)
    throw refused('cluster.server', 'cluster.server: must have neither user, query nor fragment')
  return url.href.replace(/\/$/, '')
}

function credentialsOf(user: Fields): Pick<ClusterAccess, 'token' | 'clientCertificate' | 'clientKey'> {
  const token = matching(user, 'token', 'user.', /^[\x21-\x7e]{1,16384}$/)
  const clientCertificate = certificatesOf(user, 'client-certificate-data', 'user.')
  const clientKey = keyOf(user)
  if ((clientCertificate === undefined) !== (clientKey === undefined))
    throw refused('user', 'user: client-certificate-data and client-key-data belong together')
  if (token === undefined && clientKey === undefined)
    throw refused('user', 'user: needs a token, or a client certificate with its key')
  return { token, clientCertificate, clientKey }
}

function certificatesOf(fields: Fields, key: string, where: string): string | undefined {
  const pem = pemOf(fields, key, where)
  if (pem === undefined) return undefined
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  try {
    for (const block of blocks) new X509Certificate(block)
    if (blocks.length > 0) return `${blocks.join('\n')}\n`
  } catch (error) {
    throw refused(where + key, `${where}${key}: is not a certificate`, error)
  }
  throw refused(where + key, `${where}${key}: holds no certificate`)
}

function keyOf(user: Fields): string | undefined {
  const pem = pemOf(user, 'client-key-data', 'user.')
  if (pem === undefined) return undefined
  try {
    return createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }).toString()
  } catch (error) {
    throw refused('user.client-key-data', 'user.client-key-data: is not a private key', error)
  }
}

function pemOf(fields: Fields, key: string, where: string): string | undefined {
  const text = textOf(fields, key, where)
  if (text === undefined) return undefined
  const compact = text.replace(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw refused(where + key, `${where}${key}: is not base64`)
  return Buffer.from(compact, 'base64').toString('utf8')
}

function matching(fields: Fields, key: string, where: string, pattern: RegExp): string | undefined {
  const text = textOf(fields, key, where)
  if (text !== undefined && !pattern.test(text)) throw refused(where + key, `${where}${key}: is not valid`)
  return text
}

function textOf(fields: Fields, key: string, where: string): string | undefined {
  const value = fields[key]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') throw refused(where + key, `${where}${key}: must be text`)
  return value
}

function asFields(value: unknown, where: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw refused(where, `${where}: must hold fields`)
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}

function refused(field: string, message: string, cause?: unknown): Failure {
  const inField = field === 'kubeconfig' ? field : `kubeconfig.${field}`
  return fail('cluster.kubeconfig-refused', { field: inField, message, cause })
}
