import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cluster, startCluster } from '@quayside/embedded-kubernetes/cluster'
import { type HelmRun, helmFor } from './helm-run.ts'
import { snapshot, whatIsLeft } from './leftovers.ts'

/** Settings for installing a chart, and the namespaces and releases that must exist before it. */
export interface ChartSettings {
  set?: string[]
  values?: string
  namespaces?: string[]
  first?: { release: string; chart: string; namespace: string; set?: string[] }[]
}

/** How one chart fared: seconds where a step went well, else what Helm said. */
export interface ChartLife {
  chart: string
  install: number | string
  upgrade?: number | string
  rollback?: number | string
  test?: number | string
  uninstall?: number | string
  /** Objects that the uninstalled release left in the cluster. */
  left: string[]
}

const WAIT = ['--wait', '--timeout', '120s']
const outcome = ({ code, seconds, text }: HelmRun) => (code === 0 ? seconds : text.trim().slice(-600))

/** Installs, upgrades, rolls back, tests and uninstalls a packaged chart on a fresh Sandbox. */
export async function chartLife(options: {
  helm: string
  folder: string
  file: string
  settings: ChartSettings
}): Promise<ChartLife> {
  const home = mkdtempSync(join(tmpdir(), 'chart-life-'))
  const cluster = await startCluster({ dataDir: join(home, 'cluster') })
  try {
    return await live(cluster, home, options)
  } finally {
    await cluster.close()
    rmSync(home, { recursive: true, force: true })
  }
}

async function live(cluster: Cluster, home: string, options: Parameters<typeof chartLife>[0]): Promise<ChartLife> {
  const { folder, file, settings } = options
  const release = file.replace(/-v?\d.*$/, '')
  const namespace = `chart-${release}`
  writeFileSync(join(home, 'kubeconfig'), cluster.kubeconfig)
  writeFileSync(join(home, 'values.yaml'), settings.values ?? '')
  const helm = helmFor(options.helm, home)
  await prepare(cluster, helm, folder, settings)
  const before = snapshot(cluster.store)
  const sets = (settings.set ?? []).flatMap((value) => ['--set', value])
  const what = [release, join(folder, file), '--values', join(home, 'values.yaml'), ...sets]
  const where = ['--namespace', namespace]
  const install = await helm('install', ...what, ...where, '--create-namespace', ...WAIT)
  const life: ChartLife = { chart: file.replace(/\.tgz$/, ''), install: outcome(install), left: [] }
  if (install.code === 0) {
    life.upgrade = outcome(await helm('upgrade', ...what, ...where, ...WAIT))
    life.rollback = outcome(await helm('rollback', release, '1', ...where, ...WAIT))
    const hooks = await helm('get', 'hooks', release, ...where)
    const isTested = /helm\.sh\/hook"?: "?[a-z,-]*test/.test(hooks.text)
    life.test = isTested ? outcome(await helm('test', release, ...where, '--timeout', '120s')) : undefined
    life.uninstall = outcome(await helm('uninstall', release, ...where, ...WAIT))
  }
  life.left = await whatIsLeft(cluster.store, before, namespace)
  return life
}

async function prepare(cluster: Cluster, helm: ReturnType<typeof helmFor>, folder: string, settings: ChartSettings) {
  for (const name of settings.namespaces ?? []) {
    cluster.store.create('/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }
  for (const { release, chart, namespace, set = [] } of settings.first ?? []) {
    const sets = set.flatMap((value) => ['--set', value])
    const args = [release, join(folder, chart), '--namespace', namespace, '--create-namespace', ...sets, ...WAIT]
    const done = await helm('install', ...args)
    if (done.code !== 0) throw new Error(`${chart}, which has to be there first: ${done.text}`)
  }
}
