import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from './layer.ts'
import type { ProductionPackage } from './production-packages.ts'
import { run } from './run.ts'

/** Workspaces that the server is made of. */
const workspaces = ['contract', 'server', 'values']
const isOfTests = /\.test\.tsx?$|\/testing\/|\.test-support\.ts$|\.md$/
/** Descriptions for compilers and debuggers, and the folders that nothing runs. */
const isOfCompilers = /\.(d\.[mc]?ts|map|tsbuildinfo|md|markdown)$/

/** Tells whether the portal runs without a package: types, another runtime's modules, and Helm, which the image has itself. */
export const isLeftOut = (name: string): boolean => /^(@types\/|@aws-cdk\/|bare-)/.test(name)

/** Installed packages, below `app`. */
export function packageFiles(root: string, packages: readonly ProductionPackage[]): Entry[] {
  return packages.flatMap(({ path }) =>
    filesBelow(root, path)
      .filter((file) => !isOfCompilers.test(file))
      .map((file) => ({ path: `app/${file}`, content: readFileSync(join(root, file)) })),
  )
}

/** Sources of the server, which Node runs as they are, and the built pages. */
export async function appFiles(root: string): Promise<Entry[]> {
  const patterns = workspaces.flatMap((name) => [`${name}/src`, `${name}/package.json`])
  const listed = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
  })
  const sources = listed
    .toString()
    .split('\n')
    .filter((file) => file !== '' && !isOfTests.test(file))
  const files = [...sources, ...filesBelow(root, 'web/dist'), 'package.json', 'LICENSE']
  return [
    ...files.map((file) => ({ path: `app/${file}`, content: readFileSync(join(root, file)) })),
    ...workspaces.map((name) => ({ path: `app/node_modules/@quayside/${name}`, target: `../../${name}` })),
  ]
}

/** Files below a folder by their paths from the root, without the packages that are installed inside of a package. */
function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`
    const status = lstatSync(join(root, path))
    if (status.isDirectory()) return name === 'node_modules' ? [] : filesBelow(root, path)
    return status.isFile() ? [path] : []
  })
}
