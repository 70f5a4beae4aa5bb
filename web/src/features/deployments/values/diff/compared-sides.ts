import { withMarksOf } from '@quayside/values/secrets/kept-values'
import { type MarkOf, maskDocument } from '@quayside/values/secrets/masking'
import { changedSecretMark, secretMark } from '@quayside/values/secrets/secret-mark'
import { secretPathsOf } from '@quayside/values/secrets/secret-paths'
import { sameValue, valueAt } from '@quayside/values/yaml/plain-values'
import { readYamlValue, YamlRefused } from '@quayside/values/yaml/yaml-document'

export interface ComparedTexts {
  yaml: string
  schema: unknown
  /** The chart's own values. */
  defaults: string
  /** The text to compare with. */
  other: string
}

/**
 * Both texts as they are compared. Secrets are not shown here either, neither one that was just typed nor one of the
 * chart's own, and one that stays is none. undefined when one of the texts is no YAML.
 */
export function comparedSides({ other, yaml, schema, defaults }: ComparedTexts): [string, string] | undefined {
  try {
    // A kept-secret mark stands for the deployed value, so it must not show up as a difference.
    const { text: before, paths: kept } = withMarksOf(yaml, other)
    const said = [secretPathsOf(defaults, schema), secretPathsOf(other), secretPathsOf(yaml)].flat()
    const paths = [...said, ...kept.map((path) => path.map(String))]
    const old = readYamlValue(other)
    const isSame = (path: readonly (string | number)[], value: unknown) =>
      value === secretMark || sameValue(value, valueAt(old, path))
    const markOf: MarkOf = (path, value) => (isSame(path, value) ? secretMark : changedSecretMark)
    return [maskDocument(before, paths), maskDocument(yaml, paths, markOf)]
  } catch (error) {
    // The secrets in invalid YAML cannot be located, so none of the text may be shown.
    if (error instanceof YamlRefused) return undefined
    throw error
  }
}
