import type { PreviewBody, ReleaseDiff } from '@quayside/contract/deployments/upgrade'
import type { z } from 'zod'
import type { Actor } from '../../../platform/auth/actor.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { DeploymentDeps } from '../deps.ts'
import { textOfRevision } from '../releases/release-text.ts'
import type { ReleaseView } from '../releases/release-view.ts'
import { comparedManifests, hiddenSides, releaseOf } from '../releases/revisions.ts'
import { withKeptSecrets } from '../secrets/kept-secrets.ts'
import { redactor } from '../secrets/redact-untrusted.ts'
import { startingValues } from '../values/upgrade-values.ts'
import { readSubmitted } from '../values/values.ts'
import { inWorker } from '../values/values-pool.ts'
import { problemOf } from './render-values.ts'
import { subjectOf } from './validate.ts'
import { renderInput } from './validation-stages.ts'

/** Renders an upgrade and compares it with the deployed release; nothing is applied. */
export async function preview(
  deps: DeploymentDeps,
  actor: Actor,
  versionId: string,
  body: z.infer<typeof PreviewBody>,
  view: ReleaseView,
): Promise<ReleaseDiff> {
  const { tenantId } = actor
  const { app, chosen } = await subjectOf(deps, actor, versionId, body)
  const [newest] = await releaseOf(deps, tenantId, app)
  if (!newest) throw fail('deployment.not-deployed')
  const yaml =
    typeof body.yaml === 'string'
      ? await withKeptSecrets(deps, tenantId, app, { yaml: body.yaml, field: 'yaml' })
      : (await startingValues(deps, tenantId, chosen, app)).yaml
  const submitted = await readSubmitted(yaml, 'yaml', chosen)
  const deployed = await textOfRevision(deps, tenantId, newest, app)
  const secrets = [...deployed.secrets, ...submitted.secretPaths]
  const kept = await inWorker('secretTexts', { values: newest.values, secretPaths: secrets })
  const hideNew = redactor([...submitted.hidden, ...kept])
  const hideOld = view.showsSecrets ? deployed.hide : deployed.redactUntrusted
  const hide = (text: string) => hideOld(hideNew(text))
  const sides = await hiddenSides(deployed, { yaml, secrets, known: [chosen.valuesYaml] }, hide)
  const render = await renderInput(deps, tenantId, { app, chosen, yaml })
  const { ended, code, stdout, stderr } = await deps.helm.template({ ...render, includeCrds: false, isUpgrade: true })
  if (ended === 'exit' && code === 0)
    return { values: sides, ...(await comparedManifests(newest.manifest, stdout, hide, view)) }
  return { values: sides, objects: [], unchanged: 0, problem: hide(problemOf(stderr)) }
}
