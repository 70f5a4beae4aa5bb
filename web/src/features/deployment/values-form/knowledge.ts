import type { FieldConfiguration } from '@quayside/contract/deployment'
import type { ValuesModel } from '@quayside/contract/values/values-model'

/** What the YAML view knows of a chart's values. */
export interface Knowledge {
  schema: unknown
  /** The chart's own values, and what their comments say, by dotted path. */
  defaults: unknown
  commentsOf: (path: string) => readonly string[]
}

export function knowledgeOf({ schema, value, fields }: ValuesModel): Knowledge {
  const comments = new Map<string, readonly string[]>()
  const walk = (list: readonly FieldConfiguration[], above: string) => {
    for (const field of list) {
      const path = `${above}${field.name ?? ''}`
      comments.set(path, field.comments)
      walk(field.objects, `${path}.`)
    }
  }
  walk(fields, '')
  return { schema, defaults: value, commentsOf: (path) => comments.get(path) ?? [] }
}
