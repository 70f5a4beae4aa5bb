import { parseSync } from 'vite'

interface Node {
  type: string
  [field: string]: unknown
}

/** An address of ours as a call has it: a service with its version, or the socket. Pages have no version. */
const ours = /^\/(?:portal-api|catalog|cluster|deployment|iam|log)\/(?:v\d|socket\.io)/

export const why =
  'Paths of calls are in contract/ alone: make the call in web/src/api/<capability>.ts with `call(api, endpoint, input)`, or take the name from the contract.'

/** Literal paths of calls in a source file, in their order. */
export function literalPaths(file: string, text: string): string[] {
  const lang = file.endsWith('x') ? 'tsx' : 'ts'
  const found: string[] = []
  visit(parseSync(file, text, { lang, sourceType: 'module' }).program, (node) => {
    const value = node.type === 'TemplateElement' ? (node.value as { cooked: string | null }).cooked : node.value
    if ((node.type === 'Literal' || node.type === 'TemplateElement') && typeof value === 'string' && ours.test(value))
      found.push(value)
  })
  return found
}

function visit(value: unknown, on: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, on)
  else if (typeof value === 'object' && value !== null && 'type' in value) {
    on(value as Node)
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) visit(inner, on)
  }
}
