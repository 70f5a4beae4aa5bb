import { withMarksOf } from '@quayside/contract/values/kept-values'
import { keptSecret, type MarkOf, maskDocument } from '@quayside/contract/values/masking'
import { sameValue, valueAt } from '@quayside/contract/values/plain-values'
import { secretPathsOf } from '@quayside/contract/values/secret-paths'
import { readYamlValue, YamlRefused } from '@quayside/contract/values/yaml-document'

export interface ComparedTexts {
  yaml: string
  schema: unknown
  /** The chart's own values. */
  defaults: string
  /** What the text is compared with. */
  other: string
}

/** Both texts as they are compared. A secret that was just typed is not shown here either, and one that stays is none. */
export function comparedSides({ other, yaml, schema, defaults }: ComparedTexts): [string, string] {
  try {
    // What a mark stands for is what is deployed, and no difference to anything.
    const { text: before, paths: kept } = withMarksOf(yaml, other)
    const paths = [...secretPathsOf(other, schema), ...secretPathsOf(yaml), ...kept.map((path) => path.map(String))]
    const old = readYamlValue(other)
    const isSame = (path: readonly (string | number)[], value: unknown) =>
      value === keptSecret || sameValue(value, valueAt(old, path))
    const markOf: MarkOf = (path, value) => (isSame(path, value) ? keptSecret : `${keptSecret} (changed)`)
    return [maskDocument(before, paths, undefined, [defaults]), maskDocument(yaml, paths, markOf, [defaults])]
  } catch (error) {
    // What is no YAML at the moment is compared as it stands.
    if (error instanceof YamlRefused) return [other, yaml]
    throw error
  }
}
