import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { errorCode } from './obstacle.ts'

/** Why a port cannot be listened on (`EADDRINUSE`, `EACCES` …), or undefined when it can. */
export function portProblem(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(errorCode(error) ?? 'UNKNOWN'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

/** A port that nobody listens on right now. */
export function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port: 0, host, exclusive: true }, () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}

/** Ports that a data folder keeps from start to start, so that a kubeconfig or a bookmark goes on working. */
export async function keptPorts<Name extends string>(file: string, names: Name[], host: string) {
  const kept: Record<string, unknown> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const ports = {} as Record<Name, number>
  for (const name of names) {
    const before = kept[name]
    const usable = typeof before === 'number' && (await portProblem(before, host)) === undefined
    ports[name] = usable ? before : await freePort(host)
  }
  writeFileSync(file, `${JSON.stringify({ ...kept, ...ports })}\n`, { mode: 0o600 })
  return ports
}
