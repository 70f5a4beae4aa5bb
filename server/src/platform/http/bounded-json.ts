import type { FastifyInstance } from 'fastify'
import { fail } from './errors.ts'

/** Deeper than any call of ours needs, and far from where a parser or a schema runs out of stack. */
const deepest = 200
/** Values of a form with thousands of fields are half of this. */
const mostValues = 100_000

/** Tells why a text is not read as JSON, by its marks alone: reading it, and each look at what was read, would cost more. */
export function tooMuchIn(text: string): string | undefined {
  let depth = 0
  let values = 1
  let isText = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === backslash) at += 1
      else if (code === quote) isText = false
    } else if (code === quote) isText = true
    else if (code === comma) values += 1
    else if (code === openList || code === openMap) {
      depth += 1
      values += 1
      if (depth > deepest) return `is nested more than ${deepest} levels deep`
    } else if (code === closeList || code === closeMap) depth -= 1
    if (values > mostValues) return `has more than ${mostValues} values`
  }
  return undefined
}

const [quote, backslash, comma, openList, closeList, openMap, closeMap] = Array.from('"\\,[]{}', (sign) =>
  sign.charCodeAt(0),
)

/** Reads JSON bodies within bounds of depth and number, beside the bound of their size. */
export function boundJson(http: FastifyInstance): void {
  const parse = http.getDefaultJsonParser('error', 'error')
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    const why = tooMuchIn(text)
    if (why !== undefined) return done(fail('request.invalid', { field: 'body', message: `The body ${why}.` }))
    parse(request, text, done)
  })
}
