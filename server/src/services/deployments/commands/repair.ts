import type { App } from '@quayside/contract/apps/endpoints'
import type { RepairCommand } from '@quayside/contract/deployments/endpoints'
import type { z } from 'zod'
import { Failure, fail } from '../../../platform/http/errors.ts'
import type { DeploymentDeps } from '../deps.ts'
import { makerOf } from '../releases/release-state.ts'
import type { ActionRow } from '../tables.ts'
import { accept, type Command } from './accept.ts'
import { about, findApp } from './lookup.ts'

/**
 * Frees a release that an interrupted Helm left locked, whoever ran it: its newest revision becomes `failed`, and
 * nothing that runs is touched. An action like any other, so it never meets one that works on the release. Where
 * somebody outside seems to be at work, it needs `force`: two Helm on one release leave two revisions deployed.
 */
export function repair(
  deps: DeploymentDeps,
  command: Command,
  body: z.infer<typeof RepairCommand>,
): Promise<ActionRow> {
  const force = body.force === true
  return accept(deps, command, async () => {
    const app = await findApp(deps, command.actor.tenantId, body.appId, 'appId')
    if (!app.releaseName) throw fail('deployment.not-deployed', { field: 'appId' })
    if (!force) await mustNotBeAtWork(deps, command.actor.tenantId, app)
    return {
      input: { kind: 'Repair', force },
      about: about(app, app.releaseName, { id: app.catalogVersionId, version: app.version }),
    }
  })
}

/** A cluster that does not answer now is asked by the action, which looks again before it writes. */
async function mustNotBeAtWork({ clusters }: DeploymentDeps, tenantId: string, app: App): Promise<void> {
  if (app.state === 'deploying' || app.state === 'deleting') return
  const { clusterId, namespace, releaseName } = app
  const asked = [
    clusters.releaseLock(tenantId, app.id),
    clusters.readRelease({ tenantId, clusterId, namespace, releaseName: releaseName ?? '' }),
  ] as const
  const [lock, revisions] = await Promise.all(asked).catch((error: unknown) => {
    if (error instanceof Failure && error.code.startsWith('cluster.')) return []
    throw error
  })
  const newest = revisions?.[0]
  if (!lock || lock.isDead || !newest) return
  // A release left locked by one of the portal's own actions has nobody at work on it any more.
  if (newest.status !== 'uninstalling' && makerOf(newest, revisions)) return
  const { revision, status, since, movedAt, says } = lock
  throw fail('deployment.helm-at-work', {
    field: 'appId',
    message: says,
    details: { revision, status, since, movedAt },
  })
}
