import type { App } from '@quayside/contract/apps/endpoints'
import type { ValidateBody } from '@quayside/contract/deployments/endpoints'
import type { z } from 'zod'
import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import { readManifestInWorker } from '../../../adapters/helm/parse-manifest.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { DeploymentDeps } from '../deps.ts'
import { textOfRevision } from '../releases/release-text.ts'
import { releaseOf } from '../releases/revisions.ts'
import { withKeptSecrets } from '../secrets/kept-secrets.ts'
import { redactor } from '../secrets/redact-untrusted.ts'
import { readSubmitted } from '../values/values.ts'
import { inWorker } from '../values/values-pool.ts'
import { subjectOf } from './validate.ts'
import { renderInput } from './validation-stages.ts'

/** Objects that values of a version make of an app, beside those that are deployed. */
export interface Rendered {
  app: App
  objects: readonly ManifestObject[]
  /** Undefined where nothing is deployed. */
  deployed: readonly ManifestObject[] | undefined
  /** Why the chart does not render; there are no objects then. */
  problem: string | null
  /** Hides secrets of both in any text. */
  hide(text: string): string
}

/** Renders values as a deployment of them would; nothing is applied. */
export async function renderValues(
  deps: DeploymentDeps,
  actor: Actor,
  versionId: string,
  body: z.infer<typeof ValidateBody>,
): Promise<Rendered> {
  const { tenantId } = actor
  const { app, chosen } = await subjectOf(deps, actor, versionId, body)
  const yaml = await withKeptSecrets(deps, tenantId, app, { yaml: body.yaml, field: 'yaml' })
  const submitted = await readSubmitted(yaml, 'yaml', chosen)
  const newest = app.releaseName === null ? undefined : (await releaseOf(deps, tenantId, app))[0]
  const known = newest && (await textOfRevision(deps, tenantId, newest, app))
  const kept =
    newest &&
    (await inWorker('secretTexts', {
      values: newest.values,
      secretPaths: [...(known?.secrets ?? []), ...submitted.secretPaths],
    }))
  const hideNew = redactor([...submitted.hidden, ...(kept ?? [])])
  const hide = (text: string) => hideNew(known ? known.redactUntrusted(text) : text)
  const deployed = newest && (await readManifestInWorker(newest.manifest))
  const render = await renderInput(deps, tenantId, { app, chosen, yaml })
  const isUpgrade = newest !== undefined
  const { ended, code, stdout, stderr } = await deps.helm.template({ ...render, includeCrds: false, isUpgrade })
  if (ended === 'exit' && code === 0)
    return { app, objects: await readManifestInWorker(stdout), deployed, problem: null, hide }
  return { app, objects: [], deployed, problem: hide(problemOf(stderr)), hide }
}

/** Helm's own words for why a chart does not render. */
export function problemOf(stderr: string): string {
  const said = stderr.split('\n').findLast((line) => line.startsWith('Error:'))
  return (said ?? 'The chart takes too long to render').replace(/^Error: /, '')
}
