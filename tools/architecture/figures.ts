import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { literalPaths } from './literal-paths.ts'
import { longFunctions, mostLines } from './long-functions.ts'
import { parseModule } from './module-syntax.ts'
import { importsOf } from './read-imports.ts'

// Figures of the structure: `node tools/architecture/figures.ts`, or with the folder of another checkout behind it.
const root = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'))
const tests = /\.test\.tsx?$|\/testing\/|\.test-support\.ts$/
const listed = execFileSync('git', ['ls-files', 'contract/src', 'values/src', 'server/src', 'web/src'], {
  cwd: root,
  encoding: 'utf8',
})
const files = listed.split('\n').filter((file) => /\.(ts|tsx|css|js)$/.test(file) && existsSync(join(root, file)))
const product = files.filter((file) => !tests.test(file))
const modules = product.filter((file) => /\.tsx?$/.test(file))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const syntaxOf = (file: string) => parseModule(file, textOf(file))

/** Files that one page and its calls reach by imports of values, of the capability and of what pages ask of the server. */
function reached(page: string, service: string): string {
  const own = new RegExp(`^(web/src/(features|api)|contract/src/${service}|server/src/services/${service})(/|\\.)`)
  const found = new Set<string>()
  const waiting = [page, ...['routes', 'index', 'store'].map((name) => `server/src/services/${service}/${name}.ts`)]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file) || !modules.includes(file)) continue
    found.add(file)
    for (const { specifier, typeOnly } of importsOf(syntaxOf(file)))
      if (!typeOnly) waiting.push(targetOf(file, specifier))
  }
  return `${[...found].filter((file) => own.test(file)).length} (${found.size} with what all pages and services share)`
}

function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative(root, resolve(root, dirname(file), specifier))
  return specifier.replace(/^@quayside\/([^/]+)\/(.+)$/, '$1/src/$2.ts')
}

function largestFolder(): string {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const [folder, count] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one))
  return `${count} in ${folder}`
}

const sum = (countIn: (file: string) => number) => modules.reduce((total, file) => total + countIn(file), 0)
console.table({
  'list of spaces, files': reached('web/src/features/spaces/spaces-page.tsx', 'spaces'),
  'deployment, files': reached('web/src/features/deployments/wizard/install/install-wizard.tsx', 'deployments'),
  'largest folder': largestFolder(),
  [`functions over ${mostLines} lines`]: sum((file) => longFunctions(file, textOf(file), syntaxOf(file)).length),
  'literal paths in web': sum((file) => (file.startsWith('web/') ? literalPaths(syntaxOf(file)).length : 0)),
  'lines of product code': product.reduce((total, file) => total + textOf(file).split(/\n(?=.*\S)/).length, 0),
})
