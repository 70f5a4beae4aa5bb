import { setTimeout as sleep } from 'node:timers/promises'
import type { AskedRight } from '@quayside/contract/clusters/asked-right'
import type { NeedVerdict } from '@quayside/contract/clusters/rules'
import type { Helm, HelmOutcome, HelmRun, TargetInput, WriteInput } from '../../../adapters/helm/helm.ts'
import type { Release } from '../../../adapters/helm/release.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { ClustersPort, OutsideVerdict } from '../ports.ts'

/** How one run of Helm goes: what it says and what it really leaves behind, which are not the same thing. */
export type Script =
  | 'well'
  | 'slowly'
  | 'refused'
  | 'turned away'
  | 'exit 1, yet deployed'
  | 'exit 0, yet pending'
  | 'killed, pending'
  | 'crashed at once'
  | 'killed, pending, and the cluster is away'
  | 'timeout, failed'
  | 'timeout, failed, and the cluster is away'
  | 'never ends'

interface Ending {
  outcome: Pick<HelmOutcome, 'ended' | 'code' | 'stderr'>
  status: string | null
  description: string
}

const well: Ending = { outcome: { ended: 'exit', code: 0, stderr: '' }, status: 'deployed', description: 'complete' }
const killed: Ending = {
  outcome: { ended: 'limit', code: null, stderr: '' },
  status: 'pending',
  description: 'Preparing upgrade',
}
const timedOut: Ending = {
  outcome: { ended: 'exit', code: 1, stderr: 'Error: context deadline exceeded' },
  status: 'failed',
  description: 'Release "x" failed: context deadline exceeded',
}
const endings: Record<Exclude<Script, 'never ends'>, Ending> = {
  well,
  slowly: well,
  refused: { outcome: { ended: 'exit', code: 1, stderr: 'Error: refused' }, status: null, description: '' },
  'turned away': {
    outcome: { ended: 'exit', code: 1, stderr: 'Error: the server is currently unable to handle the request' },
    status: null,
    description: '',
  },
  'exit 1, yet deployed': { ...well, outcome: { ended: 'exit', code: 1, stderr: 'Error: reply lost' } },
  'exit 0, yet pending': { ...well, status: 'pending', description: 'Preparing upgrade' },
  'killed, pending': killed,
  // A signal that is no limit, as of a crash before anything was written.
  'crashed at once': { outcome: { ended: 'exit', code: null, stderr: '' }, status: null, description: '' },
  'killed, pending, and the cluster is away': killed,
  'timeout, failed': timedOut,
  'timeout, failed, and the cluster is away': timedOut,
}

/** A StorageClass outside of the space. */
function decided(verdict: NeedVerdict): OutsideVerdict['decisions'][number] {
  const object = {
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', name: 'fast', namespace: null },
    ...{ elevates: false, grants: [] },
  }
  return {
    judged: {
      ...{ ...object, elsewhere: [], group: 'storage.k8s.io', digest: 'd', never: null },
      ...{ isForAll: false, isHook: false, isDefinitionFile: false },
    },
    need: { ...object, verdict, message: `StorageClass fast: ${verdict}` },
    asksFor: [],
  }
}

/** A cluster and a Helm whose faults are written down beforehand: the failures that a real pair shows rarely. */
export function createScriptedCluster() {
  const releases = new Map<string, Release[]>()
  const scripts: Script[] = []
  const state = newState()

  const helm = scriptedHelm({ releases, scripts, state })
  const clusters = scriptedClusters(releases, state)
  return { helm, clusters, releases, scripts, state }
}
const newState = () => ({
  isAway: false,
  looks: 0,
  reached: 0,
  runs: 0,
  atOnce: 0,
  mostAtOnce: 0,
  lines: [] as string[],
  lastLine: '',
  notes: '',
  manifest: '',
  /** How an object outside of the space is judged, once after the other; empty: nothing is outside. */
  verdicts: [] as NeedVerdict[],
  /** The rights that starting pods asks for. */
  asksFor: [] as AskedRight[],
})
type State = ReturnType<typeof newState>

interface Scripted {
  releases: Map<string, Release[]>
  scripts: Script[]
  state: State
}

function scriptedHelm(scripted: Scripted): Helm {
  const { releases } = scripted
  const run = (verb: string, apply: (ending: Ending) => void, options: HelmRun) =>
    runScript(scripted, verb, apply, options)
  const write = (input: TargetInput, change: Partial<Release>, ending: Ending, verb: string) =>
    writeRelease(scripted, input, change, ending, verb)
  const installing = (verb: 'install' | 'upgrade') => (input: WriteInput, options: HelmRun) =>
    run(verb, (ending) => write(input, { labels: input.labels, values: {} }, ending, verb), options)
  return {
    version: 'v4.2.3',
    template: async () => ({ ended: 'exit', code: 0, stdout: '', stderr: '', milliseconds: 0 }),
    lint: async () => ({ ended: 'exit', code: 0, stdout: '', stderr: '', milliseconds: 0 }),
    install: installing('install'),
    upgrade: installing('upgrade'),
    rollback: (input, options) =>
      run(
        'rollback',
        (ending) => {
          const target = releases.get(input.releaseName)?.find((each) => each.revision === input.revision)
          const description = `Rollback to ${input.revision}`
          write(input, { labels: target?.labels ?? {}, description }, ending, 'rollback')
        },
        options,
      ),
    uninstall: (input, options) =>
      run(
        'uninstall',
        (ending) => {
          if (ending.status === 'deployed') releases.delete(input.releaseName)
          else if (ending.status !== null) {
            const newest = releases.get(input.releaseName)?.[0]
            if (newest) newest.status = 'uninstalling'
          }
        },
        options,
      ),
  }
}

async function runScript(
  { scripts, state }: Scripted,
  verb: string,
  apply: (ending: Ending) => void,
  options: HelmRun,
): Promise<HelmOutcome> {
  state.runs += 1
  state.atOnce += 1
  state.mostAtOnce = Math.max(state.mostAtOnce, state.atOnce)
  try {
    const script = scripts.shift() ?? 'well'
    for (const line of state.lines) options.onLine?.(line, 'stderr')
    if (script === 'never ends') {
      apply(endings['killed, pending'])
      const ends = [options.signal, options.terminate].filter((each) => each !== undefined)
      await sleep(3_600_000, undefined, { signal: AbortSignal.any(ends), ref: false }).catch(() => undefined)
      return { ended: 'aborted', code: null, stdout: '', stderr: '', milliseconds: 0 }
    }
    await sleep(script === 'slowly' ? 500 : 5)
    apply(endings[script])
    if (script.endsWith(', and the cluster is away')) state.isAway = true
    if (state.lastLine !== '') options.onLine?.(state.lastLine, 'stdout')
    return { stdout: `${verb} done`, milliseconds: 5, ...endings[script].outcome }
  } finally {
    state.atOnce -= 1
  }
}

function writeRelease(
  { releases, state }: Scripted,
  input: TargetInput,
  change: Partial<Release>,
  ending: Ending,
  verb: string,
) {
  if (ending.status === null) return
  const revisions = releases.get(input.releaseName) ?? []
  const status = ending.status === 'pending' ? `pending-${verb}` : ending.status
  if (status === 'deployed') for (const each of revisions) if (each.status === 'deployed') each.status = 'superseded'
  const revision = (revisions[0]?.revision ?? 0) + 1
  const made = { notes: state.notes, manifest: state.manifest }
  releases.set(input.releaseName, [
    { ...blank, ...made, name: input.releaseName, revision, status, description: ending.description, ...change },
    ...revisions,
  ])
}

function scriptedClusters(releases: Scripted['releases'], state: State): ClustersPort {
  const clusters: ClustersPort = {
    record: async (_, id) => (id === 'c1' ? { id, displayName: 'Sandbox', clusterScoped: false } : undefined),
    elsewhere: async (_, __, field) => fail('cluster.not-found', { field }),
    deployKubeconfig: async () => {
      if (state.isAway) throw fail('cluster.unreachable')
      return 'kubeconfig'
    },
    async readRelease({ releaseName }) {
      state.looks += 1
      if (state.isAway) throw fail('cluster.unreachable')
      return structuredClone(releases.get(releaseName) ?? [])
    },
    async readHistory(release) {
      return { revisions: await clusters.readRelease(release), unreadable: [] }
    },
    judgeChange: async (_, __, { kind, name }) => `${kind} ${name} is changed`,
    changeWorkload: (_, __, ___, mustMayStart) => mustMayStart(),
    setRevisionAside: async () => false,
    remaining: async (_, objects) =>
      state.manifest === '' ? [] : objects.map((each) => ({ ...each, isTerminating: false, finalizers: [] })),
    async setReleaseStatus({ releaseName }, { revision, from, to, description }) {
      const found = releases.get(releaseName)?.find((each) => each.revision === revision && each.status === from)
      if (found) Object.assign(found, { status: to, description })
      return found !== undefined
    },
    watchRelease: () => ({ stop: () => undefined }),
    capabilities: async () => ({ kubeVersion: 'v1.34.0', apiVersions: [], resourceScopes: new Map() }),
    async outsideOf(): Promise<OutsideVerdict> {
      const verdict = state.verdicts.shift()
      return {
        ...{
          elevates: false,
          asksFor: [],
          fingerprints: [],
          approvalId: null,
          objects: [],
          item: { id: 'item1', publisherId: null, sourceId: null },
        },
        decisions: verdict ? [decided(verdict)] : [],
        around: { namespace: '', namespaces: new Map(), existing: new Map(), roles: new Map() },
      }
    },
    async giveOutsideRights() {
      state.reached += 1
      return {}
    },
    async lockRevision({ releaseName, revision }) {
      const found = releases.get(releaseName)?.find((each) => each.revision === revision)
      if (!found) throw fail('cluster.refused')
      return structuredClone(found)
    },
    endOutsideRights: async () => undefined,
    withdrawn: async () => undefined,
    asksFor: async () => state.asksFor,
    refusedPriorities: async () => [],
    reachOf: async () => ({ apiServer: true, chartPolicies: true }),
    askApproval: async () => {
      throw fail('approval.not-needed')
    },
    dryRun: async () => [],
    overwrites: async () => [],
    shortfalls: async () => [],
    leftovers: async () => [],
    removeLeftover: async () => 'gone',
    releaseLock: async () => undefined,
    stateAfterFailure: async (_, __, said) => ({ state: 'failed', message: said }),
    refreshApp: async () => undefined,
    mustHoldNoApps: async () => undefined,
    clearSpace: async () => [],
    clearCluster: async () => [],
    releaseSpaces: async () => undefined,
    forgetCluster: async () => undefined,
    spacesOnClusters: async () => [],
  }
  return clusters
}

const blank: Release = {
  name: '',
  namespace: '',
  revision: 1,
  status: '',
  chart: { name: 'web', version: '1.0.0', appVersion: null },
  values: {},
  manifest: '',
  hooks: [],
  notes: '',
  description: '',
  updatedAt: new Date(0).toISOString(),
  labels: {},
}
