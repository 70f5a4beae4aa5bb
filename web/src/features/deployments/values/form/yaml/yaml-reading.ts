import { openValues, type ValuesModel } from '@quayside/values/form/values-model'
import { secretRanges } from '@quayside/values/secrets/masking'
import { type RepeatedKey, repeatedKeys } from '@quayside/values/yaml/repeated-keys'
import { yamlProblem } from '@quayside/values/yaml/yaml-document'
import type { YamlProblem } from '@quayside/values/yaml/yaml-guard'
import { countChanges } from '../fields/field-tree.ts'

/** The chart's defaults and schema, to compare a text with. */
export interface Compared {
  defaults: string
  schema: unknown
}

export type Ranges = readonly { from: number; to: number }[]

export interface YamlReading {
  problem: YamlProblem | undefined
  /** How many settings differ from the chart's own; 0 while the text is no YAML, undefined when nobody asked. */
  changes: number | undefined
  /** Where secrets stand; only told when nothing is compared. */
  secrets: Ranges
  /** Entries that do not count; only told when nothing is compared. */
  repeated: readonly RepeatedKey[]
}
let known: { defaults: string; schema: string; model: ValuesModel } | undefined

/** Reads a text as a whole, which takes tenths of a second for a long one. */
export function readYaml(text: string, compared: Compared | undefined, schema?: unknown): YamlReading {
  if (!compared) {
    const secrets = secretRanges(text, schema)
    return { problem: yamlProblem(text), changes: undefined, secrets, repeated: repeatedKeys(text) }
  }
  const defaults = modelOf(compared)
  const { fields } = openValues(text, compared.schema, { defaults })
  const problem = fields.length === 0 ? yamlProblem(text) : undefined
  return {
    problem,
    changes: fields.length === 0 ? 0 : countChanges(fields, defaults.fields),
    secrets: [],
    repeated: [],
  }
}

/** The chart's own values stay what they are while somebody types. */
function modelOf({ defaults, schema }: Compared): ValuesModel {
  const json = JSON.stringify(schema) ?? ''
  if (known?.defaults !== defaults || known.schema !== json)
    known = { defaults, schema: json, model: openValues(defaults, schema) }
  return known.model
}
