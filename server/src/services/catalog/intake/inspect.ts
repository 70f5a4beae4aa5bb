import { refuseTraps, YamlRefused } from '@quayside/values/yaml/yaml-document'
import { type ChartYaml, readChartYaml, readPackageYaml } from './chart-yaml.ts'
import { type Icon, iconOf } from './icon.ts'
import { intakeLimits } from './limits.ts'
import { type Metadata, metadataOf } from './metadata.ts'
import type { Packed } from './packed.ts'
import { type Files, newBudget, readArchive } from './read-archive.ts'
import { refuse } from './refuse.ts'
import { type Package, repack } from './repack.ts'
import { readSchema } from './schema-references.ts'
import { chartFolders, checkDependencies, withSubchartsUnpacked } from './subcharts.ts'

/** All that is ever read of an uploaded chart, and our own package of it. */
export interface InspectedChart {
  chart: ChartYaml
  metadata: Metadata
  icon: Icon
  readme: string
  valuesYaml: string
  valuesSchema: unknown
  package: Package
}

/**
 * Looks an upload through without unpacking it to disk. Refuses it with the file to blame, or returns what it is. All
 * unpacked files, 32 MiB at most, are in memory until it ends: rules about subcharts and schemas compare files that may
 * lie anywhere in the archive, and the canonical package has them in another order.
 */
export async function inspectChart(packed: Packed): Promise<InspectedChart> {
  const budget = newBudget(packed.size)
  const files = await withSubchartsUnpacked(await readArchive(packed, budget), budget)
  const chart = chartOf(files, '')
  if (chart.type === 'library') {
    throw refuse('This is a library chart: other charts use it, but it deploys nothing by itself.', 'Chart.yaml')
  }
  let valuesSchema: unknown = null
  for (const folder of chartFolders(files)) {
    const at = (name: string) => (folder === '' ? name : `${folder}/${name}`)
    const own = folder === '' ? chart : chartOf(files, folder)
    checkDependencies(files, folder, own.dependencies)
    const schema = files.get(at('values.schema.json'))
    const read = schema && readSchema(schema, at('values.schema.json'))
    if (folder === '') valuesSchema = read ?? null
  }
  const valuesYaml = valuesOf(files)
  return {
    chart,
    metadata: metadataOf(chart),
    icon: iconOf(files, chart.icon),
    readme: readmeOf(files),
    valuesYaml,
    valuesSchema,
    package: await repack(chart.name, files),
  }
}

function chartOf(files: Files, folder: string): ChartYaml {
  const file = folder === '' ? 'Chart.yaml' : `${folder}/Chart.yaml`
  const bytes = files.get(file)
  if (!bytes)
    throw refuse(
      folder === '' ? 'There is no Chart.yaml in it, so it is not a chart.' : 'It is missing.',
      folder === '' ? undefined : file,
    )
  return readChartYaml(bytes, file)
}

function valuesOf(files: Files): string {
  const bytes = files.get('values.yaml')
  if (!bytes) return ''
  const value = readPackageYaml(bytes, 'values.yaml')
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    throw refuse('The values are not a map of names and values.', 'values.yaml')
  }
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  refuseNames(text)
  return text
}

/** A chart with such a name could be uploaded, and none of its values would ever be accepted. */
function refuseNames(text: string): void {
  try {
    refuseTraps(text)
  } catch (error) {
    if (!(error instanceof YamlRefused)) throw error
    throw refuse(error.message, 'values.yaml', { line: error.problem.line ?? null })
  }
}

function readmeOf(files: Files): string {
  const name = [...files.keys()].find((path) => /^readme(?:\.md|\.txt)?$/i.test(path))
  const bytes = name === undefined ? undefined : files.get(name)
  if (!bytes) return ''
  const text = bytes.subarray(0, intakeLimits.readmeBytes).toString('utf8').replaceAll('\0', '')
  return bytes.length > intakeLimits.readmeBytes ? `${text}\n\n(The rest was left out: it is too long.)` : text
}
