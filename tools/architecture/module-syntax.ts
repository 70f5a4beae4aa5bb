import { parseSync } from 'vite'

/** Node of a syntax tree as Vite's own parser gives it, with the places of its first and last character. */
export interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

/** Syntax tree of a module of ours. */
export function parseModule(file: string, text: string): Node {
  const lang = file.endsWith('x') ? 'tsx' : 'ts'
  return parseSync(file, text, { lang, sourceType: 'module' }).program as unknown as Node
}

/** Calls `on` for each node, a node before those inside it. */
export function visit(value: unknown, on: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, on)
  else if (typeof value === 'object' && value !== null && 'type' in value) {
    on(value as Node)
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) visit(inner, on)
  }
}

/** Name that an identifier, or a text in place of one, stands for. */
export function nameOf(node: unknown): string | undefined {
  const { name, value } = (node ?? {}) as { name?: unknown; value?: unknown }
  return typeof name === 'string' ? name : typeof value === 'string' ? value : undefined
}
