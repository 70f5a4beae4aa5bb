import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { writeKubeconfig } from '../kubeconfig.ts'

/** A key pair of this stub alone, valid for a century and trusted by nobody else. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBkDCCATegAwIBAgIUGKtx6DAM14xbwk3zeoZRIcHFA3YwCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEc3R1YjAgFw0yNjExMjEwNDIzNTFaGA8yMTI2MTAyODA0MjM1
MVowDzENMAsGA1UEAwwEc3R1YjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABO7c
t+hV22d+NiANsGTGXLyI71XQqdh2JtOEWTE4yNH+/gGqjiK/eQTsS6Y+Yo+Ec9PU
Cl15qKdUIMfh3RpT1YSjbzBtMB0GA1UdDgQWBBRYw1uanqyKH3ioD8a5e5SHyuxh
SDAfBgNVHSMEGDAWgBRYw1uanqyKH3ioD8a5e5SHyuxhSDAPBgNVHRMBAf8EBTAD
AQH/MBoGA1UdEQQTMBGHBH8AAAGCCWxvY2FsaG9zdDAKBggqhkjOPQQDAgNHADBE
AiBNqTBnOfGzXsqpoi+RJrB88zExtObZUXJ1aFusvUBIWgIgK/nhDxypkogqrRh5
sReVqf3BhnkxBVBX2Po7Fj8BLcA=
-----END CERTIFICATE-----\n`
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOYwZ0DVSAnBkLe8g
jaZGNQzCQf46iOr8x/Dc8MUEQcKhRANCAATu3LfoVdtnfjYgDbBkxly8iO9V0KnY
dibThFkxOMjR/v4Bqo4iv3kE7EumPmKPhHPT1ApdeainVCDH4d0aU9WE
-----END PRIVATE KEY-----\n`

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** An https server on loopback that answers as the test says. */
export async function startStubCluster(answer: Answer) {
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    kubeconfig: writeKubeconfig({
      name: 'stub',
      server: `https://127.0.0.1:${port}`,
      certificateAuthority: certificate,
      token: 'stub-token',
    }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
