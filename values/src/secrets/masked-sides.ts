import { sameValue, valueAt } from '../yaml/plain-values.ts'
import { readYamlValue, YamlRefused } from '../yaml/yaml-document.ts'
import { type MarkOf, maskDocument } from './masking.ts'
import { changedSecretMark, secretMark } from './secret-mark.ts'
import { secretPathsOf } from './secret-paths.ts'
import type { SecretPath } from './secret-walk.ts'

interface MaskableText {
  yaml: string
  secrets: readonly SecretPath[]
  /** Texts whose comments everybody may read. */
  known: readonly string[]
}

/** Two documents without secrets; one that is another secret than before says so. */
export function maskedSides(before: MaskableText, after: MaskableText): { before: string; after: string } {
  const was = readYamlValue(before.yaml)
  const secrets = [...before.secrets, ...after.secrets]
  const known = [...before.known, ...after.known]
  const markOf: MarkOf = (path, value) => {
    const old = valueAt(was, path)
    return old === undefined || sameValue(old, value) ? secretMark : changedSecretMark
  }
  return {
    before: maskDocument(before.yaml, secrets, undefined, known),
    after: maskDocument(after.yaml, secrets, markOf, known),
  }
}

interface Defaults {
  valuesYaml: string
  valuesSchema: unknown
}

/** A chart's own values as they are shown: its secrets are secrets too. undefined when nobody can read them. */
export function maskedDefaults({ valuesYaml, valuesSchema }: Defaults): string | undefined {
  return whenRead(() => maskDocument(valuesYaml, secretPathsOf(valuesYaml, valuesSchema ?? undefined)))
}

/** The own values of two versions, side by side. */
export function comparedDefaults(before: Defaults, after: Defaults): { before: string; after: string } | undefined {
  const side = ({ valuesYaml, valuesSchema }: Defaults): MaskableText => ({
    yaml: valuesYaml,
    secrets: secretPathsOf(valuesYaml, valuesSchema ?? undefined),
    known: [],
  })
  return whenRead(() => maskedSides(side(before), side(after)))
}

function whenRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof YamlRefused) return undefined
    throw error
  }
}
