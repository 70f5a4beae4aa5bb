import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ClientRoles, clientToken, makeServiceClient, openDirectory } from '@quayside/embedded/directory-client'
import { freePort } from '@quayside/embedded-postgres/ports'
import { root } from '../machine.ts'

export interface Started {
  url: string
  dataDir: string
  pid: number
  admin: { username: string; password: string }
  /** From the start of the command to its table, and to the first answer with the first page. */
  tableSeconds: number
  pageSeconds: number
  /** Everything that the start printed to the terminal. */
  output: string
  tokenFor(roles: ClientRoles): Promise<string>
  /** Stops the product like Ctrl-C does; resolves when all its processes have ended. */
  stop(): Promise<void>
}

const realm = 'demo'
const admin = { username: 'admin', password: 'bench-bench-bench' }
const isUp = 'Ctrl-C stops everything'

/** Runs `npm start` on a data folder, durable and with its samples, exactly as people have it. */
export async function startProduct(dataDir: string): Promise<Started> {
  const port = await freePort('127.0.0.1')
  const url = `http://localhost:${port}`
  const since = performance.now()
  const child = spawn(process.execPath, [join(root, 'embedded/launch.js'), 'start'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LOG_LEVEL: 'info',
      QUAYSIDE_DATA_DIR: dataDir,
      QUAYSIDE_PORT: String(port),
      QUAYSIDE_ADMIN_USERNAME: admin.username,
      QUAYSIDE_ADMIN_PASSWORD: admin.password,
      QUAYSIDE_RATE_LIMIT: '1000000',
    },
  })
  let output = ''
  const ended = once(child, 'exit')
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT')
    await ended
  }
  const table = new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk
        if (output.includes(isUp)) resolve((performance.now() - since) / 1000)
      })
    void ended.then(() => reject(new Error(`the product did not start:\n${output}`)))
  })
  try {
    const [tableSeconds, pageSeconds] = await Promise.all([table, firstPage(url, since)])
    const tokenFor = (roles: ClientRoles) => tokenOf(dataDir, roles)
    return { url, dataDir, pid: child.pid ?? 0, admin, tableSeconds, pageSeconds, output, tokenFor, stop }
  } catch (error) {
    await stop()
    throw new Error(`the product did not come up:\n${output}`, { cause: error })
  }
}

/** Gives a started product with an empty data folder of its own, and leaves nothing behind. */
export async function withProduct<T>(run: (product: Started) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quayside-bench-'))
  try {
    const product = await startProduct(dataDir)
    try {
      return await run(product)
    } finally {
      await product.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function firstPage(url: string, since: number): Promise<number> {
  const deadline = since + 90_000
  while (performance.now() < deadline) {
    const answer = await fetch(`${url}/en/`).catch(() => undefined)
    const text = await answer?.text()
    if (answer?.ok && text?.includes('<script')) return (performance.now() - since) / 1000
    await delay(20)
  }
  throw new Error('no page was answered within 90 seconds')
}

let clients = 0

/** By real client credentials of a client of its own; it lasts for five minutes. */
async function tokenOf(dataDir: string, roles: ClientRoles): Promise<string> {
  const { identity } = JSON.parse(readFileSync(join(dataDir, 'ports.json'), 'utf8')) as { identity: number }
  const identityUrl = `http://127.0.0.1:${identity}/auth`
  const secret = readFileSync(join(dataDir, 'identity-client-secret'), 'utf8').trim()
  const directory = await openDirectory(identityUrl, realm, { id: 'quayside-server', secret })
  clients += 1
  const client = await makeServiceClient(directory, `bench-${clients}`, roles)
  return clientToken(identityUrl, realm, client)
}
