import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { questionComments, why as whyNoQuestions } from './comment-words.ts'
import { brokenRules, cycles, type Import } from './import-law.ts'
import { literalPaths, why as whyNoPaths } from './literal-paths.ts'
import { importsOf } from './read-imports.ts'

const root = resolve(import.meta.dirname, '..')
const maxLines = 400
/** Pages and what they stand on; what stands in for the server in tests has its paths. */
const browser = /^web\/src\/(?!(?:.*\/)?testing\/)/

/** `npm run check` runs this: imports against the law, files against the house's length, comments against its words. */
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
        problems.push(`${file} has the path ${path}\n  no-literal-paths: ${whyNoPaths}`)
    }
    for (const { specifier, typeOnly } of importsOf(file, text))
      imports.push({ from: file, to: targetOf(file, specifier), typeOnly })
  }
  for (const one of imports) {
    for (const rule of brokenRules(one)) problems.push(`${one.from} imports ${one.to}\n  ${rule.name}: ${rule.why}`)
  }
  for (const ring of cycles(imports))
    problems.push(`${ring.join('\n  → ')}\n  no-cycles: A ring of imports has no first page to read.`)
  const commented = tracked('*.ts', '*.tsx', '*.js', '*.css').filter((file) => !/^(samples|docs)\//.test(file))
  for (const file of commented) {
    for (const { line, word } of questionComments(file, readFileSync(join(root, file), 'utf8')))
      problems.push(`${file}:${line} begins a comment with "${word}"\n  comment-words: ${whyNoQuestions}`)
  }
  if (files.length < 100) problems.push(`only ${files.length} files were read: the check itself is broken`)
  return problems
}

function sources(): string[] {
  return tracked('*.ts', '*.tsx').filter((file) =>
    /^(values|contract|server|web|embedded|e2e|bench|system-tests|law)\//.test(file),
  )
}

/** Existing files of the repository that match, with those that are not committed yet. */
function tracked(...patterns: string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
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
    `${problems.length} ${problems.length === 1 ? 'import, file or comment breaks' : 'imports, files or comments break'} the law of the house (ARCHITECTURE.md).`,
  )
  process.exitCode = 1
}
