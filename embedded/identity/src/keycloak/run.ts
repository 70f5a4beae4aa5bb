import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@quayside/embedded-postgres/ports'

/** A Keycloak that runs, and the client that an operator makes for the portal. */
interface RunningKeycloak {
  url: string
  clientId: string
  clientSecret: string
  stop(): Promise<void>
}

/** The first start of a fresh copy builds it before it runs, which takes minutes on a busy machine. */
const startMs = 300_000
const root = { username: 'root', password: randomBytes(12).toString('base64url') }

/**
 * Starts Keycloak in its development mode on a free port, with its own database in a folder that goes in the end.
 * @param clientFile a partial import of the realm `master` whose first client gets a secret
 * @throws Error with the end of its log when it does not answer within five minutes
 */
export async function runKeycloak(home: string, clientFile: string): Promise<RunningKeycloak> {
  const folder = mkdtempSync(join(tmpdir(), 'keycloak-'))
  const port = await freePort('127.0.0.1')
  const logFile = join(folder, 'keycloak.log')
  const log = openSync(logFile, 'a')
  const child = spawn(join(home, 'bin/kc.sh'), startArgs(port, folder), {
    stdio: ['ignore', log, log],
    detached: true,
    env: {
      ...process.env,
      KC_BOOTSTRAP_ADMIN_USERNAME: root.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: root.password,
    },
  })
  closeSync(log)
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid) {
      process.kill(-child.pid, 'SIGTERM')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const url = `http://127.0.0.1:${port}`
    await untilItAnswers(url, () => child.exitCode !== null)
    return { url, ...(await makeClient(url, clientFile)), stop }
  } catch (error) {
    const end = readFileSync(logFile, 'utf8').slice(-2000)
    await stop()
    throw new Error(`Keycloak did not start: ${error instanceof Error ? error.message : error}\n${end}`)
  }
}

const startArgs = (port: number, folder: string) => [
  'start-dev',
  '--http-host=127.0.0.1',
  `--http-port=${port}`,
  `--db-url=jdbc:h2:file:${folder}/data;NON_KEYWORDS=VALUE`,
]

async function untilItAnswers(url: string, hasEnded: () => boolean): Promise<void> {
  const until = performance.now() + startMs
  while (performance.now() < until) {
    if (hasEnded()) throw new Error('it ended at once')
    const answer = await fetch(`${url}/realms/master`).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) return
    await sleep(200)
  }
  throw new Error('it did not answer within five minutes')
}

async function makeClient(url: string, clientFile: string) {
  const content = JSON.parse(readFileSync(clientFile, 'utf8')) as { clients: { clientId: string }[] }
  const clientId = content.clients[0]?.clientId ?? ''
  const call = await asRoot(url)
  await call('POST', '/partialImport', content)
  const [client] = (await call('GET', `/clients?clientId=${clientId}`)) as { id: string }[]
  const { value } = (await call('POST', `/clients/${client?.id}/client-secret`)) as { value: string }
  return { clientId, clientSecret: value }
}

async function asRoot(url: string) {
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...root })
  const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return async (method: string, path: string, content?: object): Promise<unknown> => {
    const reply = await fetch(`${url}/admin/realms/master${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(content ? { body: JSON.stringify(content) } : {}),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`)
    return JSON.parse(text)
  }
}
