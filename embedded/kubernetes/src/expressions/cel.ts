import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import { type Doc, isDoc } from '../store/doc.ts'
import { withAuthorizer } from './authorizer.ts'

/** Result of an expression: a value, or the reason why there is none. */
export type Outcome = { value: unknown } | { problem: string }

interface Expression {
  ast: ASTNode
  run(variables: Doc): Outcome
}

const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)
const MARKS: Record<string, string> = { __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' }

/** The name under which an expression knows a field whose own name it could not write. */
function writable(name: string): string {
  if (RESERVED.has(name)) return `__${name}__`
  return name.replace(/__|[.\-/]/g, (mark) => MARKS[mark] ?? mark)
}

/** A JSON value as expressions see it: whole numbers are of another kind than those with a fraction. */
export function celValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(celValue)
  if (!isDoc(value)) return value
  const made: Doc = {}
  for (const [name, part] of Object.entries(value)) {
    made[name] = celValue(part)
    const other = writable(name)
    if (other !== name && /^[A-Za-z_]\w*$/.test(other)) Object.defineProperty(made, other, { value: made[name] })
  }
  return made
}

type Comparable = bigint | number | string

const smallest = (list: readonly Comparable[]) => list.reduce((a, b) => (b < a ? b : a))
const largest = (list: readonly Comparable[]) => list.reduce((a, b) => (b > a ? b : a))

function isUrl(text: string): boolean {
  return URL.canParse(text) || (text.startsWith('/') && URL.canParse(text, 'https://host'))
}

/** Functions that Kubernetes adds to CEL, as far as rules of public charts use them. */
const environment = withAuthorizer(
  new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
  }),
)
  .registerFunction('list.isSorted(): bool', (list: Comparable[]) =>
    list.every((item, at) => at === 0 || (list[at - 1] ?? item) <= item),
  )
  .registerFunction('list.sum(): dyn', (list: bigint[]) => list.reduce((sum, item) => sum + item, 0n))
  .registerFunction('list.min(): dyn', smallest)
  .registerFunction('list.max(): dyn', largest)
  .registerFunction('list.indexOf(dyn): int', (list: unknown[], item: unknown) => BigInt(list.indexOf(item)))
  .registerFunction(
    'string.find(string): string',
    (text: string, pattern: string) => new RegExp(pattern).exec(text)?.[0] ?? '',
  )
  .registerFunction('string.findAll(string): list', (text: string, pattern: string) => [
    ...(text.match(new RegExp(pattern, 'g')) ?? []),
  ])
  .registerFunction('isURL(string): bool', isUrl)

const known = new Map<string, Expression | { problem: string }>()
const MOST_KNOWN = 5000

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''

/** Reads an expression, or says why it cannot be read. */
export function compile(source: string): Expression | { problem: string } {
  const found = known.get(source)
  if (found) return found
  const made = read(source)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(source, made)
  return made
}

function read(source: string): Expression | { problem: string } {
  try {
    const parsed = environment.parse(source)
    return {
      ast: parsed.ast,
      run(variables) {
        try {
          return { value: parsed(variables) as unknown }
        } catch (error) {
          return { problem: messageOf(error).replace(/^No such key/, 'no such key') }
        }
      },
    }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

/** A function that this server does not have: nothing can be said about what it would have answered. */
export const isUnknownFunction = (problem: string): boolean =>
  /no matching overload|[Uu]nknown function|[Uu]nknown variable/.test(problem)
