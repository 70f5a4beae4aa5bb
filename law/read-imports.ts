import { parseSync } from 'vite'

export interface Specifier {
  specifier: string
  typeOnly: boolean
}

interface Node {
  type: string
  [field: string]: unknown
}

/** Imports of a module, in their order. `import { type A }` counts as an import of types, like in the compiler. */
export function importsOf(file: string, text: string): Specifier[] {
  const lang = file.endsWith('x') ? 'tsx' : 'ts'
  const result = parseSync(file, text, { lang, sourceType: 'module' })
  const found: Specifier[] = []
  visit(result.program as unknown as Node, (node) => {
    const source = node.source as { value?: unknown } | null | undefined
    if (typeof source?.value !== 'string') return
    if (node.type === 'ImportDeclaration')
      found.push({ specifier: source.value, typeOnly: isTypeOnly(node, 'importKind') })
    else if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') {
      found.push({ specifier: source.value, typeOnly: isTypeOnly(node, 'exportKind') })
    } else if (node.type === 'ImportExpression') found.push({ specifier: source.value, typeOnly: false })
  })
  return found
}

function isTypeOnly(node: Node, kind: 'importKind' | 'exportKind'): boolean {
  if (node[kind] === 'type') return true
  const names = (node.specifiers ?? []) as Node[]
  return names.length > 0 && names.every((name) => name[kind] === 'type')
}

function visit(value: unknown, on: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, on)
  else if (typeof value === 'object' && value !== null && 'type' in value) {
    on(value as Node)
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) visit(inner, on)
  }
}
