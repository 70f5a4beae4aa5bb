import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import type { CatalogChild } from '@quayside/contract/catalog'
import type { Space } from '@quayside/contract/portal-api'
import pg from 'pg'
import type { ActionRow } from '../tables.ts'
import { createStory, type Story } from '../testing/story.ts'

/** The parts of a World that the matrix needs. */
export interface MatrixWorld {
  url: string
  databaseUrl: string
  kubeconfig: string
  dataDir: string
  portalPid: number
  api: Parameters<typeof createStory>[0]['api']
  accountWith(roles: { realmRoles: string[] }): Promise<() => Promise<string>>
  restartPortal(how?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  directory(): Promise<{ get<Reply>(path: string): Promise<Reply> }>
}

/** One World with a space and two versions of a chart, and the hands that break it. */
export async function createStage(world: MatrixWorld, armedFile: string) {
  const sql = new pg.Client({ connectionString: world.databaseUrl })
  sql.on('error', () => undefined)
  await sql.connect()
  await sql.query(`select set_config('app.tenant', '*', false)`)
  const kubeconfig = new KubeConfig()
  const text = readFileSync(world.kubeconfig, 'utf8')
  kubeconfig.loadFromString(text)
  // One account for the whole stage: a command is known again by its key only when the same account sends it.
  const adminToken = await world.accountWith({ realmRoles: ['quayside-admin'] })
  const admin = async (): Promise<Story> => createStory(world, await adminToken())
  let pidAtStart = world.portalPid
  let reviving: Promise<void> | undefined
  const story = await admin()
  const space: Space = await story.space('Matrix', text)
  const versions: [CatalogChild, CatalogChild] = [
    await story.upload('tiny', '1.0.0'),
    await story.upload('tiny', '1.1.0'),
  ]

  return {
    world,
    admin,
    adminToken,
    space,
    versions,
    kubeconfig: text,
    core: kubeconfig.makeApiClient(CoreV1Api),
    runsFolder: join(world.dataDir, 'portal', 'helm-runs'),
    actionByKey: async (key: string): Promise<ActionRow | undefined> =>
      (await sql.query('select * from action where idem_key = $1', [key])).rows[0],
    rows: async <Row>(text: string, values: unknown[]): Promise<Row[]> => (await sql.query(text, values)).rows,
    arm: (point: string, deed: string) => writeFileSync(armedFile, `${point}=${deed}`),
    armAll: (plan: string) => writeFileSync(armedFile, plan),
    armEach: (points: readonly string[], deed: string) =>
      writeFileSync(armedFile, points.map((point) => `${point}=${deed}`).join()),
    disarm: () => writeFileSync(armedFile, ''),
    /** Failpoints that are armed and have not struck. */
    left: () => readFileSync(armedFile, 'utf8'),
    hasStruck: () => readFileSync(armedFile, 'utf8') === '',
    faults: createFaults(kubeconfig),
    isPortalAlive: () => isAlive(world.portalPid),
    /** Whether the portal was started again since it was last asked to end. */
    wasRevived: () => world.portalPid !== pidAtStart,
    markPortal: () => {
      pidAtStart = world.portalPid
    },
    /** Starts the portal when it has ended; once, whoever asks meanwhile. */
    async revive(): Promise<void> {
      if (!isAlive(world.portalPid))
        reviving ??= world.restartPortal().finally(() => {
          reviving = undefined
        })
      await reviving
    },
    close: () => sql.end(),
  }
}
export type Stage = Awaited<ReturnType<typeof createStage>>

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The Sandbox's own door for faults. */
export function createFaults(kubeconfig: KubeConfig) {
  const server = kubeconfig.getCurrentCluster()?.server ?? ''
  const call = async (method: string, body?: unknown): Promise<{ items?: { namespace?: string }[] }> => {
    const options: Parameters<typeof request>[1] = { method, headers: { 'content-type': 'application/json' } }
    await kubeconfig.applyToHTTPSOptions(options)
    return new Promise((resolve, reject) => {
      const sent = request(`${server}/quayside/faults`, options, (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => ((answer.statusCode ?? 500) < 300 ? resolve(JSON.parse(text)) : reject(new Error(text))))
      })
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }
  return {
    add: (fault: object) => call('POST', fault),
    clear: () => call('DELETE'),
    /** How many of them are still there for a namespace. */
    leftIn: async (namespace: string) =>
      (await call('GET')).items?.filter((fault) => fault.namespace === namespace).length ?? 0,
    /** Whether every fault has struck as often as it was asked to. */
    areUsedUp: async () => (await call('GET')).items?.length === 0,
  }
}
