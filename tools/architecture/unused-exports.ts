import { dirname } from 'node:path'
import { type Node, nameOf, visit } from './module-syntax.ts'

const why = {
  unused: 'No other file imports it: take its `export` away, and delete it when its own file does not need it either.',
  tested: 'Tests elsewhere alone import it: test it through a public door, or beside its code when it is pure logic.',
}

/** Modules whose exports are for others than files of ours, with the reason. */
const forOthers: readonly [pattern: RegExp, reason: string][] = [
  [/\.config\.ts$/, 'The tool that a file configures reads its default export.'],
  [/^embedded\/src\/test-postgres\.ts$/, 'Vitest calls the set-up of a run.'],
  [
    /^values\/src\/(yaml\/(yaml-document|write-field)|schema\/schema-(shape|fits)|form\/(values-model|field-configuration)|secrets\/(masking|secret-paths)|merge\/(three-way|coalesce))\.ts$/,
    'Entry points of the library that values/README.md documents.',
  ],
  [/^contract\/src\/http\/errors\.ts statusMessages$/, 'A test compares the table with the specification.'],
  [/^web\/src\/api\/client\.test\.ts refusedByTheCompiler$/, 'The compiler is what tests it.'],
]

/** Tests, those who drive the product from outside, and what both stand on. */
const tests = /\.test\.tsx?$|\/testing\/|\.test-support\.tsx?$|^(e2e|bench|system-tests)\//

/** World and its neighbours: what tests drive the product with. */
const world = /^embedded\/(?:src(?:\/story)?|kubernetes\/src\/kube-apiserver)\/[^/]+\.ts$/

/** A module of ours with its syntax tree and the files that its imports lead to. */
interface Module {
  file: string
  syntax: Node
  targetOf(specifier: string): string
}

interface UnusedExport {
  file: string
  name: string
  why: string
}

/** Exports that no other file imports, and those outside of pure logic that tests alone do. */
export function unusedExports(modules: readonly Module[]): UnusedExport[] {
  const users = new Map<string, string[]>()
  for (const module of modules) {
    for (const { target, name } of usesOf(module)) {
      const key = `${target} ${name}`
      users.set(key, [...(users.get(key) ?? []), module.file])
    }
  }
  return modules
    .flatMap(({ file, syntax }) => exportsOf(syntax).map((name) => ({ file, name })))
    .filter(({ file, name }) => !forOthers.some(([pattern]) => pattern.test(file) || pattern.test(`${file} ${name}`)))
    .flatMap(({ file, name }) => {
      const by = users.get(`${file} ${name}`) ?? []
      if (by.length === 0) return [{ file, name, why: why.unused }]
      const testedElsewhere = by.every((user) => tests.test(user) && !isBeside(user, file))
      return testedElsewhere && !tests.test(file) && !world.test(file) ? [{ file, name, why: why.tested }] : []
    })
}

/** Tells whether one of two files stands in a folder of the other. */
function isBeside(one: string, other: string): boolean {
  const [here, there] = [`${dirname(one)}/`, `${dirname(other)}/`]
  return here.startsWith(there) || there.startsWith(here)
}

/** Names that a module exports, its types among them. */
function exportsOf(syntax: Node): string[] {
  const found: string[] = []
  for (const node of syntax.body as Node[]) {
    if (node.type === 'ExportDefaultDeclaration') found.push('default')
    if (node.type !== 'ExportNamedDeclaration') continue
    for (const one of node.specifiers as Node[]) found.push(nameOf(one.exported) ?? '')
    const declaration = node.declaration as Node | null
    const declared = declaration ? ((declaration.declarations as Node[] | undefined) ?? [declaration]) : []
    for (const one of declared) found.push(...boundNames(one.id))
  }
  return found
}

/** Names that a declaration binds, those within a pattern among them. */
function boundNames(binding: unknown): string[] {
  const { properties, elements, value } = binding as { properties?: Node[]; elements?: Node[]; value?: Node }
  const inner = properties ?? elements
  if (inner) return inner.flatMap((one) => (one ? boundNames(one) : []))
  return value ? boundNames(value) : [nameOf(binding) ?? '']
}

/** Names of another module that a module adds to, by `declare module`. */
function additionsOf({ id, body }: Node, targetOf: Module['targetOf']): { target: string; name: string }[] {
  const path = (id as Node).type === 'Literal' ? nameOf(id) : undefined
  const added = ((body as Node | null)?.body ?? []) as Node[]
  return path === undefined ? [] : added.map((one) => ({ target: targetOf(path), name: nameOf(one.id) ?? '' }))
}

/**
 * Names that a module takes from others. A module that is loaded at run time is used by each name that its loader
 * speaks.
 */
function usesOf({ syntax, targetOf }: Module): { target: string; name: string }[] {
  const found: { target: string; name: string }[] = []
  const whole: string[] = []
  const spoken = new Set<string>()
  visit(syntax, (node) => {
    const name = nameOf(node)
    if (name !== undefined) spoken.add(name)
    if (node.type === 'TSModuleDeclaration') found.push(...additionsOf(node, targetOf))
    const path = nameOf(node.source)
    if (path === undefined) return
    const target = targetOf(path)
    const names = (node.specifiers ?? []) as Node[]
    if (!/^(Import|Export)/.test(node.type)) return
    if (node.type === 'ImportExpression' || node.type === 'ExportAllDeclaration' || node.type === 'TSImportType')
      whole.push(target)
    for (const one of names) {
      if (one.type === 'ImportNamespaceSpecifier') whole.push(target)
      else if (one.type === 'ImportDefaultSpecifier') found.push({ target, name: 'default' })
      else found.push({ target, name: nameOf(node.type.startsWith('Import') ? one.imported : one.local) ?? '' })
    }
  })
  for (const target of whole) for (const name of spoken) found.push({ target, name })
  return found
}
