import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { badOpenings, why as whyOtherWords } from './comment-words.ts'
import { crowded, mostFiles, why as whyRooms } from './crowded-folders.ts'
import { cycles, type Import, violationsOf } from './import-rules.ts'
import { literalPaths, why as whyNoPaths } from './literal-paths.ts'
import { longFunctions, mostLines, why as whyShort } from './long-functions.ts'
import { type Node, parseModule } from './module-syntax.ts'
import { queryNames, why as whyOneKey } from './query-keys.ts'
import { importsOf } from './read-imports.ts'
import { unusedExports } from './unused-exports.ts'

const root = resolve(import.meta.dirname, '../..')
const maxLines = 400
/** Pages and what they stand on; what stands in for the server in tests has its paths. */
const browser = /^web\/src\/(?!(?:.*\/)?testing\/)/

interface Source {
  file: string
  text: string
  syntax: Node
}

/** Problems of the whole repository: what `npm run check` refuses, each with what to do instead. */
function check(): string[] {
  const sources = tracked('*.ts', '*.tsx').filter(isSource).map(read)
  if (sources.length < 100) return [`only ${sources.length} files were read: the check itself is broken`]
  return [
    ...sources.flatMap(longFile),
    ...sources.flatMap(longFunctionsOf),
    ...sources.flatMap(pathsInPages),
    ...sources.flatMap(queriesInPages),
    ...unusedExportsOf(sources),
    ...crowdedFolders(),
    ...forbiddenImports(sources),
    ...openingsOfComments(),
  ]
}

function read(file: string): Source {
  const text = readFileSync(join(root, file), 'utf8')
  return { file, text, syntax: parseModule(file, text) }
}

function isSource(file: string): boolean {
  return /^(values|contract|server|web|embedded|e2e|bench|deploy|system-tests|tools)\//.test(file)
}

function longFile({ file, text }: Source): string[] {
  const lines = text.split('\n').length - 1
  if (lines <= maxLines || /\.test\.tsx?$/.test(file) || /\/\/ long: /.test(text)) return []
  return [`${file} has ${lines} lines, more than ${maxLines}: split it, or say why not in a comment "// long: …"`]
}

function longFunctionsOf({ file, text, syntax }: Source): string[] {
  return longFunctions(file, text, syntax).map(
    ({ name, line, lines }) =>
      `${file}:${line} ${name} has ${lines} lines, more than ${mostLines}\n  long-functions: ${whyShort}`,
  )
}

function pathsInPages({ file, syntax }: Source): string[] {
  if (!browser.test(file) || /\.test\.tsx?$/.test(file)) return []
  return literalPaths(syntax).map((path) => `${file} has the path ${path}\n  no-literal-paths: ${whyNoPaths}`)
}

function queriesInPages({ file, syntax }: Source): string[] {
  if (!browser.test(file) || file.startsWith('web/src/api/') || /\.test\.tsx?$/.test(file)) return []
  return queryNames(syntax).map((name) => `${file} uses ${name}\n  query-keys: ${whyOneKey}`)
}

function unusedExportsOf(sources: readonly Source[]): string[] {
  const others = tracked('*.ts', '*.js').filter((file) => !isSource(file) && !file.startsWith('samples/'))
  const modules = [...sources, ...others.map(read)].map(({ file, syntax }) => ({
    file,
    syntax,
    targetOf: (specifier: string) => targetOf(file, specifier),
  }))
  return unusedExports(modules).map(({ file, name, why }) => `${file} exports ${name}\n  unused-exports: ${why}`)
}

function crowdedFolders(): string[] {
  const files = tracked('*.ts', '*.tsx', '*.js', '*.css').filter(isSource)
  return crowded(files).map(
    ({ folder, count }) => `${folder} has ${count} files, more than ${mostFiles}\n  crowded-folders: ${whyRooms}`,
  )
}

function forbiddenImports(sources: readonly Source[]): string[] {
  const imports: Import[] = sources.flatMap(({ file, syntax }) =>
    importsOf(syntax).map(({ specifier, typeOnly }) => ({ from: file, to: targetOf(file, specifier), typeOnly })),
  )
  return [
    ...imports.flatMap((one) =>
      violationsOf(one).map((rule) => `${one.from} imports ${one.to}\n  ${rule.name}: ${rule.why}`),
    ),
    ...cycles(imports).map(
      (ring) => `${ring.join('\n  → ')}\n  no-cycles: A ring of imports has no first page to read.`,
    ),
  ]
}

function openingsOfComments(): string[] {
  const commented = tracked('*.ts', '*.tsx', '*.js', '*.css').filter((file) => !/^(samples|docs)\//.test(file))
  return commented.flatMap((file) =>
    badOpenings(file, readFileSync(join(root, file), 'utf8')).map(
      ({ line, word }) => `${file}:${line} begins a comment with "${word}"\n  comment-words: ${whyOtherWords}`,
    ),
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
  return ours ? `${ours[1]?.replace('embedded-', 'embedded/')}/src/${ours[2]}.ts` : specifier
}

const problems = check()
for (const problem of problems) console.error(`${problem}\n`)
if (problems.length > 0) {
  console.error(
    `${problems.length} ${problems.length === 1 ? 'place breaks' : 'places break'} the rules of ARCHITECTURE.md.`,
  )
  process.exitCode = 1
}
