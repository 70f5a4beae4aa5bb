import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStage, type MatrixWorld, type Stage } from './stage.ts'

/** A World of its own in which one case after the other runs. */
export interface Worker {
  stage: Stage
  close(): Promise<void>
}

type Start = (options: {
  cluster: { speed: number }
  env: Record<string, string>
}) => Promise<MatrixWorld & { close(): Promise<void> }>

/** Short lease for fast tests: nobody may take over before it ends, and by then a running Helm has to be dead. */
export const leaseSeconds = 3

export async function openWorker(start: Start): Promise<Worker> {
  const folder = mkdtempSync(join(tmpdir(), 'quayside-matrix-'))
  const armed = join(folder, 'armed')
  writeFileSync(armed, '')
  const world = await start({
    cluster: { speed: 20 },
    env: {
      LOG_LEVEL: 'warn',
      QUAYSIDE_FAILPOINTS: `@${armed}`,
      QUAYSIDE_LEASE_SECONDS: String(leaseSeconds),
      QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '8',
    },
  })
  const stage = await createStage(world, armed)
  return {
    stage,
    async close() {
      await world.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
