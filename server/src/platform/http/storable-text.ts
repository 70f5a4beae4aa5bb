import { Stream } from 'node:stream'
import { fail } from './errors.ts'

/** Control characters save for tabs and line ends, and halves of characters: neither is text, and a database takes neither. */
const notText = /[^\P{Cc}\t\n\r\u0080-\u009f]|\p{Cs}/u

/** Lists and maps; a body that is passed on as it comes has no end to look for. */
const isParsed = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Stream) && !ArrayBuffer.isView(value)

/** The path of the first text in a value, a name in it among them, that holds a character which is none. */
export function unstorableAt(value: unknown, place: string): string | undefined {
  const left: [at: string, one: unknown][] = [[place, value]]
  for (let next = left.pop(); next; next = left.pop()) {
    const [at, one] = next
    if (typeof one === 'string') {
      if (notText.test(one)) return at
    } else if (isParsed(one)) {
      for (const [key, inner] of Object.entries(one)) {
        if (notText.test(key)) return at
        left.push([at === place ? key : `${at}.${key}`, inner])
      }
    }
  }
  return undefined
}

/** Refuses a request that carries characters which are no text, before anything reads it. */
export function refuseUnstorable(request: { params: unknown; query: unknown; body: unknown }): void {
  const field =
    unstorableAt(request.params, 'path') ?? unstorableAt(request.query, 'query') ?? unstorableAt(request.body, 'body')
  if (field === undefined) return
  const name = field.slice(0, 200)
  const message = `${name}: has a control character. Take it out; tabs and line ends may stay.`
  throw fail('request.invalid', { field: name, message })
}
