import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyPair } from './certificate-maker.ts'

/** Certificate and key of the server in PEM, and the CA that client certificates are checked against. */
export interface Certificates {
  caPem: string
  certificatePem: string
  keyPem: string
}

const RENEW_BEFORE = 30 * 24 * 3600 * 1000
const NAMES = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc']
const ADDRESSES = ['127.0.0.1', '::1', '10.96.0.1']

/** Making certificates needs a large library; a start that finds them made does without it. */
const maker = () => import('./certificate-maker.ts')

const pathsOf = (folder: string, name: string) => ({
  certificate: join(folder, `${name}.crt`),
  key: join(folder, `${name}.key`),
})

function load(folder: string, name: string): KeyPair | undefined {
  const { certificate, key } = pathsOf(folder, name)
  if (!existsSync(certificate) || !existsSync(key)) return undefined
  return { certificatePem: readFileSync(certificate, 'utf8'), keyPem: readFileSync(key, 'utf8') }
}

function keep(folder: string, name: string, pair: KeyPair): KeyPair {
  const { certificate, key } = pathsOf(folder, name)
  writeFileSync(key, pair.keyPem, { mode: 0o600 })
  writeFileSync(certificate, pair.certificatePem, { mode: 0o600 })
  return pair
}

const isAddress = (host: string): boolean => /^[\d.]+$|:/.test(host)

function isUsable(pair: KeyPair, authority: KeyPair, host: string): boolean {
  const certificate = new X509Certificate(pair.certificatePem)
  const speaksFor = isAddress(host) ? certificate.checkIP(host) : certificate.checkHost(host)
  const lasts = Date.parse(certificate.validTo) - Date.now() > RENEW_BEFORE
  return speaksFor !== undefined && lasts && certificate.checkIssued(new X509Certificate(authority.certificatePem))
}

async function makeServer(authority: KeyPair, host: string): Promise<KeyPair> {
  const more = NAMES.includes(host) || ADDRESSES.includes(host) ? [] : [host]
  const names = isAddress(host) ? NAMES : [...NAMES, ...more]
  const addresses = isAddress(host) ? [...ADDRESSES, ...more] : ADDRESSES
  return (await maker()).makeServerCertificate(authority, names, addresses)
}

/** The cluster's certificate authority and server certificate, made in `folder` when they are not there. */
export async function loadCertificates(folder: string, host: string): Promise<Certificates> {
  const authority = load(folder, 'ca') ?? keep(folder, 'ca', await (await maker()).makeAuthority())
  const known = load(folder, 'server')
  const server =
    known && isUsable(known, authority, host) ? known : keep(folder, 'server', await makeServer(authority, host))
  return { caPem: authority.certificatePem, ...server }
}

/** A client certificate of the cluster that keeps its authority in `folder`. */
export async function issueClientCertificate(
  folder: string,
  user: string,
  groups: readonly string[],
  lifetimeSeconds: number,
): Promise<KeyPair> {
  const authority = load(folder, 'ca')
  if (!authority) throw new Error(`there is no certificate authority in ${folder}`)
  return (await maker()).makeClientCertificate(authority, user, groups, lifetimeSeconds * 1000)
}
