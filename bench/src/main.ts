import { parseArgs } from 'node:util'
import { accept } from './accept.ts'
import { api } from './api.ts'
import { burstBench } from './burst.ts'
import { deploy } from './deploy.ts'
import { identity } from './identity.ts'
import { initialJs } from './initial-js-bench.ts'
import { load, machine } from './machine.ts'
import { overload } from './overload.ts'
import { pageLoad } from './page-load.ts'
import { type Report, tableOf } from './report.ts'
import { sandbox } from './sandbox.ts'
import { start } from './start.ts'
import { valuesEdit } from './values-edit.ts'
import { wakeUp } from './wake-up.ts'

const benches: Record<string, { about: string; run(): Promise<Report> }> = {
  'initial-js': { about: 'script bytes of the first page', run: initialJs },
  start: { about: 'seconds of a first and a second start, memory at rest', run: start },
  'page-load': { about: 'LCP, TBT and bytes of Home in Chromium, also slowed down', run: pageLoad },
  deploy: { about: 'web-page through the portal against bare Helm', run: () => deploy('web-page', 'deploy') },
  'deploy-stateful': {
    about: 'sql-database, a StatefulSet with a volume, likewise',
    run: () => deploy('sql-database', 'deploy-stateful'),
  },
  accept: { about: 'POST of a deployment to its 202, and events to the browser', run: accept },
  'wake-up': { about: 'from the commit of an action to its claim, by the queue and by a note alone', run: wakeUp },
  burst: {
    about: '200 deployments at once; 100 through the portal against bare Helm, four at a time',
    run: () => burstBench('web-page', 'burst'),
  },
  'burst-stateful': {
    about: 'sql-database, a StatefulSet with a volume, likewise',
    run: () => burstBench('sql-database', 'burst-stateful'),
  },
  'values-edit': { about: 'one edit of 100 KiB of values against parsing and printing them all', run: valuesEdit },
  sandbox: {
    about: 'the Sandbox with 50 000 pods, and next to a real kube-apiserver where one was built',
    run: sandbox,
  },
  identity: { about: 'tokens, sign-ins and reads of the embedded identity server', run: identity },
  overload: { about: "one person's reads beside another person's flood", run: overload },
  api: { about: 'lists through the whole stack against bare node:http', run: api },
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } })
const names = positionals.includes('all') ? Object.keys(benches) : positionals
const unknown = names.filter((name) => !(name in benches))

if (names.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no bench ${unknown.join(', ')}.\n`)
  for (const [name, { about }] of Object.entries(benches)) console.log(`${name.padEnd(18)}${about}`)
  console.log('\nnpm run bench -- <name> … | all [--json]')
  process.exitCode = unknown.length > 0 ? 1 : 0
} else for (const name of names) await runOne(name)

async function runOne(name: string): Promise<void> {
  const bench = benches[name]
  if (!bench) return
  const loadBefore = load()
  const report = await bench.run()
  const where = { ...machine(), loadBefore, loadAfter: load() }
  if (values.json) console.log(JSON.stringify({ ...report, machine: where }))
  else show(report, where)
  if (report.isGoalMet === false) process.exitCode = 1
}

function show(report: Report, where: Record<string, string | number>) {
  console.log(`\n${report.bench}\n\n${tableOf(report)}\n`)
  for (const note of report.notes) console.log(note)
  if (report.isGoalMet !== undefined) console.log(`Goal: ${report.isGoalMet ? 'met' : 'MISSED'}`)
  const words = Object.entries(where).map(([key, value]) => `${key} ${value}`)
  console.log(words.join(', '))
  if (Number(where.loadBefore) > 1.5) console.log('The machine was busy before this began: only ratios count.')
}
