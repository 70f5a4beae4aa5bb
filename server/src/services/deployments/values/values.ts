import { YamlRefused } from '@quayside/values/yaml/yaml-document'
import type { Actor } from '../../../platform/auth/actor.ts'
import { holds } from '../../../platform/auth/actor.ts'
import { fail } from '../../../platform/http/errors.ts'
import { inWorker } from './values-pool.ts'

export type Values = Record<string, unknown>

/** Reads submitted values of any size, or refuses them with the line that is wrong. */
export async function readValues(yaml: string, field: string): Promise<Values> {
  try {
    return mappingOf(await inWorker('read', { yaml }), field)
  } catch (error) {
    throw refusalOf(error, field)
  }
}

/** The same with the values of the chart beside them, and with what is secret in them. */
export async function readSubmitted(
  yaml: string,
  field: string,
  { valuesYaml, valuesSchema }: { valuesYaml: string; valuesSchema: unknown },
): Promise<{ values: Values; secretPaths: string[][]; hidden: string[] }> {
  try {
    const { value, ...secret } = await inWorker('submitted', { yaml, version: { valuesYaml, valuesSchema } })
    return { values: mappingOf(value, field), ...secret }
  } catch (error) {
    throw refusalOf(error, field)
  }
}

function mappingOf(value: unknown, field: string): Values {
  if (value === null || value === undefined) return {}
  if (isRecord(value)) return value
  throw fail('values.invalid-yaml', { field, message: `${field}: values are a mapping of names to values` })
}

/** The error for values that cannot be read. */
export function refusalOf(error: unknown, field: string): unknown {
  if (!(error instanceof YamlRefused)) return error
  return fail(error.problem.kind === 'too-large' ? 'values.too-large' : 'values.invalid-yaml', {
    field,
    message: `${field}: ${error.message}`,
    details: { line: error.problem.line ?? null },
    cause: error,
  })
}

/** Tells whether this person may write YAML of their own, beyond what the form offers. */
export function mayWriteYaml(actor: Actor): boolean {
  return holds(actor, 'catalog-apps', 'catalog.apps.deploy.infrastructure.yaml')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
