import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../kernel/config.ts'
import type { Logger } from '../../kernel/logger.ts'
import { createTurns, type Turns } from '../../kernel/turns.ts'
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
import {
  type Helm,
  type HelmOutcome,
  type HelmRun,
  helmAtOnce,
  type RenderInput,
  type TargetInput,
  type WriteInput,
} from './helm.ts'
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
  turns: Turns
  isRender: boolean
}

const idPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

function checkedId(clusterId: string): string {
  if (!idPattern.test(clusterId)) throw new HelmInputError('the cluster id is not valid')
  return clusterId
}

/** Finds Helm, checks that it is one that we know, and opens the door to it. */
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
  const discovery = join(deps.config.dataDir, 'helm-discovery')
  await mkdir(discovery, { recursive: true, mode: 0o700 })
  // Helm made it, and older versions of this portal let it: it is for nobody else.
  await chmod(discovery, 0o700)
  const swept = await sweepRunDirectories(runs, leftOverMs)
  deps.log.info({ helm: binary.path, version: binary.version, limits: !!wrappers.prlimit, swept }, 'helm is ready')
  const writers = createTurns(helmAtOnce)
  const renders = createTurns(rendersAtOnce)
  // Two thirds of a lease: whoever takes an action over never meets the Helm of a portal that only was stopped.
  const supervisor = createSupervisor(((deps.config.leaseSeconds ?? 20) * 2000) / 3)

  async function start(job: Job, run: HelmRun = {}): Promise<HelmOutcome> {
    let endTurn: () => void
    try {
      endTurn = await job.turns.take(run.signal)
    } catch (error) {
      if (!run.signal?.aborted) throw error
      return { ended: 'aborted', code: null, stdout: '', stderr: '', milliseconds: 0 }
    }
    try {
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
    } finally {
      endTurn()
    }
  }

  const render = (input: RenderInput, argv: Job['argv']) =>
    start({ argv, values: input.values, limits: renderLimits, turns: renders, isRender: true })
  const write = (
    input: TargetInput & Partial<Pick<WriteInput, 'values' | 'comparing'>>,
    argv: Job['argv'],
    run: HelmRun,
  ) => {
    const limits = writeLimits(input.timeoutSeconds)
    const { values, kubeconfig, comparing } = input
    // Helm asks the cluster whether what is kept still holds, so it is never older than the cluster's own answer.
    const discoveryCache = join(discovery, checkedId(input.clusterId))
    return start({ argv, values, kubeconfig, comparing, discoveryCache, limits, turns: writers, isRender: false }, run)
  }

  return {
    version: binary.version,
    template: (input) => render(input, (files) => templateArgv(input, files)),
    lint: (input) => render(input, (files) => lintArgv(input, files)),
    install: (input, run) => write(input, (files) => installArgv(input, files), run),
    upgrade: (input, run) => write(input, (files) => upgradeArgv(input, files), run),
    rollback: (input, run) => write(input, () => rollbackArgv(input), run),
    uninstall: (input, run) => write(input, () => uninstallArgv(input), run),
  }
}
