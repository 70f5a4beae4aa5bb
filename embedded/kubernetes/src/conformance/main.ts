import { parseArgs } from 'node:util'
import { reportOf } from './report.ts'
import { runChecks } from './run-check.ts'
import { suite } from './suite.ts'
import { openTarget } from './target.ts'

const USAGE = `npm run conformance -- --kubeconfig <file>   (else the file that KUBECONFIG names)
  --area <name>       only this area; may be given more than once
  --only <text>       only checks whose name contains it
  --at-once <number>  checks at the same time (8)
  --slowest           tell the ten that took longest
  --list              name the checks and what they need, and run none

HELM_BIN and KUBECTL_BIN name programs; else those of the packages are taken, else those on the path.`

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    area: { type: 'string', multiple: true },
    only: { type: 'string' },
    'at-once': { type: 'string' },
    slowest: { type: 'boolean' },
    list: { type: 'boolean' },
  },
})

const kubeconfig = values.kubeconfig ?? process.env.KUBECONFIG
const checks = suite.filter(
  ({ area, name }) => (values.area?.includes(area) ?? true) && (!values.only || name.includes(values.only)),
)

if (values.list) {
  for (const { area, name, needs } of checks) console.log(`${area}: ${name}${needs ? ` (${needs})` : ''}`)
  console.log(`\n${checks.length} checks, ${checks.filter(({ needs }) => !needs).length} of the API server alone`)
} else if (!kubeconfig || checks.length === 0) {
  console.error(kubeconfig ? 'No check is called so.' : USAGE)
  process.exitCode = 1
} else await runAll(kubeconfig)

async function runAll(kubeconfig: string): Promise<void> {
  const target = await openTarget(kubeconfig)
  const since = performance.now()
  console.log(`Kubernetes ${target.version}, with ${[...target.has].sort().join(', ') || 'the API server alone'}\n`)
  const mark = { passed: '.', failed: 'F', skipped: '-' }
  const outcomes = await runChecks(checks, target, {
    atOnce: Number(values['at-once'] ?? 8),
    tell: ({ result }) => process.stderr.write(mark[result]),
  })
  process.stderr.write(`\n${((performance.now() - since) / 1000).toFixed(1)} s\n\n`)
  target.close()
  if (values.slowest) {
    for (const { check, milliseconds } of outcomes.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 10))
      console.log(`${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${check.area}: ${check.name}`)
    console.log('')
  }
  console.log(reportOf(outcomes))
  if (outcomes.some(({ result }) => result === 'failed')) process.exitCode = 1
}
