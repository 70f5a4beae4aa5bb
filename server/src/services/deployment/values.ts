import { readYamlValue, YamlRefused } from '@quayside/contract/values/yaml-document'
import type { Actor } from '../../kernel/actor.ts'
import { holds } from '../../kernel/actor.ts'
import { fail } from '../../kernel/errors.ts'

export type Values = Record<string, unknown>

/** Reads submitted values, or refuses them with the line that is wrong. */
export function readValues(yaml: string, field: string): Values {
  try {
    const values = readYamlValue(yaml)
    if (values === null || values === undefined) return {}
    if (isRecord(values)) return values
  } catch (error) {
    if (!(error instanceof YamlRefused)) throw error
    throw fail(error.problem.kind === 'too-large' ? 'values.too-large' : 'values.invalid-yaml', {
      field,
      message: `${field}: ${error.message}`,
      details: { line: error.problem.line ?? null },
      cause: error,
    })
  }
  throw fail('values.invalid-yaml', { field, message: `${field}: values are a mapping of names to values` })
}

/** Whether this person may write YAML of their own, beyond what the form offers. */
export function mayWriteYaml(actor: Actor): boolean {
  return holds(actor, 'catalog-apps', 'catalog.apps.deploy.infrastructure.yaml')
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
