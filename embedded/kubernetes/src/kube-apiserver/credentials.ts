import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCertificates } from '../auth/certificates.ts'

/** Credentials that the programs of a cluster use among each other; paths are files in its folder. */
export interface Credentials {
  ca: string
  caKey: string
  certificate: string
  key: string
  accountKey: string
  accountPublicKey: string
  tokens: string
  adminToken: string
  controllersToken: string
}

export async function makeCredentials(folder: string): Promise<Credentials> {
  await loadCertificates(folder, '127.0.0.1')
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const accounts = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const [adminToken, controllersToken] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
  const tokens = [
    `${adminToken},admin,admin,"system:masters"`,
    `${controllersToken},system:kube-controller-manager,controllers`,
  ]
  return {
    ca: join(folder, 'ca.crt'),
    caKey: join(folder, 'ca.key'),
    certificate: join(folder, 'server.crt'),
    key: join(folder, 'server.key'),
    accountKey: file('accounts.key', accounts.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    accountPublicKey: file('accounts.pub', accounts.publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    tokens: file('tokens.csv', `${tokens.join('\n')}\n`),
    adminToken,
    controllersToken,
  }
}

export const readCa = ({ ca }: Credentials): string => readFileSync(ca, 'utf8')
