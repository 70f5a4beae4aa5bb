import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
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
const firstPort = 20_000
const lastPort = 29_999
const mostTries = 100
/** A server listens on its port by then. */
const reservedMs = 60_000

/**
 * A port that nobody listens on right now, and that no other process gets from this function in the next minute.
 * @throws Error after a hundred ports that are taken
 */
export async function freePort(host: string): Promise<number> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const port = randomInt(firstPort, lastPort + 1)
    if ((await reserve(port, host)) && (await portProblem(port, host)) === undefined) return port
  }
  throw new Error(`no port from ${firstPort} to ${lastPort} is free at ${host}`)
}

/** Takes the UDP port of the same number as a sign for other processes; it goes with this one at the latest. */
function reserve(port: number, host: string): Promise<boolean> {
  const sign = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  return new Promise((resolve) => {
    sign.once('error', () => {
      sign.close()
      resolve(false)
    })
    sign.bind({ port, address: host, exclusive: true }, () => {
      sign.unref()
      setTimeout(() => sign.close(), reservedMs).unref()
      resolve(true)
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
