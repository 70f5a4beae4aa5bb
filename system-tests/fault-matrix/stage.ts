import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createFaults } from '@quayside/embedded/story/cluster-faults'
import { createStory, type Story } from '@quayside/embedded/story/story'
import { createLedger } from './ledger.ts'

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
    await story.uploadSmall('tiny', '1.0.0'),
    await story.uploadSmall('tiny', '1.1.0'),
  ]

  /** Starts the portal when it has ended; once, whoever asks meanwhile. */
  async function revive(): Promise<void> {
    if (!isAlive(world.portalPid))
      reviving ??= world.restartPortal().finally(() => {
        reviving = undefined
      })
    await reviving
  }

  return {
    world,
    admin,
    adminToken,
    space,
    versions,
    kubeconfig: text,
    core: kubeconfig.makeApiClient(CoreV1Api),
    runsFolder: join(world.dataDir, 'portal', 'helm-runs'),
    ledger: createLedger(admin, revive),
    arm: (point: string, fault: string) => writeFileSync(armedFile, `${point}=${fault}`),
    armAll: (plan: string) => writeFileSync(armedFile, plan),
    armEach: (points: readonly string[], fault: string) =>
      writeFileSync(armedFile, points.map((point) => `${point}=${fault}`).join()),
    disarm: () => writeFileSync(armedFile, ''),
    /** Failpoints that are armed and have not struck. */
    left: () => readFileSync(armedFile, 'utf8'),
    hasStruck: () => readFileSync(armedFile, 'utf8') === '',
    faults: createFaults(kubeconfig),
    isPortalAlive: () => isAlive(world.portalPid),
    /** Tells whether the portal was started again since it was last asked to end. */
    wasRevived: () => world.portalPid !== pidAtStart,
    markPortal: () => {
      pidAtStart = world.portalPid
    },
    revive,
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
