import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { acquireLock } from '@quayside/embedded-postgres/lock'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { keptPorts } from '@quayside/embedded-postgres/ports'
import { readSamples } from '../seed/samples.ts'
import { seedSamples } from '../seed/seed.ts'
import type { DataSource } from './data.ts'
import { keepRunning } from './keep-running.ts'
import { checkPort, explain, mustBeWhole, openDataFolder } from './obstacles.ts'
import { explainTrust, trustOwnCertificate } from './own-certificate.ts'
import { dataDirFrom, knownPassword, type Plan, planFrom } from './plan.ts'
import { type Progress, shownProgress } from './progress.ts'
import { bothSettled, type Stack, startStack } from './stack.ts'
import { summaryTable } from './summary.ts'
import { wantsSamples } from './wants-samples.ts'
import { buildWeb, watchWeb, webIsStale } from './web-build.ts'

type Options = { root: string; env: NodeJS.ProcessEnv; dev: boolean }

/** Starts everything, shows where it is, and returns the exit code once it has been stopped again. */
export async function launch({ root, env, dev }: Options): Promise<number> {
  const progress = shownProgress(process.stdout)
  const stop = onStopSignal()
  const dataDir = dataDirFrom(env, root)
  openDataFolder(dataDir)
  const lock = lockFolder(dataDir)
  try {
    mustBeWhole(dataDir, env)
    const plan = planFrom(env, root)
    await checkPort(plan.port, plan.host)
    trustOwnCertificate(plan)
    const hasSamples = await wantsSamples(plan)
    await using running = new AsyncDisposableStack()
    const started = startStack(plan, await choiceFor(plan, root, dev), progress).then((stack) => {
      running.defer(stack.close)
      return stack
    })
    const ready = bothSettled(started, buildPages(root, dev, progress, running))
    const end = await Promise.race([
      ready.then(([stack]) => serve({ ...plan, samples: hasSamples }, stack, root, progress, stop.signal)),
      stop.asked,
    ])
    if (stop.signal.aborted) progress.line('\nStopping …')
    await Promise.allSettled([ready])
    return end
  } catch (error) {
    throw explain(error, dataDir)
  } finally {
    lock.release()
  }
}

function lockFolder(dataDir: string) {
  try {
    return acquireLock(dataDir)
  } catch (error) {
    throw explain(error, dataDir)
  }
}

/** From the moment that the portal answers to the moment that somebody or something ends it. */
async function serve(plan: Plan, stack: Stack, root: string, progress: Progress, stopped: AbortSignal) {
  if (plan.samples)
    await seedSamples({ plan, stack, root, progress }).catch((error: unknown) => {
      throw explainTrust(error, plan)
    })
  if (stopped.aborted) return 0
  progress.line(`\n${summaryTable(whereItIs(plan, stack, root))}\n\nCtrl-C stops everything.`)
  return keepRunning(stack, progress, stopped)
}

async function buildPages(root: string, dev: boolean, progress: Progress, running: AsyncDisposableStack) {
  if (dev) running.defer(watchWeb(root))
  else if (webIsStale(root)) await progress.step('Web pages', () => buildWeb(root))
}

async function choiceFor(plan: Plan, root: string, watch: boolean) {
  const data: DataSource = plan.databaseUrl
    ? { kind: 'given', databaseUrl: plan.databaseUrl }
    : { kind: 'own', dataDir: plan.dataDir, durable: true }
  const ports = await keptPorts(join(plan.dataDir, 'ports.json'), ['identity', 'cluster', 'metrics'], '127.0.0.1')
  if (plan.kubeconfig && !existsSync(plan.kubeconfig)) {
    throw new Obstacle(`QUAYSIDE_KUBECONFIG names ${plan.kubeconfig}, which is not there.`)
  }
  return { root, data, ports, identity: true, cluster: plan.sandbox ? {} : (false as const), portal: true, watch }
}

function whereItIs(plan: Plan, stack: Stack, root: string): [string, string][] {
  const rows: [string, string][] = [
    ['URL', plan.url],
    ['User', plan.admin.username],
    ['Password', plan.admin.password],
    ...(plan.samples ? whoElseSignsIn(plan, root) : []),
    ['Data folder', plan.dataDir],
  ]
  if (stack.sandbox) rows.push(['Kubeconfig', stack.sandbox.kubeconfigFile])
  return rows
}

/** A person of each sample team, to look at the portal through their eyes. */
function whoElseSignsIn({ dataDir }: Plan, root: string): [string, string][] {
  return readSamples(join(root, 'samples')).people.flatMap(({ username, signsInAs }): [string, string][] => {
    const password = signsInAs && knownPassword(dataDir, username)
    return signsInAs && password ? [[signsInAs, `${username} / ${password}`]] : []
  })
}

/** Asked once, everything stops in order; asked twice, this process does not wait for that. */
function onStopSignal(): { asked: Promise<number>; signal: AbortSignal } {
  const controller = new AbortController()
  const asked = new Promise<number>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(0))
  })
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => (controller.signal.aborted ? process.exit(130) : controller.abort()))
  }
  return { asked, signal: controller.signal }
}
