import type { ConvertBody } from '@quayside/contract/deployments/endpoints'
import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import type { z } from 'zod'
import { findVersion } from '../commands/lookup.ts'
import type { DeploymentDeps } from '../deps.ts'
import { refusalOf } from './values.ts'
import { inWorker } from './values-pool.ts'

type Body = z.infer<typeof ConvertBody>

/** Writes what a form holds into its YAML, touching nothing else. */
export async function toYaml({ originalYaml, config }: Body): Promise<{ yaml: string }> {
  return { yaml: await guarded(inWorker('toYaml', { yaml: originalYaml, config })) }
}

/** The form of a YAML text; with a version, its schema has a say in it. */
export async function toJson(
  deps: DeploymentDeps,
  tenantId: string,
  { originalYaml, versionId }: Body,
): Promise<{ yaml: string; config: FieldConfiguration[] }> {
  const version = versionId ? await findVersion(deps, tenantId, versionId, 'versionId') : undefined
  const schema = version?.valuesSchema
  return { yaml: originalYaml, config: await guarded(inWorker('toJson', { yaml: originalYaml, schema })) }
}

async function guarded<T>(converted: Promise<T>): Promise<T> {
  try {
    return await converted
  } catch (error) {
    throw refusalOf(error, 'originalYaml')
  }
}
