import { z } from 'zod'

type Issue = Parameters<z.core.$ZodErrorMap>[0]
type IssueOf<C extends Issue['code']> = Extract<Issue, { code: C }>

const counted: Record<string, [one: string, more: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
  file: ['byte', 'bytes'],
}
const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
}
const formats: Record<string, string> = {
  email: 'an email address',
  url: 'an address such as https://example.com',
  datetime: 'a date and time such as 2031-05-01T12:00:00Z',
  date: 'a date such as 2031-05-01',
  uuid: 'a UUID',
}

const amount = (origin: string, count: number | bigint) => {
  const [one, more] = counted[origin] ?? ['', '']
  return `${count} ${Number(count) === 1 ? one : more}`
}
const listed = (values: readonly unknown[]) => {
  const [last = '', ...others] = values.map(String).toReversed()
  return others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`
}

/** Predicates, each for one kind of issue: together with the name of a field they are a sentence. */
const predicates: { [C in Issue['code']]?: (issue: IssueOf<C>) => string } = {
  invalid_type: ({ expected, input }) =>
    input === undefined ? 'is missing' : `must be ${types[expected] ?? `of the type ${expected}`}`,
  invalid_value: ({ values }) => `must be ${listed(values)}`,
  too_small({ origin, minimum, inclusive, exact }) {
    if (!(origin in counted)) return inclusive ? `must be ${minimum} or more` : `must be more than ${minimum}`
    if (exact) return `must have exactly ${amount(origin, minimum)}`
    return Number(minimum) === 1 ? 'must not be empty' : `must have at least ${amount(origin, minimum)}`
  },
  too_big({ origin, maximum, inclusive, exact }) {
    if (!(origin in counted)) return inclusive ? `must be ${maximum} or less` : `must be less than ${maximum}`
    return exact ? `must have exactly ${amount(origin, maximum)}` : `may have at most ${amount(origin, maximum)}`
  },
  invalid_format: ({ format }) =>
    formats[format] === undefined ? 'is not written in the expected form' : `must be ${formats[format]}`,
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  unrecognized_keys: ({ keys }) => `has fields that are not known here: ${keys.join(', ').slice(0, 200)}`,
  invalid_key: () => 'has a key that is not valid here',
  invalid_element: () => 'has an entry that is not valid here',
  invalid_union: () => 'has none of the forms that are accepted here',
}

z.config({
  localeError: (issue) => (predicates[issue.code] as ((issue: Issue) => string) | undefined)?.(issue) ?? 'is not valid',
})

/**
 * A sentence about a field that a schema refuses. A message that begins with a verb goes on from the field's name; any
 * other one stands after a colon.
 */
export function sentenceOf(field: string, message: string): string {
  return /^(is|must|may|has) /.test(message) ? `${field} ${message}.` : `${field}: ${message}`
}
