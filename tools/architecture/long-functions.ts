import { type Node, nameOf, visit } from './module-syntax.ts'

export const mostLines = 80

export const why =
  'Cut it where the thought is cut: a component into components and hooks, a factory of closures into functions that take what they need as an argument, beside it when that reads better. Lists of cases alone may be long: tests, journeys, areas of the conformance suite and scenarios of the bench.'

/** Lists of cases are read one case at a time, so that their length costs nobody anything. */
const listsOfCases: readonly RegExp[] = [
  /\.test\.tsx?$/,
  /^e2e\/src\/stories\//,
  /^embedded\/kubernetes\/src\/conformance\/areas\//,
  /^bench\/src\/[^/]+\.ts$/,
]

interface LongFunction {
  name: string
  /** Where it begins. */
  line: number
  lines: number
}

/** Functions of a module that have more lines than allowed, the outer one before those inside it. */
export function longFunctions(file: string, text: string, module: Node): LongFunction[] {
  if (listsOfCases.some((list) => list.test(file))) return []
  const found: LongFunction[] = []
  const names = new Map<unknown, string>()
  visit(module, (node) => {
    const named = nameOf(node.id) ?? nameOf(node.key)
    if (named !== undefined) for (const inner of [node.init, node.value]) names.set(inner, named)
    if (!node.type.includes('Function') || !node.body) return
    const lines = text.slice(node.start, node.end).split('\n').length
    const name = named ?? names.get(node) ?? 'function without a name'
    if (lines > mostLines) found.push({ name, line: text.slice(0, node.start).split('\n').length, lines })
  })
  return found
}
