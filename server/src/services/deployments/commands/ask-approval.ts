import type { AskApproval } from '@quayside/contract/clusters/outside'
import type { Approval } from '@quayside/contract/clusters/rules'
import type { Actor } from '../../../platform/auth/actor.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { DeploymentDeps } from '../deps.ts'
import { fingerprintOf } from '../ledger/fingerprint.ts'
import { withKeptSecrets } from '../secrets/kept-secrets.ts'
import { subjectOf } from '../validation/validate.ts'
import { type Subject, stages } from '../validation/validation-stages.ts'
import { readSubmitted } from '../values/values.ts'

/** Stages of validation that a release has to pass before an approval can be requested for it. */
const before = ['Schema', 'Helm', 'Policy']

/** Renders an app as it would be deployed, and asks for what it needs outside of its space. */
export async function askApproval(
  deps: DeploymentDeps,
  actor: Actor,
  versionId: string,
  body: AskApproval,
): Promise<Approval> {
  const { app, chosen } = await subjectOf(deps, actor, versionId, body)
  const yaml = await withKeptSecrets(deps, actor.tenantId, app, { yaml: body.yaml, field: 'yaml' })
  const { values, secretPaths } = await readSubmitted(yaml, 'yaml', chosen)
  const subject: Subject = { deps, actor, app, chosen, yaml, values, secretPaths, mayWriteYaml: true, shared: {} }
  for (const { name, check } of stages) {
    if (!before.includes(name)) continue
    const found = await check(subject)
    const wrong = found.find(({ resultType }) => resultType === 'error' || resultType === 'fatal')
    if (wrong && name !== 'Policy') throw fail('request.invalid', { field: 'yaml', message: wrong.message })
    // Errors about single objects are the ones that the approval is asked for; without a verdict nobody can approve.
    if (wrong && !subject.shared.outside) throw fail('approval.refused', { message: wrong.message })
  }
  return deps.clusters.askApproval(actor, {
    clusterId: app.clusterId,
    spaceId: app.spaceId,
    appId: app.id,
    item: { id: chosen.item.id, displayName: chosen.item.displayName },
    version: { id: chosen.version.id, version: chosen.version.version },
    fingerprint: fingerprintOf(chosen, values),
    reason: body.reason,
    decisions: subject.shared.outside?.decisions ?? [],
  })
}
