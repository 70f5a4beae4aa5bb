import type { ConvertBody, FieldConfiguration } from '@quayside/contract/deployment'
import { applyConfig } from '@quayside/contract/values/apply-config'
import { fieldsOf } from '@quayside/contract/values/fields'
import { readYamlValue, YamlRefused } from '@quayside/contract/values/yaml-document'
import type { z } from 'zod'
import { fail } from '../../kernel/errors.ts'
import type { DeploymentDeps } from './deps.ts'
import { findVersion } from './lookup.ts'

type Body = z.infer<typeof ConvertBody>

/** Writes what a form holds into its YAML, touching nothing else. */
export function toYaml({ originalYaml, config }: Body): { yaml: string } {
  return { yaml: guarded(() => applyConfig(originalYaml, config)) }
}

/** The form of a YAML text; with a version, its schema has a say in it. */
export async function toJson(
  deps: DeploymentDeps,
  tenantId: string,
  { originalYaml, versionId }: Body,
): Promise<{ yaml: string; config: FieldConfiguration[] }> {
  const version = versionId ? await findVersion(deps, tenantId, versionId, 'versionId') : undefined
  guarded(() => readYamlValue(originalYaml))
  return { yaml: originalYaml, config: fieldsOf(originalYaml, version?.valuesSchema ?? undefined) }
}

function guarded<T>(convert: () => T): T {
  try {
    return convert()
  } catch (error) {
    if (!(error instanceof YamlRefused)) throw error
    throw fail(error.problem.kind === 'too-large' ? 'values.too-large' : 'values.invalid-yaml', {
      field: 'originalYaml',
      message: `originalYaml: ${error.message}`,
      details: { line: error.problem.line ?? null },
      cause: error,
    })
  }
}
