import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { tableOf } from '../report.ts'
import { type ChartLife, type ChartSettings, chartLife } from './chart-life.ts'

const USAGE = `node bench/src/charts/main.ts <folder of packaged charts> [name …]
  --helm <path>       Helm 4; else HELM_BIN, else the one on the path
  --settings <file>   JSON: what a chart needs to be told, by file name without .tgz
  --at-once <number>  charts at the same time, each on a Sandbox of its own (4)`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { helm: { type: 'string' }, settings: { type: 'string' }, 'at-once': { type: 'string' } },
})
const [folder, ...names] = positionals
const onPath = (process.env.PATH ?? '').split(delimiter).map((place) => join(place, 'helm'))
const helm = values.helm ?? process.env.HELM_BIN ?? onPath.find(existsSync)

if (!folder || !helm) {
  console.error(helm ? USAGE : `Helm was not found.\n\n${USAGE}`)
  process.exitCode = 1
} else await runAll(folder, helm)

async function runAll(from: string, binary: string): Promise<void> {
  const settings: Record<string, ChartSettings> = values.settings
    ? JSON.parse(readFileSync(values.settings, 'utf8'))
    : {}
  const files = readdirSync(from).filter((file) => file.endsWith('.tgz'))
  const queue = files.filter((file) => names.length === 0 || names.some((name) => file.startsWith(name))).sort()
  const lives: ChartLife[] = []
  const worker = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      const chart = file.replace(/\.tgz$/, '')
      const life = await chartLife({ helm: binary, folder: from, file, settings: settings[chart] ?? {} })
      lives.push(life)
      console.error(`${isWell(life) ? 'well  ' : 'failed'} ${chart}`)
    }
  }
  await Promise.all(Array.from({ length: Number(values['at-once'] ?? 4) }, worker))
  show(lives.sort((a, b) => a.chart.localeCompare(b.chart)))
}

function isWell({ install, upgrade, rollback, test, uninstall }: ChartLife): boolean {
  return ![install, upgrade, rollback, test, uninstall].some((step) => typeof step === 'string')
}

function show(lives: ChartLife[]): void {
  const columns = ['chart', 'install s', 'upgrade s', 'rollback s', 'test s', 'uninstall s', 'left']
  const cell = (step: number | string | undefined) => (typeof step === 'string' ? 'failed' : (step ?? '–'))
  const rows = lives.map((life) => [
    life.chart,
    ...[life.install, life.upgrade, life.rollback, life.test, life.uninstall].map(cell),
    life.left.length,
  ])
  console.log(tableOf({ columns, rows }))
  for (const { chart, left } of lives) if (left.length > 0) console.log(`\n${chart} left ${left.join(', ')}`)
  for (const life of lives.filter((one) => !isWell(one))) {
    console.log(`\n${life.chart}`)
    for (const [step, said] of Object.entries(life)) {
      if (step !== 'chart' && typeof said === 'string') console.log(`  ${step}: ${said}`)
    }
  }
  const well = lives.filter(isWell).length
  console.log(`\n${well} of ${lives.length} charts lived well`)
  if (well < lives.length) process.exitCode = 1
}
