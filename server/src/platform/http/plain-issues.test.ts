import { expect, it } from 'vitest'
import { z } from 'zod'
import { sentenceOf } from './plain-issues.ts'

function said(schema: z.ZodType, value: unknown): string {
  const issue = schema.safeParse({ it: value }).error?.issues[0]
  return sentenceOf(issue?.path.join('.') || 'The body', issue?.message ?? '')
}
const about = (schema: z.ZodType) => z.object({ it: schema })

it.each<[schema: z.ZodType, value: unknown, sentence: string]>([
  [z.string(), undefined, 'it is missing.'],
  [z.object({}), undefined, 'it is missing.'],
  [z.string(), 5, 'it must be text.'],
  [z.number(), 'five', 'it must be a number.'],
  [z.int(), 1.5, 'it must be a whole number.'],
  [z.boolean(), 'yes', 'it must be true or false.'],
  [z.object({}), [], 'it must be an object.'],
  [z.record(z.string(), z.string()), 'a', 'it must be an object.'],
  [z.array(z.string()), {}, 'it must be a list.'],
  [z.enum(['a', 'b', 'c']), 'd', 'it must be a, b or c.'],
  [z.literal('a'), 'd', 'it must be a.'],
  [z.string().min(1), '', 'it must not be empty.'],
  [z.string().min(3), 'a', 'it must have at least 3 characters.'],
  [z.string().max(1), 'aa', 'it may have at most 1 character.'],
  [z.string().length(7), 'aa', 'it must have exactly 7 characters.'],
  [z.array(z.string()).min(1), [], 'it must not be empty.'],
  [z.array(z.string()).max(2), ['a', 'a', 'a'], 'it may have at most 2 entries.'],
  [z.number().min(2), 1, 'it must be 2 or more.'],
  [z.number().positive(), 0, 'it must be more than 0.'],
  [z.number().max(2), 3, 'it must be 2 or less.'],
  [z.number().lt(2), 2, 'it must be less than 2.'],
  [z.number().multipleOf(5), 3, 'it must be a multiple of 5.'],
  [z.email(), 'a', 'it must be an email address.'],
  [z.url(), 'a', 'it must be an address such as https://example.com.'],
  [z.iso.datetime(), 'a', 'it must be a date and time such as 2031-05-01T12:00:00Z.'],
  [z.string().regex(/^a$/), 'b', 'it is not written in the expected form.'],
  [z.strictObject({}), { a: 1, b: 2 }, 'it has fields that are not known here: a, b.'],
  [z.partialRecord(z.enum(['a']), z.string()), { b: 'c' }, 'it has fields that are not known here: b.'],
  [z.record(z.string().max(2), z.string()), { bcd: 'c' }, 'it.bcd has a key that is not valid here.'],
  [z.union([z.string(), z.number()]), null, 'it has none of the forms that are accepted here.'],
  [z.unknown().refine(() => false), 1, 'it is not valid.'],
  [z.string().max(1, 'at most 1 character'), 'aa', 'it: at most 1 character'],
  [z.string().min(3, 'must be longer'), 'aa', 'it must be longer.'],
])('%#: says what is wrong in a plain sentence', (schema, value, sentence) => {
  expect(said(about(schema), value)).toBe(sentence)
})
