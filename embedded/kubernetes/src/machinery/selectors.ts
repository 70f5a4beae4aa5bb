import { badRequest } from '../api-error.ts'

interface Requirement {
  key: string
  operator: '=' | '!=' | 'in' | 'notin' | 'exists' | '!exists' | '>' | '<'
  values: readonly string[]
}

type Labels = Readonly<Record<string, string>> | undefined

const NEXT_OR_END = "',' or 'end of string'"
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$/
const LABEL_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end" +
  " with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is" +
  " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

const TOKEN = /\s*(!=|==|=|>|<|!|\(|\)|,|[^\s=!<>(),]+)/y

function tokensOf(source: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < source.trimEnd().length) {
    const match = TOKEN.exec(source)
    if (!match?.[1]) break
    tokens.push(match[1])
  }
  return tokens
}

const isWord = (token: string | undefined): token is string =>
  token !== undefined && !/^(!=|==|=|>|<|!|\(|\)|,)$/.test(token)

/** Reads the tokens of one selector, front to back. */
class Reader {
  private at = 0
  private readonly tokens: readonly string[]

  constructor(source: string) {
    this.tokens = tokensOf(source)
  }

  get done(): boolean {
    return this.at >= this.tokens.length
  }

  peek(): string | undefined {
    return this.tokens[this.at]
  }

  next(): string | undefined {
    return this.tokens[this.at++]
  }

  fail(wanted: string): never {
    const found = this.tokens[this.at - 1] ?? ''
    const why = `found '${found}', expected: ${wanted}`
    throw badRequest(wanted === NEXT_OR_END ? why : `unable to parse requirement: ${why}`)
  }

  word(wanted: string): string {
    const token = this.next()
    return isWord(token) ? token : this.fail(wanted)
  }

  /** A value may be empty: `key=` and `key=,other`. */
  value(key: string): string {
    const value = isWord(this.peek()) ? (this.next() ?? '') : ''
    if (!LABEL_VALUE.test(value)) {
      throw badRequest(
        `unable to parse requirement: values[0][${key}]: Invalid value: ${JSON.stringify(value)}: ${LABEL_RULE}`,
      )
    }
    return value
  }

  values(key: string): string[] {
    if (this.next() !== '(') this.fail("'('")
    const values: string[] = []
    do values.push(this.value(key))
    while (this.peek() === ',' && this.next())
    if (this.next() !== ')') this.fail("',', or ')'")
    return values
  }
}

function requirement(reader: Reader): Requirement {
  if (reader.peek() === '!') {
    reader.next()
    return { key: reader.word('identifier'), operator: '!exists', values: [] }
  }
  const key = reader.word("'!', identifier, or 'end of string'")
  if (reader.done || reader.peek() === ',') return { key, operator: 'exists', values: [] }
  const operator = reader.next()
  switch (operator) {
    case '=':
    case '==':
      return { key, operator: '=', values: [reader.value(key)] }
    case '!=':
      return { key, operator: '!=', values: [reader.value(key)] }
    case '>':
    case '<':
      return { key, operator, values: [reader.value(key)] }
    case 'in':
    case 'notin':
      return { key, operator, values: reader.values(key) }
    default:
      return reader.fail('in, notin, =, ==, !=, gt, lt')
  }
}

/** The requirements of a label selector such as `app=x,tier in (a, b),!beta`. */
export function parseSelector(source: string): Requirement[] {
  const reader = new Reader(source)
  const requirements: Requirement[] = []
  while (!reader.done) {
    requirements.push(requirement(reader))
    if (reader.done) break
    if (reader.next() !== ',') reader.fail(NEXT_OR_END)
    if (reader.done) reader.fail("identifier after ','")
  }
  return requirements
}

function meets(labels: Labels, { key, operator, values }: Requirement): boolean {
  const value = labels && Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case '=':
    case 'in':
      return value !== undefined && values.includes(value)
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value)
    case 'exists':
      return value !== undefined
    case '!exists':
      return value === undefined
    case '>':
      return value !== undefined && Number(value) > Number(values[0])
    case '<':
      return value !== undefined && Number(value) < Number(values[0])
  }
}

export const matchesLabels = (labels: Labels, requirements: readonly Requirement[]): boolean =>
  requirements.every((one) => meets(labels, one))

/** The requirements of a `metav1.LabelSelector` object. */
export function selectorRequirements(selector: {
  matchLabels?: Record<string, string>
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
}): Requirement[] {
  const operators = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!exists' } as const
  return [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({
      key,
      operator: '=' as const,
      values: [value],
    })),
    ...(selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => ({
      key,
      operator: operators[operator as keyof typeof operators] ?? ('exists' as const),
      values,
    })),
  ]
}
