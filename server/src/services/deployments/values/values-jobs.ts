import { applyConfig } from '@quayside/values/form/apply-config'
import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import { fieldsOf } from '@quayside/values/form/fields'
import { outsideForm } from '@quayside/values/form/outside-form'
import { coalesce } from '@quayside/values/merge/coalesce'
import { shareableChanges } from '@quayside/values/merge/delta'
import { mergeDocuments } from '@quayside/values/merge/three-way'
import { maskedSides } from '@quayside/values/secrets/masked-sides'
import { type MarkOf, maskDocument, unmaskDocument } from '@quayside/values/secrets/masking'
import { secretMark } from '@quayside/values/secrets/secret-mark'
import { sameValue, valueAt } from '@quayside/values/yaml/plain-values'
import { repeatedKeys } from '@quayside/values/yaml/repeated-keys'
import { type Change, writeFields } from '@quayside/values/yaml/write-field'
import { readYamlValue, refuseTraps, YamlRefused } from '@quayside/values/yaml/yaml-document'
import { stringify } from 'yaml'
import { secretsOf, secretValues } from '../secrets/redact-untrusted.ts'
import { linesOfPaths, whereOf } from './value-location.ts'

/** Texts of values and what is secret in them. */
export interface SecretText {
  yaml: string
  secrets: string[][]
  /** Values of charts: their comments are in the catalog for everybody. */
  known: string[]
}

interface ChartValues {
  valuesYaml: string
  valuesSchema: unknown
}

interface RevisionQuestion {
  submitted: string | null
  values: unknown
  secretPaths: string[][]
  version: ChartValues
}

/**
 * Functions that read whole values, each with arguments and results that can be sent to a thread: with values of some
 * hundred KiB one of them takes tenths of a second.
 */
export const valuesJobs = {
  merge: ({ before, yours, theirs }: { before: string; yours: string; theirs: string }) =>
    mergeDocuments(before, yours, theirs),

  fields: ({ yaml, schema }: { yaml: string; schema: unknown }) => fieldsOf(yaml, schema ?? undefined),

  /** Submitted values, with where and what is secret in them. */
  submitted({ yaml, version }: { yaml: string; version: ChartValues }) {
    const value = readYamlValue(yaml)
    refuseTraps(yaml)
    const secretPaths = secretsOf(version, yaml)
    return { value, secretPaths, hidden: secretValues(value, secretPaths) }
  },

  read: ({ yaml }: { yaml: string }) => readYamlValue(yaml),

  /** The values that a chart gets: its own with these laid over. */
  coalesced: ({ valuesYaml, values }: { valuesYaml: string; values: unknown }) =>
    coalesce(readYamlValue(valuesYaml), values),

  outside: ({ values, version }: { values: unknown; version: ChartValues }) =>
    outsideForm(values, version.valuesYaml, version.valuesSchema ?? undefined),

  written: ({ yaml, changes }: { yaml: string; changes: readonly Change[] }) => writeFields(yaml, changes),

  repeated: ({ yaml }: { yaml: string }) => repeatedKeys(yaml),

  lines: ({ yaml, paths }: { yaml: string; paths: readonly (readonly string[])[] }) => linesOfPaths(yaml, paths),

  where: ({ messages, yaml, values }: { messages: readonly string[]; yaml: string; values: unknown }) =>
    whereOf(messages, yaml, values),

  secrets: ({ version }: { version: ChartValues }) => secretsOf(version),

  /** Secrets in values that were accepted before. */
  hidden: ({ yaml, secretPaths }: { yaml: string; secretPaths: string[][] }) =>
    secretValues(readYamlValue(yaml), secretPaths),

  secretTexts: ({ values, secretPaths }: { values: unknown; secretPaths: string[][] }) =>
    secretValues(values, secretPaths),

  /** The changes that a preset keeps. */
  shareable: ({ yaml, version }: { yaml: string; version: ChartValues }) =>
    shareableChanges(yaml, version.valuesYaml, version.valuesSchema ?? undefined),

  toYaml: ({ yaml, config }: { yaml: string; config: FieldConfiguration[] }) => applyConfig(yaml, config),

  toJson({ yaml, schema }: { yaml: string; schema: unknown }): FieldConfiguration[] {
    // Refuses what is no YAML, which would have no fields.
    readYamlValue(yaml)
    return fieldsOf(yaml, schema ?? undefined)
  },

  unmask: ({ yaml, kept }: { yaml: string; kept: unknown }) => unmaskDocument(yaml, kept),

  mask: ({ yaml, secrets, known }: SecretText) => maskDocument(yaml, secrets, undefined, known),

  /** Masks only what was deployed like this: the rest is the chart's, and everybody reads it in the catalog. */
  maskOwn({ yaml, secrets, known, deployed }: SecretText & { deployed: string }): string {
    const own = readYamlValue(deployed)
    const markOf: MarkOf = (path, value) => (sameValue(value, valueAt(own, path)) ? secretMark : undefined)
    return maskDocument(yaml, secrets, markOf, known)
  },

  /** Two documents without secrets; one that is another secret than before says so. */
  sides: ({ before, after }: { before: SecretText; after: SecretText }) => maskedSides(before, after),

  /** The text of a revision, as it was submitted if it says what was deployed, with all that must be hidden of it. */
  revision({ submitted, values, secretPaths, version }: RevisionQuestion) {
    const yaml =
      submitted !== null && saysTheSame(submitted, values)
        ? submitted
        : stringify(values, { lineWidth: 0, aliasDuplicateObjects: false })
    const secrets = [...secretPaths, ...secretsOf(version, yaml)]
    return { yaml, secrets, hidden: secretValues(values, secrets) }
  },
}

/** Somebody may have changed the release past the portal since. */
function saysTheSame(yaml: string, values: unknown): boolean {
  try {
    return sameValue(readYamlValue(yaml) ?? {}, values)
  } catch (error) {
    if (error instanceof YamlRefused) return false
    throw error
  }
}
