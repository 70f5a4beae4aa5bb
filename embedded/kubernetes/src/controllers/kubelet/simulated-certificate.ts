import 'reflect-metadata'
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

interface CertificatePair {
  ca: string
  certificate: string
  key: string
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const TEN_YEARS_MS = 10 * 365 * 86_400_000

/** A certificate for these hosts, signed by an authority of its own, all in PEM. */
export async function simulatedCertificate(hosts: string[], nowMs: number): Promise<CertificatePair> {
  const [authority, server] = await Promise.all([makeKeys(), makeKeys()])
  const validity = { notBefore: new Date(nowMs - 3_600_000), notAfter: new Date(nowMs + TEN_YEARS_MS) }
  const issuer = 'CN=Sandbox simulated authority'
  const ca = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: issuer,
    keys: authority,
    signingAlgorithm: ALGORITHM,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
    ...validity,
  })
  const names = hosts.map((value) => ({ type: 'dns' as const, value }))
  const certificate = await X509CertificateGenerator.create({
    serialNumber: '02',
    subject: `CN=${(hosts[0] ?? 'sandbox').replace(/[,+"\\<>;=]/g, '')}`,
    issuer,
    publicKey: server.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : [],
    ...validity,
  })
  return { ca: ca.toString('pem'), certificate: certificate.toString('pem'), key: await keyPem(server.privateKey) }
}

function makeKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
}

async function keyPem(key: CryptoKey): Promise<string> {
  return PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
}
