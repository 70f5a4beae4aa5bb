import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import type { ValuesModel } from '@quayside/values/form/values-model'
import { maskValue } from '@quayside/values/secrets/masking'
import { secretMark } from '@quayside/values/secrets/secret-mark'
import { secretPathsOf } from '@quayside/values/secrets/secret-paths'

/** The facts about a chart's values that the YAML view uses for completion and for tooltips. */
export interface Knowledge {
  schema: unknown
  /** The chart's own values, and what their comments say, by dotted path. */
  defaults: unknown
  commentsOf: (path: string) => readonly string[]
  /** Tells whether the value at a path is secret; the chart's own value is then not shown either. */
  isSecret: (path: readonly (string | number)[]) => boolean
}

export function knowledgeOf({ text, schema, value, fields }: ValuesModel): Knowledge {
  const secrets = value === undefined ? [] : secretPathsOf(text, schema)
  const comments = new Map<string, readonly string[]>()
  const walk = (list: readonly FieldConfiguration[], above: string) => {
    for (const field of list) {
      const path = `${above}${field.name ?? ''}`
      comments.set(path, field.comments)
      walk(field.objects, `${path}.`)
    }
  }
  walk(fields, '')
  return {
    schema,
    defaults: maskValue(value, secrets),
    commentsOf: (path) => comments.get(path) ?? [],
    isSecret: (path) => maskValue('a secret', secrets, path) === secretMark,
  }
}
