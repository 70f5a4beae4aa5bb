import type { AppRecord } from '../../apps/index.ts'
import { decryptInput } from '../commands/command-input.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { ReleaseRevision } from '../ports.ts'
import { redactor } from '../secrets/redact-untrusted.ts'
import { createRunSecrets } from '../secrets/run-secrets.ts'
import { findMaker } from '../store.ts'
import type { SecretText } from '../values/values-jobs.ts'
import { inWorker } from '../values/values-pool.ts'
import { actionLabel } from './release-state.ts'

/** The values of a revision as they were written, where they are secret, and what hides them in other texts. */
interface RevisionText extends SecretText {
  hide(text: string): string
  /** The same for what others wrote about the revision: also what its chart keeps in Secrets is hidden. */
  redactUntrusted(text: string): string
}

/** A revision's values with the comments they were submitted with, if the ledger knows the action that made it. */
export async function textOfRevision(
  deps: DeploymentDeps,
  tenantId: string,
  found: ReleaseRevision,
  app: Pick<AppRecord, 'id' | 'catalogVersionId'>,
): Promise<RevisionText> {
  const maker = await findMaker(deps.db, tenantId, app.id, found.labels[actionLabel])
  const input = maker && decryptInput(deps.encryption, maker)
  const submitted = input?.kind === 'Deploy' || input?.kind === 'Upgrade' ? input : undefined
  const version = await deps.catalog.versionOf(tenantId, maker?.version_id ?? app.catalogVersionId)
  const { yaml, secrets, hidden } = await inWorker('revision', {
    submitted: submitted?.yaml ?? null,
    values: found.values,
    secretPaths: submitted?.secretPaths ?? [],
    version: { valuesYaml: version?.valuesYaml ?? '', valuesSchema: version?.valuesSchema ?? null },
  })
  const made = createRunSecrets()
  made.learn(hidden)
  await made.learnRelease(found)
  const { redactUntrusted } = made
  return { yaml, secrets, known: version ? [version.valuesYaml] : [], hide: redactor(hidden), redactUntrusted }
}

/** A function that hides the secrets of a release in texts that others wrote about it, such as a chart's notes. */
export async function redactorOf(
  deps: DeploymentDeps,
  tenantId: string,
  appId: string,
  release: ReleaseRevision,
): Promise<(text: string) => string> {
  const app = await deps.apps.find(tenantId, appId)
  const made = { id: appId, catalogVersionId: app?.catalogVersionId ?? '' }
  return (await textOfRevision(deps, tenantId, release, made)).redactUntrusted
}
