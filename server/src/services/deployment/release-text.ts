import { sameValue } from '@quayside/contract/values/plain-values'
import { readYamlValue, YamlRefused } from '@quayside/contract/values/yaml-document'
import { stringify } from 'yaml'
import { openInput } from './command-input.ts'
import type { DeploymentDeps } from './deps.ts'
import type { ReleaseRevision } from './ports.ts'
import { redactor, secretsOf, secretValues } from './redaction.ts'
import { actionLabel } from './release-state.ts'
import { findAction } from './store.ts'

/** The values of a revision as they were written, where they are secret, and what hides them in other texts. */
export interface RevisionText {
  yaml: string
  secrets: string[][]
  hide(text: string): string
}

/** A revision's values with the comments they were submitted with, if the ledger knows the action that made it. */
export async function textOfRevision(
  deps: DeploymentDeps,
  tenantId: string,
  found: ReleaseRevision,
  versionId: string,
): Promise<RevisionText> {
  const makerId = found.labels[actionLabel]
  const maker = makerId ? await findAction(deps.db, tenantId, makerId) : undefined
  const input = maker && openInput(deps.seal, maker)
  const submitted = input?.kind === 'Deploy' || input?.kind === 'Upgrade' ? input : undefined
  const version = await deps.catalog.versionOf(tenantId, maker?.version_id ?? versionId)
  const yaml =
    submitted && saysTheSame(submitted.yaml, found.values)
      ? submitted.yaml
      : stringify(found.values, { lineWidth: 0, aliasDuplicateObjects: false })
  const secrets = [
    ...(submitted?.secretPaths ?? []),
    ...secretsOf(version ?? { valuesYaml: '', valuesSchema: null }, yaml),
  ]
  return { yaml, secrets, hide: redactor(secretValues(found.values, secrets)) }
}

/** What hides the secrets of a release in texts that others wrote about it, like a chart's notes. */
export async function hidingOf(
  deps: DeploymentDeps,
  tenantId: string,
  appId: string,
  release: ReleaseRevision,
): Promise<(text: string) => string> {
  const app = await deps.apps.find(tenantId, appId)
  return (await textOfRevision(deps, tenantId, release, app?.catalogVersionId ?? '')).hide
}

/** Somebody may have changed the release past the portal since. */
function saysTheSame(yaml: string, values: unknown): boolean {
  try {
    return sameValue(readYamlValue(yaml) ?? {}, values)
  } catch (error) {
    if (error instanceof YamlRefused) return false
    throw error
  }
}
