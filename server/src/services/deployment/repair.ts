import type { RepairCommand } from '@quayside/contract/deployment'
import type { z } from 'zod'
import { fail } from '../../kernel/errors.ts'
import { accept, type Command } from './accept.ts'
import type { DeploymentDeps } from './deps.ts'
import { about, findApp } from './lookup.ts'
import type { ActionRow } from './tables.ts'

/**
 * Frees a release that an interrupted Helm left locked, whoever ran it: its newest revision becomes `failed`, and
 * nothing that runs is touched. An action like any other, so it never meets one that works on the release.
 */
export function repair(
  deps: DeploymentDeps,
  command: Command,
  body: z.infer<typeof RepairCommand>,
): Promise<ActionRow> {
  return accept(deps, command, async () => {
    const app = await findApp(deps, command.actor.tenantId, body.appId, 'appId')
    if (!app.releaseName) throw fail('deployment.not-deployed', { field: 'appId' })
    return {
      input: { kind: 'Repair' },
      about: about(app, app.releaseName, { id: app.catalogVersionId, version: app.version }),
    }
  })
}
