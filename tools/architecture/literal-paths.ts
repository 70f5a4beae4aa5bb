import { basePaths } from '../../contract/src/http/path.ts'
import { type Node, visit } from './module-syntax.ts'

/** An address of ours as a call has it: a service with its version, or the socket. Pages have no version. */
const ours = new RegExp(`^(?:${Object.values(basePaths).join('|')})/(?:v\\d|socket\\.io)`)

export const why =
  'Paths of calls are in contract/ alone: make the call in web/src/api/<capability>.ts with `call(api, endpoint, input)`, or take the name from the contract.'

/** Literal paths of calls in a source file, in their order. */
export function literalPaths(module: Node): string[] {
  const found: string[] = []
  visit(module, (node) => {
    const value = node.type === 'TemplateElement' ? (node.value as { cooked: string | null }).cooked : node.value
    if ((node.type === 'Literal' || node.type === 'TemplateElement') && typeof value === 'string' && ours.test(value))
      found.push(value)
  })
  return found
}
