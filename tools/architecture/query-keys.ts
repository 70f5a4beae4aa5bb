import { type Node, nameOf, visit } from './module-syntax.ts'

/** Properties and methods by which a module names queries itself. */
const names: ReadonlySet<string> = new Set([
  'queryKey',
  'invalidateQueries',
  'refetchQueries',
  'resetQueries',
  'removeQueries',
  'cancelQueries',
  'setQueryData',
  'getQueryData',
])

export const why =
  'Keys, invalidations and topics stand once, in web/src/api/<capability>.ts: write a query there (`xQuery`, `useX`), or a mutation that has its lists read again when it has settled, and call that.'

/** Names of queries that a module keeps itself, in their order. */
export function queryNames(module: Node): string[] {
  const found: string[] = []
  visit(module, (node) => {
    const name =
      node.type === 'Property' ? nameOf(node.key) : node.type === 'MemberExpression' ? nameOf(node.property) : ''
    if (name !== undefined && names.has(name)) found.push(name)
  })
  return found
}
