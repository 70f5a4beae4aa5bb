import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createSemaphore, type Semaphore } from '../../platform/concurrency/semaphore.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import {
  HelmInputError,
  installArgv,
  lintArgv,
  type RunFiles,
  rollbackArgv,
  templateArgv,
  uninstallArgv,
  upgradeArgv,
} from './argv.ts'
import { findHelm } from './binary.ts'
import type { Helm, HelmOutcome, HelmRun, RenderInput, TargetInput, WriteInput } from './helm.ts'
import { findWrappers, type RunLimits, renderLimits, wrapped, writeLimits } from './limits.ts'
import { helmEnvironment, makeRunDirectory, refusalOf, sweepRunDirectories } from './run-directory.ts'
import { runHelm } from './run-helm.ts'
import { createSupervisor } from './supervisor.ts'

const rendersAtOnce = 2
const renderStdoutBytes = 32 * 1024 * 1024
const writeStdoutBytes = 256 * 1024
/** Longer than the longest run can take. */
const leftOverMs = 3 * 3600 * 1000

interface Job {
  argv: (files: RunFiles) => string[]
  values?: string
  kubeconfig?: string
  comparing?: WriteInput['comparing']
  discoveryCache?: string
  limits: RunLimits
  /** A limit of this process; without one the caller decides how many run at a time. */
  slots?: Semaphore
  isRender: boolean
}

const idPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

function checkedId(clusterId: string): string {
  if (!idPattern.test(clusterId)) throw new HelmInputError('the cluster id is not valid')
  return clusterId
}

/** Finds Helm, checks that it is one that we know, and returns its commands. */
export async function createHelm(deps: {
  config: Pick<Config, 'helmBin' | 'dataDir'> & Partial<Pick<Config, 'leaseSeconds'>>
  log: Logger
  searchPath?: string
}): Promise<Helm> {
  const searchPath = (deps.searchPath ?? process.env.PATH ?? '').split(':')
  const binary = await findHelm({
    named: deps.config.helmBin,
    searchPath,
    binFolder: join(deps.config.dataDir, 'bin'),
  })
  const wrappers = findWrappers(process.platform, [...searchPath, '/usr/bin', '/bin'])
  const runs = join(deps.config.dataDir, 'helm-runs')
  const discovery = await discoveryFolder(deps.config.dataDir)
  const swept = await sweepRunDirectories(runs, leftOverMs)
  deps.log.info({ helm: binary.path, version: binary.version, limits: !!wrappers.prlimit, swept }, 'helm is ready')
  const renders = createSemaphore(rendersAtOnce)
  // Two thirds of a lease: whoever takes an action over never meets the Helm of a portal that only was stopped.
  const supervisor = createSupervisor(((deps.config.leaseSeconds ?? 20) * 2000) / 3)

  /** Carries a job out in a folder of its own, which goes with it. */
  async function runJob(job: Job, run: HelmRun): Promise<HelmOutcome> {
    const directory = await makeRunDirectory(runs, job)
    try {
      const command = wrapped(wrappers, job.limits, binary.path, job.argv(directory))
      const { isRender: oneProcessor, discoveryCache } = job
      const env = helmEnvironment(directory.path, { oneProcessor, discoveryCache })
      const stdoutBytes = job.isRender ? renderStdoutBytes : writeStdoutBytes
      const endAtStdoutLimit = job.isRender
      // People know their values, not where they lay for a moment.
      const placeless = (text: string) => text.replaceAll(`${directory.path}/`, '')
      const outcome = await runHelm(
        {
          command,
          cwd: directory.path,
          env,
          limits: job.limits,
          stdoutBytes,
          endAtStdoutLimit,
          supervisor,
        },
        { ...run, ...(run.onLine ? { onLine: (line, from) => run.onLine?.(placeless(line), from) } : {}) },
      )
      const refusal = job.comparing && outcome.code !== 0 ? await refusalOf(directory.path) : undefined
      return { ...outcome, stderr: refusal ? `Error: ${refusal}` : placeless(outcome.stderr) }
    } finally {
      // Nobody has to wait for it; what cannot be removed now is swept later.
      directory
        .remove()
        .catch((error: unknown) => deps.log.warn({ err: error }, 'the folder of a run of Helm was not removed'))
    }
  }

  const start = (job: Job, run: HelmRun = {}) => whenThereIsRoom(job, run, () => runJob(job, run))

  const render = (input: RenderInput, argv: Job['argv'], run: HelmRun = {}) =>
    start({ argv, values: input.values, limits: renderLimits, slots: renders, isRender: true }, run)
  const write = (
    input: TargetInput & Partial<Pick<WriteInput, 'values' | 'comparing'>>,
    argv: Job['argv'],
    run: HelmRun,
  ) => {
    const limits = writeLimits(input.timeoutSeconds)
    const { values, kubeconfig, comparing } = input
    // Helm asks the cluster whether what is kept still holds, so it is never older than the cluster's own answer.
    const discoveryCache = join(discovery, checkedId(input.clusterId))
    return start({ argv, values, kubeconfig, comparing, discoveryCache, limits, isRender: false }, run)
  }

  return {
    version: binary.version,
    template: (input, run) => render(input, (files) => templateArgv(input, files), run),
    lint: (input) => render(input, (files) => lintArgv(input, files)),
    install: (input, run) => write(input, (files) => installArgv(input, files), run),
    upgrade: (input, run) => write(input, (files) => upgradeArgv(input, files), run),
    rollback: (input, run) => write(input, () => rollbackArgv(input), run),
    uninstall: (input, run) => write(input, () => uninstallArgv(input), run),
  }
}

/** Memory of Helm of the kinds that clusters serve. */
async function discoveryFolder(dataDir: string): Promise<string> {
  const discovery = join(dataDir, 'helm-discovery')
  await mkdir(discovery, { recursive: true, mode: 0o700 })
  // Helm made it, and older versions of this portal let it: it is for nobody else.
  await chmod(discovery, 0o700)
  return discovery
}

/** Waits for a place where the job needs one, unless it is called off before. */
async function whenThereIsRoom(job: Job, run: HelmRun, work: () => Promise<HelmOutcome>): Promise<HelmOutcome> {
  const aborted: HelmOutcome = { ended: 'aborted', code: null, stdout: '', stderr: '', milliseconds: 0 }
  if (run.signal?.aborted) return aborted
  const release = await job.slots?.acquire(run.signal).catch((error: unknown) => {
    if (!run.signal?.aborted) throw error
  })
  if (job.slots && !release) return aborted
  try {
    return await work()
  } finally {
    release?.()
  }
}
