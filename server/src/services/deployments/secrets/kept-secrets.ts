import { hasSecretMark } from '@quayside/values/secrets/masking'
import { fail } from '../../../platform/http/errors.ts'
import type { AppRecord } from '../../apps/index.ts'
import type { DeploymentDeps } from '../deps.ts'
import { readValues } from '../values/values.ts'
import { inWorker } from '../values/values-pool.ts'

/**
 * Submitted values with the secrets that stayed here: where the mark came back untouched, the value that the app is
 * deployed with takes its place.
 */
export async function withKeptSecrets(
  deps: Pick<DeploymentDeps, 'clusters'>,
  tenantId: string,
  app: Pick<AppRecord, 'clusterId' | 'namespace' | 'releaseName'>,
  submitted: { yaml: string; field: string },
): Promise<string> {
  if (!hasSecretMark(submitted.yaml)) return submitted.yaml
  // Refuses what is no YAML in the words that people know.
  await readValues(submitted.yaml, submitted.field)
  const { clusterId, namespace, releaseName } = app
  const revisions = releaseName ? await deps.clusters.readRelease({ tenantId, clusterId, namespace, releaseName }) : []
  const { yaml, missing } = await inWorker('unmask', { yaml: submitted.yaml, kept: revisions[0]?.values })
  if (missing.length === 0) return yaml
  const paths = missing.map((path) => path.join('.'))
  throw fail('values.secret-missing', {
    field: submitted.field,
    message: `${submitted.field}: ${paths.slice(0, 5).join(', ')}: this masked value stands for nothing that is kept, write the value`,
    details: { keys: paths.slice(0, 50) },
  })
}
