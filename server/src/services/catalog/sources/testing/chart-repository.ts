import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { stringify } from 'yaml'

type Answering = (request: IncomingMessage, response: ServerResponse) => void

/** A host that serves files, as a Helm repository is: what was asked of it, and with which sign-in, can be read. */
export async function startHost() {
  const files = new Map<string, Buffer | string | Answering>()
  const asked: { path: string; authorization: string | undefined }[] = []
  let wanted: string | undefined
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push({ path, authorization: request.headers.authorization })
    if (wanted !== undefined && request.headers.authorization !== wanted) return response.writeHead(401).end()
    const file = files.get(path)
    if (file === undefined) return response.writeHead(404).end('nothing here')
    if (typeof file === 'function') return file(request, response)
    response.end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...{ files, asked, port, url: `http://127.0.0.1:${port}` },
    /** Paths of packages that were fetched, since the last time that this was asked. */
    fetched: () => asked.splice(0).flatMap(({ path }) => (path.endsWith('.tgz') ? [basename(path)] : [])),
    /** Lets in only who sends this. */
    demand(authorization: string | undefined) {
      wanted = authorization
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type Host = Awaited<ReturnType<typeof startHost>>

interface Entry {
  chart: string
  version: string
  /** Bytes or a path of the package. */
  content: string | Buffer
  /** Where the index says that it lies; beside the index when nothing is said. */
  url?: string
  digest?: string | null
  more?: Record<string, unknown>
}

/** Puts packages and an index of them on a host; a digest that is not said is the right one. */
export function offer(host: Host, entries: readonly Entry[], at = ''): void {
  const listed = entries.map(({ chart, version, content, url, digest, more }) => {
    const bytes = typeof content === 'string' ? readFileSync(content) : content
    const file = `${chart}-${version}.tgz`
    if (url === undefined) host.files.set(`${at}/${file}`, bytes)
    const right = createHash('sha256').update(bytes).digest('hex')
    return {
      ...{ apiVersion: 'v2', name: chart, version, urls: [url ?? file] },
      ...(digest === null ? {} : { digest: digest ?? right }),
      ...more,
    }
  })
  const byChart = Object.fromEntries(Map.groupBy(listed, ({ name }) => name))
  host.files.set(`${at}/index.yaml`, stringify({ apiVersion: 'v1', entries: byChart }))
}
