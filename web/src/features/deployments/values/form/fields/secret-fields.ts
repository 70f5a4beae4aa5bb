import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import { secretRanges } from '@quayside/values/secrets/masking'
import { isSecretPlace, isSecretTree, namesSecret, secretsInText } from '@quayside/values/secrets/secret-names'

type Path = readonly (string | number)[]
type Field = Pick<FieldConfiguration, 'type' | 'value'>

/** Tells whether a field of the form is a secret as a whole, as it is one wherever values are shown. */
export function isSecretField({ type, value }: Field, path: Path): boolean {
  if (type === 'password') return true
  if (type === 'yaml') return isSecretPlace(path) || (typeof value === 'string' && secretRanges(value).length > 0)
  return (type === 'string' || type === 'number') && isSecretPlace(path)
}

/** Tells whether there is a secret inside of a text that is none as a whole, like the password in an address. */
export function holdsSecret(value: unknown): boolean {
  return typeof value === 'string' && secretsInText(value).length > 0
}

/** Tests fields of one object: all are secret if its name is secret, only `value` if a sibling names a secret. */
export function secretFieldOf(
  name: string | null,
  siblings: readonly FieldConfiguration[],
): (field: FieldConfiguration) => boolean {
  const isTree = isSecretTree(name ?? '')
  const isNamed = siblings.some((field) => namesSecret(field.name, field.value))
  return (field) => isTree || (isNamed && field.name === 'value')
}
