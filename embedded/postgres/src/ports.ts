import { randomInt } from 'node:crypto'
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

/** Below the ports that systems give to outgoing connections: one of these would take a port before it is listened on. */
const firstPort = 25_000
const lastPort = 29_999
const mostTries = 100
/** Ports of workers lie below those of everybody else. */
const firstOfWorkers = 20_000
const portsOfWorker = 500
const mostWorkers = 10

interface PortRange {
  first: number
  last: number
}

/**
 * Ports of one of up to ten processes that start servers at the same time: a port is chosen a while before it is listened
 * on, and nobody else may choose it meanwhile.
 */
export function rangeOfWorker(worker: number): PortRange {
  const first = firstOfWorkers + (worker % mostWorkers) * portsOfWorker
  return { first, last: first + portsOfWorker - 1 }
}

/**
 * A port that nobody listens on right now.
 * @throws Error after a hundred ports that are taken
 */
export async function freePort(host: string, range: PortRange = { first: firstPort, last: lastPort }): Promise<number> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const port = randomInt(range.first, range.last + 1)
    if ((await portProblem(port, host)) === undefined) return port
  }
  throw new Error(`no port from ${range.first} to ${range.last} is free at ${host}`)
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
