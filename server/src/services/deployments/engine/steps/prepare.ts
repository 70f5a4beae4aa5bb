import type { PreparedVersion } from '@quayside/contract/deployments/endpoints'
import { YamlRefused } from '@quayside/values/yaml/yaml-document'
import { failpoint } from '../../../../platform/config/failpoints.ts'
import { encryptPrepared } from '../../commands/command-input.ts'
import type { VersionOf } from '../../ports.ts'
import { startingValues, withoutSecrets } from '../../values/upgrade-values.ts'
import { type ActionContext, StepFailed } from '../action-context.ts'
import { withRetry } from '../retry-policy.ts'
import { checkBeforeHelm } from './check-before-helm.ts'
import type { StepEnd } from './findings.ts'

/** For Deploy and Upgrade: brings the package to this replica's disk. For Prepare: the whole of its work. */
export async function prepareStep(context: ActionContext): Promise<StepEnd<'chartFile' | 'rendered'>> {
  const { deps, action, input, journal, ledger } = context
  const versionId = action.version_id ?? ''
  const chosen = await deps.catalog.versionOf(action.tenant_id, versionId)
  if (!chosen) throw new StepFailed('The catalog version was deleted in the meantime')
  if (input.kind === 'Prepare') {
    await failpoint('F5')
    const prepared = await preparedVersion(context, chosen, input.appId)
    await failpoint('F6')
    await ledger.change({ prepared: encryptPrepared(deps.encryption, action, prepared) })
    return { found: { chartFile: undefined, rendered: undefined } }
  }
  journal.say('prepare', `Preparing ${chosen.item.displayName} ${chosen.version.version}`)
  const chartFile = await deps.catalog.packageFile(action.tenant_id, chosen.version.digest)
  await failpoint('F5')
  const rendered =
    input.kind === 'Deploy' || input.kind === 'Upgrade'
      ? await withRetry(context, 'prepare', () => checkBeforeHelm(context, chosen, input.yaml, input.secretPaths))
      : undefined
  await failpoint('F6')
  return { found: { chartFile, rendered } }
}

async function preparedVersion(
  context: ActionContext,
  chosen: VersionOf,
  appId: string | null,
): Promise<PreparedVersion> {
  const { deps, action } = context
  const app = appId ? await deps.apps.find(action.tenant_id, appId) : undefined
  try {
    const start = await startingValues(deps, action.tenant_id, chosen, app)
    return {
      clusterId: action.cluster_id,
      catalogItemId: chosen.item.id,
      catalogVersionId: chosen.version.id,
      values: await withoutSecrets(chosen, start),
    }
  } catch (error) {
    if (error instanceof YamlRefused) throw new StepFailed(`The values cannot be read: ${error.message}`, [], error)
    throw error
  }
}
