import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const digestOf = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

interface Manifest {
  bytes: Buffer
  type: string
}

/** Blobs, manifests and tags in memory, with the calls that put them there and get them. */
function createContent(set: { blobUrl: string | undefined }) {
  const blobs = new Map<string, Buffer>()
  const manifests = new Map<string, Manifest>()
  const tags = new Map<string, string[]>()
  return {
    ...{ blobs, manifests, tags },
    async upload(request: IncomingMessage, response: ServerResponse, name: string, url: URL): Promise<void> {
      const digest = url.searchParams.get('digest')
      if (request.method === 'POST' && digest === null)
        return void response.writeHead(202, { location: `/v2/${name}/blobs/uploads/${randomUUID()}` }).end()
      const bytes = await buffer(request)
      blobs.set(digestOf(bytes), bytes)
      response.writeHead(201, { location: `/v2/${name}/blobs/${digest}` }).end()
    },
    giveBlob(response: ServerResponse, digest: string, method: string | undefined): void {
      const bytes = blobs.get(digest)
      if (!bytes) return void response.writeHead(404).end()
      if (set.blobUrl !== undefined && method === 'GET')
        return void response.writeHead(307, { location: `${set.blobUrl}/${digest}` }).end()
      response.writeHead(200, { 'content-length': bytes.length, 'docker-content-digest': digest })
      response.end(method === 'HEAD' ? undefined : bytes)
    },
    async putManifest(request: IncomingMessage, response: ServerResponse, name: string, reference: string) {
      const bytes = await buffer(request)
      const manifest = { bytes, type: request.headers['content-type'] ?? '' }
      manifests.set(`${name}@${digestOf(bytes)}`, manifest)
      manifests.set(`${name}@${reference}`, manifest)
      if (!reference.startsWith('sha256:')) tags.set(name, [...new Set([...(tags.get(name) ?? []), reference])])
      response.writeHead(201, { 'docker-content-digest': digestOf(bytes) }).end()
    },
    giveManifest(response: ServerResponse, name: string, reference: string, method: string | undefined): void {
      const manifest = manifests.get(`${name}@${reference}`)
      if (!manifest) return void response.writeHead(404).end('{}')
      const { bytes, type } = manifest
      const headers = { 'content-type': type, 'content-length': bytes.length, 'docker-content-digest': digestOf(bytes) }
      response.writeHead(200, headers)
      response.end(method === 'HEAD' ? undefined : bytes)
    },
  }
}

const usual = {
  /** User name and password with a colon, for which there is a token. */
  signIn: undefined as string | undefined,
  /** The host of the tokens, when it is another one. */
  tokenUrl: undefined as string | undefined,
  /** The host that blobs are fetched from, when it is another one. */
  blobUrl: undefined as string | undefined,
  hasList: true,
  pageSize: 1000,
}

/** A registry by the distribution specification, in memory, which `helm push` fills. */
export async function startOciServer() {
  const set = { ...usual }
  const content = createContent(set)
  const asked: { path: string; authorization: string | undefined }[] = []
  const token = randomUUID()
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', address())
    const { authorization } = request.headers
    asked.push({ path: url.pathname, authorization })
    if (url.pathname === '/token') return giveToken(authorization, response)
    if (set.signIn !== undefined && authorization !== `Bearer ${token}`) {
      const realm = set.tokenUrl ?? `${address()}/token`
      const challenge = `Bearer realm="${realm}",service="test",scope="repository:any:pull"`
      return void response.writeHead(401, { 'www-authenticate': challenge }).end()
    }
    if (url.pathname === '/v2/') return void response.end('{}')
    if (url.pathname === '/v2/_catalog') return listRepositories(url, response)
    const [, name = '', kind = '', rest = ''] =
      /^\/v2\/(.+)\/(blobs\/uploads|blobs|manifests|tags)\/(.*)$/.exec(url.pathname) ?? []
    const { method } = request
    if (kind === 'blobs/uploads') return content.upload(request, response, name, url)
    if (kind === 'blobs') return content.giveBlob(response, rest, method)
    if (kind === 'manifests' && method === 'PUT') return content.putManifest(request, response, name, rest)
    if (kind === 'manifests') return content.giveManifest(response, name, rest, method)
    const known = content.tags.get(name)
    if (kind === 'tags' && known) return void response.end(JSON.stringify({ name, tags: known }))
    response.writeHead(404).end('{"errors":[{"code":"NAME_UNKNOWN"}]}')
  }

  function giveToken(authorization: string | undefined, response: ServerResponse): void {
    const isKnown = authorization === `Basic ${Buffer.from(set.signIn ?? '').toString('base64')}`
    if (isKnown) response.end(JSON.stringify({ token }))
    else response.writeHead(401).end('{}')
  }

  function listRepositories(url: URL, response: ServerResponse): void {
    if (!set.hasList) return void response.writeHead(404).end('{}')
    const names = [...content.tags.keys()].sort()
    const from = Number(url.searchParams.get('from') ?? 0)
    const next = from + set.pageSize
    if (next < names.length) response.setHeader('link', `</v2/_catalog?from=${next}>; rel="next"`)
    response.end(JSON.stringify({ repositories: names.slice(from, next) }))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const address = () => `http://127.0.0.1:${port}`
  return {
    ...{ port, asked, set, blobs: content.blobs, manifests: content.manifests },
    /** Empties it, and lets everybody in again. */
    reset() {
      for (const each of [content.blobs, content.manifests, content.tags]) each.clear()
      asked.length = 0
      Object.assign(set, usual)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type OciServer = Awaited<ReturnType<typeof startOciServer>>
