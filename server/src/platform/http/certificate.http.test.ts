import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { socketPath } from '@quayside/contract/live/names'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { World } from '@quayside/embedded/world'
import { makeAuthority, makeServerCertificate } from '@quayside/embedded-kubernetes/auth/certificate-maker'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'quayside-test-'))
const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
const trusted = getCACertificates('default')
let authority: Awaited<ReturnType<typeof makeAuthority>>
let world: World

const renewed = () => makeServerCertificate(authority, ['localhost'], ['127.0.0.1'])

beforeAll(async () => {
  authority = await makeAuthority()
  const { certificatePem, keyPem } = await renewed()
  writeFileSync(files.certFile, certificatePem)
  writeFileSync(files.keyFile, keyPem)
  setDefaultCACertificates([...trusted, authority.certificatePem])
  world = await World.start({ tls: files, cluster: false })
})
afterAll(async () => {
  await world?.close()
  setDefaultCACertificates(trusted)
  rmSync(folder, { recursive: true })
})

/** The serial number of the certificate that a new connection gets. */
function served(): Promise<string> {
  const { hostname: host, port } = new URL(world.url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), servername: host }, () => {
      resolve(socket.getPeerCertificate().serialNumber)
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

test('pages, sign-in and live connections work by https, and by nothing else', async () => {
  const page = await world.api('/en/')
  expect(page.headers.get('strict-transport-security')).toContain('max-age=31536000')
  const { access_token: token } = await signInAsPerson(world, world.admin)
  expect((await world.api('/portal-api/v2/spaces', { token })).status).toBe(200)
  const socket = io(world.url, { path: socketPath, transports: ['websocket'], auth: { token }, reconnection: false })
  await new Promise<void>((resolve, reject) => socket.on('connect', resolve).on('connect_error', reject))
  socket.close()
  await expect(fetch(world.url.replace('https:', 'http:'))).rejects.toThrow()
})

const log = () => readFileSync(join(world.dataDir, 'portal.log'), 'utf8')

test('a renewed certificate is served without a restart, and files that do not fit each other are not', async () => {
  const first = await served()
  const { certificatePem, keyPem } = await renewed()
  writeFileSync(files.certFile, certificatePem)
  await expect.poll(() => log(), { timeout: 20_000 }).toContain('is not the key of the first certificate')
  expect(await served()).toBe(first)
  writeFileSync(files.keyFile, keyPem)
  await expect.poll(served, { timeout: 20_000 }).not.toBe(first)
})
