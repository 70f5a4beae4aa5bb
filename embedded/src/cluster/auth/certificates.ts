import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** What the server shows to clients, and what it checks their certificates against. */
export interface Certificates {
  caPem: string
  certificatePem: string
  keyPem: string
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const YEAR = 365 * 24 * 3600 * 1000
const RENEW_BEFORE = 30 * 24 * 3600 * 1000

interface KeyFile {
  certificate: string
  key: string
}

const paths = (folder: string, name: string): KeyFile => ({
  certificate: join(folder, `${name}.crt`),
  key: join(folder, `${name}.key`),
})

const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

async function keyPem(key: CryptoKey): Promise<string> {
  return PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
}

const importKey = (pem: string) => {
  const der = PemConverter.decodeFirst(pem)
  return crypto.subtle.importKey('pkcs8', der, ALGORITHM, true, ['sign'])
}

/** Positive, and new each time: clients that know an older certificate refuse another one of the same number. */
const newSerial = () => `01${randomBytes(15).toString('hex')}`

function period() {
  const now = Date.now()
  return { notBefore: new Date(now - 24 * 3600 * 1000), notAfter: new Date(now + 10 * YEAR) }
}

function keep(file: KeyFile, certificate: string, key: string): void {
  writeFileSync(file.key, key, { mode: 0o600 })
  writeFileSync(file.certificate, certificate, { mode: 0o600 })
}

async function makeAuthority(file: KeyFile): Promise<void> {
  const keys = await newKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: 'CN=kubernetes',
    ...period(),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign | KeyUsageFlags.digitalSignature, true),
    ],
  })
  keep(file, certificate.toString('pem'), await keyPem(keys.privateKey))
}

interface LeafRequest {
  name: string
  publicKey: CryptoKey
  usage: ExtendedKeyUsage
  notAfter?: Date
  extensions?: Extension[]
}

async function signLeaf(authority: KeyFile, request: LeafRequest): Promise<string> {
  const issuer = new X509Certificate(readFileSync(authority.certificate, 'utf8'))
  const certificate = await X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: request.name,
    issuer: issuer.subject,
    ...period(),
    ...(request.notAfter ? { notAfter: request.notAfter } : {}),
    publicKey: request.publicKey,
    signingKey: await importKey(readFileSync(authority.key, 'utf8')),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([request.usage]),
      ...(request.extensions ?? []),
    ],
  })
  return certificate.toString('pem')
}

function alternativeNames(host: string): SubjectAlternativeNameExtension {
  const names = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc']
  const addresses = ['127.0.0.1', '::1', '10.96.0.1']
  const isAddress = /^[\d.]+$|:/.test(host)
  if (!names.includes(host) && !addresses.includes(host)) (isAddress ? addresses : names).push(host)
  return new SubjectAlternativeNameExtension([
    ...names.map((value) => ({ type: 'dns' as const, value })),
    ...addresses.map((value) => ({ type: 'ip' as const, value })),
  ])
}

function isUsable(file: KeyFile, host: string): boolean {
  if (!existsSync(file.certificate) || !existsSync(file.key)) return false
  const certificate = new X509Certificate(readFileSync(file.certificate, 'utf8'))
  const names = certificate.getExtension(SubjectAlternativeNameExtension)?.names.toJSON() ?? []
  return certificate.notAfter.getTime() - Date.now() > RENEW_BEFORE && names.some(({ value }) => value === host)
}

/** The cluster's certificate authority and server certificate, made in `folder` when they are not there. */
export async function loadCertificates(folder: string, host: string): Promise<Certificates> {
  const authority = paths(folder, 'ca')
  const server = paths(folder, 'server')
  if (!existsSync(authority.certificate) || !existsSync(authority.key)) {
    await makeAuthority(authority)
    await makeServer(authority, server, host)
  } else if (!isUsable(server, host)) {
    await makeServer(authority, server, host)
  }
  return {
    caPem: readFileSync(authority.certificate, 'utf8'),
    certificatePem: readFileSync(server.certificate, 'utf8'),
    keyPem: readFileSync(server.key, 'utf8'),
  }
}

async function makeServer(authority: KeyFile, server: KeyFile, host: string): Promise<void> {
  const keys = await newKeys()
  const certificate = await signLeaf(authority, {
    name: 'CN=kube-apiserver',
    publicKey: keys.publicKey,
    usage: ExtendedKeyUsage.serverAuth,
    extensions: [alternativeNames(host)],
  })
  keep(server, certificate, await keyPem(keys.privateKey))
}

/** A client certificate of this cluster: the common name is the user, organizations are the groups. */
export async function issueClientCertificate(
  folder: string,
  user: string,
  groups: readonly string[],
  lifetimeSeconds: number,
): Promise<{ certificatePem: string; keyPem: string }> {
  const keys = await newKeys()
  const escaped = (text: string) => text.replace(/[,+"\\<>;=#]/g, '\\$&')
  const certificatePem = await signLeaf(paths(folder, 'ca'), {
    name: [`CN=${escaped(user)}`, ...groups.map((group) => `O=${escaped(group)}`)].join(', '),
    publicKey: keys.publicKey,
    usage: ExtendedKeyUsage.clientAuth,
    notAfter: new Date(Date.now() + lifetimeSeconds * 1000),
  })
  return { certificatePem, keyPem: await keyPem(keys.privateKey) }
}
