import type { ActionKind } from '@quayside/contract/deployments/endpoints'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { isClearing } from './steps/steps.ts'

const quick = 'deployment-quick'
const helm = 'deployment-helm'
/** These wait for clusters that are away, and for namespaces that something holds. */
const clear = 'deployment-clear'

/** A wizard that prepares values must not stand in line behind deployments that wait for their pods. */
export function queueOf(kind: ActionKind): string {
  if (isClearing(kind)) return clear
  return kind === 'Prepare' || kind === 'ChangeWorkload' ? quick : helm
}

/** The queue whose places spaces and tenants share. */
export const sharedQueue = helm
export const sharedPlaces = 8

export const queues = [quick, helm, clear] as const

export async function declareQueues(jobs: Jobs, deployTimeoutSeconds: number): Promise<void> {
  await jobs.declare(quick, { concurrency: 4, expireSeconds: 300 })
  await jobs.declare(clear, { concurrency: 4, expireSeconds: 3600 })
  // More than there are places for Helm: the others prepare, wait for a cluster that is away, or grant access meanwhile.
  await jobs.declare(helm, { concurrency: sharedPlaces, expireSeconds: deployTimeoutSeconds * 2 + 1800 })
}
