import type { RollbackCommand } from '@quayside/contract/deployments/endpoints'
import type { z } from 'zod'
import { fail } from '../../../platform/http/errors.ts'
import type { DeploymentDeps } from '../deps.ts'
import { releaseOfApp } from '../releases/release-ref.ts'
import { actionLabel } from '../releases/release-state.ts'
import { findMaker } from '../store.ts'
import type { ActionRow } from '../tables.ts'
import { accept, type Command } from './accept.ts'
import { mustBeInstalled } from './base-revision.ts'
import { mustLeaveAccess } from './leave-access.ts'
import { about, findApp, markApp, mustUseCluster } from './lookup.ts'

/** Brings a deployed app back to one of its earlier revisions, which then counts as a new one. */
export function rollback(
  deps: DeploymentDeps,
  command: Command,
  body: z.infer<typeof RollbackCommand>,
): Promise<ActionRow> {
  const { tenantId, realm } = command.actor
  return accept(deps, command, async () => {
    const app = await findApp(deps, tenantId, body.appId, 'appId')
    if (!app.releaseName) throw fail('deployment.not-deployed', { field: 'appId' })
    await mustUseCluster(deps, tenantId, app, 'appId')
    const revisions = await deps.clusters.readRelease(releaseOfApp(tenantId, app, app.releaseName))
    mustBeInstalled(revisions, body.baseRevision)
    const target = revisions.find((each) => each.revision === body.revision)
    if (!target) throw fail('deployment.revision-not-found', { field: 'revision' })
    if (target === revisions[0] && target.status === 'deployed')
      throw fail('request.invalid', { field: 'revision', message: `revision: ${body.revision} is the installed one` })
    await mustLeaveAccess(deps, command.actor, app.id, body, 'revision')
    const maker = await findMaker(deps.db, tenantId, app.id, target.labels[actionLabel])
    const version = { id: maker?.version_id ?? app.catalogVersionId, version: target.chart.version }
    return {
      input: { kind: 'Rollback', revision: body.revision, realm, giveUpEarly: body.giveUpEarly ?? true },
      about: about(app, app.releaseName, version),
      async also(trx) {
        await markApp(deps, trx, { tenantId, id: app.id }, { state: 'deploying', stateMessage: null }, 'appId')
      },
    }
  })
}
