import type { PreparedVersion } from '@quayside/contract/deployment'
import { mergeValues } from '@quayside/contract/values/merge-values'
import { stringify } from 'yaml'
import { Failure } from '../../kernel/errors.ts'
import { failpoint } from '../../kernel/failpoints.ts'
import { checkBeforeHelm } from './check-before-helm.ts'
import { openInput, sealPrepared } from './command-input.ts'
import { write } from './lease-store.ts'
import { changesAgainst } from './overlay.ts'
import type { VersionOf } from './ports.ts'
import { actionLabel } from './release-state.ts'
import { type Run, StepFailed } from './run.ts'
import { findAction } from './store.ts'
import { readValues } from './values.ts'
import { fieldsOfVersion } from './version-fields.ts'

/** Of Deploy and Upgrade: brings the package to this replica's disk. Of Prepare: the whole of it. */
export async function prepareStep(run: Run): Promise<void> {
  const { deps, action, input, journal } = run
  const versionId = action.version_id ?? ''
  const chosen = await deps.catalog.versionOf(action.tenant_id, versionId)
  if (!chosen) throw new StepFailed('The catalog version was deleted in the meantime')
  if (input.kind === 'Prepare') {
    await failpoint('F5')
    const prepared = await preparedVersion(run, chosen, input.appId)
    await failpoint('F6')
    await write(deps.db, action, { prepared: sealPrepared(deps.seal, action, prepared) })
    return
  }
  journal.say('prepare', `Preparing ${chosen.item.displayName} ${chosen.version.version}`)
  run.chartFile = await deps.catalog.packageFile(action.tenant_id, versionId)
  await failpoint('F5')
  if (input.kind === 'Deploy' || input.kind === 'Upgrade')
    await checkBeforeHelm(run, chosen, input.yaml, input.secretPaths)
  await failpoint('F6')
}

async function preparedVersion(run: Run, chosen: VersionOf, appId: string | null): Promise<PreparedVersion> {
  const yaml = appId ? await valuesForApp(run, chosen, appId) : chosen.valuesYaml
  return {
    clusterId: run.action.cluster_id,
    catalogItemId: chosen.item.id,
    catalogVersionId: chosen.version.id,
    values: { yaml, fieldConfig: fieldsOfVersion(chosen, yaml), schema: chosen.valuesSchema },
  }
}

/**
 * The values to start an upgrade from. For the installed version they are the deployed ones as they were written; for
 * another one they are its own defaults with what people had changed laid over.
 */
async function valuesForApp(run: Run, chosen: VersionOf, appId: string): Promise<string> {
  const { deps, action } = run
  const tenantId = action.tenant_id
  const app = await deps.apps.find(tenantId, appId)
  if (!app?.releaseName) return chosen.valuesYaml
  const [newest] = await deps.clusters.readRelease(tenantId, app.clusterId, app.namespace, app.releaseName)
  if (!newest) return chosen.valuesYaml
  if (chosen.version.id === app.catalogVersionId)
    return (await submittedYaml(run, newest.labels[actionLabel])) ?? stringify(newest.values, { lineWidth: 0 })
  const installed = await deps.catalog.versionOf(tenantId, app.catalogVersionId)
  const before = installed ? readValues(installed.valuesYaml, 'values') : {}
  try {
    return mergeValues(chosen.valuesYaml, changesAgainst(newest.values, before))
  } catch (error) {
    if (error instanceof Failure) throw new StepFailed(error.message, [], error)
    throw error
  }
}

/** The text that was submitted for a revision, with its comments. */
async function submittedYaml({ deps, action }: Run, makerId: string | undefined): Promise<string | undefined> {
  const maker = makerId && (await findAction(deps.db, action.tenant_id, makerId))
  if (!maker) return undefined
  const input = openInput(deps.seal, maker)
  return input.kind === 'Deploy' || input.kind === 'Upgrade' ? input.yaml : undefined
}
