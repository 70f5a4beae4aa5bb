import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import type { CatalogItem } from '@quayside/contract/catalog/endpoints'
import { callsOf } from '@quayside/embedded/portal-calls'
import { World } from '@quayside/embedded/world'
import { loadCertificates } from '@quayside/embedded-kubernetes/auth/certificates'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/eL9GtQAAAABJRU5ErkJggg==',
  'base64',
)
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>'
const folder = mkdtempSync(join(tmpdir(), 'icons-'))
const asked: { path: string; headers: Record<string, unknown> }[] = []
let world: World
let token: string
let icons: Server
let insideVisits = 0
const inside = createTcpServer((socket) => {
  insideVisits += 1
  socket.destroy()
})

const portOf = (server: { address(): AddressInfo | string | null }) => (server.address() as AddressInfo).port

beforeAll(async () => {
  const { caPem, certificatePem, keyPem } = await loadCertificates(folder, '127.0.0.1')
  writeFileSync(join(folder, 'authority.pem'), caPem)
  await new Promise<void>((done) => inside.listen(0, '127.0.0.1', done))
  icons = createServer({ cert: certificatePem, key: keyPem }, (request, response) => {
    const path = request.url ?? ''
    asked.push({ path, headers: request.headers })
    const to = (location: string) => response.writeHead(302, { location }).end()
    if (path === '/good.png') response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end(png)
    else if (path === '/good.svg') response.end(svg)
    else if (path === '/once') to('/good.png')
    else if (path === '/script.svg') response.end(svg.replace('<rect', '<x:script xmlns:x="y"/><rect'))
    else if (path === '/page') response.writeHead(200, { 'content-type': 'image/png' }).end('<html></html>')
    else if (path === '/large') response.end(Buffer.concat([png, Buffer.alloc(300 * 1024)]))
    else if (path === '/inside') to(`https://127.0.0.1:${portOf(inside)}/`)
    else if (path === '/plain') to(`http://127.0.0.1:${portOf(inside)}/`)
    else if (path === '/file') to('file:///etc/passwd')
    else if (path === '/endless') to('/endless')
    else if (path === '/silent') response.writeHead(200).flushHeaders()
    else response.writeHead(404).end()
  })
  await new Promise<void>((done) => icons.listen(0, '127.0.0.1', done))
  // The portal is a process of its own and takes this over.
  vi.stubEnv('NODE_EXTRA_CA_CERTS', join(folder, 'authority.pem'))
  const env = { QUAYSIDE_ALLOWED_ADDRESSES: `127.0.0.1:${portOf(icons)}` }
  world = await World.start({ cluster: false, env })
  token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await world?.close()
  icons.closeAllConnections()
  icons.close()
  inside.close()
  rmSync(folder, { recursive: true })
})

async function upload(name: string, icon: string, version = '1.0.0'): Promise<string> {
  const archive = pack()
  const bytes = buffer(archive)
  const chart = `apiVersion: v2\nname: ${name}\nversion: ${version}\nicon: ${icon}\n`
  archive.entry({ name: `${name}/Chart.yaml` }, chart)
  archive.finalize()
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(gzipSync(await bytes))]), 'chart.tgz')
  const reply = await callsOf(world, token).good<{ itemId: string }>('/catalog/v1/upload/uploadasync', { body: form })
  return reply.itemId
}

test('pages load pictures from the portal alone', async () => {
  const policy = (await world.api('/en/')).headers.get('content-security-policy') ?? ''
  expect(/img-src ([^;]*)/.exec(policy)?.[1]).toBe("'self' data:")
  expect(policy).toContain("default-src 'self'")
})

test('icons from elsewhere are fetched by the portal, looked through and kept; what is none is not', {
  timeout: 120_000,
}, async () => {
  const at = (path: string) => `https://127.0.0.1:${portOf(icons)}${path}`
  const ids: Record<string, string> = {}
  for (const path of ['/good.png', '/good.svg', '/once'])
    ids[path] = await upload(`good${path.replace(/\W/g, '')}`, at(path))
  const bad = ['/script.svg', '/page', '/large', '/inside', '/plain', '/file', '/endless', '/silent', '/missing']
  for (const path of bad) ids[path] = await upload(`bad${path.replace(/\W/g, '')}`, at(path))
  ids.private = await upload('private', `https://127.0.0.1:${portOf(inside)}/icon.png`)
  ids.plain = await upload('plain', `http://127.0.0.1:${portOf(inside)}/icon.png`)
  const { good: call } = callsOf(world, token)
  const iconOf = async (key: string) => (await call<CatalogItem>(`/catalog/v2/items/${ids[key]}`)).iconEmbedded
  const visited = () => new Set(asked.map(({ path }) => path))
  await vi.waitFor(() => expect([...visited()]).toEqual(expect.arrayContaining(['/good.png', ...bad])), 110_000)
  await vi.waitFor(async () => expect(await iconOf('/once')).toMatch(/^data:image\/png;base64,/), 20_000)
  expect(await iconOf('/good.png')).toBe(`data:image/png;base64,${png.toString('base64')}`)
  expect(await iconOf('/good.svg')).toMatch(/^data:image\/svg\+xml;base64,/)
  for (const path of [...bad, 'private', 'plain']) expect(await iconOf(path), path).toBeNull()
  expect(insideVisits).toBe(0)
  expect(asked.filter(({ path }) => path === '/page')).toHaveLength(1)
  for (const { headers } of asked)
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
  // A second version with the same icon has it without another visit.
  const before = asked.length
  await upload('goodgoodpng', at('/good.png'), '1.1.0')
  const second = async () => {
    const { data } = await call<{ data: { iconEmbedded: string | null }[] }>(
      `/catalog/v2/versions/bycatalogitem/${ids['/good.png']}`,
    )
    expect(data.map(({ iconEmbedded }) => iconEmbedded !== null)).toEqual([true, true])
  }
  await vi.waitFor(second, 40_000)
  expect(asked.slice(before).map(({ path }) => path)).not.toContain('/good.png')
})
