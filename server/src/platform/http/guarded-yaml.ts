import { readYamlValue, YamlRefused } from '@quayside/values/yaml/yaml-document'
import { type YamlLimits, yamlLimits } from '@quayside/values/yaml/yaml-guard'
import { fail } from './errors.ts'

/**
 * Reads YAML that came from outside into plain values, within limits that bound time, stack and size, so that no text
 * can hold up or end the process. Throws `values.invalid-yaml` (its details carry the line) or `values.too-large`.
 */
export function readYaml(text: string, limits: Partial<YamlLimits> & { field?: string } = {}): unknown {
  const { field = 'yaml', ...own } = limits
  try {
    return readYamlValue(text, { ...yamlLimits, ...own })
  } catch (error) {
    if (!(error instanceof YamlRefused)) throw error
    throw fail(error.problem.kind === 'too-large' ? 'values.too-large' : 'values.invalid-yaml', {
      field,
      message: `The YAML cannot be read: ${error.message}`,
      details: error.problem.line ? { line: error.problem.line } : undefined,
      cause: error,
    })
  }
}
