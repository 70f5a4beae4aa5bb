import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** A certificate with its private key, both as PEM. */
export interface KeyPair {
  certificatePem: string
  keyPem: string
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY = 24 * 3600 * 1000
const TEN_YEARS = 3650 * DAY

const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

const keyPemOf = async (key: CryptoKey): Promise<string> =>
  PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')

const importKey = (pem: string) =>
  crypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), ALGORITHM, true, ['sign'])

/** Positive, and new each time: clients that know an older certificate refuse another one of the same number. */
const newSerial = () => `01${randomBytes(15).toString('hex')}`

/** A little in the past, for clients whose clock is behind. */
const period = (lifetime: number) => ({
  notBefore: new Date(Date.now() - DAY),
  notAfter: new Date(Date.now() + lifetime),
})

export async function makeAuthority(): Promise<KeyPair> {
  const keys = await newKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: 'CN=kubernetes',
    ...period(TEN_YEARS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign | KeyUsageFlags.digitalSignature, true),
    ],
  })
  return { certificatePem: certificate.toString('pem'), keyPem: await keyPemOf(keys.privateKey) }
}

interface LeafRequest {
  name: string
  usage: ExtendedKeyUsage
  lifetime: number
  alternativeNames?: SubjectAlternativeNameExtension
}

async function makeLeaf(
  authority: KeyPair,
  { name, usage, lifetime, alternativeNames }: LeafRequest,
): Promise<KeyPair> {
  const keys = await newKeys()
  const certificate = await X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: name,
    issuer: new X509Certificate(authority.certificatePem).subject,
    ...period(lifetime),
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.keyPem),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([usage]),
      ...(alternativeNames ? [alternativeNames] : []),
    ],
  })
  return { certificatePem: certificate.toString('pem'), keyPem: await keyPemOf(keys.privateKey) }
}

export function makeServerCertificate(authority: KeyPair, names: string[], addresses: string[]): Promise<KeyPair> {
  const alternativeNames = new SubjectAlternativeNameExtension([
    ...names.map((value) => ({ type: 'dns' as const, value })),
    ...addresses.map((value) => ({ type: 'ip' as const, value })),
  ])
  const name = 'CN=kube-apiserver'
  return makeLeaf(authority, { name, usage: ExtendedKeyUsage.serverAuth, lifetime: TEN_YEARS, alternativeNames })
}

const escaped = (text: string) => text.replace(/[,+"\\<>;=#]/g, '\\$&')

/** The common name is the user, organizations are the groups. */
export function makeClientCertificate(
  authority: KeyPair,
  user: string,
  groups: readonly string[],
  lifetime: number,
): Promise<KeyPair> {
  const name = [`CN=${escaped(user)}`, ...groups.map((group) => `O=${escaped(group)}`)].join(', ')
  return makeLeaf(authority, { name, usage: ExtendedKeyUsage.clientAuth, lifetime })
}
