import { RE2JS } from 're2js'
import { type Labels, type Matcher, QueryError } from './expression.ts'

const MOST_REGEX = 4096

/** A pattern that has to match the whole of a value. */
export function wholePattern(text: string): RE2JS {
  if (text.length > MOST_REGEX) throw new QueryError(`a regular expression is longer than ${MOST_REGEX} characters`)
  try {
    return RE2JS.compile(`^(?s:${text})$`)
  } catch {
    throw new QueryError(`error parsing regexp: ${JSON.stringify(text)}`)
  }
}

function matches({ op, value }: Matcher): (found: string) => boolean {
  if (op === '=') return (found) => found === value
  if (op === '!=') return (found) => found !== value
  const pattern = wholePattern(value)
  const seen = new Map<string, boolean>()
  return (found) => {
    let does = seen.get(found)
    if (does === undefined) {
      does = pattern.matcher(found).matches()
      seen.set(found, does)
    }
    return does === (op === '=~')
  }
}

/** Tells whether labels fulfil all matchers; a label that is not there has the empty value. */
export function matcherOf(matchers: readonly Matcher[]): (labels: Labels) => boolean {
  const tests = matchers.map((matcher) => ({ label: matcher.label, test: matches(matcher) }))
  return (labels) => tests.every(({ label, test }) => test(labels.get(label) ?? ''))
}
