import assert from 'node:assert/strict'

// biome-ignore lint/suspicious/noExplicitAny: checks look into objects of every kind
export type Body = any

/** Answer of the API, or the output of a program. */
export interface Answer {
  code: number
  headers: Record<string, string | string[] | undefined>
  body: Body
}

export interface Printed {
  code: number
  out: string
  err: string
}

/** The answer is a refusal of that kind; a text is the whole message, a pattern part of it. */
export function refused(answer: Answer, code: number, reason: string, message?: string | RegExp): void {
  const { body } = answer
  assert.equal(body?.kind, 'Status', `not a Status: ${answer.code} ${excerpt(body)}`)
  assert.deepEqual({ code: answer.code, reason: body.reason ?? '' }, { code, reason }, String(body.message))
  assert.equal(body.status, 'Failure')
  assert.equal(body.code, code)
  says(body.message, message)
}

/** The object was refused as invalid, for these reasons, in this order. */
export function invalid(answer: Answer, ...causes: readonly (readonly [field: string, message: string | RegExp])[]) {
  refused(answer, 422, 'Invalid')
  const said: { field: string; message: string }[] = answer.body.details?.causes ?? []
  assert.deepEqual(
    said.map(({ field }) => field),
    causes.map(([field]) => field),
    answer.body.message,
  )
  for (const [index, [, message]] of causes.entries()) says(said[index]?.message ?? '', message)
}

/** The answer has that code; hands back its body. */
export function expectCode(answer: Answer, code: number): Body {
  assert.equal(answer.code, code, `answered ${answer.code}: ${excerpt(answer.body)}`)
  return answer.body
}

/** A text is the whole of what was said, a pattern part of it. */
export function says(said: string, wanted: string | RegExp | undefined): void {
  if (typeof wanted === 'string') assert.equal(said, wanted)
  else if (wanted) assert.match(said, wanted)
}

/** Asserts the named fields; all others may have any value. */
export function holds(actual: Body, expected: Body): void {
  assert.partialDeepStrictEqual(actual, expected)
}

/** Names of the objects in a list, sorted. */
export const namesOf = (list: Body): string[] =>
  list.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name).sort()

/** Texts of the server's warnings, from the Warning headers. */
export const warningsOf = ({ headers }: Answer): string[] =>
  [headers.warning ?? []]
    .flat()
    .flatMap((line) => line.split(/,\s*(?=299 )/))
    .map((line) => /^299 \S+ "(.*)"$/.exec(line)?.[1] ?? line)
    .map((line) => line.replaceAll('\\"', '"'))

/** A text of which only the beginning matters. */
const excerpt = (body: unknown): string =>
  (typeof body === 'string' ? body : (JSON.stringify(body) ?? '')).slice(0, 600)
