import { z } from 'zod'
import { readChartYaml, readPackageYaml } from './chart-yaml.ts'
import { intakeLimits } from './limits.ts'
import { packedInMemory } from './packed.ts'
import { type Budget, type Files, readArchive } from './read-archive.ts'
import { refuse } from './refuse.ts'

/**
 * Writes packed subcharts (charts/x.tgz) out as folders, so that everything Helm will read has been looked at and
 * nothing is packed twice. Budget and rules are those of the package itself.
 */
export async function withSubchartsUnpacked(files: Files, budget: Budget, level = 0): Promise<Files> {
  const result: Files = new Map()
  const add = (path: string, bytes: Buffer) => {
    if (result.has(path)) throw refuse('It is in the package twice, once of them in a packed subchart.', path)
    result.set(path, bytes)
  }
  for (const [path, bytes] of files) {
    const packed = /^(?:.*\/)?charts\/([^/_.][^/]*)\.(?:tgz|tar\.gz)$/.exec(path)
    if (!packed) {
      add(path, bytes)
      continue
    }
    if (level >= intakeLimits.nestedArchives) throw refuse('Subcharts are packed too deeply into each other.', path)
    const inner = await withSubchartsUnpacked(await readArchive(packedInMemory(bytes), budget, path), budget, level + 1)
    const folder = path.replace(/\.(?:tgz|tar\.gz)$/, '')
    for (const [name, content] of inner) add(`${folder}/${name}`, content)
  }
  return result
}

/** Folders of the charts in a package: '' for the chart itself, then those below charts/. */
export function chartFolders(files: Files): string[] {
  const found = ['']
  for (const folder of found) {
    const prefix = folder === '' ? 'charts/' : `${folder}/charts/`
    const names = new Set<string>()
    for (const path of files.keys()) {
      const name = path.startsWith(prefix) ? path.slice(prefix.length).split('/') : []
      if (name.length > 1 && name[0] && !/^[_.]/.test(name[0])) names.add(name[0])
    }
    found.push(...[...names].map((name) => `${prefix}${name}`))
  }
  return found
}

const Requirements = z.object({ dependencies: z.array(z.object({ name: z.string() })).nullish() }).nullish()

/** Refuses a chart that lists subcharts it does not carry: Helm would refuse it too, but only when it is deployed. */
export function checkDependencies(files: Files, folder: string, listed: readonly { name: string | undefined }[]): void {
  const at = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  const file = files.get(at('requirements.yaml'))
  const older = file ? Requirements.safeParse(readPackageYaml(file, at('requirements.yaml'))) : undefined
  const names = [...listed.map(({ name }) => name ?? ''), ...(older?.data?.dependencies ?? []).map(({ name }) => name)]
  const prefix = at('charts/')
  const carried = new Set(
    chartFolders(files)
      .filter((one) => one.startsWith(prefix) && !one.slice(prefix.length).includes('/'))
      .map((one) => files.get(`${one}/Chart.yaml`))
      .map((bytes) => (bytes ? readChartYaml(bytes, at('charts')).name : '')),
  )
  const missing = [...new Set(names)].filter((name) => !carried.has(name))
  if (missing.length > 0) {
    throw refuse(
      `It lists ${missing.length === 1 ? 'a dependency' : 'dependencies'} that charts/ does not hold: ${missing.join(', ')}. Pack it with \`helm dependency update\` first.`,
      at('Chart.yaml'),
      { missing },
    )
  }
}
