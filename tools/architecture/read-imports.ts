import { type Node, visit } from './module-syntax.ts'

interface Specifier {
  specifier: string
  typeOnly: boolean
}

/** Imports of a module, in their order. `import { type A }` counts as an import of types, like in the compiler. */
export function importsOf(module: Node): Specifier[] {
  const found: Specifier[] = []
  visit(module, (node) => {
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
