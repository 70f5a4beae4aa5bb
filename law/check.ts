import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { brokenRules, cycles, type Import } from './import-law.ts'
import { literalPaths, why } from './literal-paths.ts'
import { importsOf } from './read-imports.ts'

const root = resolve(import.meta.dirname, '..')
const maxLines = 400
/** Pages and what they stand on; what stands in for the server in tests has its paths. */
const browser = /^web\/src\/(?!(?:.*\/)?testing\/)/

/** `npm run check` runs this: every import against the law, every file against the house's length. */
function check(): string[] {
  const files = sources()
  const problems: string[] = []
  const imports: Import[] = []
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8')
    const lines = text.split('\n').length - 1
    if (lines > maxLines && !/\.test\.tsx?$/.test(file) && !/\/\/ long: /.test(text)) {
      problems.push(
        `${file} has ${lines} lines, more than ${maxLines}: split it, or say why not in a comment "// long: …"`,
      )
    }
    if (browser.test(file) && !/\.test\.tsx?$/.test(file)) {
      for (const path of literalPaths(file, text))
        problems.push(`${file} has the path ${path}\n  no-literal-paths: ${why}`)
    }
    for (const { specifier, typeOnly } of importsOf(file, text))
      imports.push({ from: file, to: targetOf(file, specifier), typeOnly })
  }
  for (const one of imports) {
    for (const rule of brokenRules(one)) problems.push(`${one.from} imports ${one.to}\n  ${rule.name}: ${rule.why}`)
  }
  for (const ring of cycles(imports))
    problems.push(`${ring.join('\n  → ')}\n  no-cycles: A ring of imports has no first page to read.`)
  if (files.length < 100) problems.push(`only ${files.length} files were read: the check itself is broken`)
  return problems
}

function sources(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed
    .split('\n')
    .filter(
      (file) =>
        /^(values|contract|server|web|embedded|e2e|bench|system-tests|law)\//.test(file) &&
        existsSync(join(root, file)),
    )
}

/** A relative import or one of our workspaces as a path from the root; anything else by its own name. */
function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative(root, resolve(root, dirname(file), specifier))
  const ours = /^@quayside\/([^/]+)\/(.+)$/.exec(specifier)
  return ours ? `${ours[1]}/src/${ours[2]}.ts` : specifier
}

const problems = check()
for (const problem of problems) console.error(`${problem}\n`)
if (problems.length > 0) {
  console.error(
    `${problems.length} ${problems.length === 1 ? 'import or file breaks' : 'imports or files break'} the law of the house (ARCHITECTURE.md).`,
  )
  process.exitCode = 1
}
