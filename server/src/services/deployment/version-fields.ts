import type { FieldConfiguration } from '@quayside/contract/deployment'
import { fieldsOf } from '@quayside/contract/values/fields'
import type { VersionOf } from './ports.ts'

/** The form of a version, over its own values or over others that were given to it. */
export function fieldsOfVersion({ valuesYaml, valuesSchema }: VersionOf, yaml = valuesYaml): FieldConfiguration[] {
  return fieldsOf(yaml, valuesSchema ?? undefined)
}
