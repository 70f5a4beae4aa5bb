import type { ActionKind } from '@quayside/contract/deployment'
import type { Jobs } from '../../kernel/jobs.ts'

const quick = 'deployment-quick'
const helm = 'deployment-helm'

/** A wizard that prepares values must not stand in line behind deployments that wait for their pods. */
export function queueOf(kind: ActionKind): string {
  return kind === 'Prepare' ? quick : helm
}

export const queues = [quick, helm] as const

export async function declareQueues(jobs: Jobs, deployTimeoutSeconds: number): Promise<void> {
  await jobs.declare(quick, { concurrency: 4, expireSeconds: 300 })
  // More than Helm has turns for: the others prepare, wait for a cluster that is away, or grant access meanwhile.
  await jobs.declare(helm, { concurrency: 8, expireSeconds: deployTimeoutSeconds * 2 + 1800 })
}
