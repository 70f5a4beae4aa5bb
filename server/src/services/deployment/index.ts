import type { DeploymentDeps } from './deps.ts'
import { createSockets } from './sockets.ts'
import { createValidate, type Validate } from './validate.ts'
import { createWorker } from './worker.ts'

export type { DeploymentDeps } from './deps.ts'
export type { AccessPort, CatalogPort, ClustersPort } from './ports.ts'

/** The ledger of deployment actions, the worker that carries them out, and the sockets that tell of them. */
export interface Deployments {
  deps: DeploymentDeps
  validate: Validate
  /** Stops claiming, lets what runs end for up to 20 s, hands the rest over. */
  close(): Promise<void>
}

export async function createDeployments(deps: DeploymentDeps): Promise<Deployments> {
  const sockets = await createSockets(deps)
  const worker = createWorker(deps)
  await worker.start()
  return {
    deps,
    validate: createValidate(deps),
    async close() {
      await worker.stop()
      await sockets.close()
    },
  }
}
