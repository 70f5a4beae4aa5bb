import { fail } from '../../platform/http/errors.ts'

type Attributes = Record<string, string[]>

/** Attributes of the portal's own: by them it and the identity server decide, so that nobody writes them by hand. */
const isOwn = (name: string) => name.startsWith('quayside.')

/**
 * Attributes of a user, a group or a role as somebody wants them, with those of the portal as they are.
 * @throws `request.invalid` for one of the portal's that is another than it was
 */
export function withOwnAttributes(wanted: Attributes, known: Attributes = {}): Attributes {
  for (const [name, values] of Object.entries(wanted)) {
    if (!isOwn(name) || JSON.stringify(values) === JSON.stringify(known[name])) continue
    const field = `attributes.${name}`
    throw fail('request.invalid', { field, message: `${field}: names that begin with quayside. are the portal's own` })
  }
  return { ...wanted, ...Object.fromEntries(Object.entries(known).filter(([name]) => isOwn(name))) }
}
