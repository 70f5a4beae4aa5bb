import type { DeleteCommand } from '@quayside/contract/deployments/endpoints'
import { scopesOf } from '@quayside/contract/deployments/scopes-of-actions'
import type { z } from 'zod'
import { type Access, mustHoldAny } from '../../../platform/auth/rights.ts'
import type { DeploymentDeps } from '../deps.ts'
import { planLeftovers } from '../releases/leftovers.ts'
import type { ActionRow } from '../tables.ts'
import { accept, type Command } from './accept.ts'
import { mustEqual } from './command-matches-app.ts'
import { about, findApp, markApp } from './lookup.ts'

/** Deletes an app: its release, its access, its record. One that was never deployed is only a record. */
export function remove(
  deps: DeploymentDeps,
  command: Command,
  body: z.infer<typeof DeleteCommand>,
  access: Access,
): Promise<ActionRow> {
  const { actor } = command
  return accept(deps, command, async () => {
    const app = await findApp(deps, actor.tenantId, body.app.id, 'app.id')
    mustHoldAny(access, scopesOf({ kind: 'Delete', releaseName: app.releaseName }))
    if (body.app.releaseName) mustEqual('app.releaseName', body.app.releaseName, app.releaseName ?? '')
    const leftovers = await planLeftovers(deps, actor, app, body.leftovers)
    return {
      input: { kind: 'Delete', realm: actor.realm, leftovers },
      about: about(app, app.releaseName, { id: app.catalogVersionId, version: app.version }),
      async also(trx) {
        const patch = { state: 'deleting', stateMessage: null } as const
        await markApp(deps, trx, { tenantId: actor.tenantId, id: app.id }, patch, 'app.id')
      },
    }
  })
}
